"""Rules as first-order formulas, straight from their text: nothing here knows the chase of `induction.py`.

    rule         p(X) :- q(X,Y), not r(Y).      forall X Y. q(X,Y) and not r(Y) => p(X)
    only rule    p(X) :- q(X,Y), not r(Y).      forall X. p(X) => exists Y. q(X,Y) and not r(Y)
    claim        some(P,L) :- owns(P,X).        forall P X. owns(P,X) => exists L. some(P,L)
    claim        :- p(X), q(X).                 forall X. not (p(X) and q(X))

The formulas are true in the least model (of a program with stratified negation: its only stable model), where `not`
says that an atom is not in it. A rule and its converse are Clark's completion (1978), which that model satisfies; of a
program without recursion it is the definition. A rule instance whose arithmetic is not defined (a divisor 0) does not
count in gringo: the body says so. An interval in a head is a variable between its ends. Names are compared by `less`, a
total order that nothing else is known of.

Sorts: a place is `int` when an integer, arithmetic or a `#const` of the board stands there, or what a rule joins it
with by a variable. Every other place is `thing`.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hexlogic.errors import HexlogicError
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule
from hexlogic.language.analysis.graph import UnionFind
from hexlogic.language.names import fresh_copies, fresh_variables
from hexlogic.language.terms import Arithmetic, Function, Integer, Interval, Symbol, Term, Variable
from hexlogic.language.walk import body_terms, has_distinct_variables, rule_variables, subterms, variables
from hexlogic.proofs.smt.formulas import (
    FALSE,
    Formula,
    Named,
    Not,
    Problem,
    Sort,
    Typed,
    atoms_of,
    conjunction,
    disjunction,
    implication,
    quantified,
    replaced,
)


class Sorts:
    """The sorts of every predicate's arguments and of every rule's variables, inferred from `rules`."""

    def __init__(
        self, rules: Iterable[Rule], parameters: Iterable[Symbol] = (), constants: Iterable[Symbol] = ()
    ) -> None:
        """`parameters` are unknown integers, `constants` unknown values. Raises HexlogicError for a compound term and
        for a place that holds integers and names."""
        self._constants = frozenset(constants)
        parameters = frozenset(parameters)
        self._numbers: dict[tuple[object, ...], int] = {}
        self._places = UnionFind[object]()
        integers, names = set[object](), set[object]()
        for rule in dict.fromkeys(rules):
            number = self._numbers.setdefault((rule.head, rule.body), len(self._numbers))
            for item in rule.items:
                terms = body_terms(item)
                for place, term in enumerate(terms):
                    if isinstance(item, Comparison):
                        self._places.join(self._node(number, terms[0]), self._node(number, term))
                    else:
                        atom = item if isinstance(item, Atom) else item.atom
                        self._places.join((atom.predicate, place), self._node(number, term))
                    for part in subterms(term):
                        node = self._node(number, part)
                        match part:
                            case Function():
                                hint = "no compound terms"
                                error = HexlogicError(f"the term {part} cannot be written for a prover", hint=hint)
                                raise rule.at(error)
                            case Arithmetic(_, left, right) | Interval(left, right):
                                integers |= {node, self._node(number, left), self._node(number, right)}
                            case Symbol() if part not in parameters:
                                names |= {node} - self._constants
                            case Symbol() | Integer():
                                integers.add(node)
        self._int = {self._places.find(node) for node in integers}
        both = {str(node[-1]) for node in names if isinstance(node, tuple) and self._places.find(node) in self._int}
        if both:
            hint = "a place of a predicate holds integers or names, not both"
            raise HexlogicError(f"{' and '.join(sorted(both))} and integers stand in one place", hint=hint)

    def _node(self, number: int, term: Term) -> object:
        """The node of a term in the sets of joined places: a variable or a value is one of its own in each rule."""
        if isinstance(term, Symbol) and term in self._constants:
            return term
        return (number, isinstance(term, Variable), term)

    def of(self, rule: Rule, term: Term) -> Sort:
        """The sort of a term that stands in a rule; the rule is one of those given."""
        return self._sort(self._node(self._numbers[rule.head, rule.body], term))

    def signature(self, predicate: Predicate) -> tuple[Sort, ...]:
        """The sorts of a predicate's arguments."""
        return tuple(self._sort((predicate, place)) for place in range(predicate.arity))

    def constant(self, constant: Symbol) -> Sort:
        """The sort of one of the constants that stand for any value."""
        return self._sort(constant)

    def _sort(self, node: object) -> Sort:
        return "int" if self._places.find(node) in self._int else "thing"


LESS = "<"
"""The order of names, as a predicate; no rule can define one that is called so."""


class Translator:
    """Rules to formulas, with the sorts that were inferred from all of them."""

    def __init__(self, sorts: Sorts, *, euclidean: bool = False) -> None:
        """`euclidean` says that every divisor was proved positive: then no body has to say so."""
        self._sorts, self._euclidean = sorts, euclidean

    def rule(self, rule: Rule) -> Formula:
        """A rule or a claim as an implication; head variables that the body does not bind are existential."""
        bound = variables(*rule.body)
        conditions, every = list(self.body(rule)), [*self._typed(rule, bound)]
        goal: Formula = FALSE
        if rule.head is not None:
            fresh = iter(fresh_variables("I", rule_variables(rule)))
            places = list(rule.head.arguments)
            for number, term in enumerate(places):
                if isinstance(term, Interval):
                    places[number] = place = next(fresh)
                    every.append((place, "int"))
                    conditions += _between(term, place)
            some = self._typed(rule, rule_variables(rule) - bound)
            goal = quantified("exists", some, replace(rule.head, arguments=tuple(places)))
        return quantified("forall", tuple(every), implication(conjunction(conditions), goal))

    def only_rules(self, rules: Sequence[Rule]) -> tuple[Atom, Typed, Formula]:
        """The predicate that all `rules` define, with its arguments, and when it holds: for these reasons only."""
        head = rules[0].conclusion
        if has_distinct_variables(head):
            places = [term for term in head.arguments if isinstance(term, Variable)]
        else:
            taken = frozenset[Variable]().union(*map(rule_variables, rules))
            fresh = map(Variable, (f"A{number}" for number in itertools.count(1)))
            places = list(itertools.islice((each for each in fresh if each not in taken), head.predicate.arity))
        typed = tuple(zip(places, self._sorts.signature(head.predicate), strict=True))
        return Atom(head.name, tuple(places)), typed, disjunction(self._reason(rule, places) for rule in rules)

    def _reason(self, rule: Rule, places: Sequence[Variable]) -> Formula:
        """`exists rest. head = places and body`; a head variable is replaced by its place where that is enough."""
        copies = fresh_copies(rule_variables(rule), places)
        chosen: dict[Variable, Variable] = {}
        for place, term in zip(places, rule.conclusion.arguments, strict=True):
            if isinstance(term, Variable):
                chosen.setdefault(term, place)
        renaming = dict[Term, Term]((*copies.items(), *chosen.items()))
        head = replaced(rule.conclusion, renaming)
        assert isinstance(head, Atom)
        equal: list[Formula] = []
        for place, term in zip(places, head.arguments, strict=True):
            if isinstance(term, Interval):
                equal += _between(term, place)
            elif term != place:
                equal.append(Comparison("=", place, term))
        rest = (variable for variable in sorted(copies, key=str) if variable not in chosen)
        typed = tuple((copies[variable], self._sorts.of(rule, variable)) for variable in rest)
        return quantified("exists", typed, conjunction((*equal, *self.body(rule, renaming))))

    def _typed(self, rule: Rule, chosen: Iterable[Variable]) -> Typed:
        return tuple((variable, self._sorts.of(rule, variable)) for variable in sorted(chosen, key=str))

    def some(self, rule: Rule) -> Formula:
        """The head of a rule, its variables existential; `false` where there is none."""
        if rule.head is None:
            return FALSE
        return quantified("exists", self._typed(rule, variables(rule.head)), rule.head)

    def body(
        self, rule: Rule, renaming: Mapping[Term, Term] | None = None, typed_as: Rule | None = None
    ) -> Iterator[Formula]:
        """The body, with what its arithmetic needs to be defined; sorts are those of `typed_as` where it is a part."""
        values = renaming or {}
        items = (*rule.body, *([] if rule.head is None else [Literal(rule.head)]))
        for term in (term for item in items for term in body_terms(item)):
            for part in () if self._euclidean else subterms(term):
                if isinstance(part, Arithmetic) and part.operator in ("/", "\\"):
                    yield replaced(Comparison("!=", part.right, Integer(0)), values)
        for item in rule.body:
            yield replaced(self._item(typed_as or rule, item), values)

    def _item(self, rule: Rule, item: BodyLiteral) -> Formula:
        if isinstance(item, Literal):
            return item.atom if item.positive else Not(item.atom)
        if item.operator in ("=", "!=") or {self._sorts.of(rule, item.left), self._sorts.of(rule, item.right)} == {
            "int"
        }:
            return item
        forward, backward = Atom(LESS, (item.left, item.right)), Atom(LESS, (item.right, item.left))
        ordered: Mapping[str, Formula] = {"<": forward, ">": backward, "<=": Not(backward), ">=": Not(forward)}
        return ordered[item.operator]


def _between(interval: Interval, place: Variable) -> tuple[Formula, Formula]:
    """That the value of a place is in the interval."""
    return Comparison("<=", interval.low, place), Comparison("<=", place, interval.high)


def _order() -> tuple[Named, ...]:
    x, y, z = (Variable(name) for name in "XYZ")
    less = {pair: Atom(LESS, pair) for pair in ((x, y), (y, x), (y, z), (x, z), (x, x))}
    either = disjunction((less[x, y], Comparison("=", x, y), less[y, x]))
    both = conjunction((less[x, y], less[y, z]))
    things: Typed = ((x, "thing"), (y, "thing"), (z, "thing"))
    return (
        Named("order 1", "nothing is less than itself", quantified("forall", things[:1], Not(less[x, x]))),
        Named("order 2", "less is transitive", quantified("forall", things, implication(both, less[x, z]))),
        Named("order 3", "two names are comparable", quantified("forall", things[:2], either)),
    )


ORDER = _order()
"""`less` is a strict total order of the names, as gringo's is."""


def with_signature(problem: Problem, sorts: Sorts) -> Problem:
    """The problem with the sorts of all its predicates, and the axioms of the order of names where it is used."""
    atoms = [part for formula in problem.formulas for part in atoms_of(formula) if isinstance(part, Atom)]
    predicates = {atom.predicate for atom in (*atoms, *(atom for atom, _, _ in problem.definitions))}
    less = Predicate(LESS, 2)
    names: tuple[Sort, ...] = ("thing", "thing")
    signature = tuple((each, names if each == less else sorts.signature(each)) for each in sorted(predicates))
    return replace(problem, signature=signature, axioms=(*(ORDER if less in predicates else ()), *problem.axioms))

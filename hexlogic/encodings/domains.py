"""What the atoms of a predicate are among: facts that each statement that derives them asks for.

    { cell(X,Y,V) : num(V) } 1 :- row(X), not off(X), col(Y).      cell(_,Y,V) is among col(Y), num(V)
    { queen(R,1..n) } 1 :- R = 1..n.                               queen(R,_) is among domain(R), domain(R) :- R = 1..n.

    at(R,T+1) :- go(R,N,T).    { go(R,N,T) } :- ...                 at(R,_) is among what go(R,_,_) is among

An atom of an answer set has a statement whose body (with the condition of its element) holds, and so does a part of
that body. *Leaves alone* predicates that an instance, an external, a disjunction, another part or a script may have
atoms of, and those of which some atom is derived without facts that bind what is asked for.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

from clingo.ast import AST, ASTType, ComparisonOperator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.convert import names_in, term_of
from hexlogic.encodings.statements import BASE, Item, Statement
from hexlogic.language import Atom, BodyLiteral, Comparison, Interval, Literal, Predicate, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.binding import bindable
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import bind_parameters, has_distinct_variables, substitute, variables

Bound: TypeAlias = tuple[list[Rule], list[BodyLiteral]]
"""Auxiliary rules, and literals that use them."""
_Inner: TypeAlias = Callable[[Sequence[Atom], frozenset[Variable]], Sequence[BodyLiteral] | None]


_MANY = 20
"""Ways to derive an inner atom, at most."""
_DEEPEST = 3
"""Predicates that are derived one from the other, up to the first one that is among facts."""


@dataclass(frozen=True)
class Derivation:
    """An atom that a statement may derive: its arguments in clingo's syntax, and the items that hold then."""

    arguments: Sequence[AST]
    items: Sequence[Item]

    @cached_property
    def _names(self) -> list[frozenset[Variable]]:
        return [names_in(argument).variables for argument in self.arguments]

    def _sure(self, facts: Collection[Predicate]) -> list[Item]:
        return [item for item in self.items if _is_sure(item, facts)]

    def joins(self, place: int, others: Sequence[int], facts: Collection[Predicate]) -> bool:
        """Whether an argument has variables in common with others, or with facts that do."""
        names = self._names[place]
        near = names.union(*(item.names.variables for item in _connected(self._sure(facts), names)))
        return any(near & self._names[other] for other in others)

    def among(self, places: Sequence[int], facts: Collection[Predicate], inner: _Inner) -> Rule | None:
        """The facts for some arguments, as the body of a rule with these in its head; None where they are not bound.
        `inner` gives facts for atoms that are none."""
        wanted = frozenset[Variable]().union(*(self._names[place] for place in places))
        items = self._sure(facts)
        near = [item for item in items if item.names.variables <= wanted]
        body = _safe(near, wanted) or _safe(_connected(items, wanted), wanted)
        head = Atom("domain", tuple(_term(self.arguments[place]) for place in places))
        if body is not None:
            return Rule(head, tuple(literal for item in body for literal in _sure_literals(item)))
        atoms = [literal.atom for item in self.items if not _is_sure(item, facts) for literal in item.positive]
        bound = inner(atoms, wanted) if wanted else None
        return None if bound is None else Rule(head, tuple(bound))


def _sure_literals(item: Item) -> tuple[BodyLiteral, ...]:
    """What an item says, as text where the rule language lacks it."""
    if item.literals is not None:
        return item.literals
    atom = item.node.atom
    if len(atom.guards) == 1:
        [guard], left = atom.guards, term_of(atom.term)
        if guard.comparison == ComparisonOperator.Equal and guard.term.ast_type == ASTType.Interval:
            low, high = term_of(guard.term.left), term_of(guard.term.right)
            if left is not None and low is not None and high is not None:
                return (Comparison("=", left, Interval(low, high)),)
    return (Literal(Atom(str(item.node))),)


def _term(node: AST) -> Term:
    return term_of(node) or Symbol(str(node))


def _is_sure(item: Item, facts: Collection[Predicate]) -> bool:
    """Whether an item is a comparison or a positive literal of facts."""
    if item.is_atom:
        return item.literals is not None and item.names.predicates <= frozenset(facts)
    return item.is_comparison


def _connected(items: Sequence[Item], wanted: frozenset[Variable]) -> list[Item]:
    """The items that are joined with the wanted variables, over others too."""
    near = wanted
    while (wider := near.union(*(item.names.variables for item in items if item.names.variables & near))) != near:
        near = wider
    return [item for item in items if item.names.variables & near]


def _bound(item: Item, bound: Collection[Variable]) -> frozenset[Variable]:
    """The variables that an item binds once others are bound."""
    if item.is_atom:
        return frozenset[Variable]().union(*(bindable(term) for each in item.positive for term in each.atom.arguments))
    guards = item.node.atom.guards
    if len(guards) == 1 and guards[0].comparison == ComparisonOperator.Equal:
        sides = [item.node.atom.term, guards[0].term]
        for left, right in (sides, sides[::-1]):
            if left.ast_type == ASTType.Variable and names_in(right).variables <= frozenset(bound):
                return names_in(left).variables
    return frozenset()


def _safe(items: Sequence[Item], wanted: frozenset[Variable]) -> list[Item] | None:
    """The items whose variables they bind among themselves; None where a wanted one is not bound."""
    bound = frozenset[Variable]()
    while (more := bound.union(*(_bound(item, bound) for item in items))) != bound:
        bound = more
    return [item for item in items if item.names.variables <= bound] if wanted <= bound else None


def certain(analysis: Analysis) -> set[Predicate]:
    """The predicates whose atoms gringo computes: facts, and what rules make of them without choices and without
    negation or aggregates in recursion."""
    if analysis.encoding.has_scripts:
        return set()
    rules: dict[Predicate, list[Statement]] = {}
    opened = set(analysis.derived)
    for statement in analysis.encoding.statements:
        if statement.is_plain and statement.part == BASE:
            rules.setdefault(min(statement.heads), []).append(statement)
        elif statement.kind != "Defined":
            opened |= statement.heads
    known = {*analysis.given, *analysis.encoding.fact_predicates, *rules} - opened
    while gone := {each for each in known if not all(_follows(rule, known, analysis) for rule in rules.get(each, ()))}:
        known -= gone
    return known


def _follows(statement: Statement, known: set[Predicate], analysis: Analysis) -> bool:
    circle = frozenset[Predicate]().union(*(analysis.components.get(head, ()) for head in statement.heads))
    for item, node in zip(statement.body, statement.node.body, strict=True):
        asked = item.names.predicates
        is_theory = node.ast_type == ASTType.Literal and node.atom.ast_type == ASTType.TheoryAtom
        if is_theory or not asked <= known or (asked & circle and not item.is_atom):
            return False
    return True


def derivations(predicate: Predicate, analysis: Analysis) -> Iterator[Derivation | None]:
    """All ways to derive an atom; None for one about which nothing is known."""
    if predicate in analysis.given or analysis.encoding.has_scripts:
        yield None
    for statement in analysis.encoding.deriving.get(predicate, ()):
        yield from _of(statement, predicate)


def _of(statement: Statement, predicate: Predicate) -> Iterator[Derivation | None]:
    if statement.head is None or statement.head.kind not in ("rule", "choice") or statement.part != BASE:
        yield None
        return
    for element in statement.head.aggregate.elements:
        if element.literal is None or predicate not in element.literal.names.predicates:
            continue
        literal = element.literal
        if literal.is_atom and literal.node.atom.symbol.ast_type == ASTType.Function:
            yield Derivation(literal.node.atom.symbol.arguments, (*statement.body, *element.condition))
        else:
            yield None


def facts_for(
    atoms: Sequence[Atom],
    wanted: frozenset[Variable],
    context: RuleContext,
    analysis: Analysis,
    outer: Collection[Predicate] = (),
    names: dict[tuple[Rule, ...], str] | None = None,
) -> Bound | None:
    """Auxiliary rules, and literals of facts that hold where the atoms do and bind the wanted variables; None where
    there are none. Variables of the atoms that are not wanted do not occur in the literals. Atoms that are derived from
    others are among the facts for these, but for predicates of `outer`. `names` are those of predicates that were made
    for the same bodies."""
    rules: list[Rule] = []
    literals: list[BodyLiteral] = []
    waiting, names = set(wanted), {} if names is None else names

    def inner(
        within: Collection[Predicate], atoms: Sequence[Atom], wanted: frozenset[Variable]
    ) -> Sequence[BodyLiteral] | None:
        closed = [atom for atom in atoms if atom.predicate not in within]
        if len(within) > _DEEPEST or (bound := facts_for(closed, wanted, context, analysis, within, names)) is None:
            return None
        rules.extend(bound[0])
        return bound[1]

    for atom in sorted(atoms, key=lambda atom: atom.predicate not in context.facts):
        places = [place for place, term in enumerate(atom.arguments) if waiting & bindable(term)]
        if places and atom.predicate in context.facts:
            kept: Mapping[int, Term] = {place: atom.arguments[place] for place in places}
            arguments = (kept.get(place, Symbol("_")) for place in range(len(atom.arguments)))
            literals.append(_without(Atom(atom.name, tuple(arguments)), wanted))
            waiting -= variables(*kept.values())
            continue
        found = list(derivations(atom.predicate, analysis)) if places else []
        found = [None] if outer and len(found) > _MANY else found
        known = [each for each in found if each is not None]
        within = {*outer, atom.predicate}
        for group in _groups(places, known, context.facts) if len(known) == len(found) else ():
            bodies = [each.among(group, context.facts, partial(inner, within)) for each in known]
            terms = [atom.arguments[place] for place in group]
            if None not in bodies:
                made = _made(tuple(dict.fromkeys(filter(None, bodies))), terms, wanted, context, names)
                rules += made[0]
                literals += made[1]
                waiting -= variables(*terms)
    if waiting:
        return None
    used, asked = list[Rule](), {item.atom.predicate for item in literals if isinstance(item, Literal)}
    for rule in reversed(rules):
        if outer or rule.conclusion.predicate in asked:
            used.insert(0, rule)
            asked |= {literal.atom.predicate for literal in rule.literals}
    return used, list(dict.fromkeys(literals))


def _groups(places: Sequence[int], known: Sequence[Derivation], facts: Collection[Predicate]) -> list[list[int]]:
    """The places in groups whose values do not depend on each other."""
    groups: list[list[int]] = []
    for place in places:
        joined = [group for group in groups if any(each.joins(place, group, facts) for each in known)]
        whole = sorted([place, *(other for group in joined for other in group)])
        groups = [*(group for group in groups if group not in joined), whole]
    return groups if known else []


def _without(atom: Atom, wanted: frozenset[Variable]) -> Literal:
    """The literal with `_` for other variables."""
    others = dict.fromkeys(variables(atom) - wanted, Symbol("_"))
    return Literal(substitute(Rule(atom), others).conclusion)


def _made(
    bodies: tuple[Rule, ...],
    terms: Sequence[Term],
    wanted: frozenset[Variable],
    context: RuleContext,
    names: dict[tuple[Rule, ...], str],
) -> Bound:
    """Rules and literals: the body itself where there is one whose variables are the arguments. `names` are those of
    the predicates that were made for the same bodies."""
    first, *others = bodies
    head = first.conclusion
    is_short = has_distinct_variables(head) and variables(*first.body) <= variables(head)
    is_short &= not others and variables(*terms) <= wanted
    if is_short and all(isinstance(each, Literal) and variables(each) for each in first.body):
        return [], list(substitute(first, bind_parameters(head.arguments, terms)).body)
    if bodies in names:
        return [], [_without(Atom(names[bodies], tuple(terms)), wanted)]
    whole = [literal for rule in bodies for literal in (Literal(rule.conclusion), *rule.body)]
    places = [Variable(f"A{place}") for place in range(len(terms))]
    predicate = context.auxiliary("domain", places, whole).predicate
    names[bodies] = predicate.name
    rules = [Rule(Atom(predicate.name, rule.conclusion.arguments), rule.body) for rule in bodies]
    context.facts.add(predicate)
    context.statistics.sizes[predicate] = sum(context.statistics.answers(rule.body) for rule in rules)
    return rules, [_without(Atom(predicate.name, tuple(terms)), wanted)]

"""A sheet flattened for evaluation: a relation for each kind of fact and move, and what each question needs.

    true(cell(X,Y,b)), does(R,mark(X,Y))      becomes      true_cell(X,Y,b), does_mark(R,X,Y)

To passes and evaluators every argument counts: which of them are bound, and how many values each can have. Nothing is
lost, and `Flattening.sheet` puts everything back. A rule about any fact, as `next(F) :- true(F)`, becomes a rule for
each kind.

The questions are asked at different times: *looks* (`legal`, `terminal`) in each state, *steps* (`next`) where a move
was made, *goals* at the end. What depends on no state is derived once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from hexlogic.errors import EngineError
from hexlogic.ggp.language.sheet import INPUTS, PLAYED
from hexlogic.ggp.language.static_facts import initial_facts
from hexlogic.ggp.language.types import PAIR, Slot, Types
from hexlogic.language.analysis.dependence import dependency_graph, growing_predicates, rules_below, sccs
from hexlogic.language.names import fresh_names, fresh_variables
from hexlogic.language.syntax import Atom, Function, Predicate, Program, Rule, Term, Variable
from hexlogic.language.walk import general_atom, has_interval, map_atoms, predicates, rule_variables, substitute

_KINDS = ((Predicate("true", 1), Predicate("next", 1)), (Predicate("does", 2), Predicate("legal", 2)))
"""Words of GDL that speak of facts, and those that speak of moves; the fact or the move is the last argument."""
_MOST_KINDS = 12
"""A rule about any fact becomes at most so many."""

_Shape: TypeAlias = tuple[str | Term, int]
"""A functor with its number of arguments, or a constant with 0."""


@dataclass(frozen=True)
class Flattening:
    """A flattened program, and which of its predicates stands for which kind of fact or move."""

    program: Program
    names: Mapping[tuple[str, _Shape], Predicate]
    paired: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By the name of a predicate: the arguments that are one with the argument after them, by their numbers before."""

    def atom(self, atom: Atom) -> Atom:
        """The atom, flattened where it speaks of a fact or a move of a known kind."""
        named = None if not atom.arguments else self.names.get((atom.name, shape_of(atom.arguments[-1])))
        if named is None:
            return atom
        *others, last = atom.arguments
        terms = (*others, *(last.arguments if isinstance(last, Function) else ()))
        columns = self.paired.get(named.name, ())
        paired = (
            Function(PAIR, terms[column : column + 2]) if column in columns else term
            for column, term in enumerate(terms)
            if column - 1 not in columns
        )
        return Atom(named.name, tuple(paired))

    @cached_property
    def kinds(self) -> Mapping[Predicate, tuple[str, _Shape]]:
        """The word of GDL and the kind of fact or move that each predicate stands for."""
        return {predicate: key for key, predicate in self.names.items()}

    def sheet(self, program: Program) -> tuple[Rule, ...]:
        """The rules of a changed program, in the words of GDL again."""

        def put_back(atom: Atom) -> Atom:
            if atom.predicate not in self.kinds:
                return atom
            word, shape = self.kinds[atom.predicate]
            before = len(atom.arguments) - shape[1]
            return Atom(word, (*atom.arguments[:before], _term(shape, atom.arguments[before:])))

        return tuple(map_atoms(rule, put_back) for rule in program.rules)


def flatten(rules: Sequence[Rule], possible: Sequence[Atom] | None) -> Flattening:
    """Flatten the rules of a sheet that are about play, given all facts and moves that can come up, where known. Facts,
    or moves, stay as they are when a variable stands for one and there are many kinds, or unknown ones."""
    program = Program(tuple(rules), (), INPUTS, PLAYED)
    taken = {predicate.name for predicate in predicates(program)}
    names: dict[tuple[str, _Shape], Predicate] = {}
    spread = list(program.rules)
    for words in _KINDS:
        known = _shapes(spread, possible, words)
        expanded = [list(_expand(rule, words, known, possible is not None)) for rule in spread]
        if not known or not all(expanded):
            continue
        definitions = Program(tuple(spread)).definitions
        spread = [
            rule
            for alternatives in expanded
            for rule in alternatives
            if len(alternatives) == 1 or _may_fire(rule, definitions)
        ]
        for predicate, shape in itertools.product(words, known):
            base = f"{predicate.name}_{shape[0]}"
            name = next(iter(fresh_names(base.replace("-", "minus_"), taken)))
            taken.add(name)
            names[predicate.name, shape] = Predicate(name, predicate.arity - 1 + shape[1])
    flat = Flattening(program, names)
    opened = Program(tuple(map_atoms(rule, flat.atom) for rule in spread))
    inputs = [flat_name for (word, _), flat_name in names.items() if word in ("true", "does")]
    inputs += [predicate for predicate in program.inputs if predicate in predicates(opened)]
    queries = [flat_name for (word, _), flat_name in names.items() if word in ("next", "legal")]
    asked = tuple(filter(opened.heads.__contains__, (*queries, *PLAYED)))
    return replace(flat, program=replace(opened, inputs=tuple(inputs), queries=asked))


def shape_of(term: Term) -> _Shape:
    """The functor of a term with its number of arguments, or the constant with 0."""
    return (term.name, len(term.arguments)) if isinstance(term, Function) else (term, 0)


def _term(shape: _Shape, arguments: tuple[Term, ...]) -> Term:
    return Function(shape[0], arguments) if isinstance(shape[0], str) else shape[0]


def _shapes(rules: Iterable[Rule], possible: Sequence[Atom] | None, words: Sequence[Predicate]) -> list[_Shape]:
    atoms = itertools.chain(*(rule.atoms for rule in rules), possible or ())
    terms = (atom.arguments[-1] for atom in atoms if atom.predicate in words)
    shapes = {shape_of(term) for term in terms if not isinstance(term, Variable)}
    return sorted(shapes, key=lambda shape: str(shape if shape[1] else shape[0]))


def _expand(rule: Rule, words: Sequence[Predicate], known: Sequence[_Shape], complete: bool) -> Iterator[Rule]:
    """The rule for each kind of fact that a variable in it may stand for; nothing when these are not known."""
    spoken = [atom for atom in rule.atoms if atom.predicate in words]
    open_terms = {atom.arguments[-1] for atom in spoken if isinstance(atom.arguments[-1], Variable)}
    if not open_terms:
        yield rule
        return
    sure = {literal.atom for literal in rule.literals if literal.positive} | ({rule.head} if rule.head else set())
    bound = {atom.arguments[-1] for atom in spoken if atom in sure}
    if not complete or not open_terms <= bound or len(known) ** len(open_terms) > _MOST_KINDS:
        return
    ordered = [term for term in sorted(open_terms, key=str) if isinstance(term, Variable)]
    for chosen in itertools.product(known, repeat=len(ordered)):
        fresh = iter(fresh_variables("V", rule_variables(rule)))
        terms = [_term(shape, tuple(itertools.islice(fresh, shape[1]))) for shape in chosen]
        yield substitute(rule, dict(zip(ordered, terms, strict=True)))


def _may_fire(rule: Rule, definitions: Mapping[Predicate, Sequence[Rule]]) -> bool:
    """Whether some rule derives an atom of the form of each positive literal that is no input."""
    derived = [item.atom for item in rule.literals if item.positive and item.atom.name not in ("true", "does")]
    return all(
        any(
            all(map(_alike, atom.arguments, other.conclusion.arguments))
            for other in definitions.get(atom.predicate, ())
        )
        for atom in derived
    )


def _alike(left: Term, right: Term) -> bool:
    """Whether two terms can be the same, as far as their functors and constants tell."""
    if isinstance(left, Variable) or isinstance(right, Variable):
        return True
    if not (isinstance(left, Function) and isinstance(right, Function)):
        return left == right
    return shape_of(left) == shape_of(right) and all(map(_alike, left.arguments, right.arguments))


@dataclass(frozen=True)
class OpenedSheet:
    """The rules over flat relations; the types of their columns."""

    flat: Flattening
    types: Types
    initial: frozenset[Term]
    drops: Mapping[Predicate, Predicate | None] = field(default_factory=dict)
    """The relations of `true` of which a step derives only what comes, and what goes: in these relations, if anything
    ever does (see `hexlogic.ggp.forward.differences`)."""
    kept: tuple[Predicate, ...] = ()
    """Views that are kept from state to state, each after those it reads (see `hexlogic.ggp.forward.kept`)."""
    gates: Mapping[Predicate, Predicate] = field(default_factory=dict)
    """By relation of `legal` that is kept or tried: the roles whose moves there may be legal in the state."""
    tries: Mapping[Predicate, Predicate] = field(default_factory=dict)
    """By relation of `legal` that random games do not derive: a test (see `hexlogic.ggp.forward.tries`)."""

    @property
    def program(self) -> Program:
        """The rules."""
        return self.flat.program

    def with_rules(self, rules: tuple[Rule, ...]) -> OpenedSheet:
        """The sheet with other rules."""
        return replace(self, flat=replace(self.flat, program=self.program.with_rules(rules)))

    @cached_property
    def pairs(self) -> Mapping[Predicate, Predicate]:
        """For each relation of `true` that of `next`, for each of `does` that of `legal`."""
        pairs: dict[Predicate, Predicate] = {}
        for relation, origin in _KINDS:
            shapes = [shape for word, shape in self.flat.names if word == relation.name]
            names = ([self.flat.names[word.name, shape] for shape in shapes] for word in (relation, origin))
            pairs |= dict(zip(*names, strict=True)) or {relation: origin}
        return pairs

    @cached_property
    def words(self) -> Mapping[Predicate, str]:
        """The word of GDL, `true` or `does`, that each relation of facts or moves stands for."""
        return {relation: self.flat.kinds.get(relation, (relation.name,))[0] for relation in self.pairs}

    @cached_property
    def state(self) -> tuple[Predicate, ...]:
        """The relations of `true`, sorted."""
        return tuple(sorted(relation for relation, word in self.words.items() if word == "true"))

    @cached_property
    def done(self) -> tuple[Predicate, ...]:
        """The relations of `does`, sorted."""
        return tuple(sorted(relation for relation, word in self.words.items() if word == "does"))

    @property
    def inputs(self) -> tuple[Predicate, ...]:
        """The relations of `true`, then those of `does`."""
        return self.state + self.done

    @cached_property
    def asked(self) -> tuple[frozenset[Predicate], ...]:
        """What is asked in each state, for a step, at the end, and where all moves are listed."""
        looks = {*(self.pairs[relation] for relation in self.done), *self.gates.values(), Predicate("terminal", 0)}
        looks = (looks - self.tries.keys()).union(self.tries.values())
        steps = {*(self.pairs[relation] for relation in self.state), *filter(None, self.drops.values())}
        return tuple(self.program.heads & asked for asked in (looks, steps, {Predicate("goal", 2)}, self.tries.keys()))

    @cached_property
    def joined(self) -> tuple[tuple[Slot, Slot], ...]:
        """The columns of `true` and `next`, and of `does` and `legal`, which have the same terms."""
        return _same_types(self.pairs)

    @cached_property
    def phases(self) -> tuple[tuple[frozenset[Predicate], ...], ...]:
        """What is derived once, and for what is asked: components, each after those it needs."""
        graph = dependency_graph(self.program)
        # What is next becomes true, also where it follows from nothing.
        moving = graph.above([*self.inputs, *(self.pairs[relation] for relation in self.state)])
        needed = list(map(graph.below, self.asked))
        looks = (needed[0] | needed[1] & needed[3]) & moving
        others = (each & moving - looks for each in needed[1:])
        parts = (frozenset().union(*needed) - moving, looks, *others)
        inputs = frozenset(self.inputs)
        order = sccs(self.program)
        return tuple(tuple(part for part in order if part <= asked and not part <= inputs) for asked in parts)

    def atom(self, word: str, *arguments: Term) -> Atom:
        """The flat atom of `true(fact)` or `does(role,move)`."""
        return self.flat.atom(Atom(word, arguments))

    def numbers(self, atom: Atom) -> list[int] | None:
        """The numbers of a flat atom's terms; None where one cannot stand there."""
        numbers = [self.types.of((atom.predicate, place)).number(term) for place, term in enumerate(atom.arguments)]
        return None if -1 in numbers else numbers

    def term(self, predicate: Predicate, numbers: Iterable[int]) -> Term:
        """The fact or move, the last argument of what a flat atom stands for."""
        terms: list[Term] = []
        for place, number in enumerate(numbers):
            term = self.types.of((predicate, place)).term(number)
            terms += term.arguments if isinstance(term, Function) and term.name == PAIR else [term]
        if predicate not in self.flat.kinds:
            return terms[-1]
        _, shape = self.flat.kinds[predicate]
        return _term(shape, tuple(terms[len(terms) - shape[1] :]))


def _same_types(pairs: Mapping[Predicate, Predicate]) -> tuple[tuple[Slot, Slot], ...]:
    """The columns of pairs of relations, which have the same terms."""
    return tuple(((left, place), (right, place)) for left, right in pairs.items() for place in range(left.arity))


def open_sheet(sheet: Program) -> OpenedSheet:
    """Flatten a sheet. Raises EngineError where terms grow or numbers are computed."""
    rules = rules_below(sheet, PLAYED).rules
    if growing := min(growing_predicates(Program(rules, (), INPUTS)), default=None):
        raise EngineError(f"terms grow under recursion in {growing}")
    for rule in rules:
        if has_interval(rule):
            raise EngineError(f"an interval in {rule}")
    initial = initial_facts(sheet)
    given = tuple(Rule(Atom("true", (fact,))) for fact in initial)
    whole = Types((*rules, *given), _same_types(dict(_KINDS)))
    possible = []
    for predicate in INPUTS:
        kind = whole.of((predicate, predicate.arity - 1))
        compound = (Function(name, general_atom(Predicate(name, arity)).arguments) for name, arity in kind.shapes)
        others = general_atom(predicate).arguments[:-1]
        possible += [Atom(predicate.name, (*others, term)) for term in (*kind.constants, *compound)]
    flat = flatten(rules, possible)
    opened = OpenedSheet(flat, whole, initial)
    facts = tuple(Rule(opened.atom("true", fact)) for fact in initial)
    return OpenedSheet(flat, Types((*flat.program.rules, *facts), opened.joined), initial)

"""A sheet flattened for evaluation: a relation for each kind of fact and move, and what each question needs.

    true(cell(X,Y,b)), does(R,mark(X,Y))      becomes      true_cell(X,Y,b), does_mark(R,X,Y)

The questions are asked at different times: *looks* (`legal`, `terminal`) in each state, *steps* (`next`) where a move
was made, *goals* at the end. What depends on no state is derived once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from hexlogic.errors import EngineError
from hexlogic.ggp.language.flattening import Flattening, flatten
from hexlogic.ggp.language.sheet import INPUTS, PLAYED
from hexlogic.ggp.language.static_facts import initial_facts
from hexlogic.ggp.language.types import Slot, Type, Types
from hexlogic.language.analysis.dependence import dependency_graph, growing_predicates, rules_below, sccs
from hexlogic.language.syntax import Atom, Function, Interval, Literal, Predicate, Program, Rule, Term
from hexlogic.language.walk import general_atom, has_distinct_variables, rule_terms

_WORDS = (("true", "next"), ("does", "legal"))
_JOINED = (
    ((Predicate("true", 1), 0), (Predicate("next", 1), 0)),
    ((Predicate("does", 2), 0), (Predicate("legal", 2), 0)),
    ((Predicate("does", 2), 1), (Predicate("legal", 2), 1)),
)


@dataclass(frozen=True)
class OpenedSheet:
    """The rules over flat relations; the types of their columns."""

    flat: Flattening
    types: Types
    initial: frozenset[Term]

    @property
    def program(self) -> Program:
        """The rules."""
        return self.flat.program

    @cached_property
    def pairs(self) -> Mapping[Predicate, Predicate]:
        """For each relation of `true` that of `next`, for each of `does` that of `legal`."""
        pairs: dict[Predicate, Predicate] = {}
        for word, other in _WORDS:
            kinds = [(name, shape) for name, shape in self.flat.names if name == word]
            if kinds:
                pairs |= {self.flat.names[word, shape]: self.flat.names[other, shape] for _, shape in kinds}
            else:
                arity = 1 if word == "true" else 2
                pairs[Predicate(word, arity)] = Predicate(other, arity)
        return pairs

    @cached_property
    def inputs(self) -> tuple[Predicate, ...]:
        """The relations of `true`, then those of `does`, sorted."""
        return tuple(sorted(self.pairs, key=lambda pair: (not pair.name.startswith("true"), pair)))

    @property
    def state(self) -> tuple[Predicate, ...]:
        """The relations of `true`."""
        return tuple(relation for relation in self.inputs if self.words[relation] == "true")

    @property
    def done(self) -> tuple[Predicate, ...]:
        """The relations of `does`."""
        return tuple(relation for relation in self.inputs if self.words[relation] == "does")

    @cached_property
    def words(self) -> Mapping[Predicate, str]:
        """The word of GDL that each relation of facts or moves stands for."""
        words = {predicate: word for (word, _), predicate in self.flat.names.items()}
        return {predicate: words.get(predicate, predicate.name) for predicate in self.pairs}

    @cached_property
    def asked(self) -> tuple[frozenset[Predicate], ...]:
        """What is asked in each state, for a step, and at the end."""
        heads = self.program.heads
        return (
            heads & {*self._of("legal"), Predicate("terminal", 0)},
            heads & self._of("next"),
            heads & {Predicate("goal", 2)},
        )

    @cached_property
    def joined(self) -> tuple[tuple[Slot, Slot], ...]:
        """The columns of `true` and `next`, and of `does` and `legal`, which have the same terms."""
        pairs = self.pairs.items()
        return tuple(((left, place), (right, place)) for left, right in pairs for place in range(left.arity))

    @cached_property
    def phases(self) -> tuple[tuple[frozenset[Predicate], ...], ...]:
        """What is derived once, in each state, for a step and for goals: components, each after those it needs."""
        graph = dependency_graph(self.program)
        # What is next becomes true, also where it follows from nothing.
        moving = graph.above(predicate for predicate in (*self.inputs, *self._of("next")) if predicate in graph)
        needed = [graph.below(predicate for predicate in asked if predicate in graph) for asked in self.asked]
        looks = needed[0] & moving
        parts = (
            frozenset().union(*needed) - moving,
            looks,
            needed[1] & moving - looks,
            needed[2] & moving - looks,
        )
        inputs = frozenset(self.inputs)
        order = sccs(self.program)
        return tuple(tuple(part for part in order if part <= asked and not part <= inputs) for asked in parts)

    @cached_property
    def frames(self) -> Mapping[Predicate, Rule]:
        """The relations of `true` whose facts stay for ever, and the rule `next(F) :- true(F)` that says so."""
        frames: dict[Predicate, Rule] = {}
        for relation in self.state:
            for rule in self.program.defining(self.pairs[relation]):
                head = rule.head
                assert head is not None
                if rule.body == (Literal(Atom(relation.name, head.arguments)),) and has_distinct_variables(head):
                    frames[relation] = rule
        return frames

    def _of(self, word: str) -> frozenset[Predicate]:
        source = "true" if word == "next" else "does"
        return frozenset(origin for relation, origin in self.pairs.items() if self.words[relation] == source)

    def atom(self, word: str, *arguments: Term) -> Atom:
        """The flat atom of `true(fact)` or `does(role,move)`."""
        return self.flat.atom(Atom(word, arguments))

    def numbers(self, atom: Atom) -> list[int] | None:
        """The numbers of a flat atom's terms; None where one cannot stand there."""
        numbers = [self.types.of((atom.predicate, place)).number(term) for place, term in enumerate(atom.arguments)]
        return None if -1 in numbers else numbers

    def term(self, predicate: Predicate, numbers: Iterable[int]) -> Term:
        """The fact or move, the last argument of what a flat atom stands for."""
        terms = [self.types.of((predicate, place)).term(number) for place, number in enumerate(numbers)]
        shape = self._shapes.get(predicate)
        if shape is None:
            return terms[-1]
        if isinstance(shape, tuple):
            return Function(shape[0], tuple(terms[len(terms) - shape[1] :]))
        return shape

    @cached_property
    def _shapes(self) -> Mapping[Predicate, tuple[str, int] | Term]:
        return {predicate: shape for (_, shape), predicate in self.flat.names.items()}


def open_sheet(sheet: Program) -> OpenedSheet:
    """Flatten a sheet. Raises EngineError where terms grow or numbers are computed."""
    rules = tuple(rule for rule in rules_below(sheet, PLAYED).rules if not rule.is_constraint)
    if growing := min(growing_predicates(Program(rules, (), INPUTS)), default=None):
        raise EngineError(f"terms grow under recursion in {growing}")
    for rule in rules:
        if any(isinstance(term, Interval) for term in rule_terms(rule)):
            raise EngineError(f"an interval in {rule}")
    initial = initial_facts(sheet)
    given = tuple(Rule(Atom("true", (fact,))) for fact in initial)
    whole = Types((*rules, *given), _JOINED)
    possible = [
        Atom(predicate.name, (*general_atom(predicate).arguments[:-1], term))
        for predicate in INPUTS
        for term in _examples(whole.of((predicate, predicate.arity - 1)))
    ]
    flat = flatten(rules, possible)
    opened = OpenedSheet(flat, whole, initial)
    facts = tuple(Rule(opened.atom("true", fact)) for fact in initial)
    return OpenedSheet(flat, Types((*flat.program.rules, *facts), opened.joined), initial)


def _examples(kind: Type) -> list[Term]:
    """A term of each shape of a type."""
    made: list[Term] = list(kind.constants)
    return made + [Function(name, tuple(general_atom(Predicate(name, arity)).arguments)) for name, arity in kind.shapes]

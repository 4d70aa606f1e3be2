"""How large the relations of a sheet are, guessed before there are any, and the order of joins that follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.language.types import Slot
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Function, Literal, Predicate, Rule, Variable
from hexlogic.language.walk import variables

_DONE = 1.0
"""Moves of a kind in a step: one, in a game by turns."""


@dataclass
class Sizes:
    """The tuples of relations in a state."""

    opened: OpenedSheet
    counts: dict[Predicate, float]

    def size(self, predicate: Predicate) -> float:
        """The tuples of a relation; a little where there were none, so that those after it count."""
        return max(0.1, self.counts.get(predicate, 0.0))

    def values(self, slot: Slot) -> float:
        """The values in a column."""
        return min(float(max(1, self.opened.types.of(slot).size)), max(1.0, self.size(slot[0])))


def ordered(body: Sequence[BodyLiteral], first: int | None, sizes: Sizes) -> Iterator[BodyLiteral]:
    """The body in the order in which it is joined; `first` is the number of a literal whose tuple is given, and which
    is left out. The literal that should match the fewest tuples comes first; tests and literals whose variables are all
    bound come as soon as they are. Raises EngineError where a variable is bound nowhere."""
    bound: set[Variable] = set()
    rest = list(body)
    if first is not None:
        bound |= variables(rest.pop(first))
    while rest:
        item = next((item for item in rest if _is_ready(item, bound)), None)
        if item is None:
            scans = [item for item in rest if isinstance(item, Literal) and item.positive]
            if not scans:
                raise EngineError(f"a variable is bound nowhere in {', '.join(map(str, body))}")
            item = min(scans, key=lambda item: _matches(item.atom, bound, sizes))
        yield item
        rest.remove(item)
        bound |= variables(item)


def _is_ready(item: BodyLiteral, bound: set[Variable]) -> bool:
    if isinstance(item, Comparison) and item.operator == "=":
        sides = item.left, item.right
        if any(isinstance(side, Variable) for side in sides):
            return any(variables(side) <= bound for side in sides)
    return variables(item) <= bound


def _matches(atom: Atom, bound: set[Variable], sizes: Sizes) -> float:
    """How many tuples a scan should find."""
    matches = sizes.size(atom.predicate)
    for column, term in enumerate(atom.arguments):
        if variables(term) <= bound:
            matches /= sizes.values((atom.predicate, column))
        elif isinstance(term, Function):
            matches *= 0.5
    return matches


def guessed(opened: OpenedSheet) -> Sizes:
    """Sizes before anything was measured: those of the first state, and what joins should give."""
    counts: dict[Predicate, float] = dict.fromkeys(opened.done, _DONE)
    counts |= dict.fromkeys(opened.state, 1.0)
    for fact in opened.initial:
        counts[opened.atom("true", fact).predicate] += 1
    sizes = Sizes(opened, counts)
    definitions = opened.program.definitions
    for phase in opened.phases:
        for component in phase:
            for _ in range(2):
                _guess(sizes, {predicate: definitions.get(predicate, []) for predicate in sorted(component)})
    return sizes


def _guess(sizes: Sizes, definitions: Mapping[Predicate, Sequence[Rule]]) -> None:
    for predicate, rules in definitions.items():
        tuples = 0.0
        for rule in rules:
            answers = 1.0
            bound: set[Variable] = set()
            for item in ordered(rule.body, None, sizes):
                if isinstance(item, Literal) and item.positive:
                    answers *= sizes.size(item.atom.predicate)
                    for column, term in enumerate(item.atom.arguments):
                        if variables(term) <= bound:
                            answers /= sizes.values((item.atom.predicate, column))
                else:
                    answers *= 0.7
                bound |= variables(item)
            tuples += answers
        whole = prod(max(1, sizes.opened.types.of((predicate, place)).size) for place in range(predicate.arity))
        sizes.counts[predicate] = min(tuples, float(whole))

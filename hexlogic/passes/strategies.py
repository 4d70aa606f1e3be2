"""SIP strategies: each chooses, again and again, which of the body literals that may come next does.

A chooser sees only legal candidates: literals whose negations, comparisons and arithmetic find their variables bound
by what stands before. Strategies therefore differ in cost, never in meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.logic import BodyLiteral, Comparison, Predicate, Variable
from hexlogic.logic.binding import is_test
from hexlogic.logic.walk import body_terms, variables

__all__ = ["STRATEGIES", "Candidate", "Strategy", "View"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A literal that may come next; `position` is its place in the original body."""

    position: int
    item: BodyLiteral


@dataclass(frozen=True, slots=True)
class View:
    """What a chooser knows.

    `bound` are the variables bound so far, by the call or the body; `sizes` says how many facts a predicate has;
    `narrowing` at which argument positions a bound value saves a predicate work.
    """

    bound: frozenset[Variable]
    sizes: Mapping[Predicate, int]
    narrowing: Mapping[Predicate, frozenset[int]]

    def new(self, item: BodyLiteral) -> int:
        """How many variables the literal would bind."""
        return len(variables(item) - self.bound)

    def bound_arguments(self, item: BodyLiteral) -> int:
        """How many arguments are known when the literal is reached."""
        return sum(variables(term) <= self.bound for term in body_terms(item))

    def size(self, item: BodyLiteral) -> float:
        """The number of facts of the literal's predicate; infinite when rules define it or inputs bring it."""
        if isinstance(item, Comparison):
            return 0
        return self.sizes.get(item.atom.predicate, float("inf"))

    def narrowed_by(self, item: BodyLiteral, known: frozenset[Variable]) -> bool:
        """Whether knowing the variables `known` beforehand would save the literal work."""
        if isinstance(item, Comparison):
            return False
        terms = item.atom.arguments
        return any(known & variables(terms[number]) for number in self.narrowing.get(item.atom.predicate, ()))

    def filters(self, item: BodyLiteral) -> bool:
        """Whether the literal yields at most one answer: a test, or a comparison that computes a value."""
        return isinstance(item, Comparison) or is_test(item, self.bound)


Strategy: TypeAlias = Callable[[Sequence[Candidate], View], Candidate]


def naive(candidates: Sequence[Candidate], view: View) -> Candidate:
    """The worst legal order: generate as much as possible, unconnected first, and test at the very end."""

    def badness(candidate: Candidate) -> tuple[bool, int, float, int]:
        item = candidate.item
        return (view.filters(item), view.bound_arguments(item), -view.new(item), candidate.position)

    return min(candidates, key=badness)


def stepwise(candidates: Sequence[Candidate], view: View) -> Candidate:
    """The paper's: pick a cell, check it, pick the next.

    Whatever can be checked or computed comes at once. Otherwise the next generator of the text, unless another
    picks one of the same variables alone, tied to what is known, and so narrows it: `first(P,X)` goes before
    `same_cluster(P,X,Y)`, which is then asked about one cluster and not about all.
    """
    ready = [candidate for candidate in candidates if view.filters(candidate.item)]
    if ready:
        return min(ready, key=lambda candidate: (_filter_cost(candidate.item, view), candidate.position))
    leading = min(candidates, key=lambda candidate: candidate.position)
    wanted = variables(leading.item) - view.bound
    smaller = [
        candidate
        for candidate in candidates
        if view.new(candidate.item) == 1 < len(wanted)
        and view.bound_arguments(candidate.item)
        and (picked := variables(candidate.item) - view.bound) <= wanted
        and view.narrowed_by(leading.item, picked)
    ]
    return min(smaller, key=lambda candidate: candidate.position, default=leading)


def _filter_cost(item: BodyLiteral, view: View) -> int:
    """Comparisons of known values, then lookups, then computed values, which open the way for further lookups."""
    if isinstance(item, Comparison):
        return 0 if is_test(item, view.bound) else 2
    return 1


def bound_first(candidates: Sequence[Candidate], view: View) -> Candidate:
    """Most bound arguments first, then the smallest relation; whatever can only filter goes before both."""

    def rank(candidate: Candidate) -> tuple[bool, int, float, int]:
        item = candidate.item
        return (not view.filters(item), -view.bound_arguments(item), view.size(item), candidate.position)

    return min(candidates, key=rank)


def textual(candidates: Sequence[Candidate], view: View) -> Candidate:
    """The order of the text, mended only where it is not legal."""
    return min(candidates, key=lambda candidate: candidate.position)


STRATEGIES: dict[str, Strategy] = {
    "textual": textual,
    "naive": naive,
    "stepwise": stepwise,
    "bound-first": bound_first,
}

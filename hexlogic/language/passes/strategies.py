"""SIP strategies: each chooses the next body literal among those that are legal there, until the body is ordered.

A chooser sees only legal candidates: literals whose negations, comparisons and arithmetic find their variables bound
by what stands before. Strategies therefore differ in cost, never in meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.language import BodyLiteral, Comparison, Predicate, Variable
from hexlogic.language.walk import body_terms, variables


@dataclass(frozen=True, slots=True)
class Candidate:
    """A literal that may come next, with its variables; `position` is its place in the original body."""

    position: int
    item: BodyLiteral
    names: frozenset[Variable]


@dataclass(frozen=True, slots=True)
class View:
    """What a chooser knows.

    `bound` are the variables bound so far, by the call or the body; `sizes` says how many facts a predicate has;
    `narrowing` at which argument positions a bound value saves a predicate work.
    """

    bound: frozenset[Variable]
    sizes: Mapping[Predicate, int]
    narrowing: Mapping[Predicate, frozenset[int]]

    def new(self, candidate: Candidate) -> frozenset[Variable]:
        """The variables that the literal would bind."""
        return candidate.names - self.bound

    def bound_arguments(self, candidate: Candidate) -> int:
        """How many arguments are known when the literal is reached."""
        return sum(variables(term) <= self.bound for term in body_terms(candidate.item))

    def size(self, candidate: Candidate) -> float:
        """The number of facts of the literal's predicate; infinite when rules define it or inputs bring it."""
        if isinstance(candidate.item, Comparison):
            return 0
        return self.sizes.get(candidate.item.atom.predicate, float("inf"))

    def narrowed_by(self, candidate: Candidate, known: frozenset[Variable]) -> bool:
        """Whether knowing the variables `known` beforehand would save the literal work."""
        if isinstance(candidate.item, Comparison):
            return False
        atom = candidate.item.atom
        return any(known & variables(atom.arguments[number]) for number in self.narrowing.get(atom.predicate, ()))

    def is_test(self, candidate: Candidate) -> bool:
        """Whether the literal binds nothing new: it can only hold or fail."""
        return candidate.names <= self.bound

    def filters(self, candidate: Candidate) -> bool:
        """Whether the literal yields at most one answer: a test, or a comparison that computes a value."""
        return isinstance(candidate.item, Comparison) or self.is_test(candidate)


Strategy: TypeAlias = Callable[[Sequence[Candidate], View], Candidate]


def naive(candidates: Sequence[Candidate], view: View) -> Candidate:
    """The worst legal order: generate as much as possible, unconnected first, and test at the very end."""

    def badness(candidate: Candidate) -> tuple[bool, int, int, int]:
        new = len(view.new(candidate))
        return (view.filters(candidate), view.bound_arguments(candidate), -new, candidate.position)

    return min(candidates, key=badness)


def stepwise(candidates: Sequence[Candidate], view: View) -> Candidate:
    """The paper's: pick a cell, check it, pick the next.

    Whatever can be checked or computed comes at once. Otherwise the next generator of the text, unless another
    picks one of the same variables alone, tied to what is known, and so narrows it: `first(P,X)` goes before
    `same_cluster(P,X,Y)`, which is then asked about one cluster and not about all.
    """

    def cost(candidate: Candidate) -> tuple[int, int]:
        """Comparisons of known values, then lookups, then computed values, which open the way for further lookups."""
        compared = 0 if view.is_test(candidate) else 2
        return (compared if isinstance(candidate.item, Comparison) else 1), candidate.position

    ready = [candidate for candidate in candidates if view.filters(candidate)]
    if ready:
        return min(ready, key=cost)
    leading = min(candidates, key=lambda candidate: candidate.position)
    wanted = view.new(leading)
    smaller = [
        candidate
        for candidate in candidates
        if len(picked := view.new(candidate)) == 1 < len(wanted)
        and picked <= wanted
        and view.bound_arguments(candidate)
        and view.narrowed_by(leading, picked)
    ]
    return min(smaller, key=lambda candidate: candidate.position, default=leading)


def bound_first(candidates: Sequence[Candidate], view: View) -> Candidate:
    """Most bound arguments first, then the smallest relation; whatever can only filter goes before both."""

    def rank(candidate: Candidate) -> tuple[bool, int, float, int]:
        known = view.bound_arguments(candidate)
        return (not view.filters(candidate), -known, view.size(candidate), candidate.position)

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

"""Reorder: put the body literals of every rule into the order that a SIP strategy chooses.

Before:  s(X,Y) :- p(X), r(Y,Z), q(Y).
After:   s(X,Y) :- p(X), q(Y), r(Y,Z).

Keeps the least model: a body is a conjunction. Every order is legal: negations, comparisons and arithmetic find their
variables bound by the literals before them, whatever the call binds, and a predicate with infinitely many facts is
asked with what the text binds for it. What the call binds (the adornment, worked out from the queries) only guides the
choice. Leaves alone rules with fewer than two body literals, and constraints. `reorder:cost` compares whole orders, and
unfolds single calls where that is cheaper: it keeps the answers to the queries (see `hexlogic.language.passes.cost`).
Source: Guru and Weng 2019, section 4, where two rules were reordered by hand.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from hexlogic.errors import UnknownNameError
from hexlogic.language import BodyLiteral, Comparison, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.binding import Adornments, everything_bound, guarded_variables, head_bound, needs
from hexlogic.language.analysis.dependence import (
    dependency_graph,
    growing_predicates,
    intensional,
    recursive_predicates,
)
from hexlogic.language.passes import Pass, Transformation
from hexlogic.language.passes.cost import no_legal_order, order_by_bindings, order_by_cost
from hexlogic.language.walk import body_terms, predicates, variables


class Candidate(NamedTuple):
    """A literal that may come next, with its variables; `position` is its place in the original body."""

    position: int
    item: BodyLiteral
    names: frozenset[Variable]


@dataclass(frozen=True, slots=True)
class View:
    """The state of a body being ordered, for a strategy.

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
        item = candidate.item
        places = () if isinstance(item, Comparison) else self.narrowing.get(item.atom.predicate, ())
        return any(known & variables(body_terms(item)[place]) for place in places)

    def is_test(self, candidate: Candidate) -> bool:
        """Whether the literal binds nothing new: it can only hold or fail."""
        return candidate.names <= self.bound

    def filters(self, candidate: Candidate) -> bool:
        """Whether the literal yields at most one answer: a test, or a comparison that computes a value."""
        return isinstance(candidate.item, Comparison) or self.is_test(candidate)


Strategy: TypeAlias = Callable[[Sequence[Candidate], View], Candidate]


def naive(candidates: Sequence[Candidate], view: View) -> Candidate:
    """The worst legal order: generate as much as possible, unconnected first, and test at the very end."""
    return min(candidates, key=lambda c: (view.filters(c), view.bound_arguments(c), -len(view.new(c)), c.position))


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
    return min(candidates, key=lambda c: (not view.filters(c), -view.bound_arguments(c), view.size(c), c.position))


def textual(candidates: Sequence[Candidate], view: View) -> Candidate:
    """The order of the text, mended only where it is not legal."""
    return min(candidates, key=lambda candidate: candidate.position)


STRATEGIES: dict[str, Strategy] = {"textual": textual, "naive": naive, "stepwise": stepwise, "bound-first": bound_first}


COST = "cost"
"""The one strategy that does not choose literal by literal: it compares whole orders (see `cost`)."""


def ordered_body(
    rule: Rule, strategy: Strategy, start: View, growing: Collection[Predicate]
) -> tuple[BodyLiteral, ...]:
    """The body in the strategy's order, from the view at the `start`. Raises PipelineError for an unsafe rule."""
    waiting = [Candidate(position, item, variables(item)) for position, item in enumerate(rule.body)]
    guarded = guarded_variables(rule, growing) if growing else {}

    def is_open(candidate: Candidate) -> bool:
        return not needs(candidate.item, bound) and guarded.get(candidate.position, bound) <= bound

    chosen: list[BodyLiteral] = []
    bound: frozenset[Variable] = frozenset()
    legal = [candidate for candidate in waiting if is_open(candidate)]
    blocked = [candidate for candidate in waiting if not is_open(candidate)]
    while legal:
        best = strategy(legal, replace(start, bound=start.bound | bound))
        legal.remove(best)
        chosen.append(best.item)
        new = best.names - bound
        bound |= new
        if new:
            freed = {c.position for c in blocked if c.names & new and is_open(c)}
            legal += [candidate for candidate in blocked if candidate.position in freed]
            blocked = [candidate for candidate in blocked if candidate.position not in freed]
    if blocked:
        raise no_legal_order(rule)
    return tuple(chosen)


def reorder(program: Program, strategy: Strategy = stepwise) -> Program:
    """The program with every body in the strategy's order."""
    open_ended, growing = intensional(program) | set(program.inputs), growing_predicates(program)
    sizes = {predicate: len(facts) for predicate, facts in program.definitions.items() if predicate not in open_ended}
    tabled = dependency_graph(program).above(recursive_predicates(program))
    done: dict[object, Rule] = {}  # most rules see the same bindings in every round

    def order(known: Adornments) -> Callable[[Rule], Rule]:
        # A recursion that does not pass a value on, in every call, computes all its answers first.
        narrowing = {
            predicate: known.get(predicate, frozenset()) if predicate in tabled else frozenset(range(predicate.arity))
            for predicate in predicates(program)
        }

        def ordered(rule: Rule) -> Rule:
            given = head_bound(rule, known)
            key = id(rule), given, tuple(narrowing.get(literal.atom.predicate) for literal in rule.literals)
            if key not in done:
                view = View(given, sizes, narrowing)
                done[key] = rule.with_body(ordered_body(rule, strategy, view, growing))
            return done[key]

        return ordered

    return order_by_bindings(program, everything_bound(program), order)


def _strategy(option: str) -> Transformation:
    if option == COST:
        return order_by_cost
    if option not in STRATEGIES:
        raise UnknownNameError.among("ordering strategy", option, [*STRATEGIES, COST])
    return functools.partial(reorder, strategy=STRATEGIES[option])


PASS = Pass(
    "reorder",
    "put body literals into a better order: textual, naive, stepwise (default), bound-first, cost",
    reorder,
    _strategy,
    "stepwise",
)

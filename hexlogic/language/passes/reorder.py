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

from collections.abc import Mapping
from dataclasses import dataclass

from hexlogic.errors import PipelineError, UnknownNameError
from hexlogic.language import BodyLiteral, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.adornment import Adornments, everything_bound, head_bound, meet
from hexlogic.language.analysis.binding import guarded_variables, needs
from hexlogic.language.analysis.dependence import growing_predicates, intensional, reachable, recursive_predicates
from hexlogic.language.passes.base import Pass
from hexlogic.language.passes.cost import order_by_cost
from hexlogic.language.passes.strategies import STRATEGIES, Candidate, Strategy, View
from hexlogic.language.walk import predicates, variables

COST = "cost"
"""The one strategy that does not choose literal by literal: it compares whole orders (see `cost`)."""


def fact_counts(program: Program) -> dict[Predicate, int]:
    """How many facts each predicate has that is given by ground facts alone."""
    counts: dict[Predicate, int] = {}
    for rule in program.rules:
        if rule.is_fact and rule.head is not None:
            counts[rule.head.predicate] = counts.get(rule.head.predicate, 0) + 1
    open_ended = intensional(program) | set(program.inputs)
    return {predicate: count for predicate, count in counts.items() if predicate not in open_ended}


def narrowing_positions(program: Program, known: Adornments) -> dict[Predicate, frozenset[int]]:
    """At which argument positions a bound value saves a predicate work.

    Everywhere, unless the predicate needs recursion: a recursion that does not pass the value on (in every call)
    computes all its answers first and then looks for those that match.
    """
    through_recursion = recursive_predicates(program)
    return {
        predicate: known.get(predicate, frozenset())
        if reachable(program, [predicate]) & through_recursion
        else frozenset(range(predicate.arity))
        for predicate in predicates(program)
    }


@dataclass(frozen=True, slots=True)
class Ordering:
    """A strategy with what it may know about the program."""

    strategy: Strategy
    sizes: Mapping[Predicate, int]
    narrowing: Mapping[Predicate, frozenset[int]]
    growing: frozenset[Predicate]

    def body(self, rule: Rule, given: frozenset[Variable]) -> tuple[BodyLiteral, ...]:
        """The rule's body in the strategy's order, when the call binds the variables `given`.

        Raises PipelineError when no order is legal (the rule is unsafe).
        """
        waiting = [Candidate(position, item, variables(item)) for position, item in enumerate(rule.body)]
        guarded = guarded_variables(rule, self.growing) if self.growing else {}

        def is_open(candidate: Candidate) -> bool:
            return not needs(candidate.item, bound) and guarded.get(candidate.position, bound) <= bound

        chosen: list[BodyLiteral] = []
        bound: frozenset[Variable] = frozenset()
        legal = [candidate for candidate in waiting if is_open(candidate)]
        blocked = [candidate for candidate in waiting if not is_open(candidate)]
        while legal:
            best = self.strategy(legal, View(bound | given, self.sizes, self.narrowing))
            legal.remove(best)
            chosen.append(best.item)
            new = best.names - bound
            bound |= new
            if new:
                freed = {c.position for c in blocked if c.names & new and is_open(c)}
                legal += [candidate for candidate in blocked if candidate.position in freed]
                blocked = [candidate for candidate in blocked if candidate.position not in freed]
        if blocked:
            raise PipelineError(f"reorder: no order of `{rule}` binds what it needs", hint="the rule is unsafe")
        return tuple(chosen)

    def rule(self, rule: Rule, given: frozenset[Variable]) -> Rule:
        """The rule with its body in order; constraints and short bodies as they are."""
        if rule.is_constraint or len(rule.body) < 2:
            return rule
        return rule.with_body(self.body(rule, given))

    def narrowing_in(self, rule: Rule) -> tuple[frozenset[int] | None, ...]:
        """All that the order of this rule depends on, beside what its head binds."""
        return tuple(self.narrowing.get(literal.atom.predicate) for literal in rule.literals)


class Reorder(Pass):
    """Put body literals into the order that a strategy chooses."""

    name = "reorder"
    summary = "put body literals into a better order: textual, naive, stepwise (default), bound-first, cost"
    default = "stepwise"

    def check_option(self, option: str | None) -> None:
        """Accept the name of a strategy."""
        if option is not None and option != COST and option not in STRATEGIES:
            raise UnknownNameError.among("ordering strategy", option, [*STRATEGIES, COST])

    def apply(self, program: Program, option: str | None = None) -> Program:
        """The program with every body in the strategy's order.

        An order decides what its calls bind, and what is bound decides the order. So start from "everything is
        bound", order, take back what the calls do not bind, and repeat until nothing changes: bound arguments only
        ever become fewer, so this ends.
        """
        if option == COST:
            return order_by_cost(program)
        sizes = fact_counts(program)
        growing = growing_predicates(program)
        known = everything_bound(program)
        done: dict[object, Rule] = {}  # most rules see the same bindings in every round
        while True:
            ordering = Ordering(STRATEGIES[option or self.default], sizes, narrowing_positions(program, known), growing)
            rules = []
            for number, rule in enumerate(program.rules):
                given = head_bound(rule, known)
                key = (number, given, ordering.narrowing_in(rule))
                if key not in done:
                    done[key] = ordering.rule(rule, given)
                rules.append(done[key])
            ordered = program.with_rules(tuple(rules))
            narrowed = meet(ordered, known)
            if narrowed == known:
                return ordered
            known = narrowed


PASS = Reorder()

"""`reorder:cost`: every body in the order that the cost model finds cheapest, after unfolding where that is cheaper.

Before:  pair(X,Y) :- p(X), p(Y).  hit :- pair(X,Y), near(X,Y).
After:   hit :- p(X), near(X,Y), p(Y).

A predicate with one rule that is called once is unfolded into its caller first (see `unfold`) when the estimate for the
queries falls: a better order may need a test between two literals that the text keeps in different rules.

The cost model is that of left-to-right evaluation with tables. The unit is one call of a stored relation, which is
about one inference of SWI-Prolog.

    stored relation                   1 for each call
    comparison                        0.1
    derived, not recursive            1 and the cost of its rules, in their cheapest orders, for each call
    recursive (tabled)                the cost of its rules once for each different call, then a look into the table

Whether a recursive predicate is asked about one source or about all pairs is decided by the last line: a table for one
source is small, but there is one for each source; and a call that also binds an argument which the recursion does not
pass on makes a table of its own that must read the wider one. Bottom-up (`deriving`) every relation is stored.
Sources: Selinger et al. 1979 (dynamic programming); Souffle's profile-guided join ordering (sizes inside recursion).
"""

import math
from collections.abc import Callable, Iterable
from typing import Literal as OneOf
from typing import TypeAlias

from hexlogic.errors import PipelineError
from hexlogic.language import Atom, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.binding import Adornments, everything_bound, head_bound, meet, unsafe_variables
from hexlogic.language.analysis.dependence import (
    growing_predicates,
    intensional,
    reachable,
    recursive_predicates,
    recursive_through,
)
from hexlogic.language.ground.profile import Profile, measure
from hexlogic.language.passes import load_pass
from hexlogic.language.passes.join_order import cheapest_order
from hexlogic.language.passes.unfold import unfold, unfoldable

PlanFor: TypeAlias = OneOf["asking", "listing", "deriving"]
"""One question with all arguments given, all answers to the queries, or every fact bottom-up."""

_CALL = 1.0
_ANSWER = 0.5
_LOOK = 4.0
_TABLE = 20.0
_DEEPEST = 3  # Different calls of one recursion, each inside the other, that are worked out


class CostModel:
    """Costs of calls in one program, by the sizes that a profile says relations have."""

    def __init__(
        self, program: Program, profile: Profile, plan_for: PlanFor = "asking", given: Adornments | None = None
    ) -> None:
        """`given` says of queries which arguments are bound when all their answers are asked for."""
        self._plan_for = plan_for
        self._given = given or {}
        self.growing = growing_predicates(program)
        self._program = program
        self._profile = profile
        self._derived = intensional(program)
        self._tabled = recursive_predicates(program)
        self._needs_tables = {p for p in self._derived if reachable(program, [p]) & self._tabled}
        self._rules = program.definitions
        self._costs: dict[tuple[tuple[Predicate, frozenset[int]], ...], float] = {}
        self._orders: dict[tuple[Rule, frozenset[Variable]], Rule] = {}
        self._running: list[tuple[Predicate, frozenset[int]]] = []

    def total(self) -> float:
        """The cost of asking each query once, or bottom-up of deriving everything once."""
        if self._plan_for == "deriving":
            return sum(self.inside(predicate, frozenset()) for predicate in sorted(self._derived))
        asked = self._given if self._plan_for == "listing" else everything_bound(self._program)
        return sum(self.inside(query, asked.get(query, frozenset())) for query in self._program.queries)

    def order(self, rule: Rule, given: frozenset[Variable]) -> Rule:
        """The rule in its cheapest order for a call that binds `given`."""
        key = (rule, given)
        if key not in self._orders:
            self._orders[key] = cheapest_order(rule, given, self._profile, self)[0]
        return self._orders[key]

    def inside(self, predicate: Predicate, positions: frozenset[int]) -> float:
        """The cost of all rules of a predicate, for one call with these argument positions bound."""
        call = (predicate, positions)
        # what a recursion costs depends on which of its calls are being worked out already
        component = recursive_through(self._program, predicate)
        within = tuple(other for other in self._running if other[0] in component)
        key = (*within, call)
        if key not in self._costs:
            self._running.append(call)
            total = 0.0
            for rule in self._rules.get(predicate, ()):
                if rule.body:
                    given = head_bound(rule, {predicate: positions})
                    _, cost, answers = cheapest_order(rule, given, self._profile, self)
                    total += cost + answers * (_ANSWER if predicate in self._tabled else 0.0)
            self._running.pop()
            self._costs[key] = total
        return self._costs[key]

    def is_stored(self, literal: Literal) -> bool:
        """Whether the relation is there: facts and inputs."""
        return self._plan_for == "deriving" or literal.atom.predicate not in self._derived

    def calls(self, literal: Literal, positions: frozenset[int], times: float, rule: Rule) -> float:
        """What `times` calls with these argument positions bound cost, one after the other in the body of `rule`."""
        predicate = literal.atom.predicate
        if self.is_stored(literal):
            return times * _CALL
        if predicate not in self._needs_tables:
            return times * (_CALL + self.inside(predicate, positions))
        different = min(times, math.prod(self._profile.domain(predicate, position) for position in positions))
        if predicate not in self._tabled:
            return times * _CALL + different * self.inside(predicate, positions)
        answers = self._profile.size(predicate) / math.prod(
            self._profile.domain(predicate, position) for position in positions
        )
        looks = times * (_LOOK + answers * _ANSWER)
        nested = sum(other in recursive_through(self._program, predicate) for other, _ in self._running)
        if (predicate, positions) in self._running or nested > _DEEPEST:
            # a recursion that moves on to other values, which it does not pass on, makes a table for each of them
            moved = positions
            if rule.head is not None and rule.head.predicate == predicate:
                moved = frozenset(p for p in positions if rule.head.arguments[p] != literal.atom.arguments[p])
            return looks + (math.prod(self._profile.domain(predicate, p) for p in moved) * _TABLE if moved else 0.0)
        return looks + different * (_TABLE + self.inside(predicate, positions))


_WORTHWHILE = 0.99


def order_by_cost(
    program: Program,
    instance: Iterable[Atom] | None = None,
    plan_for: PlanFor = "asking",
    asked: Adornments | None = None,
) -> Program:
    """The program with its cheapest orders, by a profile measured on an instance (a random sample when None).

    Plans for `asking` the queries with all arguments given, as `wins(red)` is, for `listing` all their answers, or for
    `deriving` every fact bottom-up. `asked` says of some queries which arguments are given when answers are listed.

    Raises PipelineError when no order of a body is legal (the rule is unsafe).
    """
    for rule in program.rules:
        if rule.body and unsafe_variables(rule):
            raise no_legal_order(rule)
    profile = measure(program, instance)
    given: dict[Predicate, frozenset[int]] = {}
    if plan_for == "listing":
        given = {query: (asked or {}).get(query, frozenset()) for query in program.queries}
    program = _unfolded(program, profile, plan_for, given)
    model = CostModel(program, profile, plan_for, given)
    known = {} if plan_for == "deriving" else everything_bound(program)
    return order_by_bindings(
        program, known | given, lambda known: lambda rule: model.order(rule, head_bound(rule, known))
    )


def order_by_bindings(
    program: Program, known: Adornments, order: Callable[[Adornments], Callable[[Rule], Rule]]
) -> Program:
    """The program with its rules in the order that is chosen for the arguments that the calls bind.

    An order decides what its calls bind, and what is bound decides the order. So start from `known`, order, take back
    what the calls do not bind, and repeat until nothing changes: bound arguments only ever become fewer, so this ends.
    """
    while True:
        ordered_rule = order(known)
        rules = (rule if rule.is_constraint or len(rule.body) < 2 else ordered_rule(rule) for rule in program.rules)
        ordered = program.with_rules(tuple(rules))
        narrowed = meet(ordered, known)
        if narrowed == known:
            return ordered
        known = narrowed


def no_legal_order(rule: Rule) -> PipelineError:
    """The error for an unsafe rule."""
    return PipelineError(f"reorder: no order of `{rule}` binds what it needs", hint="the rule is unsafe")


def _unfolded(program: Program, profile: Profile, plan_for: PlanFor, given: Adornments) -> Program:
    """The program with those single calls unfolded that the estimate says are better unfolded.

    In one body the two rules' literals may imply each other, and a cheap test before a dear call may then be pruned: so
    the estimate is what the queries cost, or cost after pruning if that is more.
    """
    best = CostModel(program, profile, plan_for, given).total() if unfoldable(program) else 0.0

    def better(candidate: Program) -> bool:
        nonlocal best
        texts = {candidate, load_pass("prune").apply(candidate)}
        estimate = max(CostModel(text, profile, plan_for, given).total() for text in texts)
        pays = estimate <= best * _WORTHWHILE
        best = estimate if pays else best
        return pays

    return unfold(program, better)

"""`reorder:cost`: every body in the order that the cost model finds cheapest, after unfolding where that is cheaper.

Before:  pair(X,Y) :- p(X), p(Y).  hit :- pair(X,Y), near(X,Y).
After:   hit :- p(X), near(X,Y), p(Y).

A predicate with one rule that is called once is unfolded into its caller first (see `unfold`) when the estimate for the
queries falls: a better order may need a test between two literals that the text keeps in different rules.
Sources: Selinger et al. 1979 (dynamic programming); Souffle's profile-guided join ordering (sizes inside recursion).
"""

from __future__ import annotations

from collections.abc import Iterable

from hexlogic.errors import PipelineError
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.adornment import Adornments, everything_bound, head_bound, meet
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.ground.profile import Profile, measure
from hexlogic.language.passes.base import load_pass
from hexlogic.language.passes.cost_model import CostModel, PlanFor
from hexlogic.language.passes.unfold import unfold_predicate, unfoldable

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
            raise PipelineError(f"reorder: no order of `{rule}` binds what it needs", hint="the rule is unsafe")
    facts = None if instance is None else tuple(instance)
    profile = measure(program, facts)
    given: Adornments = {}
    if plan_for == "listing":
        given = {query: (asked or {}).get(query, frozenset()) for query in program.queries}
    program = _unfold(program, profile, plan_for, given)
    model = CostModel(program, profile, plan_for, given)
    known = {} if plan_for == "deriving" else everything_bound(program)
    known |= given
    while True:
        ordered = program.with_rules(
            tuple(
                rule if rule.is_constraint or len(rule.body) < 2 else model.order(rule, head_bound(rule, known))[0]
                for rule in program.rules
            )
        )
        narrowed = meet(ordered, known)
        if narrowed == known:
            return ordered
        known = narrowed


def _unfold(program: Program, profile: Profile, plan_for: PlanFor, given: Adornments) -> Program:
    """The program with those single calls unfolded that the estimate says are better unfolded."""
    best = CostModel(program, profile, plan_for, given).total() if unfoldable(program) else 0.0
    refused: set[object] = set()
    while waiting := [predicate for predicate in unfoldable(program) if predicate not in refused]:
        candidate = unfold_predicate(program, waiting[0])
        estimate = _estimate(candidate, profile, plan_for, given) if candidate is not program else best
        if estimate <= best * _WORTHWHILE:
            program, best = candidate, estimate
        else:
            refused.add(waiting[0])
    return program


def _estimate(program: Program, profile: Profile, plan_for: PlanFor, given: Adornments) -> float:
    """What the queries cost, or cost after pruning if that is more.

    In one body the two rules' literals may imply each other, and a cheap test before a dear call may then be pruned.
    """
    pruned = load_pass("prune").apply(program)
    return max(CostModel(candidate, profile, plan_for, given).total() for candidate in {program, pruned})

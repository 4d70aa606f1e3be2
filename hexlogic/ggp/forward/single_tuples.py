"""Views that are asked for single tuples: where each literal of a view has its variables bound by others, and asking so
costs less than deriving the view in each state, it is a test and not a relation.

    empty(X,Y) :- cell(X,Y), not true_cell(X,Y,w), not true_cell(X,Y,b).     64 tuples a state, or a test
    legal_move(w,X,Y,Z) :- true_cell(X,Y,w), up(Y,Z), empty(X,Z).            for each of 16 pieces
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from math import prod
from typing import Final

from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Literal, Predicate, Rule
from hexlogic.language.walk import variables

PUT: Final = 3.0
"""What it costs to insert a tuple and to take it out again, where looking at one costs 1."""


def single_tuples(opened: OpenedSheet, sizes: Statistics, known: Collection[Predicate]) -> frozenset[Predicate]:
    """The views to ask for single tuples, with those that are `known` to be."""
    program = opened.program
    asked = frozenset().union(*opened.asked)
    recursive = recursive_predicates(program)
    views = {predicate for component in chain(*opened.phases[1:]) for predicate in component}
    tested = set(known)
    for view in sorted(views - asked - recursive - tested):
        uses = [rule for rule in program.rules if any(item.atom.predicate == view for item in rule.literals)]
        calls = [_calls(rule, view, tested, sizes) for rule in uses]
        if None in calls:
            continue
        definitions = program.defining(view)
        derived = sum(sizes.answers(rule.body) for rule in definitions) + PUT * sizes.size(view)
        if sum(filter(None, calls)) * sum(_test(rule, sizes) for rule in definitions) <= derived:
            tested.add(view)
    return frozenset(tested)


def _calls(rule: Rule, view: Predicate, tested: Collection[Predicate], sizes: Statistics) -> float | None:
    """How often a rule would ask for a tuple of a view; None where it has to find tuples."""
    literals = [item for item in rule.literals if item.positive and item.atom.predicate != view]
    finding = [item for item in literals if item.atom.predicate not in tested]
    bound = variables(*finding)
    asking = [item for item in rule.literals if item.atom.predicate == view]
    if not all(variables(item) <= bound for item in asking):
        return None
    if not all(variables(item) <= bound for item in literals):
        return None
    return len(asking) * sizes.answers(literals)


def _test(rule: Rule, sizes: Statistics) -> float:
    """What it costs to ask a rule for one tuple."""
    assert rule.head is not None
    values = prod(
        sizes.column(rule.head.predicate, column)
        for column, term in enumerate(rule.head.arguments)
        if variables(term)
    )
    positive = [item for item in rule.body if isinstance(item, Literal) and item.positive]
    return 1 + len(rule.body) / 2 + sizes.answers(positive) / values

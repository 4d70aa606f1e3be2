"""How many tuples the relations of a sheet may have, over all states of all games: estimated before anything is ground.

The types of arguments bound facts and moves; what is derived has as many tuples as its joins, with independent columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import OpenedSheet, open_sheet
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Predicate, Program, Rule, Variable

_ROUNDS = 3
"""So often sizes are estimated from those of the round before."""
_WORTH = 300_000
"""Ground rules: some seconds of grounding."""


def has_wide_rules(sheet: Program) -> bool:
    """Whether the sheet as it stands seems to have more ground rules than are worth making; False where terms grow."""
    try:
        opened = open_sheet(sheet)
        found = possible_sizes(opened)
    except EngineError:
        return False
    return sum(found.answers(rule.body) for rule in opened.program.rules) > _WORTH


def possible_sizes(opened: OpenedSheet) -> Statistics:
    """The sizes of all relations and of their columns."""
    statistics = Statistics()
    first: dict[Predicate, float] = {}
    for fact in opened.initial:
        predicate = opened.atom("true", fact).predicate
        first[predicate] = first.get(predicate, 0.0) + 1
    for predicate in opened.inputs:
        columns = _columns(opened, predicate)
        statistics.sizes[predicate] = prod(columns)
        statistics.columns |= {(predicate, place): size for place, size in enumerate(columns)}
    definitions, recursive = opened.program.definitions, recursive_predicates(opened.program)
    order = [predicate for phase in opened.phases for component in phase for predicate in sorted(component)]
    for _ in range(_ROUNDS):
        for predicate in order:
            _learn(statistics, predicate, definitions.get(predicate, ()), _columns(opened, predicate))
        for predicate, origin in opened.pairs.items():
            coming = statistics.sizes.get(origin, 0.0) + first.get(predicate, 0.0)
            statistics.sizes[predicate] = min(statistics.sizes[predicate], coming)
    # A recursion has more rounds than were made: at most as many as a column has values.
    for predicate in order:
        if predicate in recursive and predicate.arity:
            columns = _columns(opened, predicate)
            statistics.sizes[predicate] = min(prod(columns), statistics.sizes[predicate] * max(columns))
    return statistics


def _columns(opened: OpenedSheet, predicate: Predicate) -> list[float]:
    """How many terms can stand in each argument place."""
    return [float(max(1, opened.types.of((predicate, place)).size)) for place in range(predicate.arity)]


def _learn(found: Statistics, predicate: Predicate, rules: Sequence[Rule], most: Sequence[float]) -> None:
    """Estimate a relation from its facts and rules."""
    facts = [rule.head.arguments for rule in rules if rule.head is not None and not rule.body]
    size, values = float(len(facts)), [float(len(set(column))) for column in zip(*facts, strict=True)]
    values = values or [0.0] * predicate.arity
    for rule in rules:
        if rule.head is None or not rule.body:
            continue
        size += found.projected(rule.body, [term for term in rule.head.arguments if isinstance(term, Variable)])
        for place, term in enumerate(rule.head.arguments):
            values[place] += found.values(rule.body, term) if isinstance(term, Variable) else 1
    # Each value of a column stands in a tuple: joins whose columns depend on each other seem emptier than they are.
    found.sizes[predicate] = min(max(size, *values, 0.0), prod(most)) if values else min(size, 1.0)
    found.columns |= {(predicate, place): min(values[place], most[place]) for place in range(predicate.arity)}

"""A sheet in a form that has fewer ground rules and the same answers.

    next(linked(K,M,N)) :- moved(E), true(linked(E,M,N)), true(step(K)).

has a ground rule for each K, M, N and E. Laid open and split along a tree decomposition of its variables:

    next_linked_split(M,N) :- moved(E), true(linked(E,M,N)).
    next(linked(K,M,N)) :- next_linked_split(M,N), true(step(K)).

Only what a player asks for is kept. How often a split pays is told by how many facts and moves there may be at most:
the types of their arguments bound them, and what derives them.
"""

from __future__ import annotations

from math import prod

from hexlogic.errors import EngineError
from hexlogic.gdl.forward.opened import OpenedSheet, open_sheet
from hexlogic.gdl.language.sheet import QUERIES, sheet_of
from hexlogic.logic.analysis.dependence import recursive_through, rules_below
from hexlogic.logic.syntax import Atom, Predicate, Program, Rule, Variable
from hexlogic.logic.walk import predicates
from hexlogic.passes.rule_pass import Setting
from hexlogic.passes.split import Split
from hexlogic.passes.statistics import Statistics

__all__ = ["small_grounding"]

_ROUNDS = 3
"""So often sizes are estimated from those of the round before."""


def small_grounding(sheet: Program) -> Program:
    """The sheet without the rules that nobody asks for in play, and with wide rules split; the same sheet where terms
    grow."""
    try:
        opened = open_sheet(sheet)
    except EngineError:
        return sheet
    program = opened.program
    used = {predicate.name for predicate in (*predicates(program), *predicates(sheet))}
    setting = Setting(used, possible_sizes(opened))
    split = Split()
    rules: list[Rule] = []
    for rule in program.rules:
        rules += split.rewrite(rule, setting) if rule.body else [rule]
    played = opened.flat.sheet(program.with_rules(tuple(rules)))
    others = rules_below(sheet, [query for query in QUERIES if query.name in ("role", "init")])
    defined = {rule.head.predicate for rule in played if rule.head is not None}
    kept = [rule for rule in others.rules if rule.head is None or rule.head.predicate not in defined]
    return sheet_of([*played, *kept])


def possible_sizes(opened: OpenedSheet) -> Statistics:
    """How many tuples the relations have at most, about, over all states of all games."""
    found = Statistics()
    types = opened.types

    def whole(predicate: Predicate) -> float:
        return float(prod(max(1, types.of((predicate, place)).size) for place in range(predicate.arity)))

    first: dict[Predicate, float] = {}
    for fact in opened.initial:
        predicate = opened.atom("true", fact).predicate
        first[predicate] = first.get(predicate, 0.0) + 1
    for predicate in opened.inputs:
        found.sizes[predicate] = whole(predicate)
        for place in range(predicate.arity):
            found.columns[predicate, place] = float(types.of((predicate, place)).size)
    definitions = opened.program.definitions
    for _ in range(_ROUNDS):
        for phase in opened.phases:
            for component in phase:
                for predicate in sorted(component):
                    _learn(found, predicate, definitions.get(predicate, ()), opened, whole(predicate))
        for predicate, origin in opened.pairs.items():
            coming = found.sizes.get(origin, 0.0) + first.get(predicate, 0.0)
            found.sizes[predicate] = min(found.sizes[predicate], coming)
    return found


def _learn(found: Statistics, predicate: Predicate, rules: tuple[Rule, ...] | list[Rule], opened: OpenedSheet, whole: float) -> None:
    facts = [rule.head.arguments for rule in rules if rule.head is not None and not rule.body]
    size = float(len(facts))
    columns = [set(column) for column in zip(*facts, strict=True)] or [set() for _ in range(predicate.arity)]
    values = [float(len(column)) for column in columns]
    for rule in rules:
        if rule.head is None or not rule.body:
            continue
        names = {term for term in rule.head.arguments if isinstance(term, Variable)}
        size += found.projected(rule.body, names)
        for place, term in enumerate(rule.head.arguments):
            if isinstance(term, Variable):
                values[place] += found.values(rule.body, term)
            else:
                values[place] += 1
    found.sizes[predicate] = min(size, whole)
    for place, count in enumerate(values):
        found.columns[predicate, place] = min(count, float(max(1, opened.types.of((predicate, place)).size)))

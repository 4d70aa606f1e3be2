"""A game on a latch network as one array of uint32: where each part begins, then the parts.

The state comes first, so that a copy of that stretch is a copy of the state. The array is unsigned, since numba checks
an index that may be negative.

What follows when a latch is set is one stretch of the part `code`, six sections with their lengths before them:

    heads     of rules with this latch alone as cause
    any       heads of rules with this latch and one of several others: head, how many others, the others
    both      heads of rules with this latch and one other: head, other
    leaves    heads that do nothing but move a choice in a list: latch, list, choice
    counters  of rules with more causes
    lists     choices that leave or enter a list: list, choice

where a list is 2l for a choice that leaves list l and 2l + 1 for one that enters it.
"""

from __future__ import annotations

import itertools
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.propnet.choice_lists import ChoiceLists
from hexlogic.ggp.propnet.control import ControlAutomaton
from hexlogic.ggp.propnet.latch_network import YES, LatchNetwork
from hexlogic.ggp.propnet.outcomes import NO_GOAL
from hexlogic.ggp.propnet.phase_tables import phase_tables, starts
from hexlogic.language.propagation.memory import pack

T = TypeVar("T")


class _LatchParts(NamedTuple, Generic[T]):
    """The parts of a game with E latches, R rules of three causes or more, L choice lists with C choices in all, and P
    phases. The state ends with `places`."""

    flags: T
    """[E]: 1 for a latch that is set."""
    missing: T
    """[R]: the causes of the rule that are not set."""
    counts: T
    """[L]: how many choices of the list are legal."""
    phase: T
    """[1]"""
    order: T
    """By list: its choices, the legal ones first."""
    places: T
    """By list and choice: where it stands in the order."""
    stack: T
    """[2E]: room for work at the beginning, for latches that wait at the end."""
    start: T
    """[E]: where the latch's code begins."""
    code: T
    heads: T
    """[R]"""
    begins: T
    """[L + 1]: where the list begins in `order` and `places`."""
    lists: T
    """[P]: the phase's list, from 1; 0 where no role has a choice."""
    first: T
    """[P + 1]: the phase's first choice."""
    chooser: T
    """[P]: the role that chooses, the number of roles where none does."""
    effects: T
    """[C]: 4e + SINGLE for latch e, 4r + CONDITIONAL for row r."""
    rows: T
    """Where each row of effects begins."""
    row_targets: T
    row_conditions: T
    checks: T
    """Where the conjunctions of each check begin."""
    cases: T
    """Where the literals of each conjunction begin."""
    literals: T
    end: T
    """[P]: the condition of the end of the game."""
    goals: T
    """By phase and role: where the values begin."""
    values: T
    value_conditions: T
    following: T
    """[P]: the phase after this one."""


AT = _LatchParts(*range(26))

CHECK = 1 << 31
"""A condition is a literal of latches, 2e or 2e + 1, or CHECK + c for check c."""
NO_NUMBER = NO_GOAL % (1 << 32)
"""The value NO_GOAL as it stands in the memory."""
SINGLE, CONDITIONAL = 0, 1


def latch_memory(game: ControlAutomaton, network: LatchNetwork) -> NDArray[np.uint32]:
    """The memory of a game in which no latch is set."""
    lists = ChoiceLists(network.count)

    def condition(literal: int) -> int:
        return _encoded(network.condition(literal))

    def legality(literal: int) -> tuple[int, bool]:
        # A latch that is not set lets the choice be legal, or one that is; flag 1 for the latter.
        found = network.literal(literal)
        return found ^ 1 if found > YES else -1, bool(found & 1)

    effects = list(itertools.chain(*network.effects))
    rows = (tuple((latch, _encoded(one)) for latch, one in row) for row in effects)
    shared = phase_tables(game, lists, rows, condition, legality)
    shared["effects"] = [
        4 * row[0][0] + SINGLE if len(row) == 1 and row[0][1] == YES else 4 * number + CONDITIONAL
        for row, number in zip(effects, shared["effects"], strict=True)
    ]
    start, code, heads, missing = _code(network, lists.changes)
    parts = _LatchParts(
        flags=[0] * network.count,
        missing=missing,
        counts=lists.counts,
        phase=[0],
        order=lists.order,
        places=lists.places,
        stack=[0] * (2 * network.count),
        start=start,
        code=code,
        heads=heads,
        begins=lists.begins,
        checks=starts(network.checks),
        cases=starts(list(itertools.chain(*network.checks))),
        literals=[literal for check in network.checks for case in check for literal in case],
        **shared,
    )
    return pack(parts, np.uint32)


def _encoded(condition: int) -> int:
    return condition if condition >= 0 else CHECK - 1 - condition


def _code(
    network: LatchNetwork, changes: list[list[tuple[int, int]]]
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Where the code of each latch begins, the code, and of each longer rule its head and how many causes it has."""
    alone: list[list[int]] = [[] for _ in range(network.count)]
    beside: list[dict[int, list[int]]] = [{} for _ in range(network.count)]
    counters: list[list[int]] = [[] for _ in range(network.count)]
    heads: list[int] = []
    missing: list[int] = []
    for head, causes in network.rules:
        if len(causes) == 1:
            alone[causes[0]].append(head)
        elif len(causes) == 2:
            for one, other in (causes, causes[::-1]):
                beside[one].setdefault(head, []).append(other)
        else:
            for cause in causes:
                counters[cause].append(len(heads))
            heads.append(head)
            missing.append(len(causes))
    leaves = {
        latch
        for latch, own in enumerate(changes)
        if len(own) == 1 and not (alone[latch] or beside[latch] or counters[latch])
    }
    start: list[int] = []
    code: list[int] = []
    for latch in range(network.count):
        start.append(len(code))
        sections = [
            [[head] for head in alone[latch] if head not in leaves],
            [[head, len(others), *others] for head, others in beside[latch].items() if len(others) > 1],
            [[head, *others] for head, others in beside[latch].items() if len(others) == 1],
            [[head, *changes[head][0]] for head in alone[latch] if head in leaves],
            [[counter] for counter in counters[latch]],
            [list(change) for change in changes[latch]],
        ]
        for section in sections:
            code += [len(section), *itertools.chain(*section)]
    return start, code, heads, missing

"""Games of events as one array of uint32: where each part begins, then the parts.

What changes in a game stands first (FLAGS up to STACK), so that a copy of that stretch is a copy of the position. The
array is unsigned, since numba looks twice at an index that may be negative.

What happens after an event is one stretch of the part CODE, six sections with their lengths before them:

    heads     of rules with this event alone
    any       heads of rules with this event and one of several others: head, how many others, the others
    both      heads of rules with this event and one other: head, other
    leaves    heads that do nothing but move a choice in a list: event, list, choice
    counters  of rules with more events
    lists     choices that leave or enter a list: list, choice

where a list is 2l for a choice that leaves list l and 2l + 1 for one that enters it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hexlogic.gdl.propnet.events import YES, Events
from hexlogic.gdl.propnet.lists import Lists
from hexlogic.gdl.propnet.moments import Turns
from hexlogic.gdl.propnet.outcomes import NO_GOAL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CHECK", "CONDITIONAL", "NO_NUMBER", "SINGLE", "one_way_memory"]

# The parts, in their order. The state: by event whether it has happened, by longer rule how many events it misses, by
# list how many choices are in it, the moment, the choices of each list and where each of them stands in its list.
FLAGS, MISSING, COUNTS, MOMENT, ORDER, PLACES = range(6)
# Room for work; by event its code; the code; by longer rule its head; by list where it begins in ORDER.
STACK, START, CODE, HEADS, BEGINS = range(6, 11)
# By moment its list (from 1; 0 where there is no choice), its first choice, the role that chooses (the number of roles
# where none does); by choice its effects, 4r + SINGLE for event r, 4r + CONDITIONAL for row r.
LIST, FIRST, CHOOSER, EFFECTS = range(11, 15)
# Rows of effects: events, each with the condition under which it happens.
ROWS, ROW_EVENTS, ROW_CONDITIONS = range(15, 18)
# Conditions are literals of events, 2e or 2e + 1, or CHECK + c for check c: conjunctions of literals of events.
CHECKS, CASES, LITERALS = range(18, 21)
# By moment the condition of the end; by moment and role values with their conditions; the moment after each.
END, GOALS, VALUES, VALUE_CONDITIONS, FOLLOWING = range(21, 26)
_PARTS = 26

CHECK = NO_NUMBER = 1 << 31
"""Numbers from here on are checks; NO_NUMBER among the values is NO_GOAL."""
SINGLE, CONDITIONAL = 0, 1


def one_way_memory(game: Turns, events: Events) -> NDArray[np.uint32]:
    """The memory of a game before its first move."""
    import numpy as np

    lists = Lists(events.count)
    first, effects, rows = [0], [], dict[tuple[tuple[int, int], ...], int]()
    for number, moment in enumerate(game.moments):
        if moment.role < 0:
            lists.add(None)
        else:
            # An event that has not happened lets the choice be legal, or one that has; flag 1 for the latter.
            legal = [events.literal(choice.literal) for choice in moment.choices]
            lists.add([one ^ 1 if one > YES else -1 for one in legal], [bool(one & 1) for one in legal])
        first.append(first[-1] + len(moment.choices))
        for row in events.effects[number]:
            if len(row) == 1 and row[0][1] == YES:
                effects.append(4 * row[0][0] + SINGLE)
            else:
                effects.append(4 * rows.setdefault(row, len(rows)) + CONDITIONAL)
    goals = [own for moment in game.moments for own in moment.goals]
    start, code, heads, missing = _code(events, lists.changes)
    parts: dict[int, Iterable[int]] = {
        FLAGS: [0] * events.count,
        MISSING: missing,
        COUNTS: lists.counts,
        MOMENT: [0],
        ORDER: lists.order,
        PLACES: lists.places,
        STACK: [0] * (2 * events.count),  # events that wait at its end, and work at its beginning
        START: start,
        CODE: code,
        HEADS: heads,
        BEGINS: lists.begins,
        LIST: lists.of_moment,
        FIRST: first,
        CHOOSER: [len(moment.forced) if moment.role < 0 else moment.role for moment in game.moments],
        EFFECTS: effects,
        ROWS: _starts(rows),
        ROW_EVENTS: [event for row in rows for event, _ in row],
        ROW_CONDITIONS: [_encoded(condition) for row in rows for _, condition in row],
        END: [_encoded(events.condition(moment.terminal)) for moment in game.moments],
        GOALS: _starts(goals),
        VALUES: [NO_NUMBER if value == NO_GOAL else value for own in goals for value, _ in own],
        VALUE_CONDITIONS: [_encoded(events.condition(literal)) for own in goals for _, literal in own],
        CHECKS: _starts(events.checks),
        CASES: _starts(list(itertools.chain(*events.checks))),
        LITERALS: [literal for check in events.checks for case in check for literal in case],
        FOLLOWING: [moment.following for moment in game.moments],
    }
    arrays = [np.array(list(parts[number]), dtype=np.int64) for number in range(_PARTS)]
    begins = _PARTS + 1 + np.cumsum([0, *map(len, arrays)])
    return np.concatenate([begins, *arrays]).astype(np.uint32)


def _encoded(condition: int) -> int:
    return condition if condition >= 0 else CHECK - 1 - condition


def _starts(rows: Iterable[Sequence[object]]) -> list[int]:
    """Where each row begins when all stand one after the other, and where the last one ends."""
    return [0, *itertools.accumulate(map(len, rows))]


def _code(events: Events, changes: list[list[tuple[int, int]]]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Where the code of each event begins, the code, and of each longer rule its head and how many events it misses."""
    alone: list[list[int]] = [[] for _ in range(events.count)]
    beside: list[dict[int, list[int]]] = [{} for _ in range(events.count)]
    counters: list[list[int]] = [[] for _ in range(events.count)]
    heads: list[int] = []
    missing: list[int] = []
    for head, causes in events.rules:
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
        event
        for event, own in enumerate(changes)
        if len(own) == 1 and not (alone[event] or beside[event] or counters[event])
    }
    start: list[int] = []
    code: list[int] = []
    for event in range(events.count):
        start.append(len(code))
        sections = [
            [[head] for head in alone[event] if head not in leaves],
            [[head, len(others), *others] for head, others in beside[event].items() if len(others) > 1],
            [[head, *others] for head, others in beside[event].items() if len(others) == 1],
            [[head, *changes[head][0]] for head in alone[event] if head in leaves],
            [[counter] for counter in counters[event]],
            [list(change) for change in changes[event]],
        ]
        for section in sections:
            code += [len(section), *itertools.chain(*section)]
    return start, code, heads, missing

"""The kernel for games in turns whose facts come and go: each choice has its effects, worked out ahead, and what
follows from them follows to and fro (`hexlogic.propagation.delete_rederive`).

It offers what `one_way` offers, on the memory of `two_way_memory`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.gdl.propnet.randomness import draw_below, seeded
from hexlogic.gdl.propnet.two_way_memory import (
    BEGINS,
    CHANGED,
    CHOOSER,
    COUNTS,
    EFFECTS,
    END,
    FIRST,
    FOLLOWING,
    GOALS,
    LIST,
    MEMBER_CHOICES,
    MEMBER_LISTS,
    MEMBERS,
    MOMENT,
    ORDER,
    PLACES,
    ROW_CONDITIONS,
    ROW_FACTS,
    ROWS,
    VALUE_CONDITIONS,
    VALUES,
)
from hexlogic.propagation.delete_rederive import PARTS, part, settle, tell

__all__ = ["chooser", "goal", "is_over", "moment_of", "option", "options", "play", "playout", "playouts", "set_inputs"]


@njit(cache=True, inline="always")
def _own(memory: Any, number: Any) -> Any:
    """A part beside those of the kernel `changing`."""
    at = memory[PARTS] + number
    return memory[memory[at] : memory[at + 1]]


@njit(cache=True, inline="always")
def _holds(memory: Any, condition: Any) -> Any:
    return memory[memory[0] + (condition >> 1)] != (condition & 1)


@njit(cache=True)
def _note(memory: Any, node: Any) -> None:
    """Let the lists know that a node has changed."""
    start, which, choices = _own(memory, MEMBERS), _own(memory, MEMBER_LISTS), _own(memory, MEMBER_CHOICES)
    if start[node] == start[node + 1]:
        return
    counts, order, places, begins = (
        _own(memory, COUNTS),
        _own(memory, ORDER),
        _own(memory, PLACES),
        _own(memory, BEGINS),
    )
    true = memory[memory[0] + node]
    for entry in range(start[node], start[node + 1]):
        at, choice = which[entry] >> 1, choices[entry]
        begin = begins[at]
        if true != (which[entry] & 1):
            edge = counts[at]
            counts[at] += 1
        else:
            counts[at] -= 1
            edge = counts[at]
        place, other = places[begin + choice], order[begin + edge]
        order[begin + edge], order[begin + place] = choice, other
        places[begin + choice], places[begin + other] = edge, place


@njit(cache=True)
def _flip(memory: Any, count: Any) -> None:
    """Give the noted facts their other value, and let all that follows follow."""
    changed, true = _own(memory, CHANGED), part(memory, 0)
    for place in range(count):
        fact = changed[place]
        true[fact] ^= 1
        tell(memory, fact)
        _note(memory, fact)
    settle(memory)
    derived = part(memory, 19)
    for place in range(1, derived[0] + 1):
        _note(memory, derived[place])


@njit(cache=True)
def set_inputs(memory: Any, values: Any, moment: Any) -> None:
    """Make exactly these inputs true (int32, 0 or 1), in a moment."""
    changed, true = _own(memory, CHANGED), part(memory, 0)
    count = 0
    for fact in range(len(values)):
        if true[fact] != values[fact]:
            changed[count] = fact
            count += 1
    _flip(memory, count)
    _own(memory, MOMENT)[0] = moment


@njit(cache=True)
def moment_of(memory: Any) -> Any:
    """The number of the moment."""
    return _own(memory, MOMENT)[0]


@njit(cache=True)
def is_over(memory: Any) -> Any:
    """Whether the game is over."""
    return _holds(memory, _own(memory, END)[moment_of(memory)])


@njit(cache=True)
def chooser(memory: Any) -> Any:
    """The role that has the choices of the moment; the number of roles where none has."""
    return np.int64(_own(memory, CHOOSER)[moment_of(memory)])


@njit(cache=True)
def options(memory: Any) -> Any:
    """How many choices are legal."""
    number = _own(memory, LIST)[moment_of(memory)]
    return np.int64(1) if number == 0 else np.int64(_own(memory, COUNTS)[number - 1])


@njit(cache=True)
def option(memory: Any, place: Any) -> Any:
    """The legal choice at a place, from 0; each is somewhere, in no order."""
    moment = moment_of(memory)
    number, choice = _own(memory, LIST)[moment], np.int64(_own(memory, FIRST)[moment])
    return choice if number == 0 else choice + _own(memory, ORDER)[_own(memory, BEGINS)[number - 1] + place]


@njit(cache=True)
def play(memory: Any, choice: Any) -> None:
    """Play a legal choice."""
    rows, facts, conditions = _own(memory, ROWS), _own(memory, ROW_FACTS), _own(memory, ROW_CONDITIONS)
    changed, true, at = _own(memory, CHANGED), part(memory, 0), _own(memory, MOMENT)
    row = _own(memory, EFFECTS)[choice]
    count = 0
    for place in range(rows[row], rows[row + 1]):
        if _holds(memory, conditions[place]) != (true[facts[place]] == 1):
            changed[count] = facts[place]
            count += 1
    _flip(memory, count)
    at[0] = _own(memory, FOLLOWING)[at[0]]


@njit(cache=True)
def goal(memory: Any, role: Any, roles: Any) -> Any:
    """The one value of a role of so many, or NO_GOAL."""
    starts, values, conditions = _own(memory, GOALS), _own(memory, VALUES), _own(memory, VALUE_CONDITIONS)
    row = moment_of(memory) * roles + role
    found = np.int64(NO_GOAL)
    for place in range(starts[row], starts[row + 1]):
        if _holds(memory, conditions[place]):
            if found != NO_GOAL or values[place] == NO_GOAL:
                return np.int64(NO_GOAL)
            found = np.int64(values[place])
    return found


@njit(cache=True)
def playout(memory: Any, random: Any, longest: Any) -> Any:
    """Play at random to the end; how many steps, or NO_MOVE or ENDLESS."""
    steps = 0
    while not is_over(memory):
        if steps == longest:
            return ENDLESS
        count = options(memory)
        if count == 0:
            return NO_MOVE
        play(memory, option(memory, draw_below(random, count) if count > 1 else 0))
        steps += 1
    return steps


@njit(cache=True, nogil=True)
def playouts(memory: Any, games: Any, seed: Any, longest: Any, goals: Any) -> Any:
    """Play random games from where the memory stands; all steps, or what went wrong in one. `goals` (int64, one entry
    a role) are added up. The memory is left as it was, but where something went wrong there."""
    # What a game changes: truth, reasons and counters of the kernel, and the lists.
    own = memory[PARTS]
    kernel, lists = memory[memory[0] : memory[3]].copy(), memory[memory[own] : memory[own + CHANGED]].copy()
    random = seeded(seed)
    total = 0
    for _ in range(games):
        steps = playout(memory, random, longest)
        if steps >= 0:
            total += steps
            for role in range(len(goals)):
                value = goal(memory, role, len(goals))
                goals[role] += value
                if value == NO_GOAL:
                    steps = NO_GOAL
        if steps < 0:
            return steps
        memory[memory[0] : memory[3]] = kernel
        memory[memory[own] : memory[own + CHANGED]] = lists
    return total

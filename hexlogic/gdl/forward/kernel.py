"""Random games in the memory of a sheet (see `hexlogic.gdl.forward.records`), by numba.

What the rules derive is code of its own (see `hexlogic.gdl.forward.translation`), called by its address.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from hexlogic.gdl.forward.records import (
    ALL,
    ARITY,
    CAPACITY,
    COLUMNS,
    COUNT,
    DONE,
    ENTRIES,
    ENTRY,
    FIRST,
    FULL,
    GOALS,
    INSERT,
    KEYS,
    MASK,
    MOVES,
    NEXT,
    PROCESSED,
    RECORD,
    RELATIONS,
    SCRATCH,
    STATE,
    TABLES,
    TUPLES,
)
from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.gdl.propnet.randomness import draw_below, seeded

__all__ = ["OVERFLOW", "advance", "draw", "empty", "evaluate", "goal", "insert", "is_over", "load", "playouts"]

OVERFLOW: Final = -9
"""What playouts answer when a relation is full."""
_CLEARED_WHOLE: Final = 8
"""Entries of a table for each tuple up to which all entries are cleared, and not those of the tuples one by one."""


@intrinsic
def _call(context: Any, address: Any, narrow: Any, wide: Any) -> Any:
    """Call the function `void(narrow, wide)` at an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointers = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args[1:], arguments[1:], strict=True)
        ]
        function = ir.FunctionType(ir.VoidType(), [pointer.type for pointer in pointers])
        builder.call(builder.inttoptr(arguments[0], function.as_pointer()), pointers)
        return context.get_dummy_value()

    return types.void(types.int64, narrow, wide), generate


@njit(cache=True, nogil=True)
def evaluate(narrow: Any, wide: Any, phase: Any) -> None:
    """Derive the relations of a phase, given by the address of its code. A relation that is full is told in
    `wide[FULL]`."""
    _call(phase, narrow, wide)  # type: ignore[call-arg]  # numba gives the context


@njit(cache=True, inline="always")
def _first(narrow: Any, wide: Any, table: Any, key: Any) -> Any:
    """The newest tuple, plus one, with a key in a table that has an entry for each key."""
    return np.int64(narrow[wide[table + ENTRIES] + key])


@njit(cache=True)
def empty(narrow: Any, wide: Any, relation: Any) -> None:
    """Take all tuples out of a relation."""
    record = wide[RELATIONS] + RECORD * relation
    count = wide[record + TUPLES]
    if count == 0:
        return
    table = wide[TABLES] + RECORD * wide[record + FIRST]
    for _ in range(wide[record + COUNT]):
        entries = wide[table + ENTRY]
        first, end = wide[table + ENTRIES], wide[table + NEXT]
        if wide[table + MASK] < 0 and end - first <= _CLEARED_WHOLE * count:
            narrow[first:end] = 0
        elif wide[table + MASK] < 0:
            for number in range(count):
                narrow[narrow[entries + number]] = 0
        else:
            shift = wide[table + KEYS] - wide[table + ENTRIES]
            for number in range(count):
                narrow[narrow[entries + number]] = 0
                wide[shift + narrow[entries + number]] = -1
        table += RECORD
    wide[record + TUPLES] = 0
    wide[record + PROCESSED] = 0


@njit(cache=True)
def insert(narrow: Any, wide: Any, relation: Any, values: Any) -> None:
    """Insert a tuple (int64[columns] or int32[columns])."""
    scratch = wide[SCRATCH]
    for place in range(len(values)):
        wide[scratch + place] = values[place]
    insert_here = wide[wide[RELATIONS] + RECORD * relation + INSERT]
    _call(insert_here, narrow, wide)  # type: ignore[call-arg]  # numba gives the context


@njit(cache=True)
def load(narrow: Any, wide: Any, state: Any) -> None:
    """Empty all that depends on the state and bring in the tuples of a state: `relation columns value*`, one after the
    other (int64)."""
    listed = wide[ALL]
    for place in range(listed + 1, listed + 1 + wide[listed]):
        empty(narrow, wide, wide[place])
    at = 0
    while at < len(state):
        insert(narrow, wide, state[at], state[at + 2 : at + 2 + state[at + 1]])
        at += 2 + state[at + 1]


@njit(cache=True)
def _add(narrow: Any, wide: Any, relation: Any, other: Any) -> None:
    """Insert the tuples of another relation, given by its record."""
    arity = wide[other + ARITY]
    columns = wide[other + COLUMNS]
    for _ in range(wide[other + TUPLES]):
        insert(narrow, wide, relation, narrow[columns : columns + arity])
        columns += arity


@njit(cache=True)
def _swap(wide: Any, one: Any, other: Any) -> None:
    """Swap the tuples of two relations with the same tables, given by their records."""
    for word in (CAPACITY, COLUMNS, TUPLES):
        wide[one + word], wide[other + word] = wide[other + word], wide[one + word]
    left, right = wide[TABLES] + RECORD * wide[one + FIRST], wide[TABLES] + RECORD * wide[other + FIRST]
    for _ in range(wide[one + COUNT]):
        for word in (ENTRIES, MASK, KEYS, NEXT, ENTRY):
            wide[left + word], wide[right + word] = wide[right + word], wide[left + word]
        left += RECORD
        right += RECORD


@njit(cache=True)
def advance(narrow: Any, wide: Any) -> None:
    """Make the next state the present one: what is next becomes true, and all else that depends on the state is
    emptied. A relation whose facts stay for ever only gets the new ones."""
    listed = wide[STATE]
    for place in range(listed + 1, listed + 1 + 3 * wide[listed], 3):
        one = wide[RELATIONS] + RECORD * wide[place]
        other = wide[RELATIONS] + RECORD * wide[place + 1]
        if wide[place + 2]:
            _add(narrow, wide, wide[place], other)
            empty(narrow, wide, wide[place + 1])
        else:
            empty(narrow, wide, wide[place])
            _swap(wide, one, other)
        wide[one + PROCESSED] = 0
    listed = wide[DONE]
    for place in range(listed + 1, listed + 1 + wide[listed]):
        empty(narrow, wide, wide[place])


@njit(cache=True)
def draw(narrow: Any, wide: Any, roles: Any, random: Any) -> Any:
    """Let each role do a legal move drawn at random; False where one has none.

    The list of moves: kinds, then for each kind `legal does table`, and the number of each role there (-1: none)."""
    listed = wide[MOVES]
    kinds = wide[listed]
    for role in range(roles):
        count = 0
        for turn in range(2):
            wanted = np.int64(draw_below(random, count)) if turn and count > 1 else np.int64(0)
            at = listed + 1
            for _ in range(kinds):
                key = wide[at + 3 + role]
                if key >= 0:
                    record = wide[RELATIONS] + RECORD * wide[at]
                    table = wide[TABLES] + RECORD * (wide[record + FIRST] + wide[at + 2])
                    cursor = _first(narrow, wide, table, key)
                    while cursor:
                        if turn == 0:
                            count += 1
                        elif wanted == 0:
                            columns = wide[record + COLUMNS] + (cursor - 1) * wide[record + ARITY]
                            insert(narrow, wide, wide[at + 1], narrow[columns : columns + wide[record + ARITY]])
                            wanted = np.int64(-1)
                            break
                        else:
                            wanted -= 1
                        cursor = np.int64(narrow[wide[table + NEXT] + cursor - 1])
                at += 3 + roles
                if wanted < 0:
                    break
            if count == 0:
                return False
    return True


@njit(cache=True, inline="always")
def is_over(narrow: Any, wide: Any) -> Any:
    """Whether the game is over in the state, whose first phase was evaluated."""
    return wide[wide[RELATIONS] + RECORD * wide[wide[GOALS] + 2] + TUPLES] != 0


@njit(cache=True)
def goal(narrow: Any, wide: Any, role: Any, values: Any) -> Any:
    """The one goal of a role, or NO_GOAL; `values` (int64) are the goals by their numbers. The list of goals:
    `goal table terminal`, and the number of each role there."""
    listed = wide[GOALS]
    record = wide[RELATIONS] + RECORD * wide[listed]
    table = wide[TABLES] + RECORD * (wide[record + FIRST] + wide[listed + 1])
    key = wide[listed + 3 + role]
    if key < 0:
        return np.int64(NO_GOAL)
    cursor = _first(narrow, wide, table, key)
    if cursor == 0 or narrow[wide[table + NEXT] + cursor - 1]:
        return np.int64(NO_GOAL)
    return np.int64(values[narrow[wide[record + COLUMNS] + (cursor - 1) * 2 + 1]])


@njit(cache=True, nogil=True)
def playouts(
    narrow: Any, wide: Any, phases: Any, state: Any, games: Any, seed: Any, longest: Any, values: Any, goals: Any
) -> Any:
    """Play random games from a state (as `load` wants it); all steps, or what went wrong in one: NO_MOVE, ENDLESS,
    NO_GOAL or OVERFLOW. `phases` are the addresses of what is looked at, what follows, and the goals; `values` are as
    `goal` wants them. `goals` (int64[roles]) are added up."""
    random = seeded(seed)
    total = 0
    roles = len(goals)
    for _ in range(games):
        load(narrow, wide, state)
        steps = 0
        while True:
            evaluate(narrow, wide, phases[0])
            if wide[FULL]:
                return OVERFLOW
            if is_over(narrow, wide):
                break
            if steps == longest:
                return ENDLESS
            if not draw(narrow, wide, roles, random):
                return NO_MOVE
            evaluate(narrow, wide, phases[1])
            if wide[FULL]:
                return OVERFLOW
            advance(narrow, wide)
            if wide[FULL]:
                return OVERFLOW
            steps += 1
        evaluate(narrow, wide, phases[2])
        if wide[FULL]:
            return OVERFLOW
        total += steps
        for role in range(roles):
            value = goal(narrow, wide, role, values)
            if value == NO_GOAL:
                return NO_GOAL
            goals[role] += value
    return total

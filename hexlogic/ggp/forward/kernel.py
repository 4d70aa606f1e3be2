"""Random games in the memory of a sheet (see `hexlogic.ggp.forward.records`), by numba.

What the rules derive is code of its own (see `hexlogic.ggp.forward.translation`), called by its address.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from hexlogic.ggp.forward.records import (
    ARITY,
    COLUMNS,
    ENTRIES,
    FIRST,
    FULL,
    GOALS,
    INSERT,
    MOVES,
    NEXT,
    RECORD,
    RELATIONS,
    SCRATCH,
    TABLES,
    TUPLES,
)
from hexlogic.ggp.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.ggp.propnet.randomness import draw_below, seeded

OVERFLOW: Final = -9
"""What playouts answer when a relation is full."""


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
def run(narrow: Any, wide: Any, code: Any) -> None:
    """Run code of the sheet, given by its address. A relation that is full is told in `wide[FULL]`."""
    _call(code, narrow, wide)  # numba gives the context


@njit(cache=True, inline="always")
def _first(narrow: Any, wide: Any, table: Any, key: Any) -> Any:
    """The newest tuple, plus one, with a key in a table that has an entry for each key."""
    return np.int64(narrow[wide[table + ENTRIES] + key])


@njit(cache=True)
def _insert_scratch(narrow: Any, wide: Any, relation: Any) -> None:
    """Insert the tuple in the scratch."""
    insert_here = wide[wide[RELATIONS] + RECORD * relation + INSERT]
    _call(insert_here, narrow, wide)  # numba gives the context


@njit(cache=True)
def insert(narrow: Any, wide: Any, relation: Any, values: Any) -> None:
    """Insert a tuple (int64[columns])."""
    scratch = wide[SCRATCH]
    for place in range(len(values)):
        wide[scratch + place] = values[place]
    _insert_scratch(narrow, wide, relation)


@njit(cache=True)
def load(narrow: Any, wide: Any, state: Any, empty: Any) -> None:
    """Empty all that depends on the state, by code with the address `empty`, and bring in the tuples of a state:
    `relation columns value*`, one after the other (int64)."""
    run(narrow, wide, empty)
    scratch = wide[SCRATCH]
    at = 0
    while at < len(state):
        for place in range(state[at + 1]):
            wide[scratch + place] = state[at + 2 + place]
        _insert_scratch(narrow, wide, state[at])
        at += 2 + state[at + 1]


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
                            for place in range(wide[record + ARITY]):
                                wide[wide[SCRATCH] + place] = narrow[columns + place]
                            _insert_scratch(narrow, wide, wide[at + 1])
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
    narrow: Any, wide: Any, code: Any, state: Any, games: Any, seed: Any, longest: Any, values: Any, goals: Any
) -> Any:
    """Play random games from a state (as `load` wants it); all steps, or what went wrong in one: NO_MOVE, ENDLESS,
    NO_GOAL or OVERFLOW. `code` are the addresses of what is looked at, what follows, the goals, the advance to the next
    state and what empties all; `values` are as `goal` wants them. `goals` (int64[roles]) are added up."""
    random = seeded(seed)
    total = 0
    roles = len(goals)
    for _ in range(games):
        load(narrow, wide, state, code[4])
        steps = 0
        while True:
            run(narrow, wide, code[0])
            if wide[FULL]:
                return OVERFLOW
            if is_over(narrow, wide):
                break
            if steps == longest:
                return ENDLESS
            if not draw(narrow, wide, roles, random):
                return NO_MOVE
            run(narrow, wide, code[1])
            if wide[FULL]:
                return OVERFLOW
            run(narrow, wide, code[3])
            if wide[FULL]:
                return OVERFLOW
            steps += 1
        run(narrow, wide, code[2])
        if wide[FULL]:
            return OVERFLOW
        total += steps
        for role in range(roles):
            value = goal(narrow, wide, role, values)
            if value == NO_GOAL:
                return NO_GOAL
            goals[role] += value
    return total

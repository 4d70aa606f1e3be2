"""Games in the memory of a sheet (see `hexlogic.ggp.forward.memory`), by numba: what a search asks of a game
(`hexlogic.ggp.machines.game`), and random games.

What the rules derive is code of its own (see `hexlogic.ggp.forward.translation`), called by its address. A relation
that is full is noted in `wide[FULL]`; the game is of no use from then on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from hexlogic.ggp.forward.memory import (
    ADVANCE,
    ARITY,
    CODE,
    COLUMNS,
    EMPTY,
    ENTRIES,
    FIRST,
    FULL,
    GOAL,
    GOALS,
    INSERT,
    JUDGED,
    LOOK,
    MOVES,
    NEXT,
    PART,
    PARTS,
    RECORD,
    RELATIONS,
    SCRATCH,
    STEP,
    TABLES,
    TUPLES,
    VALUES,
)
from hexlogic.ggp.propnet.random_games import ENDLESS, NO_GOAL, NO_MOVE, OVERFLOW, draw_below, seeded


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
def run(narrow: Any, wide: Any, part: Any) -> None:
    """Run a part of the sheet's code: DERIVE_ONCE, LOOK, STEP, GOAL, ADVANCE or EMPTY."""
    _call(wide[CODE + part], narrow, wide)  # numba gives the context


@njit(cache=True, inline="always")
def _newest(narrow: Any, wide: Any, relation: Any, table: Any, key: Any) -> Any:
    """The newest tuple, plus one, with a key in a table that has an entry for each key; 0 for none."""
    return np.int64(narrow[wide[_table(wide, relation, table) + ENTRIES] + key])


@njit(cache=True, inline="always")
def _record(wide: Any, relation: Any) -> Any:
    return wide[RELATIONS] + RECORD * relation


@njit(cache=True, inline="always")
def _table(wide: Any, relation: Any, table: Any) -> Any:
    return wide[TABLES] + RECORD * (wide[_record(wide, relation) + FIRST] + table)


@njit(cache=True)
def _insert_scratch(narrow: Any, wide: Any, relation: Any) -> None:
    """Insert the tuple in the scratch."""
    _call(wide[_record(wide, relation) + INSERT], narrow, wide)  # numba gives the context


@njit(cache=True)
def insert(narrow: Any, wide: Any, relation: Any, values: Any) -> None:
    """Insert a tuple (int64[columns])."""
    scratch = wide[SCRATCH]
    for place in range(len(values)):
        wide[scratch + place] = values[place]
    _insert_scratch(narrow, wide, relation)


@njit(cache=True)
def load(narrow: Any, wide: Any, state: Any) -> None:
    """Empty all that depends on the state, and bring in the tuples of a state: `relation columns value*`, one after the
    other (int64)."""
    run(narrow, wide, EMPTY)
    wide[JUDGED] = 0
    scratch = wide[SCRATCH]
    at = 0
    while at < len(state):
        for place in range(state[at + 1]):
            wide[scratch + place] = state[at + 2 + place]
        _insert_scratch(narrow, wide, state[at])
        at += 2 + state[at + 1]


@njit(cache=True)
def _legal(narrow: Any, wide: Any, role: Any, wanted: Any) -> Any:
    """The kind and the number of the legal move of a role at a place; where there are fewer, -1 and how many.

    The list of moves: kinds, then for each kind `legal does table`, and the number of each role there (-1: none)."""
    listed = wide[MOVES]
    roles, count = _roles(wide), np.int64(0)
    for kind in range(wide[listed]):
        at = listed + 1 + kind * (3 + roles)
        key = wide[at + 3 + role]
        if key >= 0:
            cursor = _newest(narrow, wide, wide[at], wide[at + 2], key)
            next_tuple = wide[_table(wide, wide[at], wide[at + 2]) + NEXT]
            while cursor:
                if count == wanted:
                    return kind, cursor - 1
                count += 1
                cursor = np.int64(narrow[next_tuple + cursor - 1])
    return np.int64(-1), count


@njit(cache=True, inline="always")
def _roles(wide: Any) -> Any:
    return wide[wide[GOALS]]


@njit(cache=True)
def options(narrow: Any, wide: Any, role: Any) -> Any:
    """As `game.options`: every role has a choice, if only of one option."""
    _, count = _legal(narrow, wide, role, np.int64(-1))
    return count if count else np.int64(-1)


@njit(cache=True)
def option(narrow: Any, wide: Any, role: Any, place: Any) -> Any:
    """As `game.option`: the key of the move in the first table of its relation, times the kinds, plus its kind."""
    kind, number = _legal(narrow, wide, role, np.int64(place))
    relation = wide[wide[MOVES] + 1 + kind * (3 + _roles(wide))]
    record, table = _record(wide, relation), _table(wide, relation, 0)
    columns, parts = wide[record + COLUMNS] + number * wide[record + ARITY], wide[table + PART]
    key = np.int64(0)
    for column in range(wide[table + PARTS]):
        key += np.int64(narrow[columns + column]) * wide[parts + 2 * column + 1]
    return key * wide[wide[MOVES]] + kind


@njit(cache=True)
def play(narrow: Any, wide: Any, joint: Any) -> None:
    """As `game.play`."""
    for role in range(len(joint)):
        kinds, scratch = wide[wide[MOVES]], wide[SCRATCH]
        kind, key = joint[role] % kinds, joint[role] // kinds
        at = wide[MOVES] + 1 + kind * (3 + _roles(wide))
        table = _table(wide, wide[at], 0)
        for column in range(wide[table + PARTS]):
            factor = wide[wide[table + PART] + 2 * column + 1]
            wide[scratch + column] = key // factor
            key %= factor
        _insert_scratch(narrow, wide, wide[at + 1])
    _step(narrow, wide)


@njit(cache=True)
def _step(narrow: Any, wide: Any) -> None:
    """Go on to the next state once a joint move is inserted, and look at it."""
    run(narrow, wide, STEP)
    if not wide[FULL]:
        run(narrow, wide, ADVANCE)
    if not wide[FULL]:
        run(narrow, wide, LOOK)
    wide[JUDGED] = 0


@njit(cache=True)
def restore(narrow: Any, wide: Any, state: Any) -> None:
    """As `game.restore`."""
    load(narrow, wide, state)
    if not wide[FULL]:
        run(narrow, wide, LOOK)


@njit(cache=True)
def draw(narrow: Any, wide: Any, random: Any) -> Any:
    """Insert a legal move of each role drawn at random; False where one has none."""
    for role in range(_roles(wide)):
        _, count = _legal(narrow, wide, role, np.int64(-1))
        if count == 0:
            return False
        kind, number = _legal(narrow, wide, role, np.int64(draw_below(random, count) if count > 1 else 0))
        at = wide[MOVES] + 1 + kind * (3 + _roles(wide))
        record = _record(wide, wide[at])
        columns = wide[record + COLUMNS] + number * wide[record + ARITY]
        for place in range(wide[record + ARITY]):
            wide[wide[SCRATCH] + place] = narrow[columns + place]
        _insert_scratch(narrow, wide, wide[at + 1])
    return True


@njit(cache=True, inline="always")
def is_over(narrow: Any, wide: Any) -> Any:
    """As `game.is_over`, in a state that was looked at."""
    return wide[_record(wide, wide[wide[GOALS] + 3]) + TUPLES] != 0


@njit(cache=True)
def goal(narrow: Any, wide: Any, role: Any) -> Any:
    """As `game.goal`. The list of goals: `roles goal table terminal`, and the number of each role there; that of values
    are the goals by their numbers."""
    if not wide[JUDGED]:
        run(narrow, wide, GOAL)
        wide[JUDGED] = 1
        if wide[FULL]:
            return np.int64(NO_GOAL)
    listed = wide[GOALS]
    relation, table, key = wide[listed + 1], wide[listed + 2], wide[listed + 4 + role]
    if key < 0:
        return np.int64(NO_GOAL)
    cursor = _newest(narrow, wide, relation, table, key)
    if cursor == 0 or narrow[wide[_table(wide, relation, table) + NEXT] + cursor - 1]:
        return np.int64(NO_GOAL)
    return wide[wide[VALUES] + narrow[wide[_record(wide, relation) + COLUMNS] + (cursor - 1) * 2 + 1]]


@njit(cache=True)
def playout(narrow: Any, wide: Any, random: Any, longest: Any) -> Any:
    """As `game.playout`."""
    steps = 0
    while not wide[FULL]:
        if is_over(narrow, wide):
            return steps
        if steps == longest:
            return ENDLESS
        if not draw(narrow, wide, random):
            return NO_MOVE
        _step(narrow, wide)
        steps += 1
    return OVERFLOW


@njit(cache=True, nogil=True)
def playouts(narrow: Any, wide: Any, state: Any, games: Any, seed: Any, longest: Any, goals: Any) -> Any:
    """Play random games from a state (as `load` wants it); all steps, or what went wrong in one. `goals`
    (int64[roles]) are added up."""
    random = seeded(seed)
    total = 0
    for _ in range(games):
        restore(narrow, wide, state)
        steps = playout(narrow, wide, random, longest)
        if steps < 0:
            return steps
        total += steps
        for role in range(len(goals)):
            value = goal(narrow, wide, role)
            if wide[FULL]:
                return OVERFLOW
            if value == NO_GOAL:
                return NO_GOAL
            goals[role] += value
    return total

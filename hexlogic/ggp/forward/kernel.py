"""Games in the memory of a sheet (see `hexlogic.ggp.forward.memory`), by numba: what a search asks of a game
(`hexlogic.ggp.machines.game`).

What the rules derive is code of its own (see `hexlogic.ggp.forward.sheet_code`), called by its address. A relation
that is full is noted in `wide[FULL]`; the game is of no use from then on.
"""

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hexlogic.ggp.forward import memory
from hexlogic.ggp.propnet.random_games import ENDLESS, NO_GOAL, NO_MOVE, OVERFLOW
from hexlogic.language.propagation.lanes import draw_below
from hexlogic.process.kernels import kernel

ENTRY: Final = 9
GATE, LISTED, LIST, FIRST, READ, DONE, KEY, KIND, CANDIDATES = range(ENTRY)
"""What a role may have of a kind of moves: where `narrow` tells whether its gate is open, how many are listed, where
their numbers begin, and the columns of the relation of `legal`; the record of `does`, 0 where no rule asks for it, and
again; the number of the role, that of the kind, and how many moves can be tried (0: all are listed)."""


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


@kernel(interpreted=False, nogil=True)
def run(narrow: Any, wide: Any, part: Any) -> None:
    """Run a part of the sheet's code: DERIVE_ONCE, LOOK, STEP, GOAL, ADVANCE or EMPTY."""
    _call(wide[memory.CODE + part], narrow, wide)  # numba gives the context


@kernel(interpreted=False)
def _insert_scratch(narrow: Any, wide: Any, relation: Any) -> None:
    """Insert the tuple in the scratch."""
    _call(wide[relation + memory.INSERT], narrow, wide)  # numba gives the context


@kernel(interpreted=False)
def list_moves(narrow: Any, wide: Any) -> None:
    """Derive the moves of the state where that was not done."""
    if wide[memory.LISTED] == 0:
        run(narrow, wide, memory.LIST)
        wide[memory.LISTED] = 1


@kernel(interpreted=False)
def insert(narrow: Any, wide: Any, tuples: Any) -> None:
    """Insert tuples: `relation columns value*`, one after the other (int64); relations are addresses of records."""
    scratch = wide[memory.SCRATCH]
    at = 0
    while at < len(tuples):
        for place in range(tuples[at + 1]):
            wide[scratch + place] = tuples[at + 2 + place]
        _insert_scratch(narrow, wide, tuples[at])
        at += 2 + tuples[at + 1]


@kernel(interpreted=False)
def load(narrow: Any, wide: Any, state: Any) -> None:
    """Empty all that depends on the state, insert the tuples of a state, and derive what is kept."""
    run(narrow, wide, memory.EMPTY)
    wide[memory.JUDGED] = 0
    insert(narrow, wide, state)
    run(narrow, wide, memory.KEEP)


@kernel(inline="always")
def _legal(narrow: Any, wide: Any, role: Any, wanted: Any) -> Any:
    """The entry and the number of the legal move of a role at a place; where there are fewer, -1 and how many. The list
    of moves: how many kinds, where the entries of each role begin and end, and the records of `does` by kind."""
    count, moves = np.int64(0), wide[memory.MOVES]
    for at in range(wide[moves + 1 + role], wide[moves + 2 + role], ENTRY):
        here = np.int64(narrow[wide[at + LISTED]]) if narrow[wide[at + GATE]] else np.int64(0)
        if 0 <= wanted - count < here:
            return np.int64(at), np.int64(narrow[wide[at + LIST] + wanted - count])
        count += here
    return np.int64(-1), count


@kernel(interpreted=False)
def options(narrow: Any, wide: Any, role: Any) -> Any:
    """As `game.options`: every role has a choice, if only of one option."""
    list_moves(narrow, wide)
    _, count = _legal(narrow, wide, role, np.int64(-1))
    return count if count or wide[memory.FULL] else np.int64(-1)


@kernel(interpreted=False)
def option(narrow: Any, wide: Any, role: Any, place: Any) -> Any:
    """As `game.option`: the key of the move in the first table of its relation, times the kinds, plus its kind."""
    at, number = _legal(narrow, wide, role, np.int64(place))
    done = wide[at + DONE]
    columns = wide[at + FIRST] + number * wide[done + memory.ARITY]
    key = np.int64(0)
    for column in range(wide[done + memory.ARITY]):
        key += np.int64(narrow[columns + column]) * wide[wide[done + memory.FACTORS] + column]
    return key * wide[wide[memory.MOVES]] + wide[at + KIND]


@kernel(interpreted=False)
def play(narrow: Any, wide: Any, joint: Any) -> None:
    """As `game.play`."""
    for role in range(len(joint)):
        kinds, scratch = wide[wide[memory.MOVES]], wide[memory.SCRATCH]
        kind, key = joint[role] % kinds, joint[role] // kinds
        done = wide[wide[memory.MOVES] + 2 + len(joint) + kind]
        for column in range(wide[done + memory.ARITY]):
            factor = wide[wide[done + memory.FACTORS] + column]
            wide[scratch + column] = key // factor
            key %= factor
        _insert_scratch(narrow, wide, done)
    _step(narrow, wide)


@kernel(interpreted=False)
def _step(narrow: Any, wide: Any) -> None:
    """Go on to the next state once a joint move is inserted, and look at it."""
    run(narrow, wide, memory.STEP)
    if not wide[memory.FULL]:
        run(narrow, wide, memory.ADVANCE)
    if not wide[memory.FULL]:
        run(narrow, wide, memory.LOOK)
    wide[memory.JUDGED] = 0


@kernel(interpreted=False)
def restore(narrow: Any, wide: Any, state: Any) -> None:
    """As `game.restore`."""
    load(narrow, wide, state)
    if not wide[memory.FULL]:
        run(narrow, wide, memory.LOOK)


@kernel(inline="always")
def _insert_move(narrow: Any, wide: Any, at: Any, number: Any) -> None:
    """Insert a listed move of an entry, given by its number, unless no rule asks for it."""
    done = wide[at + READ]
    if done:
        arity, scratch = wide[done + memory.ARITY], wide[memory.SCRATCH]
        columns = wide[at + FIRST] + number * arity
        for place in range(arity):
            wide[scratch + place] = narrow[columns + place]
        _insert_scratch(narrow, wide, done)


@kernel(inline="always")
def _candidates(narrow: Any, wide: Any, at: Any) -> Any:
    """How many moves of an entry can be tried, or are listed."""
    if narrow[wide[at + GATE]]:
        return wide[at + CANDIDATES] if wide[at + CANDIDATES] else np.int64(narrow[wide[at + LISTED]])
    return np.int64(0)


@kernel(interpreted=False)
def _draw_by_trial(narrow: Any, wide: Any, role: Any, random: Any) -> Any:
    """Insert a legal move of a role drawn at random, where one of at most 64 candidates is legal: each of its legal
    moves is as likely as the others."""
    scratch, moves, total = wide[memory.SCRATCH], wide[memory.MOVES], np.int64(0)
    for at in range(wide[moves + 1 + role], wide[moves + 2 + role], ENTRY):
        total += _candidates(narrow, wide, at)
    tries: Any = min(total, 64)
    for _ in range(tries):
        wanted = np.int64(draw_below(random, total) if total > 1 else 0)
        at = wide[moves + 1 + role]
        while wanted >= _candidates(narrow, wide, at):
            wanted -= _candidates(narrow, wide, at)
            at += ENTRY
        if wide[at + CANDIDATES] == 0:
            _insert_move(narrow, wide, at, np.int64(narrow[wide[at + LIST] + wanted]))
            return True
        wide[scratch], wide[scratch + 1] = wide[at + KEY], wanted
        done = wide[at + DONE]
        before = wide[done + memory.TUPLES]
        _call(wide[done + memory.TRY], narrow, wide)  # numba gives the context
        if wide[done + memory.TUPLES] != before:
            return True
    return False


@kernel(interpreted=False)
def draw(narrow: Any, wide: Any, random: Any) -> Any:
    """Insert a legal move of each role drawn at random; False where one has none."""
    for role in range(wide[wide[memory.GOALS]]):
        if wide[memory.LISTED] == 0:
            if _draw_by_trial(narrow, wide, role, random):
                continue
            list_moves(narrow, wide)
        count = _legal(narrow, wide, role, np.int64(-1))[1]
        if count == 0:
            return False
        at, number = _legal(narrow, wide, role, np.int64(draw_below(random, count) if count > 1 else 0))
        _insert_move(narrow, wide, at, number)
    return True


@kernel(inline="always")
def is_over(narrow: Any, wide: Any) -> Any:
    """As `game.is_over`, in a state that was looked at."""
    return wide[wide[wide[memory.GOALS] + 3] + memory.TUPLES] != 0


@kernel(interpreted=False)
def goal(narrow: Any, wide: Any, role: Any) -> Any:
    """As `game.goal`. The list of goals: how many roles, the records `goal table terminal`, and the number of each role
    there; that of values are the goals by their numbers."""
    if not wide[memory.JUDGED]:
        run(narrow, wide, memory.GOAL)
        wide[memory.JUDGED] = 1
        if wide[memory.FULL]:
            return np.int64(NO_GOAL)
    listed = wide[memory.GOALS]
    relation, table, key = wide[listed + 1], wide[listed + 2], wide[listed + 4 + role]
    if key < 0:
        return np.int64(NO_GOAL)
    if narrow[wide[table + memory.ENTRIES] + key] != 1:
        return np.int64(NO_GOAL)
    number = np.int64(narrow[wide[table + memory.NEXT] + key * (wide[relation + memory.CAPACITY] + 1)])
    return wide[wide[memory.VALUES] + narrow[wide[relation + memory.COLUMNS] + number * 2 + 1]]


@kernel(interpreted=False)
def playout(narrow: Any, wide: Any, random: Any, longest: Any) -> Any:
    """As `game.playout`."""
    steps = 0
    while not wide[memory.FULL]:
        if is_over(narrow, wide):
            return steps
        if steps == longest:
            return ENDLESS
        if not draw(narrow, wide, random):
            return OVERFLOW if wide[memory.FULL] else NO_MOVE
        _step(narrow, wide)
        steps += 1
    return OVERFLOW

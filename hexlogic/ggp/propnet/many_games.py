"""Many random games at once, in lanes: any sheet is a circuit, and `LANES` games of it are played together, a step of
all at a time.

Each lane plays its share of the games one after the other, so that short games are not preferred. All rules are
evaluated in each step, in all lanes together; moves are drawn lane by lane.
"""

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.propnet.ground_sheet import ALWAYS, NEVER, GroundSheet
from hexlogic.ggp.propnet.random_games import ENDLESS, NO_GOAL, NO_MOVE, add_goals, whole_goal
from hexlogic.language.propagation.circuit import FALSE_ROW, TRUE_ROW, bodies_of, circuit
from hexlogic.language.propagation.lanes import LANES, WIDTH, choose_rows, count_ones, evaluate, new_values
from hexlogic.process.kernels import kernel


class LaneGame(NamedTuple):
    """A state of a sheet with F facts, R roles, M moves in all and G goals; rows are those of `values`."""

    values: NDArray[np.uint64]
    """[rows, WIDTH]"""
    gates: NDArray[np.int32]
    sections: NDArray[np.int32]
    early: int
    """So many sections tell the legal moves, the end and the goals; the others, once moves are made, the next facts."""
    facts: NDArray[np.int32]
    """[F]: rows."""
    following: NDArray[np.int32]
    """[F]: the rows of the next facts."""
    start: NDArray[np.bool_]
    """[F]: the state in which games begin."""
    first: NDArray[np.int32]
    """[R + 1]: the first move of each role."""
    legal: NDArray[np.int32]
    """[M]: rows."""
    does: NDArray[np.int32]
    """[M]: rows."""
    end: int
    goals: NDArray[np.int64]
    """[G, 3]: role, value, row."""


def lane_game(sheet: GroundSheet) -> LaneGame:
    """A ground sheet as a circuit; nothing is true at the start. Raises StratificationError."""
    asked = [*sheet.next, sheet.terminal, *chain(*sheet.legal)]
    asked += [atom for goals in sheet.goals for _, atom in goals]
    wanted = dict.fromkeys(atom for atom in asked if atom >= 0)
    facts = range(len(sheet.facts))
    made = circuit(bodies_of(sheet.ground.rules), facts, wanted, [*chain(*sheet.does)])
    row = {ALWAYS: TRUE_ROW, NEVER: FALSE_ROW, **made.row_of}
    # A move that is never legal is never made.
    moves = [
        [(row[legal], row[does]) for legal, does in zip(*pair, strict=True) if legal != NEVER]
        for pair in zip(sheet.legal, sheet.does, strict=True)
    ]
    pairs = np.array([*chain(*moves)], dtype=np.int32).reshape(-1, 2)
    goals = [
        (role, whole_goal(value), row[atom])
        for role, values in enumerate(sheet.goals)
        for value, atom in values
        if atom != NEVER
    ]
    return LaneGame(
        new_values(made.rows),
        made.gates,
        made.sections,
        made.early,
        np.array([row[fact] for fact in facts], dtype=np.int32),
        np.array([row[atom] for atom in sheet.next], dtype=np.int32),
        np.zeros(len(facts), dtype=np.bool_),
        np.cumsum([0, *map(len, moves)]).astype(np.int32),
        np.ascontiguousarray(pairs[:, 0]),
        np.ascontiguousarray(pairs[:, 1]),
        row[sheet.terminal],
        np.array(goals, dtype=np.int64).reshape(-1, 3),
    )


_1 = np.uint64(1)


@kernel(interpreted=False)
def _begin(values: Any, facts: Any, start: Any, lanes: Any) -> None:
    """Bring these lanes into the state in which games begin."""
    for fact in range(len(facts)):
        for word in range(WIDTH):
            if start[fact]:
                values[facts[fact], word] |= lanes[word]
            else:
                values[facts[fact], word] &= ~lanes[word]


@kernel(interpreted=False, nogil=True)
def lane_playouts(game: Any, games: Any, longest: Any, random: Any, totals: Any) -> Any:
    """So many random games of a `LaneGame`; all steps, or NO_MOVE, NO_GOAL or ENDLESS when that went wrong in one.
    `totals` (int64[roles]) are added up, the values of the game are worked on."""
    values, gates, sections, early, facts, following, start, first, legal, does, end, goals = game
    roles = len(first) - 1
    widest = 1
    for role in range(roles):
        widest = max(widest, first[role + 1] - first[role])
    room = np.empty(((widest + 63) >> 6, 64), np.uint64)
    moved = np.empty((len(facts), WIDTH), np.uint64)
    left = np.empty(LANES, np.int64)
    began = np.zeros(LANES, np.int64)
    lanes, over = np.zeros(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    for lane in range(LANES):
        left[lane] = games // LANES + (lane < games % LANES)
        if left[lane]:
            lanes[lane >> 6] |= _1 << np.uint64(lane & 63)
    _begin(values, facts, start, ~np.zeros(WIDTH, np.uint64))
    step, oldest, total = 0, 0, 0
    while lanes.any():
        evaluate(values, gates, sections[:early])
        for word in range(WIDTH):
            over[word] = values[end, word] & lanes[word]
        some_over = over.any()
        if some_over:
            if not add_goals(values, goals, over, totals):
                return NO_GOAL
            for word in range(WIDTH):
                waiting = over[word]
                while waiting:
                    lowest = waiting & (~waiting + _1)
                    waiting ^= lowest
                    lane = 64 * word + count_ones(lowest - _1)
                    left[lane] -= 1
                    began[lane] = step + 1
                    if left[lane] == 0:
                        lanes[word] ^= lowest
        if step - oldest >= longest:
            oldest = step
            for lane in range(LANES):
                if (lanes[lane >> 6] >> np.uint64(lane & 63)) & _1:
                    oldest = min(oldest, began[lane])
            if step - oldest >= longest:
                return ENDLESS
        for word in range(WIDTH):
            playing = lanes[word] & ~over[word]
            total += count_ones(playing)
            for role in range(roles):
                moves = slice(first[role], first[role + 1])
                if playing & ~choose_rows(values, legal[moves], does[moves], word, random, room):
                    return NO_MOVE
        evaluate(values, gates, sections[early:])
        # Word by word, as in `lanes`: numba compiles the assignment of an array for long.
        for fact in range(len(facts)):
            for word in range(WIDTH):
                moved[fact, word] = values[following[fact], word]
        for fact in range(len(facts)):
            for word in range(WIDTH):
                values[facts[fact], word] = moved[fact, word]
        if some_over:
            _begin(values, facts, start, over)
        step += 1
    return total

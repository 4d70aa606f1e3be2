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
from hexlogic.language.propagation.lanes import LANES, WIDTH, choose_rows, copied, count_ones, evaluate, new_values
from hexlogic.process.kernels import kernel


class LaneGame(NamedTuple):
    """A state of a sheet with F facts, R roles, M moves in all and G goals; rows are those of `values`."""

    values: NDArray[np.uint64]
    """[rows, WIDTH]"""
    gates: NDArray[np.int32]
    early: NDArray[np.int32]
    """The sections that tell the legal moves, the end and the goals."""
    late: NDArray[np.int32]
    """Those that tell the next facts once moves are made."""
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
    moved: NDArray[np.uint64]
    """[F, WIDTH]: room for the next facts."""
    choosing: NDArray[np.uint64]
    """Room for `choose_rows`."""
    words: NDArray[np.uint64]
    """[2, WIDTH]: room for the lanes that play, and those whose game is over."""
    games: NDArray[np.int64]
    """[2, LANES]: room for how many games a lane has left, and the step at which its game began."""

    def begun(self, true: frozenset[int]) -> "LaneGame":
        """A copy in which games begin in the state of these facts. (A kernel that makes arrays compiles for long.)"""
        start = np.zeros_like(self.start)
        start[list(true)] = True
        rooms = {name: np.empty_like(getattr(self, name)) for name in ("moved", "choosing", "words", "games")}
        return self._replace(values=copied(self.values), start=start, **rooms)


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
        made.sections[: made.early],
        made.sections[made.early :],
        np.array([row[fact] for fact in facts], dtype=np.int32),
        np.array([row[atom] for atom in sheet.next], dtype=np.int32),
        np.zeros(len(facts), dtype=np.bool_),
        np.cumsum([0, *map(len, moves)]).astype(np.int32),
        np.ascontiguousarray(pairs[:, 0]),
        np.ascontiguousarray(pairs[:, 1]),
        row[sheet.terminal],
        np.array(goals, dtype=np.int64).reshape(-1, 3),
        np.empty((len(facts), WIDTH), np.uint64),
        np.empty((max(map(len, moves), default=0) // 64 + 1, 64), np.uint64),
        np.empty((2, WIDTH), np.uint64),
        np.empty((2, LANES), np.int64),
    )


_0, _1 = map(np.uint64, (0, 1))


@kernel(inline="always")
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
    values, gates, early, late, facts, following, start, first, legal, does, end, goals, moved, room, words, kept = game
    lanes, over, left, began, roles = words[0], words[1], kept[0], kept[1], len(first) - 1
    for word in range(WIDTH):
        lanes[word], over[word] = _0, ~_0
    for lane in range(LANES):
        left[lane], began[lane] = games // LANES + (lane < games % LANES), 0
        if left[lane]:
            lanes[lane >> 6] |= _1 << np.uint64(lane & 63)
    _begin(values, facts, start, over)
    step, oldest, total, left_any = 0, 0, 0, games > 0
    while left_any:
        evaluate(values, gates, early)
        some_over = _0
        for word in range(WIDTH):
            over[word] = values[end, word] & lanes[word]
            some_over |= over[word]
        if some_over:
            if not add_goals(values, goals, over, np.int64(0), totals):
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
        left_any = False
        for word in range(WIDTH):
            left_any |= lanes[word] != _0
            playing = lanes[word] & ~over[word]
            total += count_ones(playing)
            for role in range(roles):
                begin, after = first[role], first[role + 1]
                if playing & ~choose_rows(values, legal, does, begin, after, word, random, room):
                    return NO_MOVE
        evaluate(values, gates, late)
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

"""Random games of any sheet, one in each of `LANES` lanes, a step of all of them at a time.

Each lane plays its share of the games one after the other, so that short games are not preferred. All rules are
evaluated in each step, in all lanes together; moves are drawn lane by lane.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.lane_goals import add_goals
from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.propagation.lane_draws import choose_rows
from hexlogic.propagation.lane_masks import count_ones
from hexlogic.propagation.lanes import LANES, WIDTH, evaluate

__all__ = ["lane_playouts"]

_1 = np.uint64(1)


@njit(cache=True)
def _begin(values: Any, facts: Any, start: Any, lanes: Any) -> None:
    """Bring these lanes into the state in which games begin."""
    for fact in range(len(facts)):
        for word in range(WIDTH):
            if start[fact]:
                values[facts[fact], word] |= lanes[word]
            else:
                values[facts[fact], word] &= ~lanes[word]


@njit(cache=True, nogil=True)
def lane_playouts(
    values: Any,
    gates: Any,
    sections: Any,
    early: Any,
    facts: Any,
    following: Any,
    start: Any,
    first: Any,
    legal: Any,
    does: Any,
    end: Any,
    goals: Any,
    games: Any,
    longest: Any,
    random: Any,
    totals: Any,
) -> Any:
    """So many random games of a `LaneGame`; all steps, or NO_MOVE, NO_GOAL or ENDLESS when that went wrong in one.
    `totals` (int64[roles]) are added up, `values` are worked on."""
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
                own = slice(first[role], first[role + 1])
                if playing & ~choose_rows(values, legal[own], does[own], word, random, room):
                    return NO_MOVE
        evaluate(values, gates, sections[early:])
        for fact in range(len(facts)):
            moved[fact] = values[following[fact]]
        for fact in range(len(facts)):
            values[facts[fact]] = moved[fact]
        if some_over:
            _begin(values, facts, start, over)
        step += 1
    return total

"""What random games inside numba share: answers that are no numbers, goals of games in lanes, random numbers."""

from typing import Any

import numpy as np

from hexlogic.language.propagation.lanes import WIDTH, count_ones
from hexlogic.language.syntax import Integer, Term
from hexlogic.process.kernels import kernel

NO_MOVE = -1
"""A role has no legal move, and the game is not over."""
ENDLESS = -2
"""The game is not over after the most steps allowed."""
NO_GOAL = -3
"""A role has no goal, or several, or one that is no number from 0 on."""
OVERFLOW = -4
"""A relation under forward chaining is full."""


def whole_goal(value: Term) -> int:
    """The number that a goal is, or NO_GOAL."""
    return value.value if isinstance(value, Integer) and value.value >= 0 else NO_GOAL


@kernel(interpreted=False)
def add_goals(values: Any, goals: Any, lanes: Any, totals: Any) -> Any:
    """Add up the goals of these lanes (uint64[WIDTH]) in `totals` (int64[roles]); `goals[G, 3]` are role, value and
    row. False where a role has none, or several, or one that is no number."""
    seen = np.zeros((len(totals), WIDTH), np.uint64)
    for number in range(len(goals)):
        role, value, row = goals[number]
        for word in range(WIDTH):
            here = values[row, word] & lanes[word]
            if here & seen[role, word] or (value < 0 and here):
                return False
            seen[role, word] |= here
            totals[role] += value * count_ones(here)
    for role in range(len(totals)):
        for word in range(WIDTH):
            if seen[role, word] != lanes[word]:
                return False
    return True


FACTOR, STEP, HALF = map(np.uint64, (6364136223846793005, 1442695040888963407, 32))
"""A draw is `state * FACTOR + STEP`; the upper 32 bits count."""
_ONE, _GOLDEN = np.uint64(1), np.uint64(0x9E3779B97F4A7C15)


@kernel()
def seeded(seed: Any) -> Any:
    """A generator: an array of one uint64, which draws change."""
    random = np.empty(1, np.uint64)
    random[0] = (np.uint64(seed) + _ONE) * _GOLDEN
    return random


@kernel()
def draw_below(random: Any, count: Any) -> Any:
    """A number from 0, less than `count` (at most 2^32), each as likely as the others to 1 in 2^32."""
    random[0] = random[0] * FACTOR + STEP
    return np.int64(((random[0] >> HALF) * np.uint64(count)) >> HALF)

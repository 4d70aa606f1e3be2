"""What random games inside numba share: answers that are no numbers, goals of games in lanes."""

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
def add_goals(values: Any, goals: Any, words: Any, lanes: Any, totals: Any) -> Any:
    """Add up the goals of the lanes in `words[lanes:]` in `totals` (int64[roles]); `goals[G, 3]` are role, value and
    row. False where a role has none, or several, or one that is no number."""
    for role in range(len(totals)):
        for word in range(WIDTH):
            seen = _ZERO
            for number in range(len(goals)):
                if goals[number, 0] == role:
                    here = values[goals[number, 2], word] & words[lanes + word]
                    if here & seen or (goals[number, 1] < 0 and here):
                        return False
                    seen |= here
                    totals[role] += goals[number, 1] * count_ones(here)
            if seen != words[lanes + word]:
                return False
    return True


_ZERO = np.uint64(0)

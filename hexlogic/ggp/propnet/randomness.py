"""Random numbers inside numba: the upper halves of a linear congruential generator (Knuth's MMIX)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

FACTOR, STEP, HALF = map(np.uint64, (6364136223846793005, 1442695040888963407, 32))
"""A draw is `state * FACTOR + STEP`; the upper 32 bits count."""
_ONE, _GOLDEN = np.uint64(1), np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True)
def seeded(seed: Any) -> Any:
    """A generator: an array of one uint64, which draws change."""
    random = np.empty(1, np.uint64)
    random[0] = (np.uint64(seed) + _ONE) * _GOLDEN
    return random


@njit(cache=True)
def draw_below(random: Any, count: Any) -> Any:
    """A number from 0, less than `count` (at most 2^32), each as likely as the others to 1 in 2^32."""
    random[0] = random[0] * FACTOR + STEP
    return np.int64(((random[0] >> HALF) * np.uint64(count)) >> HALF)

"""Kernels for tests: one calls the other, integers wrap around, and a helper is inlined."""

from __future__ import annotations

import numpy as np

from hexlogic.process.kernels import kernel


@kernel(inline="always")
def mixed(word):
    return word * np.uint64(0x9E3779B97F4A7C15)


@kernel()
def mix_all(words):
    for place in range(len(words)):
        words[place] = mixed(words[place])


@kernel()
def summary(words, count):
    """Two numbers and a truth value."""
    total = np.uint64(0)
    for _ in range(count):
        mix_all(words)
        for word in words:
            total += word >> np.uint64(40)
    return np.int64(total), words[0] / 2, total > np.uint64(5)


@kernel(interpreted=False)
def half(number):
    return number // 2


@kernel()
def fails(number):
    return int(bool(dir(number)))  # numba cannot compile that

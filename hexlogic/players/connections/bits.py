"""Carriers as rows of 64-bit words: cell `c` is bit `c % 64` of word `c // 64`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, inline="always")
def put(carrier: Any, cell: Any) -> None:
    """Add a cell."""
    carrier[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)


@njit(cache=True, inline="always")
def within(small: Any, large: Any) -> Any:
    """Whether one carrier is part of another."""
    for word in range(small.shape[0]):  # noqa: SIM110 (numba has no generator expressions)
        if small[word] & ~large[word]:
            return False
    return True


@njit(cache=True, inline="always")
def overlap(one: Any, two: Any) -> Any:
    """Whether two carriers share a cell."""
    for word in range(one.shape[0]):  # noqa: SIM110
        if one[word] & two[word]:
            return True
    return False


@njit(cache=True, inline="always")
def holds(carrier: Any, cell: Any) -> Any:
    """Whether a carrier has the cell."""
    return (carrier[cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1) != np.uint64(0)


@njit(cache=True, inline="always")
def ones(word: Any) -> Any:
    """How many bits of a word are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(cache=True)
def cells_in(carrier: Any) -> Any:
    """How many cells a carrier has."""
    many = np.int64(0)
    for word in range(carrier.shape[0]):
        many += np.int64(ones(carrier[word]))
    return many


@njit(cache=True)
def lowest(carrier: Any) -> Any:
    """The smallest cell of a carrier, -1 when it is empty."""
    for word in range(carrier.shape[0]):
        bits = carrier[word]
        if bits != np.uint64(0):
            return (word << 6) + np.int64(ones((bits & (~bits + np.uint64(1))) - np.uint64(1)))
    return -1

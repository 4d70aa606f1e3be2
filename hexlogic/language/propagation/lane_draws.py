"""A random choice in each lane: of the rows that are true in it, each is equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.language.propagation.lane_masks import count_ones, next_below

_0, _1, _32 = map(np.uint64, (0, 1, 32))
_FEW = 12
"""Rows of which the bits of a lane are gathered one by one."""


@njit(cache=True)
def _transpose(bits: Any) -> None:
    """Transpose a matrix of 64 x 64 bits, one word a row (Warren, Hacker's Delight, 7-3)."""
    width = 32
    mask = np.uint64(0x00000000FFFFFFFF)
    while width:
        shift = np.uint64(width)
        row = 0
        while row < 64:
            change = ((bits[row] >> shift) ^ bits[row + width]) & mask
            bits[row + width] ^= change
            bits[row] ^= change << shift
            row = (row + width + 1) & ~width
        width >>= 1
        mask ^= mask << np.uint64(width)


@njit(cache=True, inline="always")
def _place_of(word: Any, rank: Any) -> Any:
    """The place of the bit that is 1 and has so many such bits below it."""
    place = _0
    width = _32
    while width:
        low = word & ((_1 << width) - _1)
        count = np.uint64(count_ones(low))
        if rank >= count:
            rank -= count
            word >>= width
            place += width
        else:
            word = low
        width >>= _1
    return place


@njit(cache=True)
def choose_rows(values: Any, rows: Any, chosen: Any, word: Any, random: Any, room: Any) -> Any:
    """Choose one of `rows` in each lane of a word: the row of `chosen` at the same place is true in the lane, the
    others are false. The lanes that have a choice at all. `room` (uint64[64, blocks of 64 rows]) is worked on."""
    count = len(rows)
    some, several = _0, _0
    for place in range(count):
        here = values[rows[place], word]
        several |= some & here
        some |= here
    for place in range(count):
        values[chosen[place], word] = values[rows[place], word] & ~several
    if not several:
        return some
    blocks = (count + 63) >> 6
    if count > _FEW:
        for block in range(blocks):
            bits = room[block]
            for place in range(64):
                at = 64 * block + place
                bits[place] = values[rows[at], word] if at < count else _0
            _transpose(bits)
    waiting = several
    while waiting:
        lowest = waiting & (~waiting + _1)
        waiting ^= lowest
        lane = np.uint64(count_ones(lowest - _1))
        if count > _FEW:
            legal = 0
            for block in range(blocks):
                legal += count_ones(room[block, lane])
            rank = np.uint64(next_below(random, legal))
            block = 0
            while rank >= np.uint64(count_ones(room[block, lane])):
                rank -= np.uint64(count_ones(room[block, lane]))
                block += 1
            found_at = 64 * block + np.int64(_place_of(room[block, lane], rank))
        else:
            found = _0
            for at in range(count):
                found |= ((values[rows[at], word] >> lane) & _1) << np.uint64(at)
            rank = np.uint64(next_below(random, count_ones(found)))
            found_at = np.int64(_place_of(found, rank))
        values[chosen[found_at], word] |= lowest
    return some

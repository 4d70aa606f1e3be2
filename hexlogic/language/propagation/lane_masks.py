"""Lanes and numbers: which lanes hold a number below a bound; random words, and a random choice in each lane."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numba.np import arrayobj

_make_array: Any = arrayobj.make_array


def _at_most(typing: Any, numbers: Any, begin: Any, bounds: Any, first: Any) -> Any:
    """The word whose bit b says whether `numbers[begin + b] <= bounds[first + b]`, for flat arrays of uint16."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(16), 64).as_pointer()
        loaded = []
        for place in (0, 2):
            data = _make_array(signature.args[place])(context, builder, arguments[place]).data
            pointer = builder.bitcast(builder.gep(data, [arguments[place + 1]]), vector)
            loaded.append(builder.load(pointer, align=2))
        return builder.bitcast(builder.icmp_unsigned("<=", *loaded), ir.IntType(64))

    return types.uint64(numbers, types.intp, bounds, types.intp), generate


def _count_ones(typing: Any, word: Any) -> Any:
    """How many bits of a word are 1."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


at_most: Any = intrinsic(_at_most)
count_ones: Any = intrinsic(_count_ones)

_GOLDEN, _FIRST, _SECOND = map(np.uint64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_0, _1, _30, _27, _31, _32 = map(np.uint64, (0, 1, 30, 27, 31, 32))


@njit(cache=True, inline="always")
def next_word(random: Any) -> Any:
    """64 random bits, each as good as the others (SplitMix64: Steele, Lea and Flood 2014). `random` is an array of one
    uint64, which is changed."""
    random[0] += _GOLDEN
    mixed = random[0]
    mixed = (mixed ^ (mixed >> _30)) * _FIRST
    mixed = (mixed ^ (mixed >> _27)) * _SECOND
    return mixed ^ (mixed >> _31)


@njit(cache=True, inline="always")
def next_below(random: Any, count: Any) -> Any:
    """A number from 0, less than `count` (below 2^32)."""
    return np.int64(((next_word(random) >> _32) * np.uint64(count)) >> _32)


@njit(cache=True)
def seeded_words(seed: Any) -> Any:
    """A generator for `next_word`. The seed is mixed: a generator that begins one step after another one draws what
    that one draws."""
    random = np.empty(1, np.uint64)
    random[0] = np.uint64(seed)
    random[0] = next_word(random)
    random[0] ^= _GOLDEN
    random[0] = next_word(random)
    return random


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
        legal = 0
        for block in range(blocks):
            legal += count_ones(room[block, lane])
        rank = np.uint64(next_below(random, legal))
        block = 0
        while rank >= np.uint64(count_ones(room[block, lane])):
            rank -= np.uint64(count_ones(room[block, lane]))
            block += 1
        row = 64 * block + np.int64(_place_of(room[block, lane], rank))
        values[chosen[row], word] |= lowest
    return some

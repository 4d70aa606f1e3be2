"""Lanes and numbers: which lanes hold a number below a bound, as words; random words."""

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
_30, _27, _31, _32 = map(np.uint64, (30, 27, 31, 32))


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

"""A circuit evaluated in all lanes at once: rows of `WIDTH` words, one bit of a word for each lane.

`values[rows, WIDTH]` uint64 holds the rows; row 0 is zero and row 1 all ones (`new_values`). Gates are generated as
LLVM vectors, since LLVM does not vectorize loops over rows that may be the same row. A recursive section is evaluated
forwards and backwards until nothing changes in any lane.

Also here: boards packed into lanes, which lanes hold a number below a bound, random words, and a random choice in each
lane.
"""

from functools import reduce
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj
from numpy.typing import NDArray

from hexlogic.language.propagation.circuit import NOT, RECURSIVE, TRUE_ROW
from hexlogic.process.kernels import kernel

_make_array: Any = arrayobj.make_array

WIDTH: Final = 8
"""Words of a row."""
LANES: Final = 64 * WIDTH


def new_values(rows: int) -> NDArray[np.uint64]:
    """Rows in which nothing is true but the constant, each in one line of the processor's cache."""
    room = np.zeros((rows + 1) * WIDTH, dtype=np.uint64)
    begin = -(room.ctypes.data // room.itemsize) % WIDTH
    values: NDArray[np.uint64] = room[begin : begin + rows * WIDTH].reshape(rows, WIDTH)
    values[TRUE_ROW] = np.uint64(0xFFFFFFFFFFFFFFFF)
    return values


def copied(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A copy of rows, as aligned as they are."""
    rows = new_values(len(values))
    rows[:] = values
    return rows


@intrinsic
def _sweep(typing: Any, values: Any, gates: Any, first: Any, count: Any, step: Any) -> Any:
    """`count` AND-OR gates in turn, `gates[first]`, `gates[first + step]` and so on: whether a head changes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, numbers = (
            _make_array(kind)(context, builder, array).data
            for kind, array in zip(signature.args[:2], arguments[:2], strict=True)
        )
        vector = ir.VectorType(ir.IntType(64), WIDTH)
        number = cgutils.alloca_once_value(builder, arguments[2])
        changed = cgutils.alloca_once_value(builder, ir.Constant(vector, [0] * WIDTH))
        with cgutils.for_range(builder, arguments[3]):
            gate = builder.load(number)
            pointers = []
            for operand in range(9):
                place = builder.add(builder.mul(gate, cgutils.intp_t(9)), cgutils.intp_t(operand))
                row = builder.zext(builder.load(builder.gep(numbers, [place])), cgutils.intp_t)
                begin = builder.gep(rows, [builder.mul(row, cgutils.intp_t(WIDTH))])
                pointers.append(builder.bitcast(begin, vector.as_pointer()))
            before, *guards = (builder.load(pointer, align=8) for pointer in pointers[:3])
            some = reduce(builder.or_, (builder.load(pointer, align=8) for pointer in pointers[3:]))
            value = reduce(builder.and_, (*guards, some))
            builder.store(value, pointers[0], align=8)
            builder.store(builder.or_(builder.load(changed), builder.xor(value, before)), changed)
            builder.store(builder.add(gate, arguments[4]), number)
        bits = ir.IntType(64 * WIDTH)
        return builder.icmp_unsigned("!=", builder.bitcast(builder.load(changed), bits), ir.Constant(bits, 0))

    return types.boolean(values, gates, types.intp, types.intp, types.intp), generate


@kernel(interpreted=False)
def evaluate(values: Any, gates: Any, sections: Any) -> None:
    """Evaluate all gates; the rows of the inputs are given."""
    for section in range(len(sections)):
        if sections[section, 2] == RECURSIVE:
            for number in range(sections[section, 0], sections[section, 1]):
                for word in range(WIDTH):
                    values[gates[number, 0], word] = 0
    settle(values, gates, sections)


@kernel(interpreted=False)
def settle(values: Any, gates: Any, sections: Any) -> None:
    """As `evaluate`, where the rows of recursive gates hold what is true already, or less."""
    for section in range(len(sections)):
        begin, end, kind = sections[section, 0], sections[section, 1], sections[section, 2]
        if kind == NOT:
            for number in range(begin, end):
                head, operand = gates[number, 0], gates[number, 3]
                for word in range(WIDTH):
                    values[head, word] = ~values[operand, word]
        elif kind == RECURSIVE:
            first, step = begin, 1
            while _sweep(values, gates, first, end - begin, step):
                first, step = begin + end - 1 - first, -step
        else:
            _sweep(values, gates, begin, end - begin, 1)


_1 = np.uint64(1)


@kernel(interpreted=False)
def pack(boards: Any, kinds: Any) -> Any:
    """Boards (uint8[positions, cells]; entries from 0 to `kinds`, 0 empty) as uint64[blocks, kinds * cells, WIDTH]: row
    `(k - 1) * cells + cell` says where an entry is k.

    Position p of a block of `LANES` is bit p % 64 of word p // 64. Lanes behind the last position are empty.
    """
    positions, cells = boards.shape
    blocks = (positions + LANES - 1) // LANES
    packed = np.zeros((blocks, kinds * cells, WIDTH), dtype=np.uint64)
    octets = packed.view(np.uint8)  # position 8i + j of a block is bit j of octet i, on little-endian machines
    gathered = np.empty((kinds, cells), dtype=np.uint8)
    for octet in range((positions + 7) // 8):
        block, place = octet // (8 * WIDTH), octet % (8 * WIDTH)
        gathered[:] = 0
        for bit in range(min(8, positions - 8 * octet)):
            row = boards[8 * octet + bit]
            for kind in range(kinds):
                for cell in range(cells):
                    gathered[kind, cell] |= np.uint8(row[cell] == kind + 1) << np.uint8(bit)
        for kind in range(kinds):
            for cell in range(cells):
                octets[block, kind * cells + cell, place] = gathered[kind, cell]
    return packed


@kernel(interpreted=False, nogil=True)
def evaluate_blocks(values: Any, gates: Any, sections: Any, packed: Any, rows: Any, out: Any) -> None:
    """Evaluate a circuit, whose first rows behind the constants are the inputs, on packed inputs; `out[blocks, rows,
    WIDTH]` gets the rows asked for. `values` are worked on."""
    # Word by word: for the assignment of an array, numba compiles the making of an error text for two seconds.
    for block in range(len(packed)):
        for row in range(packed.shape[1]):
            for word in range(WIDTH):
                values[2 + row, word] = packed[block, row, word]
        evaluate(values, gates, sections)
        for place in range(len(rows)):
            for word in range(WIDTH):
                out[block, place, word] = values[rows[place], word]


@intrinsic
def at_most(typing: Any, numbers: Any, begin: Any, bounds: Any, first: Any) -> Any:
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


@intrinsic
def count_ones(typing: Any, word: Any) -> Any:
    """How many bits of a word are 1."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


_GOLDEN, _FIRST, _SECOND = map(np.uint64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_0, _30, _27, _31, _32 = map(np.uint64, (0, 30, 27, 31, 32))


@kernel(inline="always")
def next_word(random: Any) -> Any:
    """64 random bits (SplitMix64: Steele, Lea and Flood 2014). `random` (uint64[1]) is changed."""
    random[0] += _GOLDEN
    mixed = random[0]
    mixed = (mixed ^ (mixed >> _30)) * _FIRST
    mixed = (mixed ^ (mixed >> _27)) * _SECOND
    return mixed ^ (mixed >> _31)


@kernel()
def next_words(words: Any, begin: Any, count: Any, random: Any) -> None:
    """So many random words from a place on, several at once: those of `next_word`."""
    state = random[0]
    for place in range(count):
        mixed = state + np.uint64(place + 1) * _GOLDEN
        mixed = (mixed ^ (mixed >> _30)) * _FIRST
        mixed = (mixed ^ (mixed >> _27)) * _SECOND
        words[begin + place] = mixed ^ (mixed >> _31)
    random[0] = state + np.uint64(count) * _GOLDEN


@kernel(inline="always")
def next_below(random: Any, count: Any) -> Any:
    """A number from 0, less than `count` (below 2^32)."""
    return np.int64(((next_word(random) >> _32) * np.uint64(count)) >> _32)


def seeded_words(seed: int) -> NDArray[np.uint64]:
    """A generator for `next_word`. The seed is mixed, so that neighbouring seeds draw different numbers."""
    random = np.array([seed % 2**64], np.uint64)
    with np.errstate(over="ignore"):
        random[0] = next_word.py_func(random)
        random ^= _GOLDEN
        random[0] = next_word.py_func(random)
    return random


FACTOR, STEP, HALF = map(np.uint64, (6364136223846793005, 1442695040888963407, 32))
"""A draw is `state * FACTOR + STEP`; the upper 32 bits count."""


def seeded(seed: int) -> NDArray[np.uint64]:
    """A generator for `draw_below`: an array of one uint64, which draws change."""
    return (np.array([seed % 2**64], np.uint64) + _1) * _GOLDEN


@kernel()
def draw_below(random: Any, count: Any) -> Any:
    """A number from 0, less than `count` (at most 2^32), each as likely as the others to 1 in 2^32."""
    random[0] = random[0] * FACTOR + STEP
    return np.int64(((random[0] >> HALF) * np.uint64(count)) >> HALF)


@kernel()
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


@kernel(inline="always")
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


@kernel(interpreted=False)
def choose_rows(values: Any, rows: Any, chosen: Any, begin: Any, end: Any, word: Any, random: Any, room: Any) -> Any:
    """Choose one of `rows[begin:end]` in each lane of a word: the row of `chosen` at the same place is true in the
    lane, the others are false. The lanes that have a choice at all. `room` (uint64[blocks of 64 rows, 64]) is worked
    on."""
    count = end - begin
    some, several = _0, _0
    for place in range(begin, end):
        here = values[rows[place], word]
        several |= some & here
        some |= here
    for place in range(begin, end):
        values[chosen[place], word] = values[rows[place], word] & ~several
    if not several:
        return some
    blocks = (count + 63) >> 6
    for block in range(blocks):
        bits = room[block]
        for place in range(64):
            at = 64 * block + place
            bits[place] = values[rows[begin + at], word] if at < count else _0
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
        row = begin + 64 * block + np.int64(_place_of(room[block, lane], rank))
        values[chosen[row], word] |= lowest
    return some

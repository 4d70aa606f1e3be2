"""A circuit evaluated in all lanes at once: rows of `WIDTH` words, one bit of a word for each lane.

`values[rows, WIDTH]` uint64 holds the rows; row 0 is zero and row 1 all ones (`new_values`). Gates are generated as
LLVM vectors, since LLVM does not vectorize loops over rows that may be the same row. A recursive section is evaluated
forwards and backwards until nothing changes in any lane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj
from numpy.typing import NDArray

from hexlogic.language.propagation.circuit import NOT, RECURSIVE, TRUE_ROW

_make_array: Any = arrayobj.make_array

WIDTH: Final = 8
"""Words of a row."""
LANES: Final = 64 * WIDTH


def new_values(rows: int) -> NDArray[np.uint64]:
    """Rows in which nothing is true but the constant."""
    values = np.zeros((rows, WIDTH), dtype=np.uint64)
    values[TRUE_ROW] = np.uint64(0xFFFFFFFFFFFFFFFF)
    return values


class _Gate:
    """Generates the code of one gate: `gates[number]` on `values`."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.builder = builder
        self.values, gates = (
            _make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
        )
        begin = builder.mul(arguments[2], cgutils.intp_t(9))
        self.pointers = []
        for place in range(9):
            row = builder.load(builder.gep(gates, [builder.add(begin, cgutils.intp_t(place))]))
            self.pointers.append(self.pointer(builder.zext(row, cgutils.intp_t)))

    def pointer(self, row: Any) -> Any:
        """Where a row begins, as a pointer to a vector."""
        begin = self.builder.gep(self.values, [self.builder.mul(row, cgutils.intp_t(WIDTH))])
        return self.builder.bitcast(begin, ir.VectorType(ir.IntType(64), WIDTH).as_pointer())

    def load(self, place: int) -> Any:
        """The operand at a place of the gate."""
        return self.builder.load(self.pointers[place], align=8)

    def negation(self) -> Any:
        """The value of a NOT gate."""
        return self.builder.not_(self.load(3))

    def and_or(self) -> Any:
        """The value of an AND-OR gate."""
        some = self.load(3)
        for place in range(4, 9):
            some = self.builder.or_(some, self.load(place))
        return self.builder.and_(self.builder.and_(self.load(1), self.load(2)), some)

    def store(self, value: Any) -> None:
        """Make a value that of the gate's head."""
        self.builder.store(value, self.pointers[0], align=8)


def _intrinsic(value: Callable[[_Gate], Any]) -> Any:
    def of_gate(typing: Any, values: Any, gates: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            gate = _Gate(context, builder, signature, arguments)
            gate.store(value(gate))
            return context.get_dummy_value()

        return types.void(values, gates, types.intp), generate

    of_gate.__name__ = value.__name__
    return intrinsic(of_gate)


_and_or, _not = _intrinsic(_Gate.and_or), _intrinsic(_Gate.negation)


def _sweep_of(typing: Any, values: Any, gates: Any, first: Any, count: Any, step: Any) -> Any:
    """`count` AND-OR gates in turn, `gates[first]`, `gates[first + step]` and so on: whether a head changes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = cgutils.alloca_once_value(builder, arguments[2])
        row = ir.VectorType(ir.IntType(64), WIDTH)
        changed = cgutils.alloca_once_value(builder, ir.Constant(row, [0] * WIDTH))
        with cgutils.for_range(builder, arguments[3]):
            place = builder.load(number)
            gate = _Gate(context, builder, signature, (*arguments[:2], place))
            value = gate.and_or()
            change = builder.xor(value, gate.load(0))
            gate.store(value)
            builder.store(builder.or_(builder.load(changed), change), changed)
            builder.store(builder.add(place, arguments[4]), number)
        bits = ir.IntType(64 * WIDTH)
        return builder.icmp_unsigned("!=", builder.bitcast(builder.load(changed), bits), ir.Constant(bits, 0))

    return types.boolean(values, gates, types.intp, types.intp, types.intp), generate


_sweep: Any = intrinsic(_sweep_of)


@njit(cache=True)
def evaluate(values: Any, gates: Any, sections: Any) -> None:
    """Evaluate all gates; the rows of the inputs are given."""
    for section in range(len(sections)):
        begin, end, kind = sections[section]
        if kind == NOT:
            for number in range(begin, end):
                _not(values, gates, number)
        elif kind == RECURSIVE:
            for number in range(begin, end):
                values[gates[number, 0]] = 0
            first, step = begin, 1
            while _sweep(values, gates, first, end - begin, step):
                first, step = begin + end - 1 - first, -step
        else:
            for number in range(begin, end):
                _and_or(values, gates, number)


_1 = np.uint64(1)


@njit(cache=True)
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


@njit(cache=True, nogil=True)
def evaluate_blocks(values: Any, gates: Any, sections: Any, packed: Any, rows: Any, out: Any) -> None:
    """Evaluate a circuit, whose first rows behind the constants are the inputs, on packed inputs; `out[blocks, rows,
    WIDTH]` gets the rows asked for. `values` are worked on."""
    inputs = packed.shape[1]
    for block in range(len(packed)):
        values[2 : 2 + inputs] = packed[block]
        evaluate(values, gates, sections)
        for place in range(len(rows)):
            out[block, place] = values[rows[place]]


@njit(cache=True)
def unpack(words: Any, out: Any) -> None:
    """The bits of `words[blocks, rows, WIDTH]` by position: `out[positions]` (uint8) gets bit r from row r."""
    for position in range(len(out)):
        block, lane = position // LANES, position % LANES
        bits: Any = 0
        for row in range(words.shape[1]):
            bits |= np.int64((words[block, row, lane >> 6] >> np.uint64(lane & 63)) & _1) << row
        out[position] = bits

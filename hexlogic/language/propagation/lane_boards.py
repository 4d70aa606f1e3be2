"""Boards packed into lanes: position p of a block of `LANES` is bit p % 64 of word p // 64 of each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.language.propagation.lanes import LANES, WIDTH, evaluate

_1 = np.uint64(1)


@njit(cache=True)
def pack(boards: Any, kinds: Any) -> Any:
    """Boards (uint8[positions, cells]; entries from 0 to `kinds`, 0 empty) as uint64[blocks, kinds * cells, WIDTH]: row
    `(k - 1) * cells + cell` says where an entry is k. Lanes behind the last position are empty."""
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
def evaluate_blocks(values: Any, gates: Any, sections: Any, packed: Any, rows: Any, found: Any) -> None:
    """Evaluate a circuit, whose first rows behind the constants are the inputs, on packed inputs; `found[blocks, rows,
    WIDTH]` gets the rows asked for. `values` are worked on."""
    inputs = packed.shape[1]
    for block in range(len(packed)):
        values[2 : 2 + inputs] = packed[block]
        evaluate(values, gates, sections)
        for place in range(len(rows)):
            found[block, place] = values[rows[place]]


@njit(cache=True)
def unpack(words: Any, out: Any) -> None:
    """The bits of `words[blocks, rows, WIDTH]` by position: `out[positions]` (uint8) gets bit r from row r."""
    for position in range(len(out)):
        block, lane = position // LANES, position % LANES
        found: Any = 0
        for row in range(words.shape[1]):
            found |= np.int64((words[block, row, lane >> 6] >> np.uint64(lane & 63)) & _1) << row
        out[position] = found

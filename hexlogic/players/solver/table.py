"""Memory of the solver: one row for each position met, found by hashing; nothing is ever replaced."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

INFINITE = 1 << 30
"""The proof number of what cannot be proved."""

KNOWN = 0
EXPANDED = 1
SOLVED = 2


ROWS, VISITED, STOP, VISITED_MOST = range(4)
"""Places in `counts`: rows in use, positions expanded, whether to stop, most positions to expand (-1: no limit)."""


class Table(NamedTuple):
    """Positions as masks (cell `c` is bit `c`), with proof numbers seen by the player to move.

    `raw` are the stones with the fill-in of the positions above, `filled` with that of this position too; `taken` are
    the captured cells that each player was given here. `moves` are the candidates still open, `proof` the cells that
    the winner needs (or, unsolved, that the moves given up need).
    """

    slot: NDArray[np.int32]  # [slots]: row by hash, -1: free
    raw: NDArray[np.uint64]  # [rows, 2]: red, blue
    turn: NDArray[np.uint8]  # [rows]: 0 red, 1 blue
    filled: NDArray[np.uint64]  # [rows, 2]
    taken: NDArray[np.uint64]  # [rows, 2]
    state: NDArray[np.uint8]  # [rows]
    phi: NDArray[np.int32]  # [rows]: effort to prove a win of the player to move; 0: proved
    delta: NDArray[np.int32]  # [rows]: effort to prove a loss; 0: proved
    moves: NDArray[np.uint64]  # [rows]
    proof: NDArray[np.uint64]  # [rows]
    best: NDArray[np.int16]  # [rows]: the winning move; -1: a connection wins
    counts: NDArray[np.int64]  # [4], see `ROWS`


def new_table(rows: int) -> Table:
    """An empty memory for so many positions (about 90 bytes each)."""
    slots = 1 << (2 * rows - 1).bit_length()
    table = Table(
        slot=np.full(slots, -1, np.int32),
        raw=np.zeros((rows, 2), np.uint64),
        turn=np.zeros(rows, np.uint8),
        filled=np.zeros((rows, 2), np.uint64),
        taken=np.zeros((rows, 2), np.uint64),
        state=np.zeros(rows, np.uint8),
        phi=np.ones(rows, np.int32),
        delta=np.ones(rows, np.int32),
        moves=np.zeros(rows, np.uint64),
        proof=np.zeros(rows, np.uint64),
        best=np.full(rows, -1, np.int16),
        counts=np.zeros(4, np.int64),
    )
    table.counts[VISITED_MOST] = -1
    return table


@njit(cache=True)
def find_row(table: Any, red: Any, blue: Any, turn: Any) -> Any:
    """The row of a position, a new one if it was not met before; -1 and `counts[STOP] = 1` when the memory is full."""
    mixed = (red * np.uint64(0x9E3779B97F4A7C15)) ^ (blue * np.uint64(0xC2B2AE3D27D4EB4F) + np.uint64(turn))
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    mask = np.uint64(table.slot.shape[0] - 1)
    place = mixed & mask
    while True:
        row = np.int64(table.slot[place])
        if row < 0:
            break
        if table.raw[row, 0] == red and table.raw[row, 1] == blue and table.turn[row] == turn:
            return row
        place = (place + np.uint64(1)) & mask
    row = table.counts[ROWS]
    if row >= table.turn.shape[0]:
        table.counts[STOP] = 1
        return np.int64(-1)
    table.counts[ROWS] += 1
    table.slot[place] = row
    table.raw[row, 0] = red
    table.raw[row, 1] = blue
    table.turn[row] = turn
    return row

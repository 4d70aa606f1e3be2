"""Boards in arrays for compiled code.

*Flat* arrays have one entry for each cell in order, cell number - 1. *Padded* arrays have a border of one cell around
the board: row r and column c, both from 1, stand at r * (columns + 2) + c. The border holds the sides as stones:
RED on the left and the right, BLUE above and below, and OUTSIDE in its corners.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.games.game_state import GameState

EMPTY, RED_SIGN, BLUE_SIGN, OUTSIDE = 0, 1, 2, 3

_RING: Final = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
"""Rows and columns to the neighbours of a cell, going round."""


class Geometry(NamedTuple):
    """The tables of a board with n rows and m columns, cells from 0."""

    rows: int
    columns: int
    neighbours: NDArray[np.int32]
    """By cell: its six neighbours going round; -1 left, -2 right, -3 above, -4 below the board, -5 at its corners."""
    bridges: NDArray[np.int32]
    """By cell and each of six directions: the cell a bridge away or -1, and the two cells between."""


@lru_cache(maxsize=32)
def geometry_of(rows: int, columns: int) -> Geometry:
    """The tables of a board."""
    cells = rows * columns
    neighbours = np.full((cells, 6), -5, np.int32)
    bridges = np.full((cells, 6, 3), -1, np.int32)

    def at(row: int, column: int) -> int:
        off_row, off_column = not 0 <= row < rows, not 0 <= column < columns
        if off_row and off_column:
            return -5
        if off_row:
            return -3 if row < 0 else -4
        if off_column:
            return -1 if column < 0 else -2
        return row * columns + column

    for cell in range(cells):
        row, column = divmod(cell, columns)
        for way, (down, right) in enumerate(_RING):
            neighbours[cell, way] = at(row + down, column + right)
            second = _RING[(way + 1) % 6]
            # A bridge leads over two neighbours that touch each other, to the cell that touches both.
            between = at(row + down, column + right), at(row + second[0], column + second[1])
            far = at(row + down + second[0], column + right + second[1])
            if far >= 0 and min(between) >= 0:
                bridges[cell, way] = far, *between
    return Geometry(rows, columns, neighbours, bridges)


def mirror_cells(side: int) -> NDArray[np.int32]:
    """By cell of a square board, from 0: the cell with row and column exchanged."""
    return np.arange(side * side, dtype=np.int32).reshape(side, side).T.reshape(-1).copy()


def flat_cells(state: GameState) -> NDArray[np.int8]:
    """A copy of the stones of a state, flat."""
    return np.frombuffer(bytes(state.cells), np.int8).copy()


def padded_cells(state: GameState) -> NDArray[np.int8]:
    """The stones of a state, padded."""
    rows, columns = state.board.rows, state.board.columns
    padded = np.full((rows + 2, columns + 2), OUTSIDE, np.int8)
    padded[1:-1, 0] = padded[1:-1, -1] = RED_SIGN
    padded[0, 1:-1] = padded[-1, 1:-1] = BLUE_SIGN
    padded[1:-1, 1:-1] = flat_cells(state).reshape(rows, columns)
    return padded.reshape(-1)

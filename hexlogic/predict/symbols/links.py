"""`links`: what a stone is linked to by chains of neighbours and bridges: `linked(P,E,X)`, 4 n^2 symbols.

E is 1 for the first side of P and 2 for the last. X is a cell that the opponent has not: a stone of P, or an empty cell
on which P would put one. Where P is to move, `linked(P,1,X)` and `linked(P,2,X)` together nearly decide the game; nearly,
because two bridges may need the same empty cell.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.games import PLAYERS
from hexlogic.players.geometry import EMPTY, geometry_of
from hexlogic.predict.part import Part

__all__ = ["PART", "Links"]

_LOW: Final = (-1, -3)
"""What `Geometry.neighbours` has for the first side of red and of blue; the last side is one less."""


@njit(cache=True)
def _is_at(cells: Any, neighbours: Any, cell: Any, side: Any) -> Any:
    """Whether a stone on the cell is linked to a side: on its row, or one row away with both cells between empty."""
    free = 0
    for way in range(6):
        other = neighbours[cell, way]
        if other == side:
            return True
        if other >= 0 and cells[other] == EMPTY:
            for onward in range(6):
                if neighbours[other, onward] == side:
                    free += 1
                    break
    return free >= 2


@njit(cache=True)
def _next(cells: Any, neighbours: Any, bridges: Any, cell: Any, way: Any) -> Any:
    """By 12 ways the cell that a stone on the cell is linked to, its colour not considered; -1 for none."""
    if way < 6:
        return max(neighbours[cell, way], -1)
    far = bridges[cell, way - 6, 0]
    if far >= 0 and cells[bridges[cell, way - 6, 1]] == EMPTY and cells[bridges[cell, way - 6, 2]] == EMPTY:
        return far
    return -1


@njit(cache=True)
def _linked(boards: Any, neighbours: Any, bridges: Any, found: Any) -> None:
    """Fill `found[positions, 2 players, 2 sides, cells]`: flood the stones of a player from a side, then ask the empty
    cells."""
    count = boards.shape[1]
    waiting = np.empty(count, np.int64)
    for position in range(len(boards)):
        cells = boards[position]
        for player in range(2):
            for end in range(2):
                row, sign, side = found[position, player, end], player + 1, _LOW[player] - end
                left = 0
                for cell in range(count):
                    if cells[cell] == sign and _is_at(cells, neighbours, cell, side):
                        row[cell] = 1
                        waiting[left] = cell
                        left += 1
                while left:
                    left -= 1
                    cell = waiting[left]
                    for way in range(12):
                        other = _next(cells, neighbours, bridges, cell, way)
                        if other >= 0 and cells[other] == sign and not row[other]:
                            row[other] = 1
                            waiting[left] = other
                            left += 1
                for cell in range(count):
                    if cells[cell] != EMPTY:
                        continue
                    if _is_at(cells, neighbours, cell, side):
                        row[cell] = 1
                    for way in range(12):
                        other = _next(cells, neighbours, bridges, cell, way)
                        if other >= 0 and cells[other] == sign and row[other]:
                            row[cell] = 1


class Links(Part):
    """Both sides of both players."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """`linked(P,E,X)`."""
        return tuple(f"linked({player},{e},{x})" for player in PLAYERS for e in (1, 2) for x in self.board.cells)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """By floods over neighbours and bridges."""
        geometry = geometry_of(self.board.rows, self.board.columns)
        found = np.zeros((len(boards), 2, 2, boards.shape[1]), np.uint8)
        linked: Any = _linked
        linked(np.ascontiguousarray(boards), geometry.neighbours, geometry.bridges, found)
        return found.reshape(len(boards), -1)


PART = Links

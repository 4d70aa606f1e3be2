"""The baseline of the speed bars: random games of Hex with a union-find written for Hex by hand, in numba."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["neighbours", "play_by_union_find"]


def neighbours(size: int) -> NDArray[np.int32]:
    """The neighbours of each cell from 0, row by row, with -1 where the board ends: cells x 6."""
    found = np.full((size * size, 6), -1, dtype=np.int32)
    for row in range(size):
        for column in range(size):
            for place, (down, right) in enumerate(((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))):
                if 0 <= row + down < size and 0 <= column + right < size:
                    found[row * size + column, place] = (row + down) * size + column + right
    return found


@njit(cache=True, inline="always")
def _root(parent, cell):  # type: ignore[no-untyped-def]
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


@njit(cache=True)
def play_by_union_find(orders, around, size):  # type: ignore[no-untyped-def]
    """Play games to their ends (games x cells from 0, red first); how many red won, and how many stones were played.

    Groups are joined with path halving; each player's two sides are two more members.
    """
    cells = size * size
    owner = np.zeros(cells, dtype=np.int8)
    parent = np.zeros(cells + 4, dtype=np.int32)
    red = plies = 0
    for game in range(orders.shape[0]):
        owner[:] = 0
        for cell in range(cells + 4):
            parent[cell] = cell
        for ply in range(cells):
            cell = orders[game, ply]
            player = 1 + (ply & 1)
            owner[cell] = player
            plies += 1
            group = _root(parent, cell)
            for place in range(6):
                other = around[cell, place]
                if other >= 0 and owner[other] == player:
                    root = _root(parent, other)
                    if root != group:
                        parent[root] = group
            line = cell % size if player == 1 else cell // size
            side = cells + 2 * (player - 1)
            if line == 0:
                parent[_root(parent, side)] = group
            if line == size - 1:
                parent[_root(parent, side + 1)] = group
            if _root(parent, side) == _root(parent, side + 1):
                red += 2 - player
                break
    return red, plies

"""The board as one player sees it: nodes, neighbours, the ring around each cell."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import RED, Hex, Player
from hexlogic.players.geometry import geometry_of

RING_OTHER = -1
"""In a ring: off the board, beyond an edge of the opponent."""


class Layout(NamedTuple):
    """Geometry of a board of `cells` cells for one player, all arrays read-only.

    around: int16[nodes, 6], neighbours of a cell that are cells, -1 beyond the last one.
    ring: int16[nodes, 6], the six neighbours clockwise; a node of the player's edge, or RING_OTHER, off the board.
    edge: uint8[nodes], 1 on the player's first line, 2 on the last, 3 on both.
    """

    cells: int
    nodes: int
    words: int
    around: NDArray[np.int16]
    ring: NDArray[np.int16]
    edge: NDArray[np.uint8]


@lru_cache(maxsize=64)
def layout_of(board: Hex, player: Player) -> Layout:
    """The layout of a board for a player: red joins column 1 with the last, blue row 1 with the last."""
    cells = board.rows * board.columns
    nodes = cells + 2
    around = np.full((nodes, 6), -1, np.int16)
    ring = np.full((nodes, 6), RING_OTHER, np.int16)
    edge = np.zeros(nodes, np.uint8)
    neighbours = geometry_of(board.rows, board.columns).neighbours
    first, last = (neighbours == side for side in ((-1, -2) if player == RED else (-3, -4)))
    edge[1:-1] = first.any(axis=1) + 2 * last.any(axis=1)
    ring[1:-1] = np.select([neighbours >= 0, first, last], [neighbours + 1, 0, cells + 1], RING_OTHER)
    for cell in board.cells:
        touching = board.neighbours(cell)
        around[cell, : len(touching)] = touching
    return Layout(cells, nodes, (nodes + 63) // 64, around, ring, edge)

"""An independent judge of connections: the game inside a carrier, played out with bit masks and a memory.

It imports nothing of what it judges. Edges conduct, as rows of stones beyond the board would.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import njit

from hexlogic.games import RED, Hex, Player

__all__ = ["holds_connection"]


@njit(cache=True)
def _joined(own: Any, around: Any, start: Any, goal: Any) -> bool:
    """Whether `goal` is reached from `start` through nodes of the mask `own`; both are in the mask."""
    reached = np.int64(1) << start
    frontier = reached
    while frontier:
        following = np.int64(0)
        node = 0
        while frontier:
            if frontier & 1:
                following |= around[node]
            frontier >>= 1
            node += 1
        frontier = following & own & ~reached
        reached |= frontier
        if reached >> goal & 1:
            return True
    return False


@njit  # not cached: numba's cache breaks functions that call themselves
def _wins(own: Any, other: Any, carrier: Any, mine: Any, around: Any, x: Any, y: Any, memory: Any) -> bool:
    """Whether the owner of `own` joins x and y inside the carrier; `mine`: it is the owner's turn."""
    free = carrier & ~own & ~other
    if _joined(own, around, x, y):
        return True
    if not _joined(own | free, around, x, y):
        return False
    key = (own & carrier) * np.int64(2654435761) ^ (other & carrier) * np.int64(40503) ^ np.int64(mine)
    place = (key ^ (key >> np.int64(17))) & np.int64(memory.shape[0] - 1)
    if memory[place, 0] == own and memory[place, 1] == other and memory[place, 2] >> 1 == mine:
        return memory[place, 2] & 1 == 1
    result = not mine
    for node in range(around.shape[0]):
        if free >> node & 1:
            bit = np.int64(1) << node
            if mine:
                if _wins(own | bit, other, carrier, 0, around, x, y, memory):
                    result = True
                    break
            elif not _wins(own, other | bit, carrier, 1, around, x, y, memory):
                result = False
                break
    memory[place, 0] = own
    memory[place, 1] = other
    memory[place, 2] = 2 * mine + (1 if result else 0)
    return result


def holds_connection(
    board: Hex,
    player: Player,
    stones: Iterable[int],
    ends: tuple[int, int],
    carrier: Iterable[int],
    *,
    moves_first: bool,
) -> bool:
    """Whether the player joins the ends with own stones and cells of the carrier, moving first or second.

    Ends 0 and cells + 1 are the player's edges; all cells that are neither own stones nor in the carrier are lost.
    Boards of up to 60 cells.
    """
    cells = board.rows * board.columns
    around = np.zeros(cells + 2, np.int64)
    for cell in board.cells:
        row, column = divmod(cell - 1, board.columns)
        for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
            if 0 <= row + down < board.rows and 0 <= column + right < board.columns:
                around[cell] |= 1 << ((row + down) * board.columns + column + right + 1)
        line, lines = (column, board.columns) if player == RED else (row, board.rows)
        for edge, at_edge in ((0, line == 0), (cells + 1, line == lines - 1)):
            if at_edge:
                around[cell] |= 1 << edge
                around[edge] |= 1 << cell
    own = sum(1 << node for node in {*stones, *ends, 0, cells + 1})
    mask = sum(1 << cell for cell in carrier)
    memory = np.full((1 << max(4, min(17, mask.bit_count() + 3)), 3), -1, np.int64)
    return bool(_wins(own, 0, mask, int(moves_first), around, ends[0], ends[1], memory))

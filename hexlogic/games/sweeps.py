"""Sweeps: how many runs over the board, forth and back, follow any chain from side to side.

For red, forward is into the next column or down inside one, back is the reverse; for blue, exchange columns and rows.
Every step of a chain is one or the other, and a flood that goes through the cells in this order follows a whole run of
forward steps in one sweep, and a whole run of back steps in the next, which takes the cells in the reverse order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from hexlogic.games.hex import RED, Hex, Player, check_player

__all__ = ["KNOWN_SWEEPS", "sweep_bound", "sweeps_of"]

KNOWN_SWEEPS: Final[dict[int, int]] = {1: 1, 2: 1, 3: 1, 4: 3, 5: 5, 6: 7, 7: 11, 8: 15, 9: 21}
"""The most sweeps that a minimal winning set of the n x n board needs, the same number for both players: by enumeration
of all of them (2,195,830 for n = 8, 126,004,636 for n = 9). The tests count again up to n = 7."""


def sweeps_of(game: Hex, player: Player, chain: Sequence[int]) -> int:
    """The runs, forward and back by turns and a forward one first, that a chain is made of.

    >>> sweeps_of(Hex(4, 4), "red", [5, 2, 3, 7, 10, 14, 15, 12])
    3
    """
    line = game.column if check_player(player) == RED else game.row
    forward, sweeps = True, 1
    for cell, following in pairwise(chain):
        step_forward = (line(following), following) > (line(cell), cell)
        sweeps += step_forward != forward
        forward = step_forward
    return sweeps


def sweep_bound(game: Hex, player: Player) -> int:
    """A number of sweeps that no minimal winning set of `player` exceeds, without enumeration.

    For red on n rows and m columns (blue: exchange the two): exact for n = m <= 9; otherwise, for n, m >= 2,

        2 * floor((n - 2) * ceil((m - 2) / 2) / 2) + 1

    Proved: A minimal winning set is a chain without a chord that has one cell in the first column and one in the last.
    The directions of a step are, in circular order, (1,0), (0,1), (-1,1), (-1,0), (0,-1), (1,-1) as (columns, rows);
    forward are (1,-1), (1,0), (0,1). Two steps in a row differ by one place of this circle at the most: by two they
    would close a triangle, which is a chord, by three they would go back. So a chain changes between forward and back
    only between (0,1) and (-1,1), or between (0,-1) and (1,-1): all four lead into another row. Where it does, at a
    cell of row r, one of the cell's two neighbours on the chain is in row r - 1 and the other in row r + 1. Hence
    1 < r < n, and the cells to its left and right are not on the chain, since they would be a third neighbour: of the
    m - 2 inner cells of a row at most every second one is such a cell, and the chain's ends, in the outer columns, are
    none. That is the number of changes; it is even, because the first step leaves the first column for good and the
    last one enters the last, both forward. Sweeps are one more than changes.

    >>> [sweep_bound(Hex.square(n), "red") for n in (3, 9, 11)], sweep_bound(Hex(4, 6), "red")
    ([1, 21, 45], 5)
    """
    n, m = (game.rows, game.columns) if check_player(player) == RED else (game.columns, game.rows)
    if n == m and n in KNOWN_SWEEPS:
        return KNOWN_SWEEPS[n]
    if n == 1 or m == 1:
        return 1
    return (n - 2) * ((m - 1) // 2) // 2 * 2 + 1

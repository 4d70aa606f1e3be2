"""Bounds on sweeps: how many passes over the board, forth and back, follow any chain from side to side.

For red, forward is into the next column or down inside one, back is the reverse; for blue, exchange columns and rows.
Every step of a chain is one or the other, and a flood that goes through the cells in this order follows a whole run of
forward steps in one sweep, and a whole run of back steps in the next, which takes the cells in the reverse order.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hexlogic.games.game import RED, Player, check_player
from hexlogic.games.kinds.hex import Hex

KNOWN_SWEEPS: Final[dict[int, int]] = dict(
    enumerate((1, 1, 1, 3, 5, 7, 11, 15, 21, 29, 35, 41, 49, 59, 71, 83), start=1)
)
"""Sweeps that are enough for every minimal winning set of the n x n board, the same number for both players: one more
than `most_changes`. Up to n = 9 some set needs them all (126,004,636 sets were looked at for n = 9)."""

_LIVE: Final = 8
"""Columns up to which `most_changes` takes less than a second."""

_OUT, _NEW, _FROM_LEFT, _FROM_RIGHT, _ONCE, _DONE = range(6)
"""A cell is not on the chain; or on it with no neighbour there so far, one above to the left, one above to the right,
one elsewhere, two."""


def sweep_bound(game: Hex, player: Player) -> int:
    """A number of sweeps that no minimal winning set of `player` exceeds, without enumeration.

    For red on n rows and m columns (blue: exchange the two) it is one more than `most_changes`, from a table for square
    boards and computed for few columns; beyond, for n, m >= 2,

        2 * floor((n - 2) * ceil((m - 2) / 2) / 2) + 1

    Proved: A minimal winning set is a chain without a chord that has one cell in the first column and one in the last.
    The directions of a step are, in circular order, (1,0), (0,1), (-1,1), (-1,0), (0,-1), (1,-1) as (columns, rows);
    forward are (1,-1), (1,0), (0,1). Two steps in a row differ by one place of this circle at the most: by two they
    would close a triangle, which is a chord, by three they would go back. So a chain changes between forward and back
    only between (0,1) and (-1,1), or between (0,-1) and (1,-1): all four lead into another row. Where it does, at a
    cell of row r, one of the cell's two neighbours on the chain is in row r - 1 and the other in row r + 1, both on its
    left or both on its right. Hence 1 < r < n, and the cells beside it in its row are not on the chain, since they
    would be a third neighbour: of the m - 2 inner cells of a row at most every second one is such a cell, and the
    chain's ends, in the outer columns, are none. That is the number of changes; it is even, because the first step
    leaves the first column for good and the last one enters the last, both forward. Sweeps are one more than changes.

    >>> [sweep_bound(Hex.square(n), "red") for n in (3, 9, 11, 19)], sweep_bound(Hex(4, 6), "red")
    ([1, 21, 35, 153], 5)
    """
    n, m = (game.rows, game.columns) if check_player(player) == RED else (game.columns, game.rows)
    if n == m and n in KNOWN_SWEEPS:
        return KNOWN_SWEEPS[n]
    if m <= _LIVE:
        return most_changes(n, m) + 1
    return 1 if n == 1 else (n - 2) * ((m - 1) // 2) // 2 * 2 + 1


@lru_cache(maxsize=256)
def most_changes(rows: int, columns: int) -> int:
    """A bound on the changes between forward and back in any of red's minimal winning sets, by dynamic programming.

    It is the maximum over all sets of cells with one cell in the first column and one in the last, in which these two
    have one neighbour and all others two: a chain without a chord, and perhaps closed rings apart from it, which only
    make the maximum larger. Cells are taken row by row; a state is what is known of the last cell of each column and
    whether the two ends are there. States grow threefold with each column: 3,346 for 8x8, 720,075 for 13x13.

    >>> [most_changes(n, n) for n in range(1, 8)]
    [0, 0, 0, 2, 4, 6, 10]
    """
    if columns == 1:
        return 0
    states = {((_OUT,) * columns, False, False): 0}
    for row in range(rows):
        for column in range(columns):
            following: dict[tuple[tuple[int, ...], bool, bool], int] = {}
            for (cells, begun, ended), changes in states.items():
                above = cells[column]  # to the left; its other neighbours were there before
                if above in (_OUT, _DONE):
                    state = ((*cells[:column], _OUT, *cells[column + 1 :]), begun, ended)
                    following[state] = max(following.get(state, 0), changes)
                first, last = column == 0, column == columns - 1
                if (first and begun) or (last and ended):
                    continue
                if (joined := _join(cells, row, column)) is not None:
                    state = (joined[0], begun or first, ended or last)
                    following[state] = max(following.get(state, 0), changes + joined[1])
            states = following
    # The empty board has no ends; a chain is there on any board.
    return max(
        changes
        for (cells, begun, ended), changes in states.items()
        if begun and ended and all(cell in (_OUT, _DONE) for cell in cells)
    )


def _join(cells: tuple[int, ...], row: int, column: int) -> tuple[tuple[int, ...], int] | None:
    """The state of the columns when the next cell is on the chain, and the changes that are certain by that; None when
    a cell would have three neighbours, or too few."""
    first, last = column == 0, column == len(cells) - 1
    left = cells[column] if row else _OUT
    right = cells[column + 1] if row and not last else _OUT
    beside = _OUT if first else cells[column - 1]
    # An end's other neighbour is the side itself.
    neighbours = sum(map(bool, (left, right, beside))) + first + last
    if _DONE in (left, right, beside) or left == _NEW or neighbours > 2:
        return None
    changes = (left == _FROM_RIGHT) + (right == _FROM_LEFT)
    joined = list(cells)
    if neighbours == 2:
        joined[column] = _DONE
    elif left or right:
        joined[column] = _FROM_LEFT if left else _FROM_RIGHT
    else:
        joined[column] = _ONCE if neighbours else _NEW
    if right:
        joined[column + 1] = _ONCE if right == _NEW else _DONE
    if beside:
        joined[column - 1] = _ONCE if beside == _NEW else _DONE
    return tuple(joined), changes

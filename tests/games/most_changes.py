"""An oracle for the bound on sweeps: how often a minimal winning set changes between forward and back, by dynamic
programming over the rows of the board."""

from __future__ import annotations

from functools import lru_cache

_OUT, _NEW, _FROM_LEFT, _FROM_RIGHT, _ONCE, _DONE = range(6)
"""A cell is not on the chain; or on it with no neighbour there so far, one above to the left, one above to the right,
one elsewhere, two."""


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

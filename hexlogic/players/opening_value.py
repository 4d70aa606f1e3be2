"""Whether an opening is strong enough to be taken by the swap rule, from the shape of known results on small boards.

On every solved board (up to 9x9) the losing openings lie along the two sides of the first player and near the acute
corners, while the middle wins. The estimate here is that shape, scaled to the size of the board.
"""

from __future__ import annotations

from hexlogic.games.kinds.hex import Hex


def is_strong_opening(board: Hex, cell: int) -> bool:
    """Whether red's first stone on `cell` is likely to win, so that blue should swap.

    >>> board = Hex(11, 11)
    >>> [is_strong_opening(board, board.parse_cell(name)) for name in ("f6", "a1", "a5", "c2")]
    [True, False, False, False]
    """
    row, column = board.row(cell) - 1, board.column(cell) - 1
    n, m = board.rows, board.columns
    if max(n, m) <= 2:
        return True
    if n * m <= 9:
        return 0 < column < m - 1 or (row + column == (n + m - 2) // 2 and n == m)
    # Red joins left and right: the first two columns on either side lose but for the short diagonal.
    near_side = min(column, m - 1 - column)
    near_top = min(row, n - 1 - row)
    on_diagonal = abs(row * (m - 1) + column * (n - 1) - (n - 1) * (m - 1)) <= max(n, m) - 1
    if near_top == 0 or near_side == 0:
        return on_diagonal and min(n, m) <= 9
    if near_side == 1 or near_top == 1:
        return on_diagonal or (near_side >= 3 and min(n, m) <= 7)
    return True

"""Positions as text drawings: a slanted board with its labels."""

from __future__ import annotations

from collections.abc import Iterable

from hexlogic.games.hex import BLUE, RED, column_name
from hexlogic.games.position import Position

__all__ = ["draw_text"]


def draw_text(position: Position, chain: Iterable[int] | None = None, *, labels: bool = True) -> str:
    """The board with each row shifted by one more space, column letters above and row numbers at both sides.

    With a chain (cell numbers) its stones stay capital and all other stones become small letters. With or
    without labels, `parse_position` reads the drawing. Raises `PositionError` for a chain cell off the board.

    >>> from hexlogic.games import Hex, Position
    >>> print(draw_text(Position.of(Hex(2, 3), red=["a1", "b1", "c1", "a2"], blue=["b2"]), chain=[1, 2, 3]), end="")
      a b c
    1 R R R 1
     2 r b . 2
    """
    game = position.game
    marked = None if chain is None else {game.check_cell(cell) for cell in chain}
    letters = {None: ".", RED: "R", BLUE: "B"}
    # Boards of more than 26 columns have column names of two letters, and cells as wide.
    width = len(column_name(game.columns))
    margin = len(str(game.rows))
    lines = []
    if labels:
        names = (column_name(column).ljust(width) for column in range(1, game.columns + 1))
        lines.append(" " * (margin + 1) + " ".join(names))
    for row in range(1, game.rows + 1):
        signs = []
        for column in range(1, game.columns + 1):
            cell = game.cell(row, column)
            sign = letters[position.owner(cell)]
            signs.append((sign if marked is None or cell in marked else sign.lower()).ljust(width))
        text = " ".join(signs)
        lines.append(" " * (row - 1) + (f"{row:>{margin}} {text} {row}" if labels else text))
    return "".join(line.rstrip() + "\n" for line in lines)

"""Draw positions as text: a slanted board with its labels."""

from __future__ import annotations

from collections.abc import Iterable

from hexlogic.games.game import Placed, column_name
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.players import BLUE, RED, Player


def draw_text(position: Placed, chain: Iterable[int] | None = None, *, labels: bool = True) -> str:
    """The board with each row shifted by one more space, column letters above and row numbers at both sides.

    Boards of other games have the names of the first and last cell of each line at its ends; a blank line stands
    where a layer ends.

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
    if not isinstance(game, Hex):
        return _lines(position, marked, labels)
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
            signs.append(_sign(position.owner(cell), marked is None or cell in marked).ljust(width))
        text = " ".join(signs)
        lines.append(" " * (row - 1) + (f"{row:>{margin}} {text} {row}" if labels else text))
    return "".join(line.rstrip() + "\n" for line in lines)


def _sign(owner: Player | None, capital: bool) -> str:
    sign = {None: ".", RED: "R", BLUE: "B"}[owner]
    return sign if capital else sign.lower()


def _lines(position: Placed, marked: set[int] | None, labels: bool) -> str:
    """The lines of a board, indented as its cells lie in pictures. What lies beside an earlier line goes below it."""
    game = position.game
    left = [min(game.centre(cell)[0] for cell in line) for line in game.lines_of_text]
    names = [(game.cell_name(line[0]), game.cell_name(line[-1])) for line in game.lines_of_text]
    margin = max(len(name) for name, _ in names) + 1 if labels else 0
    lines: list[str] = []
    height, edge = 0.0, min(left)
    for line, start, (first, last) in zip(game.lines_of_text, left, names, strict=True):
        if lines and game.centre(line[0])[1] < height:
            lines.append("")
            edge = start
        height = game.centre(line[0])[1]
        signs = " ".join(_sign(position.owner(cell), marked is None or cell in marked) for cell in line)
        indent = " " * round(2 * (start - edge))
        text = f"{indent}{first:<{margin}}{signs} {last}" if labels else indent + signs
        lines.append(text)
    return "".join(f"{text}\n" for text in lines)

"""Positions as SVG pictures: the rhombus of a real Hex board, and any other board cell by cell.

Everything is an attribute of its element: no style sheet and no ids, so several pictures can stand in one page.
Colour is never the only sign: red stones are plain discs, blue ones carry a ring. The background is transparent
and the labels are a grey that reads on white and on black.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import dist, sqrt

from hexlogic.games.game import Game, Point, column_name
from hexlogic.games.kinds.hex.board import Hex
from hexlogic.games.placed import Placed
from hexlogic.games.players import BLUE, PLAYERS, RED, Player
from hexlogic.games.svg_marks import Mark, draw_marks
from hexlogic.games.svg_parts import BAND, FILL, LABEL, RADIUS, WIDE, cells, number, points, stones
from hexlogic.games.svg_parts import chain as draw_chain


@dataclass(frozen=True)
class _Layout:
    game: Hex
    left: float
    top: float

    def centre(self, row: float, column: float) -> Point:
        return (
            self.left + (column - 1) * WIDE + (row - 1) * WIDE / 2,
            self.top + (row - 1) * 1.5 * RADIUS,
        )

    def of(self, cell: int) -> Point:
        return self.centre(self.game.row(cell), self.game.column(cell))


def draw_svg(
    position: Placed, chain: Sequence[int] | None = None, title: str | None = None, marks: Sequence[Mark] = ()
) -> str:
    """The position as one `<svg>` element, the same bytes for the same arguments.

    `chain` (cell numbers in order, such as `winning_chain` gives) is drawn as a line through its stones, which
    also get a ring. `title` is what a screen reader says; by default size, stones and winner. `marks` are drawn over
    a Hex board. Raises `PositionError` for a chain cell off the board.

    >>> from hexlogic.games import Hex, Position
    >>> picture = draw_svg(Position.of(Hex(1, 1), red=["a1"]))
    >>> picture.count("<circle"), picture.split("<title>")[1].split("</title>")[0]
    (1, '1x1 Hex: red has 1 stone, blue 0; red has won')
    """
    game = position.game
    if not isinstance(game, Hex):
        return _any_board(position, chain or (), title)
    # Room for the sharp corner of the bands at a1 and for the row numbers.
    layout = _Layout(game, left=sqrt(3) * BAND + 0.5 * RADIUS, top=BAND + 1.45 * RADIUS)
    corner = layout.centre(game.rows, game.columns)
    width, height = corner[0] + sqrt(3) * BAND + 0.5 * RADIUS, corner[1] + BAND + 1.45 * RADIUS
    body = [
        *_bands(layout),
        *cells(layout),
        *_labels(layout),
        *stones(layout, position),
        *draw_chain(layout, chain or (), [chain or ()]),
        *draw_marks(layout, marks),
    ]
    return _picture(width, height, title if title is not None else _describe(position), body)


def _picture(width: float, height: float, title: str, body: list[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {number(width)} {number(height)}" '
            f'width="{number(width)}" height="{number(height)}" font-family="system-ui, sans-serif">',
            f"<title>{escape(title, quote=False)}</title>",
            *body,
            "</svg>\n",
        ]
    )


def _describe(position: Placed) -> str:
    red, blue = len(position.red), len(position.blue)
    won = next((one for one in PLAYERS if position.game.has_won(position.stones(one), one)), "nobody")
    name = f"{position.name}, " if position.name else ""
    plural = "" if red == 1 else "s"
    return f"{name}{position.game}: red has {red} stone{plural}, blue {blue}; {won} has won"


def _bands(layout: _Layout) -> list[str]:
    """Four bands around the board, in the colour of the player who owns the side; the cells cover the inside."""
    rows, columns = layout.game.rows, layout.game.columns
    inner = [layout.centre(r, c) for r, c in ((1, 1), (1, columns), (rows, columns), (rows, 1))]
    # The board's borders moved out by BAND meet far off at the sharp corners and near at the blunt ones.
    sharp, blunt = sqrt(3) * BAND, BAND / sqrt(3)
    shifts = [(-sharp, -BAND), (blunt, -BAND), (sharp, BAND), (-blunt, BAND)]
    outer = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(inner, shifts, strict=True)]
    sides: tuple[Player, ...] = (BLUE, RED, BLUE, RED)
    bands = []
    for i, player in enumerate(sides):
        j = (i + 1) % 4
        shape = points((outer[i], outer[j], inner[j], inner[i]))
        bands.append(f'<polygon points="{shape}" fill="{FILL[player]}"/>')
    return bands


def _labels(layout: _Layout) -> list[str]:
    """Column letters above and below, row numbers left and right, each on the line of its column or row."""
    game = layout.game
    away = (BAND + 0.75 * RADIUS) / (1.5 * RADIUS)  # in rows
    aside = (2 / sqrt(3) * BAND + 0.75 * RADIUS) / WIDE  # in columns
    texts = []
    for column in range(1, game.columns + 1):
        texts += [(layout.centre(row, column), column_name(column)) for row in (1 - away, game.rows + away)]
    for row in range(1, game.rows + 1):
        texts += [(layout.centre(row, column), str(row)) for column in (1 - aside, game.columns + aside)]
    size = 0.7 * RADIUS
    return [
        f'<g fill="{LABEL}" font-size="{number(size)}" text-anchor="middle">',
        # dominant-baseline is unknown to some renderers; a third of the size below the middle looks the same.
        *(f'<text x="{number(x)}" y="{number(y + 0.35 * size)}">{text}</text>' for (x, y), text in texts),
        "</g>",
    ]


@dataclass(frozen=True)
class _Plain:
    """Any board by the centres that its game gives; `left` and `top` are where its first cell's unit square begins."""

    game: Game
    left: float
    top: float

    def of(self, cell: int) -> Point:
        x, y = self.game.centre(cell)
        return self.left + x * WIDE, self.top + y * WIDE


def _any_board(position: Placed, winning: Sequence[int], title: str | None) -> str:
    """A board without bands; the first and the last cell of each line have their names beside them."""
    game = position.game
    centres = [game.centre(cell) for cell in game.cells]
    margin = WIDE * 1.6
    low_x, low_y = (min(values) * WIDE for values in zip(*centres, strict=True))
    high_x, high_y = (max(values) * WIDE for values in zip(*centres, strict=True))
    layout = _Plain(game, margin - low_x, WIDE - low_y)
    body = [
        *cells(layout),
        *_names(layout),
        *stones(layout, position),
        *draw_chain(layout, winning, _links(game, winning)),
    ]
    width, height = high_x - low_x + 2 * margin, high_y - low_y + 2 * WIDE
    return _picture(width, height, title if title is not None else _describe(position), body)


def _links(game: Game, winning: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of winning stones that touch in the picture."""

    def near(one: int, other: int) -> bool:
        return dist(game.centre(one), game.centre(other)) < 1.5

    return [(a, b) for a in winning for b in game.neighbours(a) if a < b and b in winning and near(a, b)]


def _names(layout: _Plain) -> list[str]:
    size = 0.6 * RADIUS
    texts = []
    for line in layout.game.lines_of_text:
        ends = ((line[0], -0.62, "end"), (line[-1], 0.62, "start"))
        for cell, shift, anchor in ends[: len(line)]:  # a line of one cell has one name
            x, y = layout.of(cell)
            place = f'x="{number(x + shift * WIDE)}" y="{number(y + 0.35 * size)}" text-anchor="{anchor}"'
            texts.append(f"<text {place}>{layout.game.cell_name(cell)}</text>")
    return [f'<g fill="{LABEL}" font-size="{number(size)}">', *texts, "</g>"]

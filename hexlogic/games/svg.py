"""Positions as SVG pictures: the rhombus of a real Hex board.

Everything is an attribute of its element: no style sheet and no ids, so several pictures can stand in one page.
Colour is never the only sign: red stones are plain discs, blue ones carry a ring. The background is transparent
and the labels are a grey that reads on white and on black.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt
from typing import Final, TypeAlias

from hexlogic.games.hex import BLUE, RED, Hex, Player, column_name
from hexlogic.games.oracle import winner
from hexlogic.games.position import Position

__all__ = ["draw_svg"]

Point: TypeAlias = tuple[float, float]

# Lengths are in pixels of the unscaled picture. A hexagon stands on its tip: RADIUS from centre to tip.
_RADIUS: Final = 20.0
_WIDE: Final = sqrt(3) * _RADIUS
_BAND: Final = 1.36 * _RADIUS  # from the outermost centres to the edge of the coloured bands
_STONE: Final = 0.66 * _RADIUS
_FILL: Final[dict[Player, str]] = {RED: "#c8102e", BLUE: "#1f5fbf"}
_DARK: Final[dict[Player, str]] = {RED: "#7d0a1d", BLUE: "#123a78"}
_CELL, _GRID, _LABEL = "#f3ecdc", "#8d8676", "#767676"
_CHAIN, _CHAIN_EDGE = "#ffd24a", "#2b2300"


@dataclass(frozen=True)
class _Layout:
    game: Hex
    left: float
    top: float

    def centre(self, row: float, column: float) -> Point:
        return (
            self.left + (column - 1) * _WIDE + (row - 1) * _WIDE / 2,
            self.top + (row - 1) * 1.5 * _RADIUS,
        )

    def of(self, cell: int) -> Point:
        return self.centre(self.game.row(cell), self.game.column(cell))


def draw_svg(position: Position, chain: Sequence[int] | None = None, title: str | None = None) -> str:
    """The position as one `<svg>` element, the same bytes for the same arguments.

    `chain` (cell numbers in order, such as `winning_chain` gives) is drawn as a line through its stones, which
    also get a ring. `title` is what a screen reader says; by default size, stones and winner. Raises
    `PositionError` for a chain cell off the board.

    >>> from hexlogic.games import Hex, Position
    >>> picture = draw_svg(Position.of(Hex(1, 1), red=["a1"]))
    >>> picture.count("<circle"), picture.split("<title>")[1].split("</title>")[0]
    (1, '1x1 Hex: red has 1 stone, blue 0; red has won')
    """
    game = position.game
    # Room for the sharp corner of the bands at a1 and for the row numbers.
    layout = _Layout(game, left=sqrt(3) * _BAND + 0.5 * _RADIUS, top=_BAND + 1.45 * _RADIUS)
    corner = layout.centre(game.rows, game.columns)
    width, height = corner[0] + sqrt(3) * _BAND + 0.5 * _RADIUS, corner[1] + _BAND + 1.45 * _RADIUS
    body = [
        *_bands(layout),
        *_cells(layout),
        *_labels(layout),
        *_stones(layout, position),
        *_chain(layout, chain or ()),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_n(width)} {_n(height)}" '
            f'width="{_n(width)}" height="{_n(height)}" font-family="system-ui, sans-serif">',
            f"<title>{escape(title if title is not None else _describe(position), quote=False)}</title>",
            *body,
            "</svg>\n",
        ]
    )


def _describe(position: Position) -> str:
    red, blue = len(position.red), len(position.blue)
    won = winner(position) or "nobody"
    name = f"{position.name}, " if position.name else ""
    plural = "" if red == 1 else "s"
    return f"{name}{position.game}: red has {red} stone{plural}, blue {blue}; {won} has won"


def _n(value: float) -> str:
    """A coordinate with two decimals, without trailing zeros and without a negative zero."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _bands(layout: _Layout) -> list[str]:
    """Four bands around the board, in the colour of the player who owns the side; the cells cover the inside."""
    rows, columns = layout.game.rows, layout.game.columns
    inner = [layout.centre(r, c) for r, c in ((1, 1), (1, columns), (rows, columns), (rows, 1))]
    # The board's borders moved out by _BAND meet far off at the sharp corners and near at the blunt ones.
    sharp, blunt = sqrt(3) * _BAND, _BAND / sqrt(3)
    shifts = [(-sharp, -_BAND), (blunt, -_BAND), (sharp, _BAND), (-blunt, _BAND)]
    outer = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(inner, shifts, strict=True)]
    sides: tuple[Player, ...] = (BLUE, RED, BLUE, RED)
    bands = []
    for i, player in enumerate(sides):
        j = (i + 1) % 4
        shape = _points((outer[i], outer[j], inner[j], inner[i]))
        bands.append(f'<polygon points="{shape}" fill="{_FILL[player]}"/>')
    return bands


def _cells(layout: _Layout) -> list[str]:
    half, tip = _WIDE / 2, _RADIUS
    corners = ((0, -tip), (half, -tip / 2), (half, tip / 2), (0, tip), (-half, tip / 2), (-half, -tip / 2))
    hexagons = []
    for cell in layout.game.cells:
        x, y = layout.of(cell)
        hexagons.append(f'<polygon points="{_points((x + dx, y + dy) for dx, dy in corners)}"/>')
    return [f'<g fill="{_CELL}" stroke="{_GRID}" stroke-width="1.2" stroke-linejoin="round">', *hexagons, "</g>"]


def _labels(layout: _Layout) -> list[str]:
    """Column letters above and below, row numbers left and right, each on the line of its column or row."""
    game = layout.game
    away = (_BAND + 0.75 * _RADIUS) / (1.5 * _RADIUS)  # in rows
    aside = (2 / sqrt(3) * _BAND + 0.75 * _RADIUS) / _WIDE  # in columns
    texts = []
    for column in range(1, game.columns + 1):
        texts += [(layout.centre(row, column), column_name(column)) for row in (1 - away, game.rows + away)]
    for row in range(1, game.rows + 1):
        texts += [(layout.centre(row, column), str(row)) for column in (1 - aside, game.columns + aside)]
    size = 0.7 * _RADIUS
    return [
        f'<g fill="{_LABEL}" font-size="{_n(size)}" text-anchor="middle">',
        # dominant-baseline is unknown to some renderers; a third of the size below the middle looks the same.
        *(f'<text x="{_n(x)}" y="{_n(y + 0.35 * size)}">{text}</text>' for (x, y), text in texts),
        "</g>",
    ]


def _stones(layout: _Layout, position: Position) -> list[str]:
    shapes = []
    for player in (RED, BLUE):
        if not position.stones(player):
            continue
        shapes.append(f'<g fill="{_FILL[player]}" stroke="{_DARK[player]}" stroke-width="1.5">')
        for cell in sorted(position.stones(player)):
            x, y = layout.of(cell)
            shapes.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(_STONE)}"/>')
        shapes.append("</g>")
    if position.blue:
        shapes.append('<g fill="none" stroke="#ffffff" stroke-width="2" stroke-opacity="0.85">')
        for cell in sorted(position.blue):
            x, y = layout.of(cell)
            shapes.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.55 * _STONE)}"/>')
        shapes.append("</g>")
    return shapes


def _chain(layout: _Layout, chain: Sequence[int]) -> list[str]:
    if not chain:
        return []
    line = _points(layout.of(cell) for cell in chain)
    shapes = ['<g fill="none" stroke-linejoin="round" stroke-linecap="round">']
    # Each stroke twice, dark below bright: visible on both stone colours and on the board.
    for colour, wider in ((_CHAIN_EDGE, 2.0), (_CHAIN, 0.0)):
        shapes.append(f'<g stroke="{colour}">')
        shapes.append(f'<polyline points="{line}" stroke-width="{_n(4 + wider)}"/>')
        for cell in chain:
            x, y = layout.of(cell)
            shapes.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(_STONE)}" stroke-width="{_n(2.5 + wider)}"/>')
        shapes.append("</g>")
    return [*shapes, "</g>"]

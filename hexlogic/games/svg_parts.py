"""The parts that all SVG pictures of boards are made of: cells, stones, winning stones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final, Protocol

from hexlogic.games.game import Game, Point
from hexlogic.games.placed import Placed
from hexlogic.games.players import BLUE, RED, Player

# Lengths are in pixels of the unscaled picture. A hexagon stands on its tip: RADIUS from centre to tip.
RADIUS: Final = 20.0
WIDE: Final = sqrt(3) * RADIUS
BAND: Final = 1.36 * RADIUS  # from the outermost centres to the edge of the coloured bands
STONE: Final = 0.66 * RADIUS
FILL: Final[dict[Player, str]] = {RED: "#c8102e", BLUE: "#1f5fbf"}
_DARK: Final[dict[Player, str]] = {RED: "#7d0a1d", BLUE: "#123a78"}
LABEL: Final = "#767676"
_CELL, _GRID = "#f3ecdc", "#8d8676"
_CHAIN, _CHAIN_EDGE = "#ffd24a", "#2b2300"


class PixelLayout(Protocol):
    """A board and where its cells are drawn, in pixels."""

    @property
    def game(self) -> Game:
        """The board."""

    def of(self, cell: int) -> Point:
        """The centre of a cell."""


def number(value: float) -> str:
    """A coordinate with two decimals, without trailing zeros and without a negative zero."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def points(places: Iterable[Point]) -> str:
    """Coordinates as the attribute `points` wants them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def cells(layout: PixelLayout) -> list[str]:
    """The cells, each a hexagon that stands on its tip, or a square."""
    half, tip = WIDE / 2, RADIUS
    corners: tuple[Point, ...] = ((-half, -half), (half, -half), (half, half), (-half, half))
    if layout.game.cell_sides == 6:
        corners = ((0, -tip), (half, -tip / 2), (half, tip / 2), (0, tip), (-half, tip / 2), (-half, -tip / 2))
    shapes = []
    for cell in layout.game.cells:
        x, y = layout.of(cell)
        shapes.append(f'<polygon points="{points((x + dx, y + dy) for dx, dy in corners)}"/>')
    return [f'<g fill="{_CELL}" stroke="{_GRID}" stroke-width="1.2" stroke-linejoin="round">', *shapes, "</g>"]


def stones(layout: PixelLayout, position: Placed) -> list[str]:
    """The stones: discs, and a ring on those of blue."""
    shapes = []
    for player in (RED, BLUE):
        if not position.stones(player):
            continue
        shapes.append(f'<g fill="{FILL[player]}" stroke="{_DARK[player]}" stroke-width="1.5">')
        for cell in sorted(position.stones(player)):
            x, y = layout.of(cell)
            shapes.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(STONE)}"/>')
        shapes.append("</g>")
    if position.blue:
        shapes.append('<g fill="none" stroke="#ffffff" stroke-width="2" stroke-opacity="0.85">')
        for cell in sorted(position.blue):
            x, y = layout.of(cell)
            shapes.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(0.55 * STONE)}"/>')
        shapes.append("</g>")
    return shapes


def chain(layout: PixelLayout, cells: Sequence[int], lines: Sequence[Sequence[int]]) -> list[str]:
    """A ring on the stones of `cells`, and `lines` from cell to cell."""
    if not cells:
        return []
    shapes = ['<g fill="none" stroke-linejoin="round" stroke-linecap="round">']
    # Each stroke twice, dark below bright: visible on both stone colours and on the board.
    for colour, wider in ((_CHAIN_EDGE, 2.0), (_CHAIN, 0.0)):
        shapes.append(f'<g stroke="{colour}">')
        for line in lines:
            course = points(layout.of(cell) for cell in line)
            shapes.append(f'<polyline points="{course}" stroke-width="{number(4 + wider)}"/>')
        for cell in cells:
            x, y = layout.of(cell)
            shapes.append(
                f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(STONE)}" stroke-width="{number(2.5 + wider)}"/>'
            )
        shapes.append("</g>")
    return [*shapes, "</g>"]

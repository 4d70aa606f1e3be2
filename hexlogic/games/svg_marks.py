"""Marks over a picture of a board: required and forbidden connections and stones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.games.players import BLUE, Player
from hexlogic.games.svg_parts import FILL, RADIUS, STONE, PixelLayout, number

_CROSS = 0.3 * RADIUS
_APART = 0.12 * RADIUS


@dataclass(frozen=True, slots=True)
class Mark:
    """Two cells that `player` has to connect or, when `forbidden`, must not; one cell stands for a stone there."""

    player: Player
    cells: tuple[int, ...]
    forbidden: bool = False


def draw_marks(layout: PixelLayout, marks: Sequence[Mark]) -> list[str]:
    """Lines from cell to cell in the player's colour, dashed with a cross where forbidden; stones as small rings."""
    shapes: list[str] = []
    for mark in marks:
        # Lines of both players between the same cells stand side by side.
        shift = _APART if mark.player == BLUE else -_APART
        places = [layout.of(cell) for cell in mark.cells]
        (x1, y1), (x2, y2) = ((x, y + shift) for x, y in (places[0], places[-1]))
        dash = ' stroke-dasharray="5 4"' if mark.forbidden else ""
        kind = f'stroke="{FILL[mark.player]}" fill="none" stroke-width="3" stroke-linecap="round"'
        if len(mark.cells) > 1:
            line = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
            shapes.append(f"<line {line} {kind}{dash}/>")
            shapes += [
                f'<circle cx="{number(x)}" cy="{number(y)}" r="4" fill="{FILL[mark.player]}"/>' for x, y in places
            ]
        else:
            shapes.append(f'<circle cx="{number(x1)}" cy="{number(y1)}" r="{number(STONE)}" {kind}{dash}/>')
        if mark.forbidden:
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            course = (
                f"M{number(x - _CROSS)} {number(y - _CROSS)}L{number(x + _CROSS)} {number(y + _CROSS)}"
                f"M{number(x - _CROSS)} {number(y + _CROSS)}L{number(x + _CROSS)} {number(y - _CROSS)}"
            )
            shapes.append(f'<path d="{course}" {kind}/>')
    return shapes

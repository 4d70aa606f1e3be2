"""Positions as text, and as SVG pictures: the rhombus of a real Hex board, and any other board cell by cell.

In pictures everything is an attribute of its element: no style sheet and no ids, so several can stand in one page.
Colour is never the only sign: red stones are plain discs, blue ones carry a ring. The background is transparent
and the labels are a grey that reads on white and on black.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import dist, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from hexlogic.games.game import BLUE, PLAYERS, RED, Game, Placed, Player, Point, column_name
from hexlogic.games.kinds.hex import Hex
from hexlogic.process.files import load_template

if TYPE_CHECKING:
    from jinja2 import Template

# Lengths are in pixels of the unscaled picture. A hexagon stands on its tip: _RADIUS from centre to tip.
_RADIUS: Final = 20.0
_WIDE: Final = sqrt(3) * _RADIUS
_BAND: Final = 1.36 * _RADIUS  # from the outermost centres to the edge of the coloured bands
_STONE: Final = 0.66 * _RADIUS
_CROSS: Final = 0.3 * _RADIUS
_APART: Final = 0.12 * _RADIUS
FILL: Final[dict[Player, str]] = {RED: "#c8102e", BLUE: "#1f5fbf"}
LABEL: Final = "#767676"
_Label: TypeAlias = tuple[str, float, float, str]
"""A text, its place, and which end of it stands there."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Two cells that `player` has to connect or, when `forbidden`, must not; one cell stands for a stone there."""

    player: Player
    cells: tuple[int, ...]
    forbidden: bool = False


def _layout(game: Game, left: float, top: float) -> dict[int, Point]:
    """Where the cells of a board are drawn: their centres moved by `left` and `top`."""
    return {cell: (left + x * _WIDE, top + y * _WIDE) for cell in game.cells for x, y in [game.centre(cell)]}


def draw_svg(
    position: Placed, chain: Sequence[int] | None = None, title: str | None = None, marks: Sequence[Mark] = ()
) -> str:
    """The position as one `<svg>` element, the same bytes for the same arguments.

    `chain` (cell numbers in order, such as `winning_chain` gives) is drawn as a line through its stones, which
    also get a ring. `title` is what a screen reader says; by default size, stones and winner. `marks` are drawn over
    a Hex board: lines in the player's colour, dashed with a cross where forbidden, and rings. Raises `PositionError`
    for a chain cell off the board.

    >>> from hexlogic.games import Hex, Position
    >>> picture = draw_svg(Position.of(Hex(1, 1), red=["a1"]))
    >>> picture.count("<circle"), picture.split("<title>")[1].split("</title>")[0]
    (1, '1x1 Hex: red has 1 stone, blue 0; red has won')
    """
    game = position.game
    winning = [game.check_cell(cell) for cell in chain or ()]
    bands: list[tuple[Player, list[Point]]] = []
    if isinstance(game, Hex):
        # Room for the sharp corner of the bands at a1 and for the row numbers.
        left, top = sqrt(3) * _BAND + 0.5 * _RADIUS, _BAND + 1.45 * _RADIUS
        layout = _layout(game, left - 1.5 * _WIDE, top - 1.5 * _RADIUS)
        x, y = layout[game.cells[-1]]
        width, height, bands = x + left, y + top, _bands(layout, game)
        labels, lines = _labels(layout, game), [[layout[cell] for cell in winning]]
    else:
        centres = [game.centre(cell) for cell in game.cells]
        margin = _WIDE * 1.6
        low_x, low_y = (min(values) * _WIDE for values in zip(*centres, strict=True))
        high_x, high_y = (max(values) * _WIDE for values in zip(*centres, strict=True))
        layout, marks = _layout(game, margin - low_x, _WIDE - low_y), ()
        width, height = high_x - low_x + 2 * margin, high_y - low_y + 2 * _WIDE
        touching = ((a, b) for a in winning for b in game.neighbours(a) if a < b and b in winning)
        near = (pair for pair in touching if dist(*map(game.centre, pair)) < 1.5)
        labels, lines = _names(layout, game), [[layout[cell] for cell in pair] for pair in near]
    half, tip = _WIDE / 2, _RADIUS
    corners: tuple[Point, ...] = ((-half, -half), (half, -half), (half, half), (-half, half))
    if game.cell_sides == 6:  # a hexagon stands on its tip
        corners = ((0, -tip), (half, -tip / 2), (half, tip / 2), (0, tip), (-half, tip / 2), (-half, -tip / 2))
    # Lines of both players between the same cells stand side by side.
    shifts = [_APART if mark.player == BLUE else -_APART for mark in marks]
    places = [[layout[cell] for cell in mark.cells] for mark in marks]
    ends = [[(x, y + shift) for x, y in (each[0], each[-1])] for each, shift in zip(places, shifts, strict=True)]
    return _template().render(
        width=width,
        height=height,
        title=_described(position) if title is None else title,
        fill=FILL,
        bands=bands,
        cells=[[(x + dx, y + dy) for dx, dy in corners] for x, y in layout.values()],
        label=LABEL,
        label_size=(0.7 if bands else 0.6) * _RADIUS,
        labels=labels,
        stone=_STONE,
        stones={player: [layout[cell] for cell in sorted(position.stones(player))] for player in PLAYERS},
        chain=[layout[cell] for cell in winning],
        lines=lines,
        cross=_CROSS,
        marks=[(mark, cells, *both) for mark, cells, both in zip(marks, places, ends, strict=True)],
    )


@cache
def _template() -> "Template":
    return load_template(Path(__file__).with_name("board.svg.j2"), {"n": number, "points": _points})


def number(value: float) -> str:
    """A coordinate with two decimals, without trailing zeros and without a negative zero."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _points(places: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def _described(position: Placed) -> str:
    red, blue = (len(position.stones(player)) for player in PLAYERS)
    won = next((p for p in PLAYERS if position.game.has_won(position.stones(p), p)), "nobody")
    name = f"{position.name}, " if position.name else ""
    return f"{name}{position.game}: red has {red} stone{'' if red == 1 else 's'}, blue {blue}; {won} has won"


def _bands(layout: Mapping[int, Point], game: Hex) -> list[tuple[Player, list[Point]]]:
    """Four bands around the board, each with the player who owns the side; the cells cover the inside."""
    last = game.cells[-1]
    inner = [layout[cell] for cell in (1, game.columns, last, last - game.columns + 1)]
    # The board's borders moved out by _BAND meet far off at the sharp corners and near at the blunt ones.
    sharp, blunt = sqrt(3) * _BAND, _BAND / sqrt(3)
    shifts = [(-sharp, -_BAND), (blunt, -_BAND), (sharp, _BAND), (-blunt, _BAND)]
    outer = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(inner, shifts, strict=True)]
    sides: tuple[Player, ...] = (BLUE, RED, BLUE, RED)
    return [(sides[i], [outer[i], outer[i - 3], inner[i - 3], inner[i]]) for i in range(4)]


def _labels(layout: Mapping[int, Point], game: Hex) -> list[_Label]:
    """Column letters above and below, row numbers left and right, each on the line of its column or row."""
    away = (_BAND + 0.75 * _RADIUS) / (1.5 * _RADIUS)  # in rows, each half a cell to the right of the last
    down = (away * _WIDE / 2, away * 1.5 * _RADIUS)
    aside = (2 / sqrt(3) * _BAND + 0.75 * _RADIUS, 0.0)
    columns = [(column_name(i), (1, i), (game.rows, i), down) for i in range(1, game.columns + 1)]
    rows = [(str(i), (i, 1), (i, game.columns), aside) for i in range(1, game.rows + 1)]
    labels = []
    for text, first, last, (dx, dy) in (*columns, *rows):
        for place, sign in ((first, -1), (last, 1)):
            x, y = layout[game.cell(*place)]
            labels.append((text, x + sign * dx, y + sign * dy, "middle"))
    return labels


def _names(layout: Mapping[int, Point], game: Game) -> list[_Label]:
    """The names of the first and the last cell of each line, beside them."""
    labels = []
    for line in game.lines_of_text:
        ends = ((line[0], -0.62, "end"), (line[-1], 0.62, "start"))
        for cell, shift, anchor in ends[: len(line)]:  # a line of one cell has one name
            x, y = layout[cell]
            labels.append((game.cell_name(cell), x + shift * _WIDE, y, anchor))
    return labels


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
    signs = {cell: sign for player, sign in zip(PLAYERS, "RB", strict=True) for cell in position.stones(player)}
    if chain is not None:
        marked = set(map(game.check_cell, chain))
        signs = {cell: sign if cell in marked else sign.lower() for cell, sign in signs.items()}
    rows = game.lines_of_text
    starts = [game.centre(row[0]) for row in rows]
    lines: list[str] = []
    if isinstance(game, Hex):
        # Boards of more than 26 columns have column names of two letters, and cells as wide.
        width, longest = len(column_name(game.columns)), len(str(game.rows))
        names = [(f"{number:>{longest}}", str(number)) for number in range(1, game.rows + 1)]
        if labels:
            letters = (column_name(column).ljust(width) for column in range(1, game.columns + 1))
            lines.append(" " * (longest + 1) + " ".join(letters))
    else:
        width, names = 1, [(game.cell_name(row[0]), game.cell_name(row[-1])) for row in rows]
    margin = max(len(first) for first, _ in names)
    height, edge = 0.0, min(x for x, _ in starts)
    for row, (start, y), (first, last) in zip(rows, starts, names, strict=True):
        if y < height:
            # What lies beside an earlier line goes below it.
            lines.append("")
            edge = start
        height = y
        text = " ".join(signs.get(cell, ".").ljust(width) for cell in row)
        # Each line is indented as its cells lie in pictures.
        lines.append(" " * round(2 * (start - edge)) + (f"{first:<{margin}} {text} {last}" if labels else text))
    return "".join(line.rstrip() + "\n" for line in lines)

"""Positions as text, and as SVG pictures: the rhombus of a real Hex board, and any other board cell by cell.

In pictures everything is an attribute of its element: no style sheet and no ids, so several can stand in one page.
Colour is never the only sign: red stones are plain discs, blue ones carry a ring. The background is transparent
and the labels are a grey that reads on white and on black.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import dist, sqrt
from typing import Final

from hexlogic.games.game import BLUE, PLAYERS, RED, Game, Placed, Player, Point, column_name
from hexlogic.games.kinds.hex import Hex

# Lengths are in pixels of the unscaled picture. A hexagon stands on its tip: _RADIUS from centre to tip.
_RADIUS: Final = 20.0
_WIDE: Final = sqrt(3) * _RADIUS
_BAND: Final = 1.36 * _RADIUS  # from the outermost centres to the edge of the coloured bands
_STONE: Final = 0.66 * _RADIUS
_CROSS: Final = 0.3 * _RADIUS
_APART: Final = 0.12 * _RADIUS
FILL: Final[dict[Player, str]] = {RED: "#c8102e", BLUE: "#1f5fbf"}
_DARK: Final[dict[Player, str]] = {RED: "#7d0a1d", BLUE: "#123a78"}
LABEL: Final = "#767676"
_CELL, _GRID = "#f3ecdc", "#8d8676"
_CHAIN, _CHAIN_EDGE = "#ffd24a", "#2b2300"


@dataclass(frozen=True, slots=True)
class Mark:
    """Two cells that `player` has to connect or, when `forbidden`, must not; one cell stands for a stone there."""

    player: Player
    cells: tuple[int, ...]
    forbidden: bool = False


@dataclass(frozen=True)
class _Layout:
    """Where the cells of a board are drawn: its centres moved by `left` and `top`."""

    game: Game
    left: float
    top: float

    def of(self, cell: int) -> Point:
        x, y = self.game.centre(cell)
        return self.left + x * _WIDE, self.top + y * _WIDE


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
    game, winning = position.game, chain or ()
    if isinstance(game, Hex):
        # Room for the sharp corner of the bands at a1 and for the row numbers.
        left, top = sqrt(3) * _BAND + 0.5 * _RADIUS, _BAND + 1.45 * _RADIUS
        layout = _Layout(game, left - 1.5 * _WIDE, top - 1.5 * _RADIUS)
        x, y = layout.of(game.cells[-1])
        width, height = x + left, y + top
        body = [*_bands(layout, game), *_cells(layout), *_labels(layout, game), *_stones(layout, position)]
        body += [*_chain(layout, winning, [winning]), *_marks(layout, marks)]
    else:
        centres = [game.centre(cell) for cell in game.cells]
        margin = _WIDE * 1.6
        low_x, low_y = (min(values) * _WIDE for values in zip(*centres, strict=True))
        high_x, high_y = (max(values) * _WIDE for values in zip(*centres, strict=True))
        layout = _Layout(game, margin - low_x, _WIDE - low_y)
        width, height = high_x - low_x + 2 * margin, high_y - low_y + 2 * _WIDE
        body = [*_cells(layout), *_names(layout), *_stones(layout, position)]
        body += _chain(layout, winning, _links(game, winning))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {number(width)} {number(height)}" '
            f'width="{number(width)}" height="{number(height)}" font-family="system-ui, sans-serif">',
            f"<title>{escape(_described(position) if title is None else title, quote=False)}</title>",
            *body,
            "</svg>\n",
        ]
    )


def number(value: float) -> str:
    """A coordinate with two decimals, without trailing zeros and without a negative zero."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _points(places: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in places)


def _disc(place: Point, radius: float, attributes: str = "") -> str:
    return f'<circle cx="{number(place[0])}" cy="{number(place[1])}" r="{number(radius)}"{attributes}/>'


def _described(position: Placed) -> str:
    red, blue = (len(position.stones(player)) for player in PLAYERS)
    won = next((p for p in PLAYERS if position.game.has_won(position.stones(p), p)), "nobody")
    name = f"{position.name}, " if position.name else ""
    return f"{name}{position.game}: red has {red} stone{'' if red == 1 else 's'}, blue {blue}; {won} has won"


def _cells(layout: _Layout) -> list[str]:
    """The cells, each a hexagon that stands on its tip, or a square."""
    half, tip = _WIDE / 2, _RADIUS
    corners: tuple[Point, ...] = ((-half, -half), (half, -half), (half, half), (-half, half))
    if layout.game.cell_sides == 6:
        corners = ((0, -tip), (half, -tip / 2), (half, tip / 2), (0, tip), (-half, tip / 2), (-half, -tip / 2))
    shapes = []
    for cell in layout.game.cells:
        x, y = layout.of(cell)
        shapes.append(f'<polygon points="{_points((x + dx, y + dy) for dx, dy in corners)}"/>')
    return [f'<g fill="{_CELL}" stroke="{_GRID}" stroke-width="1.2" stroke-linejoin="round">', *shapes, "</g>"]


def _stones(layout: _Layout, position: Placed) -> list[str]:
    """The stones: discs, and a ring on those of blue."""
    rings = 'fill="none" stroke="#ffffff" stroke-width="2" stroke-opacity="0.85"'
    groups = [
        (player, _STONE, f'fill="{FILL[player]}" stroke="{_DARK[player]}" stroke-width="1.5"') for player in PLAYERS
    ]
    shapes = []
    for player, radius, attributes in (*groups, (BLUE, 0.55 * _STONE, rings)):
        if stones := sorted(position.stones(player)):
            shapes += [f"<g {attributes}>", *(_disc(layout.of(cell), radius) for cell in stones), "</g>"]
    return shapes


def _chain(layout: _Layout, cells: Sequence[int], lines: Sequence[Sequence[int]]) -> list[str]:
    """A ring on the stones of `cells`, and `lines` from cell to cell."""
    if not cells:
        return []
    shapes = ['<g fill="none" stroke-linejoin="round" stroke-linecap="round">']
    # Each stroke twice, dark below bright: visible on both stone colours and on the board.
    for colour, wider in ((_CHAIN_EDGE, 2.0), (_CHAIN, 0.0)):
        courses = (_points(map(layout.of, line)) for line in lines)
        width = f' stroke-width="{number(2.5 + wider)}"'
        shapes += [
            f'<g stroke="{colour}">',
            *(f'<polyline points="{course}" stroke-width="{number(4 + wider)}"/>' for course in courses),
            *(_disc(layout.of(cell), _STONE, width) for cell in cells),
            "</g>",
        ]
    return [*shapes, "</g>"]


def _links(game: Game, winning: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of winning stones that touch in the picture."""
    pairs = ((a, b) for a in winning for b in game.neighbours(a) if a < b and b in winning)
    return [(a, b) for a, b in pairs if dist(game.centre(a), game.centre(b)) < 1.5]


def _bands(layout: _Layout, game: Hex) -> list[str]:
    """Four bands around the board, in the colour of the player who owns the side; the cells cover the inside."""
    last = game.cells[-1]
    inner = [layout.of(cell) for cell in (1, game.columns, last, last - game.columns + 1)]
    # The board's borders moved out by _BAND meet far off at the sharp corners and near at the blunt ones.
    sharp, blunt = sqrt(3) * _BAND, _BAND / sqrt(3)
    shifts = [(-sharp, -_BAND), (blunt, -_BAND), (sharp, _BAND), (-blunt, _BAND)]
    outer = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(inner, shifts, strict=True)]
    sides: tuple[Player, ...] = (BLUE, RED, BLUE, RED)
    bands = []
    for i, player in enumerate(sides):
        j = (i + 1) % 4
        bands.append(f'<polygon points="{_points((outer[i], outer[j], inner[j], inner[i]))}" fill="{FILL[player]}"/>')
    return bands


def _labels(layout: _Layout, game: Hex) -> list[str]:
    """Column letters above and below, row numbers left and right, each on the line of its column or row."""
    away = (_BAND + 0.75 * _RADIUS) / (1.5 * _RADIUS)  # in rows, each half a cell to the right of the last
    down = (away * _WIDE / 2, away * 1.5 * _RADIUS)
    aside = (2 / sqrt(3) * _BAND + 0.75 * _RADIUS, 0.0)
    columns = [(column_name(i), (1, i), (game.rows, i), down) for i in range(1, game.columns + 1)]
    rows = [(str(i), (i, 1), (i, game.columns), aside) for i in range(1, game.rows + 1)]
    size = 0.7 * _RADIUS
    texts = []
    for text, first, last, (dx, dy) in (*columns, *rows):
        for place, sign in ((first, -1), (last, 1)):
            x, y = layout.of(game.cell(*place))
            # dominant-baseline is unknown to some renderers; a third of the size below the middle looks the same.
            shift = f'x="{number(x + sign * dx)}" y="{number(y + sign * dy + 0.35 * size)}"'
            texts.append(f"<text {shift}>{text}</text>")
    return [f'<g fill="{LABEL}" font-size="{number(size)}" text-anchor="middle">', *texts, "</g>"]


def _names(layout: _Layout) -> list[str]:
    """The names of the first and the last cell of each line, beside them."""
    size = 0.6 * _RADIUS
    texts = []
    for line in layout.game.lines_of_text:
        ends = ((line[0], -0.62, "end"), (line[-1], 0.62, "start"))
        for cell, shift, anchor in ends[: len(line)]:  # a line of one cell has one name
            x, y = layout.of(cell)
            place = f'x="{number(x + shift * _WIDE)}" y="{number(y + 0.35 * size)}" text-anchor="{anchor}"'
            texts.append(f"<text {place}>{layout.game.cell_name(cell)}</text>")
    return [f'<g fill="{LABEL}" font-size="{number(size)}">', *texts, "</g>"]


def _marks(layout: _Layout, marks: Sequence[Mark]) -> list[str]:
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
            shapes += [_disc(place, 4, f' fill="{FILL[mark.player]}"') for place in places]
        else:
            shapes.append(_disc((x1, y1), _STONE, f" {kind}{dash}"))
        if mark.forbidden:
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            low_x, low_y, high_x, high_y = map(number, (x - _CROSS, y - _CROSS, x + _CROSS, y + _CROSS))
            shapes.append(f'<path d="M{low_x} {low_y}L{high_x} {high_y}M{low_x} {high_y}L{high_x} {low_y}" {kind}/>')
    return shapes


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

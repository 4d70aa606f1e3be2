"""How the states of a match are drawn: as a board of `hexlogic.games`, found by the cells that a sheet says are
adjacent; as a grid, where some relation has two arguments that are coordinates; or as the list of their facts.

`(cell 3 1 x)` and `(pawn white 3 1)` stand in column 3 of line 1 of a grid: the first coordinate goes to the right, the
second upward, both are labelled. What else stands in the fact is written in its place, names of the roles in colour.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations, product
from typing import Final, TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, Position, draw_svg, game_names, load_game
from hexlogic.games.drawing import FILL, LABEL, number
from hexlogic.ggp.language.reading import read_term
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Function, Integer, Program, Symbol, Term

_SIDE: Final = 44.0
_BLANK: Final = frozenset({"b", "blank", "empty"})
_CELL, _LINE, _TEXT = "#f3ecdc", "#8d8676", "#2b2300"
_NAMED: Final = {
    "red": FILL["red"],
    "blue": FILL["blue"],
    "white": "#ffffff",
    "black": "#1a1a1a",
    "yellow": "#ffd24a",
    "green": "#2e7d32",
}
_ANY: Final = (FILL["red"], FILL["blue"], "#2e7d32", "#8a5a00", "#6a1b9a", "#00695c")
"""Discs of roles that are called like a colour, and of others in their order."""
_BRIGHT: Final = frozenset({"#ffffff", "#ffd24a"})
_FEWEST: Final = 4
"""Places that a grid has at least."""

Relation: TypeAlias = tuple[str, int]


@dataclass(frozen=True)
class GridPicture:
    """Which relation is drawn, which two of its arguments are the coordinates, and what values those have."""

    relation: Relation
    across: int
    up: int
    columns: tuple[Term, ...]
    rows: tuple[Term, ...]
    colours: dict[str, str]

    def draws(self, fact: Term) -> bool:
        """Whether a fact stands in the grid."""
        return isinstance(fact, Function) and _relation(fact) == self.relation

    def draw(self, facts: Iterable[Term], title: str) -> str:
        """The grid as one `<svg>` element; the title is what a screen reader says."""
        contents: defaultdict[tuple[Term, Term], set[str]] = defaultdict(set)
        for fact in filter(self.draws, facts):
            assert isinstance(fact, Function)
            rest = [part for i, part in enumerate(fact.arguments) if i not in (self.across, self.up)]
            contents[_place(fact, self.across, self.up)].add(" ".join(map(write_term, rest)))
        width, height = ((len(values) + 1) * _SIDE for values in (self.columns, self.rows))
        size = f'viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}" height="{number(height)}"'
        body = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="system-ui, sans-serif">']
        body.append(f"<title>{escape(title, quote=False)}</title>")
        for (i, column), (j, row) in product(enumerate(self.columns), enumerate(reversed(self.rows))):
            x, y = (i + 1) * _SIDE, j * _SIDE
            body.append(_element("rect", x=x, y=y, width=_SIDE, height=_SIDE, fill=_CELL, stroke=_LINE))
            for text in sorted(contents[column, row] - _BLANK):
                body += self._content(x + _SIDE / 2, y + _SIDE / 2, text)
        body.append(f'<g fill="{LABEL}" font-size="13" text-anchor="middle">')
        for i, column in enumerate(self.columns):
            body.append(_element("text", write_term(column), x=(i + 1.5) * _SIDE, y=(len(self.rows) + 0.5) * _SIDE))
        for j, row in enumerate(reversed(self.rows)):
            body.append(_element("text", write_term(row), x=0.6 * _SIDE, y=(j + 0.5) * _SIDE + 4))
        return "\n".join([*body, "</g>", "</svg>\n"])

    def _content(self, x: float, y: float, text: str) -> Iterable[str]:
        """A disc with the first letters of a role; other words as they are; a disc for a fact that says no more."""
        colour = self.colours.get(text)
        if colour is not None or not text:
            yield _element("circle", cx=x, cy=y, r=0.36 * _SIDE, fill=colour or _TEXT, stroke=_LINE)
        if text:
            shown = text if len(text) <= 6 else f"{text[:5]}…"
            size = 13.0 if len(shown) <= 4 else 10.0
            fill = _TEXT if colour is None or colour in _BRIGHT else "#ffffff"
            yield _element("text", shown, x=x, y=y + 0.35 * size, font_size=size, text_anchor="middle", fill=fill)


def _element(name: str, text: str | None = None, **attributes: float | str) -> str:
    """An element of SVG."""
    written = {
        key.replace("_", "-"): value if isinstance(value, str) else number(value) for key, value in attributes.items()
    }
    begin = " ".join([name, *(f'{key}="{value}"' for key, value in written.items())])
    return f"<{begin}/>" if text is None else f"<{begin}>{escape(text)}</{name}>"


def find_grid(roles: Sequence[Term], states: Sequence[Sequence[Term]]) -> GridPicture | None:
    """The grid with most places among the relations of these states; None when there is none.

    Of the arguments of a relation, the first two that are coordinates and hold one fact in a place, else the first."""
    facts: dict[Relation, list[set[Function]]] = {}
    for state in states:
        seen: dict[Relation, set[Function]] = {}
        for fact in state:
            if isinstance(fact, Function) and len(fact.arguments) >= 2:
                seen.setdefault(_relation(fact), set()).add(fact)
        for relation, here in seen.items():
            facts.setdefault(relation, []).append(here)
    grids = []
    for relation, groups in sorted(facts.items()):
        every = set().union(*groups)
        for across, up in combinations(range(relation[1]), 2):
            places = {_place(fact, across, up) for fact in every}
            columns, rows = ({place[i] for place in places} for i in (0, 1))
            if _coordinates(columns) and _coordinates(rows) and len(places) >= _FEWEST:
                shared = any(len({_place(fact, across, up) for fact in here}) < len(here) for here in groups)
                grid = GridPicture(relation, across, up, _spread(columns), _spread(rows), _colours(roles))
                grids.append((shared, -len(every), grid))
    return min(grids, key=lambda grid: grid[:2])[2] if grids else None


def _colours(roles: Sequence[Term]) -> dict[str, str]:
    """The colour of each role, as long as there are some: its own where all are called like one."""
    names = list(map(write_term, roles))
    if all(name in _NAMED for name in names):
        return {name: _NAMED[name] for name in names}
    return dict(zip(names, _ANY, strict=False))


def _place(fact: Function, across: int, up: int) -> tuple[Term, Term]:
    return fact.arguments[across], fact.arguments[up]


def _relation(fact: Function) -> Relation:
    return fact.name, len(fact.arguments)


def _coordinates(values: set[Term]) -> bool:
    """At least two numbers, or single letters."""
    kinds: tuple[Callable[[Term], bool], ...] = (
        lambda term: isinstance(term, Integer),
        lambda term: isinstance(term, Symbol) and len(term.name) == 1,
    )
    return len(values) >= 2 and any(all(map(kind, values)) for kind in kinds)


def _spread(values: set[Term]) -> tuple[Term, ...]:
    """The values in order; numbers without a gap, unless it is wide."""
    numbers = sorted(term.value for term in values if isinstance(term, Integer))
    if numbers and numbers[-1] - numbers[0] < 4 * len(numbers):
        return tuple(map(Integer, range(numbers[0], numbers[-1] + 1)))
    return tuple(map(Integer, numbers)) if numbers else tuple(sorted(values, key=str))


_CELL_NAME = re.compile(r"([a-z]+)([0-9]+)")


@dataclass(frozen=True)
class BoardPicture:
    """A board, and the relation of the state that says which of two roles, the first being red, has a stone where."""

    game: Game
    roles: tuple[Term, Term]
    stone: str

    def draws(self, fact: Term) -> bool:
        """Whether a fact is a stone."""
        return _stone(fact, self.roles) is not None and isinstance(fact, Function) and fact.name == self.stone

    def draw(self, facts: Iterable[Term], title: str) -> str:
        """The board with its stones as `<svg>`."""
        stones: tuple[set[int], set[int]] = (set(), set())
        for fact in filter(self.draws, facts):
            role, cell = _stone(fact, self.roles) or (0, "")
            stones[role].add(self.game.parse_cell(cell))
        return draw_svg(Position(self.game, frozenset(stones[0]), frozenset(stones[1] - stones[0])), title=title)


Picture: TypeAlias = GridPicture | BoardPicture


def find_picture(sheet: Program, roles: Sequence[str], states: Sequence[Sequence[str]]) -> Picture | None:
    """How the states of a match, as KIF, can be drawn; None when they have no coordinates."""
    players = [read_term(role) for role in roles]
    read = [[read_term(fact) for fact in state] for state in states]
    return find_board(sheet, players, read) or find_grid(players, read)


def find_board(sheet: Program, roles: Sequence[Term], states: Iterable[Iterable[Term]]) -> BoardPicture | None:
    """The board that a sheet of two roles is played on; None when it is none that we know."""
    if len(roles) != 2:
        return None
    both = roles[0], roles[1]
    for pairs in _relations(sheet):
        game = _game_with(pairs)
        if game is None:
            continue
        names = {game.cell_name(cell) for cell in game.cells}
        used: Counter[str] = Counter()
        for fact in (fact for state in states for fact in state):
            stone = _stone(fact, both)
            if stone is not None and stone[1] in names and isinstance(fact, Function):
                used[fact.name] += 1
        if used:
            return BoardPicture(game, both, max(used, key=lambda name: (used[name], name)))
    return None


def _stone(fact: Term, roles: tuple[Term, Term]) -> tuple[int, str] | None:
    """The role's number and the cell's name in a fact such as stone(red,a1)."""
    match fact:
        case Function(_, (role, Symbol(cell))) if role in roles and _CELL_NAME.fullmatch(cell):
            return roles.index(role), cell
    return None


def _relations(sheet: Program) -> Iterator[frozenset[tuple[str, str]]]:
    """The relations between cell names that facts of the sheet spell out, each read in both directions."""
    relations: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for rule in sheet.rules:
        if rule.head is None or rule.body:
            continue
        match rule.head.arguments:
            case (Symbol(cell), Symbol(other)) if _CELL_NAME.fullmatch(cell) and _CELL_NAME.fullmatch(other):
                relations[rule.head.name] |= {(cell, other), (other, cell)}
    return map(frozenset, relations.values())


def _game_with(pairs: frozenset[tuple[str, str]]) -> Game | None:
    """The board on which exactly these pairs of cells touch."""
    places = [match.groups() for match in map(_CELL_NAME.fullmatch, {name for pair in pairs for name in pair}) if match]
    rows = max((int(number[:4]) for _, number in places), default=0)
    columns = len({letters for letters, _ in places})
    for name in game_names():
        try:
            game = load_game(name).of_extent(rows, columns)
        except HexlogicError:
            continue
        touching = {
            (game.cell_name(cell), game.cell_name(other)) for cell in game.cells for other in game.neighbours(cell)
        }
        if touching == pairs:
            return game
    return None

"""How the states of a match are drawn: as a board of `hexlogic.games`, found by the cells that a sheet says are
adjacent; as a grid, where some relation has two arguments that are coordinates; or as the list of their facts.

`(cell 3 1 x)` and `(pawn white 3 1)` stand in column 3 of line 1 of a grid: the first coordinate goes to the right, the
second upward, both are labelled. What else stands in the fact is written in its place, names of the roles in colour.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Final, TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, Position, draw_svg, game_names, load_game
from hexlogic.games.drawing import FILL, LABEL, number
from hexlogic.ggp.language.reading import read_term
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Function, Integer, Program, Symbol, Term
from hexlogic.process.files import load_template

_SIDE: Final = 44.0
_BLANK: Final = frozenset({"b", "blank", "empty"})
_TEXT: Final = "#2b2300"
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
        columns, rows = list(enumerate(self.columns)), list(enumerate(reversed(self.rows)))
        across = [(write_term(column), (i + 1.5) * _SIDE, (len(rows) + 0.5) * _SIDE) for i, column in columns]
        up = [(write_term(row), 0.6 * _SIDE, (j + 0.5) * _SIDE + 4) for j, row in rows]
        return load_template(Path(__file__).with_name("grid.svg.j2"), {"n": number}).render(
            width=(len(columns) + 1) * _SIDE,
            height=(len(rows) + 1) * _SIDE,
            side=_SIDE,
            title=title,
            # A disc with the first letters of a role; other words as they are; a disc for a fact that says no more.
            places=[
                ((i + 1) * _SIDE, j * _SIDE, sorted(contents[column, row] - _BLANK))
                for (i, column), (j, row) in product(columns, rows)
            ],
            colours=self.colours,
            dark=_TEXT,
            label=LABEL,
            labels=[*across, *up],
        )


def find_grid(roles: Sequence[Term], states: Sequence[Sequence[Term]]) -> GridPicture | None:
    """The grid with most places among the relations of these states; None when there is none. Of the arguments of a
    relation, the first two that are coordinates and hold one fact in a place, else the first."""
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
    numbers = all(isinstance(term, Integer) for term in values)
    letters = all(isinstance(term, Symbol) and len(term.name) == 1 for term in values)
    return len(values) >= 2 and (numbers or letters)


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
        return any(name == self.stone for name, _, _ in _stones([fact], self.roles))

    def draw(self, facts: Iterable[Term], title: str) -> str:
        """The board with its stones as `<svg>`."""
        stones: tuple[set[int], set[int]] = (set(), set())
        for name, role, cell in _stones(facts, self.roles):
            if name == self.stone:
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
        used = Counter(name for state in states for name, _, cell in _stones(state, both) if cell in names)
        if used:
            return BoardPicture(game, both, max(used, key=lambda name: (used[name], name)))
    return None


def _stones(facts: Iterable[Term], roles: tuple[Term, Term]) -> Iterator[tuple[str, int, str]]:
    """The relation, the role's number and the cell's name of each fact such as stone(red,a1)."""
    for fact in facts:
        match fact:
            case Function(name, (role, Symbol(cell))) if role in roles and _CELL_NAME.fullmatch(cell):
                yield name, roles.index(role), cell


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

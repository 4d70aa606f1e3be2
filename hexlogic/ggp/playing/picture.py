"""How the states of a match are drawn: as a board of `hexlogic.games`, found by the cells that a sheet says are
adjacent; as a grid; or as the list of their facts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, Position, draw_svg, game_names, load_game
from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.playing.grid_picture import find_grid
from hexlogic.language.syntax import Function, Program, Symbol, Term

_CELL = re.compile(r"([a-z]+)([0-9]+)")


class Picture(Protocol):
    """Draws states of one game."""

    def draws(self, fact: Term) -> bool:
        """Whether a fact is seen in the picture."""

    def draw(self, facts: Iterable[Term], title: str) -> str:
        """A state as one `<svg>` element; the title is what a screen reader says."""


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
        case Function(_, (role, Symbol(cell))) if role in roles and _CELL.fullmatch(cell):
            return roles.index(role), cell
    return None


def _relations(sheet: Program) -> Iterator[frozenset[tuple[str, str]]]:
    """The relations between cell names that facts of the sheet spell out, each read in both directions."""
    relations: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for rule in sheet.rules:
        if rule.head is None or rule.body:
            continue
        match rule.head.arguments:
            case (Symbol(cell), Symbol(other)) if _CELL.fullmatch(cell) and _CELL.fullmatch(other):
                relations[rule.head.name] |= {(cell, other), (other, cell)}
    return map(frozenset, relations.values())


def _game_with(pairs: frozenset[tuple[str, str]]) -> Game | None:
    """The board on which exactly these pairs of cells touch."""
    places = [match.groups() for match in map(_CELL.fullmatch, {name for pair in pairs for name in pair}) if match]
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

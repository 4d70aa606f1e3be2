"""How the states of a match are drawn: a board that we know, a grid, or as the list of their facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.playing.board_picture import find_board
from hexlogic.ggp.playing.grid_picture import find_grid
from hexlogic.language.syntax import Program, Term


class Picture(Protocol):
    """Draws states of one game."""

    def draws(self, fact: Term) -> bool:
        """Whether a fact is seen in the picture."""

    def draw(self, facts: Iterable[Term], title: str) -> str:
        """A state as one `<svg>` element; the title is what a screen reader says."""


def find_picture(sheet: Program, roles: Sequence[str], states: Sequence[Sequence[str]]) -> Picture | None:
    """How the states of a match, as KIF, can be drawn; None when they have no coordinates."""
    players = [read_term(role) for role in roles]
    read = [[read_term(fact) for fact in state] for state in states]
    return find_board(sheet, players, read) or find_grid(players, read)

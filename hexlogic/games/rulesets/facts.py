"""Positions and questions as atoms of the rule language."""

from __future__ import annotations

from hexlogic.games import BLUE, RED, Player, Position
from hexlogic.language import Atom, Integer, Symbol


def position_facts(position: Position) -> tuple[Atom, ...]:
    """The stones as input facts, `owns(red,12)`, sorted by player and cell."""
    return tuple(
        Atom("owns", (Symbol(player), Integer(cell)))
        for player in (RED, BLUE)
        for cell in sorted(position.stones(player))
    )


def win_query(player: Player) -> Atom:
    """The question "has this player won?".

    >>> print(win_query("red"))
    wins(red)
    """
    return Atom("wins", (Symbol(player),))

"""The two players."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from hexlogic.errors import UnknownNameError

Player: TypeAlias = Literal["red", "blue"]

RED: Final = "red"
BLUE: Final = "blue"
PLAYERS: Final[tuple[Player, Player]] = (RED, BLUE)


def opponent(player: Player) -> Player:
    """The other player.

    >>> opponent("red")
    'blue'
    """
    return BLUE if check_player(player) == RED else RED


def check_player(player: str) -> Player:
    """`player` itself when it is "red" or "blue"; raises `UnknownNameError` otherwise."""
    if player == RED:
        return RED
    if player == BLUE:
        return BLUE
    raise UnknownNameError.among("player", str(player), list(PLAYERS))

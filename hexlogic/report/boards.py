"""Games and sizes of boards in words, of any game."""

from __future__ import annotations

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex, load_game

__all__ = ["game_of", "game_title", "size_axis"]


def game_of(task: str) -> str:
    """The game that a task of a suite is of.

    >>> game_of("followed random-1@9"), game_of("anew y/random-1@7"), game_of("difficult-1")
    ('hex', 'y', 'hex')
    """
    game, slash, _ = task.rpartition(" ")[2].partition("/")
    return game if slash else Hex.name


def game_title(game: str) -> str:
    """The game's name for people; the given one for a game that is not known here.

    >>> game_title("hex"), game_title("tic-tac-toe-3d"), game_title("chess")
    ('Hex', '3D tic-tac-toe', 'chess')
    """
    try:
        return load_game(game).title
    except HexlogicError:
        return game


def size_axis(game: str) -> str:
    """What stands at an axis of sizes."""
    return "board size n (n x n)" if game == Hex.name else "board size n"

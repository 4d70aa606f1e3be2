"""Whole games, by name: `random-SEED@SIZE` of Hex, `GAME/random-SEED@SIZE` of another game. The cells are in an order
drawn from the seed, up to the win.
"""

from __future__ import annotations

import random
import re
from typing import TypeAlias

from hexlogic.errors import PositionError, UnknownNameError
from hexlogic.games.families import expand_series, family_of
from hexlogic.games.game import Game
from hexlogic.games.oracle import has_won
from hexlogic.games.players import PLAYERS, Player
from hexlogic.games.position import Position
from hexlogic.games.registry import load_game

Moves: TypeAlias = tuple[tuple[Player, int], ...]
"""The players and their cells, in the order of play."""

_RANDOM = re.compile(r"random-(\d{1,9})")


def load_game_record(name: str) -> tuple[Game, Moves]:
    """The board and the moves of a recorded game; its last move wins, unless the board is full and nobody has won.

    >>> board, moves = load_game_record("random-1@3")
    >>> board.rows, moves[:2], len(moves)
    (3, (('red', 3), ('blue', 2)), 8)
    >>> str(load_game_record("y/random-1@4")[0])
    'size 4 Y'

    Raises UnknownNameError, PositionError for a name without one size, and SizeError.
    """
    members = expand_series(name)
    member = family_of(members[0]) if len(members) == 1 else None
    if member is None:
        raise PositionError(f"{name} names no game on one board", hint="write random-1@9")
    kind, slash, record = member[0].rpartition("/")
    match = _RANDOM.fullmatch(record)
    if match is None:
        raise UnknownNameError.among("recorded game", record, ["random-1", "random-2", "random-..."])
    board = load_game(kind if slash else "hex").of_size(member[1])
    return board, random_moves(board, int(match[1]))


def random_moves(board: Game, seed: int) -> Moves:
    """A game of random moves, red first, up to the first win or a full board."""
    position, moves = Position(board), []
    for ply, cell in enumerate(random.Random(seed).sample(list(board.cells), len(board.cells))):
        player = PLAYERS[ply % 2]
        position = position.play(player, cell)
        moves.append((player, cell))
        if has_won(position, player):
            break
    return tuple(moves)

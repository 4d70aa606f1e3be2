"""Moves in any connection game: the board is filled at random many times, and the cell that wins most is played."""

from __future__ import annotations

import random
import time

from hexlogic.games.game_state import PlainGame
from hexlogic.games.players import opponent


def choose_by_playouts(game: PlainGame, seed: int, seconds: float) -> tuple[int, str]:
    """An empty cell, and what a log may say of it.

    A filled board says who wins the game where stones never harm their owner; where both players have won on it, as
    the order of the moves would decide, or neither, it counts half. Every cell that the mover got shares the result.
    """
    draw, until = random.Random(seed), time.monotonic() + seconds
    player, empty = game.to_move, game.empty
    other = opponent(player)
    won, tried, games = dict.fromkeys(empty, 0.0), dict.fromkeys(empty, 0), 0
    while games == 0 or time.monotonic() < until:
        draw.shuffle(empty)
        half = (len(empty) + 1) // 2
        mine = game.position.stones(player).union(empty[:half])
        yours = game.position.stones(other).union(empty[half:])
        results = [game.board.has_won(stones, who) for stones, who in ((mine, player), (yours, other))]
        games += 1
        for cell in empty[:half]:
            won[cell] += (1 + results[0] - results[1]) / 2
            tried[cell] += 1
    best = max(sorted(empty), key=lambda cell: won[cell] / tried[cell] if tried[cell] else -1)
    return best, f"{games:,} playouts"

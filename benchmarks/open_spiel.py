"""The yardstick of the speed bars for playouts: OpenSpiel's own C++ rollouts of its hand-written games."""

from __future__ import annotations

import time

import pyspiel

__all__ = ["ROLLOUTS", "rollouts"]

ROLLOUTS = 2000
"""Of one evaluation."""


def rollouts(game: str, seed: int) -> float:
    """CPU seconds of a search with one simulation, which evaluates the first position by `ROLLOUTS` random games.

    Everything runs in C++, but for the call.
    """
    played = pyspiel.load_game(game)
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
    bot = pyspiel.MCTSBot(played, evaluator, 2.0, 1, 100, False, seed, False)
    begin = time.process_time()
    bot.mcts_search(played.new_initial_state())
    return time.process_time() - begin

"""Whole games inside a numba loop: what the compiled rules cost a program that is compiled itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Hex
from hexlogic.games.rulesets import load_rule_set, win_query
from hexlogic.language.engines.compiled import build_follower
from hexlogic.language.parser import parse_atom
from hexlogic.language.propagation.monotone import monotone_memory, parts, propagate


class Games:
    """One rule set that only grows with the stones, and short rules, on one board."""

    def __init__(self, rules: str = "follow-line-tabled", *, size: int = 11) -> None:
        self.game = Hex.square(size)
        inputs = [parse_atom(f"owns({player},{cell})") for player in PLAYERS for cell in self.game.cells]
        queries = [win_query(player) for player in PLAYERS]
        layout = build_follower(load_rule_set(rules).instantiate(self.game), inputs, queries).layout
        if not layout.grows or any(len(body) > 2 for _, body in layout.bodies()):
            raise EngineError(f"{rules} is not made of rules with at most two literals that only grow")
        self._memory = monotone_memory(layout, [layout.number[query] for query in queries])
        self._wins = np.array([layout.number[query] for query in queries], dtype=np.int32)

    def play(self, orders: NDArray[np.int32]) -> tuple[int, int]:
        """Play games to their ends, one for each row of `orders` (games x cells from 0, red first); how many red won
        and how many stones were played in all."""
        wins, plies = _play(orders, self._memory, self._wins, len(self.game.cells))
        return int(wins), int(plies)


@njit(cache=True)
def _play(orders: Any, memory: Any, wins: Any, cells: Any) -> Any:
    views = parts(memory)
    true = views.true
    red = plies = 0
    for game in range(orders.shape[0]):
        length = 0
        for ply in range(cells):
            player = ply & 1
            length = propagate(views, orders[game, ply] + player * cells, length)
            plies += 1
            if true[wins[player]]:
                red += 1 - player
                break
        for place in range(length):  # rules with two literals count nothing: the trail alone is taken back
            true[views.trail[place]] = 0
    return red, plies

"""Games in a numba loop end when the oracle says so, with the winner that it names."""

from __future__ import annotations

import numpy as np
import pytest

from hexlogic.errors import EngineError
from hexlogic.games import Hex, Position, winner
from tests.games.detect.games_loop import Games


@pytest.mark.parametrize(("rules", "size"), [("follow-line-tabled", 5), ("follow-line-tabled", 2), ("clusters", 4)])
def test_games_end_as_the_oracle_says(rules: str, size: int) -> None:
    chance = np.random.default_rng(size)
    orders = np.array([chance.permutation(size * size) for _ in range(60)], dtype=np.int32)
    red = plies = 0
    for order in orders:
        position = Position(Hex.square(size))
        for ply, cell in enumerate(order):
            position = position.play("blue" if ply & 1 else "red", int(cell) + 1)
            if (won := winner(position)) is not None:
                red += won == "red"
                plies += ply + 1
                break
    assert Games(rules, size=size).play(orders) == (red, plies)


def test_playing_leaves_no_trace() -> None:
    orders = np.array([np.random.default_rng(1).permutation(25)], dtype=np.int32)
    games = Games(size=5)
    assert games.play(orders) == games.play(orders)


@pytest.mark.parametrize("rules", ["maker-breaker", "winning-sets"])
def test_other_rules_are_refused(rules: str) -> None:
    with pytest.raises(EngineError, match="not made of rules"):
        Games(rules, size=4)

"""The second core of parallel minimax: the same depth in less wall time, on an idle machine with two cores.

pytest benchmarks/test_minimax_cores.py -s
"""

from __future__ import annotations

import os
import time

import pytest

from hexlogic.games import Hex
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation.kernels import EVALUATIONS
from hexlogic.players.strategies.alpha_beta import alpha_beta

ROUNDS = 7
BAR = 1.6


def seconds(state: GameState, depth: int, evaluation: int, prune: bool, threads: int) -> tuple[float, int, int]:
    """Wall seconds, and the move and the positions of the search."""
    begin = time.perf_counter()
    line = alpha_beta(state, depth, evaluation, threads=threads, prune=prune)
    return time.perf_counter() - begin, line.cell, line.positions


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core")
@pytest.mark.parametrize(
    ("evaluation", "depth", "prune"),
    [("count-connected", 4, False), ("count-connected", 5, True), ("resistance", 3, True)],
    ids=["minimax", "alpha-beta", "circuit"],
)
def test_two_cores_search_the_same_depth_faster(evaluation, depth, prune):
    state = GameState(Hex(8, 8))
    for name in ("e5", "d4", "f3", "g6"):
        state.play(state.to_move, state.board.parse_cell(name))
    number = EVALUATIONS.index(evaluation)
    seconds(state, 2, number, True, 2)
    rounds = [[seconds(state, depth, number, prune, threads) for threads in (1, 2)] for _ in range(ROUNDS)]
    assert len({cell for pair in rounds for _, cell, _ in pair}) == 1
    one, two = (min(pair[place][0] for pair in rounds) for place in range(2))
    print(f"{evaluation} depth {depth}: {one:.3f} s on one core, {two:.3f} s on two, {one / two:.2f} times")
    assert one / two >= BAR

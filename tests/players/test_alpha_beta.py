"""Alpha-beta against plain minimax; the same answer with any number of threads, with and without pruning."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.games import Hex, Position
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation.kernels import EVALUATIONS
from hexlogic.players.strategies.alpha_beta import WIN, alpha_beta
from tests.players.exhaustive_search import minimax, winner
from tests.players.test_evaluation import value_of


def random_state(seed: int, rows: int, columns: int, stones: int) -> GameState:
    state = GameState(Hex(rows, columns))
    for cell in random.Random(seed).sample(list(state.board.cells), stones):
        state.play(state.to_move, cell)
        if state.winner is not None:
            state.undo()
            break
    return state


STATES = st.builds(random_state, st.integers(0, 10**6), st.integers(2, 3), st.integers(2, 4), st.integers(0, 4))


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("kind", EVALUATIONS)
@settings(max_examples=25, deadline=None)
@given(state=STATES, depth=st.integers(1, 3))
def test_the_value_is_that_of_plain_minimax(kind, state, depth):
    depth = min(depth, len(state.empty))
    line = alpha_beta(state, depth, EVALUATIONS.index(kind))
    expected = minimax(state.position, state.to_move, depth, lambda position: value_of(kind, position))
    assert line.value == pytest.approx(expected, abs=1e-6)
    after = state.position.play(state.to_move, line.cell)
    if not state.board.has_won(after.stones(state.to_move), state.to_move):
        other = "blue" if state.to_move == "red" else "red"
        assert -minimax(after, other, depth - 1, lambda position: value_of(kind, position)) == pytest.approx(
            expected, abs=1e-6
        )


@settings(max_examples=25, deadline=None)
@given(state=STATES, depth=st.integers(1, 4), kind=st.integers(0, 2))
def test_threads_and_pruning_change_nothing(state, depth, kind):
    depth = min(depth, len(state.empty))
    lines = [
        alpha_beta(state, depth, kind, threads=threads, prune=prune) for threads in (1, 2) for prune in (True, False)
    ]
    assert len({(line.cell, line.value) for line in lines}) == 1
    assert lines[0].positions <= lines[1].positions


def test_a_full_search_knows_the_winner():
    for cell in Hex(3, 3).cells:
        state = GameState(Hex(3, 3))
        state.play("red", cell)
        line = alpha_beta(state, 8, 0)
        position = Position(state.board, frozenset({cell}))
        wins = winner(state.board, position.red, position.blue, "blue") == "blue"
        assert (line.value >= WIN) == wins
        assert (line.value <= -WIN) != wins


def test_a_stopped_search_says_so():
    import numpy as np

    line = alpha_beta(GameState(Hex(4, 4)), 3, 2, stop=np.ones(1, np.int64))
    assert not line.complete

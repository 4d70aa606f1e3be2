"""Time for a move: the clock on the wall, or the processor time of the player."""

from __future__ import annotations

import time

import pytest

from hexlogic.games import Hex
from hexlogic.games.game_state import GameState
from hexlogic.players import Budget, load_strategy
from hexlogic.players.strategy import CLOCKS


@pytest.mark.parametrize(("clock", "read"), [("wall", time.monotonic), ("cpu", time.process_time)])
def test_a_deadline_is_on_its_clock(clock, read):
    before = read()
    deadline = Budget(seconds=5.0, clock=clock).deadline()
    assert before + 5.0 <= deadline <= read() + 5.0


def test_without_seconds_there_is_no_deadline():
    assert all(Budget(playouts=10, clock=clock).deadline() is None for clock in CLOCKS)


@pytest.mark.parametrize("name", ["alpha-beta", "mcts", "mcts-vc", "policy-vc", "vc-shallow", "solver"])
@pytest.mark.parametrize("clock", CLOCKS)
def test_strategies_move_on_either_clock(name, clock):
    state = GameState(Hex(4, 4))
    state.play("red", 6)
    player = load_strategy(name)
    player.prepare(state.board)
    assert player.choose(state, Budget(seconds=0.02, clock=clock)) in state.empty


def test_a_search_that_is_never_done_gets_all_of_its_processor_time():
    # The thread that stops alpha-beta waits on the wall's clock; the other one is slower on a busy machine.
    budget = Budget(seconds=0.05, clock="cpu")
    state = GameState(Hex(6, 6))
    player = load_strategy("alpha-beta:count-connected")
    player.prepare(state.board)
    before = time.process_time()
    player.choose(state, budget)
    assert time.process_time() - before >= budget.seconds

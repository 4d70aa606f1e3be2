"""Clocks of a player, its margins, and strategies that fail."""

from __future__ import annotations

import pytest

from hexlogic.errors import GameError, HexlogicError
from hexlogic.ggp.playing import Clock, NamedStrategy, Strategy, choose_strategy
from hexlogic.ggp.playing.match import margin
from hexlogic.ggp.playing.player import LONGEST_S
from hexlogic.ggp.playing.strategy import _STRATEGIES
from tests.ggp.playing.test_player import TIC_TAC_TOE, X, new_player, on_clingo, start
from tests.ggp.sheets import load


class Watcher(Strategy):
    """Notes its clock, and fails when it is told to."""

    seen: list[float]
    fails = False

    def choose(self, state, clock):
        self.seen.append(clock.left_s)
        if self.fails:
            raise GameError("no idea")
        return self.legal_moves(state)[0]

    def get_ready(self, clock: Clock) -> None:
        self.seen.append(clock.left_s)


def test_a_margin_of_each_clock_is_kept(monkeypatch):
    monkeypatch.setattr(NamedStrategy, "__call__", lambda self, machine, role, seed: Watcher(machine, role, seed))
    monkeypatch.setattr(Watcher, "seen", [], raising=False)
    player = new_player(margin_s=2)
    player.answer(start(start_clock=1000, play_clock=3))
    player.answer("(PLAY m NIL)")
    ready, move = Watcher.seen
    assert 900 < ready <= 998
    assert move <= 2
    assert margin(3, 2) == 1


def test_clocks_of_years_are_cut(monkeypatch):
    monkeypatch.setattr(NamedStrategy, "__call__", lambda self, machine, role, seed: Watcher(machine, role, seed))
    monkeypatch.setattr(Watcher, "seen", [], raising=False)
    player = new_player()
    player.answer(start(start_clock=999_999_999, play_clock=999_999_999))
    player.answer("(PLAY m NIL)")
    assert all(0 < seconds <= LONGEST_S for seconds in Watcher.seen)
    assert len(Watcher.seen) == 2


def test_a_strategy_that_fails_makes_a_random_move_and_says_so(monkeypatch):
    monkeypatch.setattr(NamedStrategy, "__call__", lambda self, machine, role, seed: Watcher(machine, role, seed))
    monkeypatch.setattr(Watcher, "seen", [], raising=False)
    monkeypatch.setattr(Watcher, "fails", True)
    logged = []
    player = new_player(log=logged.append)
    player.answer(start())
    assert player.answer("(PLAY m NIL)").startswith("(mark")
    assert "drawn at random: no idea" in logged[-1]


def test_the_same_seed_makes_the_same_moves():
    def moves(seed):
        player, machine = new_player("uct:40", seed=seed), on_clingo(TIC_TAC_TOE)
        player.answer(start(role=X))
        return player.answer("(PLAY m NIL)"), machine.roles

    assert moves(3) == moves(3)
    assert len({moves(seed)[0] for seed in range(8)}) > 1


@pytest.mark.parametrize("name", _STRATEGIES.names())
def test_every_strategy_plays(name):
    machine = on_clingo(load("counter"))
    player = choose_strategy(name)(machine, 0, seed=1)
    assert player.choose(machine.initial_state, Clock(0.1)) in machine.legal_moves(machine.initial_state, "robot")


@pytest.mark.parametrize("text", ["rnd", "uct:", "uct:0", "uct:many", "uct:-1", "uct:9999999999", "random:3", ""])
def test_strategies_that_are_none_are_refused(text):
    with pytest.raises(HexlogicError):
        choose_strategy(text)

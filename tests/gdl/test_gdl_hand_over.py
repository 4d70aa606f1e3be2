"""A player never waits for grounding: a machine that starts at once plays until the prepared one, in a process of its
own, takes over; when that fails or never comes, the first one plays on. Real processes; the tests wait for events."""

from __future__ import annotations

import os
import signal
import threading
from types import SimpleNamespace

import pytest
from sheets import load

from hexlogic.errors import EngineError, GameError
from hexlogic.gdl import StateMachine, write_term
from hexlogic.gdl.language.terms import read_term
from hexlogic.ggp import Player, choose_strategy, prepared
from hexlogic.ggp.clock import Clock
from hexlogic.ggp.prepared import PreparedSide
from hexlogic.ggp.protocol import Start, write_message

HANG_S = 300
SHEET = load("nim")


class Table:
    """A match of the first role against its own first legal moves, and what the player's log says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, reasoner: str, player: str = "uct:20") -> None:
        self.held = threading.Event()
        begin = PreparedSide._begin

        def later(side: PreparedSide, task: dict[str, object]) -> None:
            self.held.wait(HANG_S)
            begin(side, task)

        monkeypatch.setattr(PreparedSide, "_begin", later)
        self.logged: list[str] = []
        self.machine = StateMachine.from_sheet(SHEET, "clingo")
        make = lambda sheet: StateMachine.from_sheet(sheet, "clingo")  # noqa: E731
        self.player = Player(choose_strategy(player), make=make, prepare=reasoner, log=self.logged.append)
        self.role = self.machine.roles[0]
        assert self.player.answer(write_message(Start("m", self.role, SHEET, 1, 600))) == "READY"
        self.state, self.moves = self.machine.initial_state, "NIL"

    @property
    def prepared(self) -> PreparedSide:
        found = self.player._matches["m"]._prepared
        assert found is not None
        return found

    def step(self) -> bool:
        """Play a step; False when the game is over then."""
        own = read_term(self.player.answer(f"(PLAY m {self.moves})"))
        assert own in self.machine.legal_moves(self.state, self.role)
        joint = [own, *(self.machine.legal_moves(self.state, role)[0] for role in self.machine.roles[1:])]
        self.state = self.machine.next_state(self.state, joint)
        self.moves = f"({' '.join(map(write_term, joint))})"
        return not self.machine.is_terminal(self.state)


@pytest.mark.parametrize("reasoner", ["compiled", "forward"])
def test_the_prepared_machine_takes_over_in_the_middle_of_a_match(monkeypatch, reasoner):
    table = Table(monkeypatch, reasoner)
    assert table.step()
    assert "the faster machine: still being made" in table.logged[-1]
    table.held.set()
    table.prepared.made.result(timeout=HANG_S)
    going = table.step()
    assert "faster machine" not in table.logged[-1]
    while going:
        going = table.step()
    assert table.player.answer(f"(STOP m {table.moves})") == "DONE"
    assert "(goal " in table.logged[-1]


def test_when_the_process_dies_the_first_machine_plays_on(monkeypatch):
    table = Table(monkeypatch, "forward")
    table.held.set()
    table.prepared.made.result(timeout=HANG_S)
    assert table.step()
    os.kill(table.prepared._process.pid, signal.SIGKILL)
    table.step()  # a legal move, or it fails
    assert table.player.answer("(ABORT m)") == "DONE"


def test_a_machine_that_cannot_be_prepared_never_takes_over(monkeypatch):
    table = Table(monkeypatch, "egglog")  # an engine, and no reasoner
    table.held.set()
    with pytest.raises(EngineError, match="unknown reasoner 'egglog'"):
        table.prepared.made.result(timeout=HANG_S)
    assert table.step()
    assert "unknown reasoner 'egglog'" in table.logged[-1]
    assert table.player.answer("(ABORT m)") == "DONE"


@pytest.mark.slow  # compares rates by the clock: on a machine that still compiles they say nothing
def test_a_machine_that_searches_fewer_games_a_second_does_not_take_over(monkeypatch):
    """clingo asks a solver in each state, and plays a hundredth of the games."""
    table = Table(monkeypatch, "clingo")
    table.held.set()
    with pytest.raises(EngineError, match=r"forward searches [\d,]+ random games a second, clingo [\d,]+$"):
        table.prepared.made.result(timeout=HANG_S)
    assert table.step()
    assert "the faster machine: forward searches" in table.logged[-1]
    assert table.player.answer("(ABORT m)") == "DONE"


def test_a_machine_that_fills_the_memory_is_given_up(monkeypatch):
    left = iter([8_000, 5_000, 1_999])
    monkeypatch.setattr(prepared.psutil, "virtual_memory", lambda: SimpleNamespace(available=next(left)))
    given_up = threading.Event()
    with prepared._memory_watched(given_up.set):
        assert given_up.wait(HANG_S)
    assert next(left, None) is None


@pytest.mark.slow  # compares rates by the clock: on a machine that still compiles they say nothing
def test_machines_are_compared_by_what_a_search_plays_on_them():
    """forward plays more random games of nim a second than the compiled machine, but is searched from Python."""
    rates = {}
    for reasoner in ("forward", "compiled"):
        with StateMachine.from_sheet(SHEET, reasoner) as machine:
            assert choose_strategy("random").make(machine, 0, 1).rate(Clock(0.2)) == 0
            uct = choose_strategy("uct:20").make(machine, 0, 1)
            assert uct.rate(Clock(0)) == 0
            rates[reasoner] = uct.rate(Clock(0.2))
    assert 0 < 2 * rates["forward"] < rates["compiled"]


def test_the_end_of_a_match_ends_the_process(monkeypatch):
    table = Table(monkeypatch, "forward")
    prepared = table.prepared
    assert table.player.answer("(ABORT m)") == "DONE"
    table.held.set()
    with pytest.raises(EngineError):
        prepared.made.result(timeout=HANG_S)
    prepared._process.close()
    assert prepared._process.returncode == -signal.SIGKILL


def test_a_prover_is_a_machine_that_grounds_nothing_ahead():
    with StateMachine.prover(SHEET) as prover, StateMachine.quick(SHEET) as quick:
        assert prover.reasoner in ("swipl", "forward")
        assert quick.reasoner == "forward"
        assert prover.legal_moves(prover.initial_state, prover.roles[0]) == quick.legal_moves(
            quick.initial_state, quick.roles[0]
        )
    with pytest.raises(GameError, match="names no role"):
        StateMachine.quick(SHEET.with_rules(tuple(rule for rule in SHEET.rules if "role" not in str(rule.head))))

"""A player never waits for grounding: a machine that starts at once plays until the prepared one, in a process of its
own, takes over; when that fails or never comes, the first one plays on. Real processes; the tests wait for events."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import nullcontext
from types import SimpleNamespace
from typing import ClassVar

import pytest

from hexlogic.errors import EngineError, GameError
from hexlogic.ggp import StateMachine, write_term
from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.machines.state_machine import PROVERS, QUICK
from hexlogic.ggp.playing import Player, choose_strategy, prepared
from hexlogic.ggp.playing.best_machine import PreparedMachine
from hexlogic.ggp.playing.protocol import Start, write_message
from hexlogic.ggp.playing.strategies import uct
from hexlogic.ggp.playing.strategy import RolePlayer, Strategy
from hexlogic.language import Program
from tests.ggp.sheets import load
from tests.waiting import HANG_S

SHEET = load("nim")


def on_clingo(sheet):
    return StateMachine.from_sheet(sheet, "clingo")


class Table:
    """A match of the first role against its own first legal moves, and what the player's log says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, reasoner: str, sheet: Program) -> None:
        self.held = threading.Event()
        begin = PreparedMachine._begin

        def later(machine: PreparedMachine, task: dict[str, object]) -> None:
            self.held.wait(HANG_S)
            begin(machine, task)

        monkeypatch.setattr(PreparedMachine, "_begin", later)
        self.logged: list[str] = []
        self.machine = on_clingo(sheet)
        self.player = Player(choose_strategy("uct:20"), make=on_clingo, prepare=reasoner, log=self.logged.append)
        self.role = self.machine.roles[0]
        assert self.player.answer(write_message(Start("m", self.role, sheet, 1, 600))) == "READY"
        self.state, self.moves = self.machine.initial_state, "NIL"

    def close(self) -> None:
        """End what still runs, as the end of a match does: a test may have failed before it."""
        self.held.set()
        self.player.close()
        self.machine.close()

    @property
    def prepared(self) -> PreparedMachine:
        found = self.player._matches["m"]._machine._prepared
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


@pytest.fixture
def seated(monkeypatch):
    """Makes tables, and ends what they began."""
    tables: list[Table] = []

    def make(reasoner: str, sheet: Program = SHEET) -> Table:
        tables.append(Table(monkeypatch, reasoner, sheet))
        return tables[-1]

    yield make
    for table in tables:
        table.close()


@pytest.mark.parametrize("reasoner", ["compiled", "forward"])
def test_the_prepared_machine_takes_over_in_the_middle_of_a_match(seated, reasoner):
    # Of nim `compiled` and `forward` search about as many games a second; Hex is several times faster on latches.
    table = seated(reasoner, load("hex-3") if reasoner == "compiled" else SHEET)
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


def test_when_the_process_dies_the_first_machine_plays_on(seated):
    table = seated("forward")
    table.held.set()
    table.prepared.made.result(timeout=HANG_S)
    assert table.step()
    os.kill(table.prepared._process.process.pid, signal.SIGKILL)
    table.step()  # a legal move, or it fails
    assert table.player.answer("(ABORT m)") == "DONE"


def test_a_machine_that_cannot_be_prepared_never_takes_over(seated):
    table = seated("egglog")  # an engine, and no reasoner
    table.held.set()
    with pytest.raises(EngineError, match="unknown reasoner 'egglog'"):
        table.prepared.made.result(timeout=HANG_S)
    assert table.step()
    assert "unknown reasoner 'egglog'" in table.logged[-1]
    assert table.player.answer("(ABORT m)") == "DONE"


class Rated(Strategy):
    """Looks at so many games a second on each reasoner; choosing is not asked of it."""

    rates: ClassVar[dict[str, float]] = {}

    def choose(self, state, clock):
        raise AssertionError("only asked how fast it is")

    def rate(self, clock):
        return self.rates[self.machine.reasoner]


@pytest.mark.parametrize(("rate", "taken"), [(999, False), (1_000, True), (1_001, True)])
def test_a_machine_that_searches_fewer_games_a_second_does_not_take_over(monkeypatch, rate, taken):
    monkeypatch.setattr(Rated, "rates", {"forward": 1_000, "clingo": rate})
    player = RolePlayer(SHEET, read_term("First"), Rated, 0, on_clingo)
    with player.machine, nullcontext() if taken else pytest.raises(EngineError) as refused:
        prepared._check_faster(player, Rated)
    if not taken:
        assert str(refused.value) == "forward searches 1,000 random games a second, clingo 999"


def test_a_machine_that_fills_the_memory_is_given_up(monkeypatch):
    left = iter([8_000, 5_000, 1_999])
    monkeypatch.setattr(prepared.psutil, "virtual_memory", lambda: SimpleNamespace(available=next(left)))
    given_up = threading.Event()
    with prepared._memory_watched(given_up.set):
        assert given_up.wait(HANG_S)
    assert next(left, None) is None


def test_the_rate_of_a_search_counts_its_playouts_and_not_what_is_compiled_first(monkeypatch):
    """On a clock of the test's own: the first playout takes half a minute, each other one a quarter of a second."""
    now = 0.0
    monkeypatch.setattr("hexlogic.ggp.playing.strategy.monotonic", lambda: now)
    monkeypatch.setattr(uct, "monotonic", lambda: now)
    with on_clingo(SHEET) as machine:
        assert choose_strategy("random")(machine, 0, 1).rate(10) == 0
        strategy = choose_strategy("uct:20")(machine, 0, 1)
        tree = strategy._search
        run = tree._run

        def slow_run(tree_number: int, games: int) -> int:
            nonlocal now
            now += 0.25 if tree.visits else 30
            return run(tree_number, games)

        monkeypatch.setattr(tree, "_run", slow_run)
        assert strategy.rate(10) == 4
        assert tree.visits == 42
        assert strategy.rate(0) == 4  # one, whatever the clock says
        assert tree.visits == 44


def test_the_end_of_a_match_ends_the_process(seated):
    table = seated("forward")
    prepared = table.prepared
    assert table.player.answer("(ABORT m)") == "DONE"
    table.held.set()
    with pytest.raises(EngineError):
        prepared.made.result(timeout=HANG_S)
    prepared._process.close()
    assert prepared._process.process.returncode == -signal.SIGKILL


def test_a_prover_is_a_machine_that_grounds_nothing_ahead():
    with StateMachine.first_of(SHEET, PROVERS) as prover, StateMachine.first_of(SHEET, QUICK) as quick:
        assert prover.reasoner in ("swipl", "forward")
        assert quick.reasoner == "forward"
        assert prover.legal_moves(prover.initial_state, prover.roles[0]) == quick.legal_moves(
            quick.initial_state, quick.roles[0]
        )
    with pytest.raises(GameError, match="names no role"):
        StateMachine.first_of(
            SHEET.with_rules(tuple(rule for rule in SHEET.rules if "role" not in str(rule.head))), QUICK
        )

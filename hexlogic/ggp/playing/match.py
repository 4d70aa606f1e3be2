"""One role of one match, and the best of its machines that is ready: one may take long to make, fail, or outlast the
clock with a question."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, suppress
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

from hexlogic.errors import GameError, HexlogicError, MoveError
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.state_machine import PROVERS
from hexlogic.ggp.playing.protocol import Start
from hexlogic.ggp.playing.strategy import DRAWN, Clock, MakeMachine, Moves, NamedStrategy, RolePlayer, StrategyFactory
from hexlogic.language.syntax import Term
from hexlogic.process.threads import in_thread

PATIENCE: Final = 10
"""A match is forgotten when its host has been silent for so many times its clocks."""
LATE_S: Final = 10
"""Seconds after the clocks of a step from which a silent host makes room for another one."""
_LATE = "the machine is still being made"
_BY_PROVER = "by the prover"
"""In a note: a machine that starts at once chose the move."""
_TOO_LONG = "a question to the machine took longer than the clock"

Stage: TypeAlias = Literal["making", "ready", "busy", "failed"]
"""Of a machine: busy while a question that outlasted the clock is not answered."""

T = TypeVar("T")


def margin(play_clock_s: float, wanted_s: float) -> float:
    """The seconds of a clock that are left for the way back: those wanted, but at most a third of the clock.

    >>> margin(15, 0.5), margin(1, 0.5)
    (0.5, 0.3333333333333333)
    """
    return min(wanted_s, play_clock_s / 3)


class _Machine:
    """A machine of a role, which is made in a thread of its own, and its stage."""

    def __init__(self, make: Callable[[], RolePlayer]) -> None:
        self.make, self.made = make, in_thread(make)
        self.pending: Future[Any] = self.made
        """What it works on, or has done last: it is being made, or answers a question."""

    @property
    def stage(self) -> Stage:
        if not self.made.done():
            return "making"
        if self.made.exception() is not None:
            return "failed"
        return "ready" if self.pending.done() else "busy"

    def within(self, seconds: float, question: Callable[[], T]) -> T | None:
        """The answer to a question; None where it takes longer. Then the machine is busy until it is answered."""
        self.pending = answer = in_thread(question)
        return _result(answer, seconds)

    def close(self) -> None:
        """End what runs behind it, as soon as it is made."""
        self.made.add_done_callback(_close)


class Match:
    """One role of one match. Requests are answered in turn; a new one ends the thinking for the last.

    Its machines, in this order: that of `make`; a prover, which starts at once; and a prover whose moves are drawn at
    random. The second is made when the first is late or fails, the last when all others are busy. Where a single
    question takes longer than the clock and half the margin more, the best move known is made. While all machines are
    busy, moves are drawn at random, at the end of the clock: one that is free before searches until then.
    """

    def __init__(self, start: Start, choice: StrategyFactory, seed: int, make: MakeMachine, margin_s: float) -> None:
        self.start, self._margin_s = start, margin_s
        player = partial(RolePlayer, start.sheet, start.role)
        self._machines = [_Machine(partial(player, choice, seed, make))]
        prover = partial(StateMachine.first_of, reasoners=PROVERS)
        self._prover = partial(player, choice, seed, prover)
        self._random = partial(player, NamedStrategy("random"), seed, prover)
        self._heard: list[Moves | None] = []
        self._turn = threading.Lock()
        self._clock = Clock(0)
        self._closed = False
        self._last_request = time.monotonic()

    def get_ready(self, clock: Clock) -> str:
        """Prepare until the clock is over, less the margin; a note for the log. Raises HexlogicError when the sheet
        cannot be played."""
        kept_s, first = margin(self.start.start_clock_s, self._margin_s), self._machines[0]
        with self._turn:
            self._clock = clock = clock.less(kept_s)
            try:
                player = _result(first.made, clock.left_s)
            except HexlogicError as error:
                with suppress(HexlogicError):
                    self._add(self._prover).made.result()
                    return f"{_BY_PROVER} only: {error}"
                raise
            if player is None:
                self._add(self._prover)
                return _LATE
            try:
                self._ask(first, clock.left_s + kept_s / 2, partial(player.strategy.get_ready, clock))
            except GameError as error:
                return str(error)
            return _TOO_LONG if first.stage == "busy" else ""

    def play(self, moves: Moves | None, clock: Clock) -> tuple[Term, str]:
        """The move after those of the step before, and a note for the log. Raises HexlogicError for wrong moves or
        without a machine."""
        self._clock.stop()
        self._last_request = time.monotonic()
        kept_s = margin(self.start.play_clock_s, self._margin_s)
        clock = clock.less(kept_s)
        with self._turn:
            self._clock = clock
            if self._closed:
                raise MoveError("the match is over")
            self._heard.append(moves)
            try:
                return self._choose(clock, kept_s / 2)
            except HexlogicError:
                self._heard.pop()
                raise

    def _choose(self, clock: Clock, patience_s: float) -> tuple[Term, str]:
        machine, first = self._ready(clock), self._machines[0]
        player = machine.made.result()
        player.catch_up(self._heard)
        legal = () if player.machine.is_terminal(player.state) else player.strategy.legal_moves(player.state)
        if machine.make is self._random and (free := self._free_in_time(clock)) is not None:
            machine, player = free, free.made.result()
            player.catch_up(self._heard)
        move = self._ask(machine, clock.left_s + patience_s, partial(player.choose, clock))
        if move is not None:
            notes = [f"{DRAWN}: {_TOO_LONG}" if machine.make is self._random else player.strategy.note]
        elif (known := player.strategy.best_so_far()) in legal and known is not None:
            move, notes = known, [f"the best so far: {_TOO_LONG}"]
        else:
            move, notes = player.strategy.draw.choice(legal), [f"{DRAWN}: {_TOO_LONG}"]
        if machine is not first and first.stage != "busy":
            why = first.made.exception() if first.made.done() else None
            notes.append(f"{_BY_PROVER}: {why or _LATE}")
        return move, "; ".join(filter(None, notes))

    def finish(self, moves: Moves | None) -> str:
        """End the match after its last moves; return a note on the end for the log."""
        self._clock.stop()
        with self._turn, closing(self):
            self._heard.append(moves)
            ready = next((machine for machine in self._machines if machine.stage == "ready"), None)
            end: str | None = None
            if moves is not None and ready is not None:
                try:
                    end = ready.within(self.start.play_clock_s, partial(_end, ready.made.result(), self._heard))
                except HexlogicError as error:
                    end = str(error)
        return end or "the end was not followed"

    def abandon(self) -> None:
        """End a match that is given up, or whose host has left."""
        self._clock.stop()
        with self._turn:
            self.close()

    def close(self) -> None:
        """End what runs behind the machines, also those that are still being made."""
        self._closed = True
        for machine in self._machines:
            machine.close()

    @property
    def is_late(self) -> bool:
        """Whether its host should have sent a message long ago: a step takes no longer than its clocks."""
        clocks_s = self.start.start_clock_s + 2 * self.start.play_clock_s
        return time.monotonic() - self._last_request > clocks_s + LATE_S

    @property
    def is_forgotten(self) -> bool:
        """Whether its host has been silent for so long that it will not come back."""
        silence = time.monotonic() - self._last_request
        return silence > PATIENCE * (self.start.start_clock_s + self.start.play_clock_s + 60)

    def _ready(self, clock: Clock) -> _Machine:
        """The best machine that is ready; waits for the first, and then for the last. Raises HexlogicError."""
        if len(self._machines) == 1:
            with suppress(HexlogicError):
                _result(self._machines[0].made, clock.left_s)
        for machine in self._machines:
            if machine.stage == "ready":
                return machine
        if self._machines[-1].stage == "making":
            return self._machines[-1]
        return self._add(self._prover if len(self._machines) == 1 else self._random)

    def _free_in_time(self, clock: Clock) -> _Machine | None:
        """The first machine that becomes ready before the clock is over, of those being made or busy; or None."""
        others = [machine for machine in self._machines if machine.make is not self._random]
        while waiting := [machine for machine in others if machine.stage in ("making", "busy")]:
            wait([machine.pending for machine in waiting], clock.left_s, FIRST_COMPLETED)
            ready = next((machine for machine in others if machine.stage == "ready"), None)
            if ready is not None or clock.over:
                return ready
        return None

    def _add(self, make: Callable[[], RolePlayer]) -> _Machine:
        """Have a lesser machine made, in place of one that was made so before."""
        if self._machines[-1].make is make:
            in_thread(self._machines.pop().close)
        self._machines.append(_Machine(make))
        return self._machines[-1]

    def _ask(self, machine: _Machine, seconds: float, question: Callable[[], T]) -> T | None:
        """As `_Machine.within`; a machine that draws moves is made when all others are busy."""
        answer = machine.within(seconds, question)
        if answer is None and all(each.stage in ("busy", "failed") for each in self._machines):
            self._add(self._random)
        return answer


def _end(player: RolePlayer, heard: Sequence[Moves | None]) -> str:
    player.catch_up(heard)
    if not player.machine.is_terminal(player.state):
        return "stopped before the end"
    return f"goal {player.machine.goal(player.state, player.machine.roles[player.role])}"


def _close(player: Future[RolePlayer]) -> None:
    if player.exception() is None:
        player.result().machine.close()


def _result(made: Future[T], seconds: float) -> T | None:
    try:
        return made.result(timeout=seconds)
    except TimeoutError:
        return None

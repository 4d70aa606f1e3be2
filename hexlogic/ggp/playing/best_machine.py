"""The machines of a role in a match, and the best one that is ready: one may take long to make, fail, or outlast the
clock with a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import TypeVar

from hexlogic.errors import EngineError, GameError, HexlogicError
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.state_machine import PROVERS
from hexlogic.ggp.playing.prepared import PreparedSide
from hexlogic.ggp.playing.protocol import Start
from hexlogic.ggp.playing.strategy import DRAWN, Clock, MakeMachine, Moves, NamedStrategy, Side, Stage, StrategyFactory
from hexlogic.language.syntax import Term
from hexlogic.process.threads import in_thread

_LATE = "the machine is still being made"
_BY_PROVER = "by the prover"
"""In a note: a machine that starts at once chose the move."""
_STUCK = "a question to the machine took longer than the clock"

Made = TypeVar("Made")


class _Machine:
    """A machine of this process and its stage."""

    def __init__(self, make: Callable[[], Side]) -> None:
        self.make = make
        self.side = in_thread(make)
        self.answered: Callable[[], bool] = lambda: True

    @property
    def stage(self) -> Stage:
        if not self.side.done():
            return "making"
        if self.side.exception() is not None:
            return "failed"
        return "ready" if self.answered() else "busy"

    def close(self) -> None:
        self.side.add_done_callback(_close)


class BestMachine:
    """The machines of a role in a match, and the best one that is ready.

    In this order: one of the reasoner `prepare`, made in a process of its own; that of `make`; a prover, which starts
    at once; and a prover whose moves are drawn at random. The third is made when the second is late or fails, the
    last when all others are busy. `patience_s` are the seconds that an answer is waited for after the clock.
    """

    def __init__(
        self, start: Start, choice: StrategyFactory, seed: int, make: MakeMachine, prepare: str | None
    ) -> None:
        side = partial(Side, start.sheet, start.role)
        self._machines = [_Machine(partial(side, choice, seed, make))]
        prover = partial(StateMachine.first_of, reasoners=PROVERS)
        self._prover = partial(side, choice, seed, prover)
        self._random = partial(side, NamedStrategy("random"), seed, prover)
        self._prepared: PreparedSide | None = None
        if prepare is not None and isinstance(choice, NamedStrategy):
            with suppress(EngineError):  # then the other machines play the match
                self._prepared = PreparedSide(start.sheet, start.role, choice, seed, prepare)

    def get_ready(self, clock: Clock, patience_s: float) -> str:
        """Prepare until the clock is over; return a note for the log. Raises HexlogicError for a sheet that no machine
        can be made of."""
        first = self._machines[0]
        try:
            side = _result(first.side, clock)
        except HexlogicError as error:
            with suppress(HexlogicError):
                self._add(self._prover).side.result()
                return f"{_BY_PROVER} only: {error}"
            raise
        if side is None:
            self._add(self._prover)
            return _LATE
        try:
            done = self._within(first, partial(_get_ready, side, clock), clock, patience_s)
        except GameError as error:
            return str(error)
        return _STUCK if done is None else ""

    def choose(self, heard: Sequence[Moves | None], clock: Clock, patience_s: float) -> tuple[Term, str]:
        """The move after the joint moves in `heard`, and a note for the log. Raises HexlogicError."""
        machine, first = self._ready(clock), self._machines[0]
        side = machine.side.result()
        side.catch_up(heard)
        legal = () if side.machine.is_terminal(side.state) else side.strategy.legal_moves(side.state)
        if (prepared := self._by_prepared(legal, heard, clock, patience_s)) is not None:
            return prepared
        move = self._within(machine, partial(side.choose, clock), clock, patience_s)
        if move is not None:
            notes = [f"{DRAWN}: {_STUCK}" if machine.make is self._random else side.strategy.note]
        elif (known := side.strategy.best_so_far()) in legal and known is not None:
            move, notes = known, [f"the best so far: {_STUCK}"]
        else:
            move, notes = side.strategy.draw.choice(legal), [f"{DRAWN}: {_STUCK}"]
        if machine is not first and first.stage != "busy":
            why = first.side.exception() if first.side.done() else None
            notes.append(f"{_BY_PROVER}: {why or _LATE}")
        if self._prepared is not None:
            notes.append(f"the faster machine: {self._prepared.why}")
        return move, "; ".join(filter(None, notes))

    def ended(self, heard: Sequence[Moves | None], role: Term, clock: Clock) -> str | None:
        """A note on the end of the game; None where no machine can tell it before the clock is over."""
        ready = next((machine.side for machine in self._machines if machine.stage == "ready"), None)
        return None if ready is None else _result(in_thread(partial(_end, ready.result(), heard, role)), clock)

    def stop(self) -> None:
        """End the thinking of the prepared machine."""
        if self._prepared is not None:
            self._prepared.stop()

    def close(self) -> None:
        """End what runs behind the machines, also those that are still being made."""
        for machine in self._machines:
            machine.close()
        if self._prepared is not None:
            self._prepared.close()

    def _ready(self, clock: Clock) -> _Machine:
        """The best machine that is ready; waits for the first, and then for the last. Raises HexlogicError."""
        if len(self._machines) == 1:
            with suppress(HexlogicError):
                _result(self._machines[0].side, clock)
        for machine in self._machines:
            if machine.stage == "ready":
                return machine
        if self._machines[-1].stage == "making":
            return self._machines[-1]
        return self._add(self._prover if len(self._machines) == 1 else self._random)

    def _add(self, make: Callable[[], Side]) -> _Machine:
        """Have a lesser machine made, in place of one that was made so before."""
        if self._machines[-1].make is make:
            in_thread(self._machines.pop().close)
        self._machines.append(_Machine(make))
        return self._machines[-1]

    def _within(self, machine: _Machine, work: Callable[[], Made], clock: Clock, patience_s: float) -> Made | None:
        """The result of work on a machine; None where it is not done `patience_s` seconds after the clock. Then the
        machine is busy, and one that draws moves is made unless another is ready."""
        done = in_thread(work)
        try:
            return done.result(timeout=clock.left_s + patience_s)
        except TimeoutError:
            machine.answered = done.done
            if all(machine.stage in ("busy", "failed") for machine in self._machines):
                self._add(self._random)
            return None

    def _by_prepared(
        self, legal: Sequence[Term], heard: Sequence[Moves | None], clock: Clock, patience_s: float
    ) -> tuple[Term, str] | None:
        """The move of the prepared machine; None where it is not ready, fails or is late."""
        prepared = self._prepared
        if prepared is None or prepared.stage != "ready" or not legal:
            return None
        try:
            move = prepared.choose(heard, clock, patience_s)
        except HexlogicError:
            prepared.close()
            return None
        return None if move is None or move not in legal else (move, prepared.note)


def _get_ready(side: Side, clock: Clock) -> bool:
    side.strategy.get_ready(clock)
    return True


def _end(side: Side, heard: Sequence[Moves | None], role: Term) -> str:
    side.catch_up(heard)
    if not side.machine.is_terminal(side.state):
        return "stopped before the end"
    return f"goal {side.machine.goal(side.state, role)}"


def _result(made: Future[Made], clock: Clock) -> Made | None:
    try:
        return made.result(timeout=clock.left_s)
    except TimeoutError:
        return None


def _close(side: Future[Side]) -> None:
    if side.exception() is None:
        side.result().machine.close()

"""The machines of a role in a match, and the best one that is ready: one may take long to make, fail, or outlast the
clock with a question."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from functools import partial
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from hexlogic.errors import EngineError, GameError, HexlogicError
from hexlogic.ggp.language.reading import read_term
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.state_machine import PROVERS
from hexlogic.ggp.playing.prepared import Answer, Request, Task, main
from hexlogic.ggp.playing.protocol import Start
from hexlogic.ggp.playing.strategy import DRAWN, Clock, MakeMachine, Moves, NamedStrategy, RolePlayer, StrategyFactory
from hexlogic.language.dialects import render
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Term
from hexlogic.process.call import command_of
from hexlogic.process.children import LineProcess
from hexlogic.process.threads import in_thread

_LATE = "the machine is still being made"
_BY_PROVER = "by the prover"
"""In a note: a machine that starts at once chose the move."""
_TOO_LONG = "a question to the machine took longer than the clock"

Stage: TypeAlias = Literal["making", "ready", "busy", "failed"]
"""Of a machine: busy while a question that outlasted the clock is not answered."""

Made = TypeVar("Made")
T = TypeVar("T")


class _Machine(Generic[Made]):
    """A machine of a role, which is made in a thread of its own, and its stage."""

    def __init__(self, make: Callable[[], Made]) -> None:
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


class _LocalMachine(_Machine[RolePlayer]):
    """A machine of this process."""

    def close(self) -> None:
        """End what runs behind it, as soon as it is made."""
        self.made.add_done_callback(_close)


class PreparedMachine(_Machine[None]):
    """A machine in a process of its own, which runs `hexlogic.ggp.playing.prepared.main`. Raises EngineError when that
    cannot be started."""

    def __init__(self, start: Start, choice: NamedStrategy, seed: int, reasoner: str) -> None:
        self._process = LineProcess(f"the {reasoner} machine", command_of(main), own_group=True)
        self._sending = threading.Lock()
        task = Task(render(start.sheet, "gdl"), write_term(start.role), str(choice), seed, reasoner)
        super().__init__(partial(self._begin, task))

    @property
    def why(self) -> str:
        """Why it did not choose the last move."""
        return "still being made" if self.stage == "making" else str(self.made.exception() or "too late")

    def choose(self, heard: Sequence[Moves | None], clock: Clock) -> tuple[Term, str]:
        """The move to make after all that was heard, and a note for the log. Raises HexlogicError when the process is
        gone, or cannot choose."""
        self._send(Request([None if moves is None else list(map(write_term, moves)) for moves in heard], clock.left_s))
        answer = self._receive()
        return read_term(answer.move), answer.note

    def stop(self) -> None:
        """End the thinking for the last request, from any thread."""
        if self.stage in ("ready", "busy"):
            with suppress(EngineError):
                self._send(None)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self.made.add_done_callback(lambda _: self._process.close())

    def _begin(self, task: Task) -> None:
        self._send(task)
        self._receive()

    def _send(self, message: Task | Request | None) -> None:
        with self._sending:
            self._process.send(msgspec.json.encode(message).decode() + "\n")

    def _receive(self) -> Answer:
        answer = msgspec.json.decode(self._process.receive(), type=Answer)
        if answer.error is not None:
            raise EngineError(answer.error)
        return answer


class BestMachine:
    """The machines of a role in a match, and the best one that is ready.

    In this order: one of the reasoner `prepare`, made in a process of its own; that of `make`; a prover, which starts
    at once; and a prover whose moves are drawn at random. The third is made when the second is late or fails, the
    last when all others are busy. Where a single question takes longer than the clock and `patience_s` seconds more,
    the best move known is made. While all machines are busy, moves are drawn at random, at the end of the clock: one
    that is free before searches until then.
    """

    def __init__(
        self, start: Start, choice: StrategyFactory, seed: int, make: MakeMachine, prepare: str | None
    ) -> None:
        player = partial(RolePlayer, start.sheet, start.role)
        self._machines = [_LocalMachine(partial(player, choice, seed, make))]
        prover = partial(StateMachine.first_of, reasoners=PROVERS)
        self._prover = partial(player, choice, seed, prover)
        self._random = partial(player, NamedStrategy("random"), seed, prover)
        self._prepared: PreparedMachine | None = None
        if prepare is not None and isinstance(choice, NamedStrategy):
            with suppress(EngineError):  # then the other machines play the match
                self._prepared = PreparedMachine(start, choice, seed, prepare)

    def get_ready(self, clock: Clock, patience_s: float) -> str:
        """Prepare until the clock is over; return a note for the log. Raises HexlogicError for a sheet that no machine
        can be made of."""
        first = self._machines[0]
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
            self._ask(first, clock.left_s + patience_s, partial(player.strategy.get_ready, clock))
        except GameError as error:
            return str(error)
        return _TOO_LONG if first.stage == "busy" else ""

    def choose(self, heard: Sequence[Moves | None], clock: Clock, patience_s: float) -> tuple[Term, str]:
        """The move after the joint moves in `heard`, and a note for the log. Raises HexlogicError."""
        machine, first, prepared = self._ready(clock), self._machines[0], self._prepared
        player = machine.made.result()
        player.catch_up(heard)
        legal = () if player.machine.is_terminal(player.state) else player.strategy.legal_moves(player.state)
        if machine.make is self._random and (free := self._free_in_time(clock)) is not None:
            machine, player = free, free.made.result()
            player.catch_up(heard)
        if prepared is not None and prepared.stage == "ready" and legal:
            try:
                chosen = prepared.within(clock.left_s + patience_s, partial(prepared.choose, heard, clock))
            except HexlogicError:
                prepared.close()
            else:
                if chosen is not None and chosen[0] in legal:
                    return chosen
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
        if prepared is not None:
            notes.append(f"the faster machine: {prepared.why}")
        return move, "; ".join(filter(None, notes))

    def ended(self, heard: Sequence[Moves | None], clock: Clock) -> str | None:
        """A note on the end of the game; None where no machine can tell it before the clock is over."""
        ready = next((machine for machine in self._machines if machine.stage == "ready"), None)
        return None if ready is None else ready.within(clock.left_s, partial(_end, ready.made.result(), heard))

    def stop(self) -> None:
        """End the thinking of the prepared machine."""
        if self._prepared is not None:
            self._prepared.stop()

    def close(self) -> None:
        """End what runs behind the machines, also those that are still being made."""
        for machine in (*self._machines, self._prepared):
            if machine is not None:
                machine.close()

    def _ready(self, clock: Clock) -> _LocalMachine:
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

    def _free_in_time(self, clock: Clock) -> _LocalMachine | None:
        """The first machine that can search, of those that are being made or busy; None where there is none before the
        clock is over."""
        others = [machine for machine in self._machines if machine.make is not self._random]
        while waiting := [machine for machine in others if machine.stage in ("making", "busy")]:
            wait([machine.pending for machine in waiting], clock.left_s, FIRST_COMPLETED)
            ready = next((machine for machine in others if machine.stage == "ready"), None)
            if ready is not None or clock.over:
                return ready
        return None

    def _add(self, make: Callable[[], RolePlayer]) -> _LocalMachine:
        """Have a lesser machine made, in place of one that was made so before."""
        if self._machines[-1].make is make:
            in_thread(self._machines.pop().close)
        self._machines.append(_LocalMachine(make))
        return self._machines[-1]

    def _ask(self, machine: _LocalMachine, seconds: float, question: Callable[[], T]) -> T | None:
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

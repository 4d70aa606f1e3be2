"""A machine made in a process of its own: the match goes on meanwhile, and the process can be ended.

The process runs `main`; each message is a line of JSON.

    to it    {"sheet": KIF, "role": KIF, "player": "uct", "seed": 0, "reasoner": "compiled"}      once
             {"heard": [null, ["(mark 1 1)", "noop"], ...], "seconds": 2.5}                       for each move
             {"heard": [], "seconds": 0, "stop": true}                                            stop thinking now
    from it  {"ready": true}, or {"error": "..."} where a machine that starts at once plays faster;
             then {"move": "(mark 2 2)", "note": "..."} for each, or {"error": "..."}
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import Final

import msgspec
import psutil

from hexlogic.errors import EngineError, GameError, HexlogicError
from hexlogic.ggp.language.reading import read_kif, read_term
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.state_machine import QUICK
from hexlogic.ggp.playing.strategy import Clock, Moves, NamedStrategy, Side, Stage, choose_strategy
from hexlogic.language.dialects import render
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.syntax import Program, Term
from hexlogic.process.call import claim_stdout, command_of
from hexlogic.process.line_process import LineProcess
from hexlogic.process.threads import in_thread

_TIMED_S: Final = 0.5
"""Seconds for which the strategy is tried on each of two machines."""
_LEFT: Final = 1 / 4
"""The part of the memory available at first that is left while a machine is made."""
_LOOK_S: Final = 0.1


class _Task(msgspec.Struct):
    sheet: str
    role: str
    player: str
    seed: int
    reasoner: str


class _Request(msgspec.Struct):
    heard: list[list[str] | None]
    seconds: float
    stop: bool = False


class _Answer(msgspec.Struct, omit_defaults=True):
    ready: bool = False
    move: str = ""
    note: str = ""
    error: str | None = None


class PreparedSide:
    """The other end of the process. Raises EngineError when it cannot be started."""

    def __init__(self, sheet: Program, role: Term, choice: NamedStrategy, seed: int, reasoner: str) -> None:
        self._process = LineProcess(f"the {reasoner} machine", command_of(main), own_group=True)
        self._sending = threading.Lock()
        self.note = ""
        """A note for the log on the last move."""
        task = _Task(render(sheet, "gdl"), write_term(role), str(choice), seed, reasoner)
        self.made: Future[None] = in_thread(partial(self._begin, task))
        """Done when the machine is there; the error when it cannot be made."""
        self._answer: Future[_Answer] | None = None

    @property
    def stage(self) -> Stage:
        """Whether it can be asked for a move."""
        if not self.made.done():
            return "making"
        if self.made.exception() is not None:
            return "failed"
        return "ready" if self._answer is None or self._answer.done() else "busy"

    @property
    def why(self) -> str:
        """Why it did not choose the last move."""
        if self.stage == "making":
            return "still being made"
        return str(self.made.exception() or "too late")

    def choose(self, heard: Sequence[Moves | None], clock: Clock, patience_s: float) -> Term | None:
        """The move to make after all that was heard; None when there is none within the clock and so many seconds more.

        Raises HexlogicError when the process is gone, or cannot choose."""
        texts = [None if moves is None else list(map(write_term, moves)) for moves in heard]
        self._send(_Request(texts, clock.left_s))
        self._answer = in_thread(self._receive)
        try:
            answer = self._answer.result(timeout=clock.left_s + patience_s)
        except TimeoutError:
            return None
        self.note = answer.note
        return read_term(answer.move)

    def stop(self) -> None:
        """End the thinking for the last request, from any thread."""
        if self.stage in ("ready", "busy"):
            with contextlib.suppress(EngineError):
                self._send(_Request([], 0, stop=True))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self.made.add_done_callback(lambda _: self._process.close())

    def _begin(self, task: _Task) -> None:
        self._send(task)
        self._receive()

    def _send(self, message: _Task | _Request) -> None:
        with self._sending:
            self._process.send(msgspec.json.encode(message).decode() + "\n")

    def _receive(self) -> _Answer:
        answer = msgspec.json.decode(self._process.receive(), type=_Answer)
        if answer.error is not None:
            raise EngineError(answer.error)
        return answer


def main() -> None:
    """Make the machine that the first line of stdin describes, and choose a move for each later line."""
    messages = claim_stdout()

    def say(answer: _Answer) -> None:
        messages.write(msgspec.json.encode(answer) + b"\n")
        messages.flush()

    task = msgspec.json.decode(sys.stdin.readline(), type=_Task)

    def give_up() -> None:
        say(_Answer(error=f"the {task.reasoner} machine takes more memory than there is"))
        os._exit(1)

    try:
        choice = choose_strategy(task.player)
        make = partial(StateMachine.from_sheet, reasoner=task.reasoner)
        with _memory_watched(give_up):
            side = Side(read_kif(task.sheet), read_term(task.role), choice, task.seed, make)
        _check_faster(side, choice)
    except HexlogicError as error:
        say(_Answer(error=str(error)))
        return
    say(_Answer(ready=True))
    _answer(side, say)


@contextlib.contextmanager
def _memory_watched(give_up: Callable[[], None]) -> Iterator[None]:
    """Call `give_up`, in another thread, as soon as little is left of the memory that was available at first: the
    ground rules of some sheets fill any memory, and the player that plays meanwhile needs some."""
    least = psutil.virtual_memory().available * _LEFT
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_S):
            if psutil.virtual_memory().available < least:
                give_up()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _check_faster(side: Side, choice: NamedStrategy) -> None:
    """Raise EngineError where the strategy looks at more games a second on the machine that starts at once: the ground
    rules of some sheets are so many that a step takes longer than to join relations."""
    machine = side.machine
    with StateMachine.first_of(machine.sheet, QUICK) as quick:
        if quick.reasoner == machine.reasoner:
            return
        try:
            rate, other = (choice.make(each, side.role, 0).rate(_TIMED_S) for each in (machine, quick))
        except GameError:  # without an end, or a move: what is played cannot be timed by whole games
            return
        if rate < other:
            raise EngineError(
                f"{quick.reasoner} searches {other:,.0f} random games a second, {machine.reasoner} {rate:,.0f}"
            )


def _answer(side: Side, say: Callable[[_Answer], None]) -> None:
    """Answer the requests of stdin one after the other; a thread reads on, so that a stop is heard."""
    waiting: SimpleQueue[tuple[_Request, Clock] | None] = SimpleQueue()
    clocks = [Clock(0)]

    def read() -> None:
        for line in sys.stdin:
            request = msgspec.json.decode(line, type=_Request)
            if request.stop:
                clocks[-1].stop()
            else:
                clocks[:] = [Clock(request.seconds)]
                waiting.put((request, clocks[-1]))
        waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (asked := waiting.get()) is not None:
        request, clock = asked
        try:
            side.catch_up([None if moves is None else tuple(map(read_term, moves)) for moves in request.heard])
            say(_Answer(move=write_term(side.choose(clock)), note=side.strategy.note))
        except HexlogicError as error:
            say(_Answer(error=str(error)))

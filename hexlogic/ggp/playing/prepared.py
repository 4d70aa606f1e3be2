"""A machine in a process of its own: the match goes on while it is made, and the process can be ended.

The process runs `main`; each message is a line of JSON.

    to it    {"sheet": KIF, "role": KIF, "player": "uct", "seed": 0, "reasoner": "compiled"}      once
             {"heard": [null, ["(mark 1 1)", "noop"], ...], "seconds": 2.5}                       for each move
             null                                                                                 stop thinking now
    from it  {} when it is ready, or {"error": "..."} where a machine that starts at once plays faster;
             then {"move": "(mark 2 2)", "note": "..."} for each, or {"error": "..."}
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

import msgspec
import psutil

from hexlogic.errors import EngineError, GameError, HexlogicError
from hexlogic.ggp.language.reading import read_kif, read_term
from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.state_machine import QUICK
from hexlogic.ggp.playing.strategy import Clock, NamedStrategy, RolePlayer, choose_strategy
from hexlogic.language.dialects.gdl import write_term
from hexlogic.process.call import claim_stdout

_TIMED_S: Final = 0.5
"""Seconds for which the strategy is tried on each of two machines."""
_LEFT: Final = 1 / 4
"""The part of the memory available at first that is left while a machine is made."""
_LOOK_S: Final = 0.1


class Task(msgspec.Struct):
    """The machine to make, and the strategy that plays on it."""

    sheet: str
    role: str
    player: str
    seed: int
    reasoner: str


class Request(msgspec.Struct):
    """A move is wanted after these joint moves, within so many seconds."""

    heard: list[list[str] | None]
    seconds: float


class Answer(msgspec.Struct, omit_defaults=True):
    """That the machine is ready, a move, or an error."""

    move: str = ""
    note: str = ""
    error: str | None = None


def main() -> None:
    """Make the machine that the first line of stdin describes, and choose a move for each later line."""
    messages = claim_stdout()

    def say(answer: Answer) -> None:
        messages.write(msgspec.json.encode(answer) + b"\n")
        messages.flush()

    task = msgspec.json.decode(sys.stdin.readline(), type=Task)

    def give_up() -> None:
        say(Answer(error=f"the {task.reasoner} machine takes more memory than there is"))
        os._exit(1)

    try:
        choice = choose_strategy(task.player)
        make = partial(StateMachine.from_sheet, reasoner=task.reasoner)
        with _memory_watched(give_up):
            player = RolePlayer(read_kif(task.sheet), read_term(task.role), choice, task.seed, make)
        _check_faster(player, choice)
    except HexlogicError as error:
        say(Answer(error=str(error)))
        return
    say(Answer())
    clock = Clock(0)
    with ThreadPoolExecutor(1) as thinking:  # this thread reads on, so that a stop is heard
        for line in sys.stdin:
            request = msgspec.json.decode(line, type=Request | None)
            clock.stop()
            if request is not None:
                clock = Clock(request.seconds)
                thinking.submit(lambda *asked: say(_answer(player, *asked)), request, clock)


def _answer(player: RolePlayer, request: Request, clock: Clock) -> Answer:
    try:
        player.catch_up([None if moves is None else tuple(map(read_term, moves)) for moves in request.heard])
        return Answer(move=write_term(player.choose(clock)), note=player.strategy.note)
    except HexlogicError as error:
        return Answer(error=str(error))
    except Exception as error:
        return Answer(error=f"{type(error).__name__}: {error}")


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


def _check_faster(player: RolePlayer, choice: NamedStrategy) -> None:
    """Raise EngineError where the strategy looks at more games a second on the machine that starts at once: the ground
    rules of some sheets are so many that a step takes longer than to join relations."""
    machine = player.machine
    with StateMachine.first_of(machine.sheet, QUICK) as quick:
        if quick.reasoner == machine.reasoner:
            return
        try:
            rate, other = (choice(each, player.role, 0).rate(_TIMED_S) for each in (machine, quick))
        except GameError:  # without an end, or a move: what is played cannot be timed by whole games
            return
        if rate < other:
            raise EngineError(
                f"{quick.reasoner} searches {other:,.0f} random games a second, {machine.reasoner} {rate:,.0f}"
            )

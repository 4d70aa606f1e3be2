"""A match that a player plays for a host: requests that may overlap or come late, and a machine that may be slow to
start."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from time import monotonic

from hexlogic.errors import GameError, HexlogicError, MoveError
from hexlogic.gdl.machines import StateMachine
from hexlogic.ggp.clock import Clock
from hexlogic.ggp.protocol import Start
from hexlogic.ggp.side import DRAWN, MakeMachine, Moves, Side
from hexlogic.ggp.strategy import Choice, Maker
from hexlogic.ggp.threads import in_thread
from hexlogic.logic.syntax import Term

__all__ = ["Match", "margin"]

_LATE = "the machine is still being made"
_PATIENCE = 10
"""A match is forgotten when its host has been silent for so many times its clocks."""


def margin(play_clock_s: float, wanted_s: float) -> float:
    """The seconds of a clock that are left for the way back: those wanted, but at most a third of the clock.

    >>> margin(15, 0.5), margin(1, 0.5)
    (0.5, 0.3333333333333333)
    """
    return min(wanted_s, play_clock_s / 3)


class Match:
    """One role of one match. Requests are answered one after the other; a new one ends the thinking for the last.

    The machine is made in a thread of its own. When it is not there at the end of the start clock, a machine that
    starts at once makes random moves until it is; when it cannot be made, that one plays the match."""

    def __init__(self, start: Start, choice: Maker, seed: int, make: MakeMachine, margin_s: float) -> None:
        self.start = start
        self._margin_s = margin_s
        self._heard: list[Moves | None] = []
        self._turn = threading.Lock()
        self._clock = Clock(0)
        self._closed = False
        self._last_request = monotonic()
        self._sides = [in_thread(lambda: Side(start.sheet, start.role, choice, seed, make))]
        self._spare = lambda: Side(start.sheet, start.role, Choice("random"), seed, StateMachine.at_once)
        self.note = ""
        """What a log may say of the last answer."""

    def get_ready(self, clock: Clock) -> None:
        """Prepare until the clock is over, less the margin. Raises HexlogicError when the sheet cannot be played."""
        clock = clock.less(margin(self.start.start_clock_s, self._margin_s))
        with self._turn:
            self._clock = clock
            try:
                side = _result(self._sides[0], clock)
            except HexlogicError as error:
                self._sides.append(in_thread(self._spare))
                try:
                    self._sides[1].result()
                except HexlogicError:
                    raise error from None
                self.note = f"random moves only: {error}"
                return
            if side is None:
                self.note = _LATE
                self._sides.append(in_thread(self._spare))
                return
            try:
                side.strategy.get_ready(clock)
            except GameError as error:
                self.note = str(error)

    def play(self, moves: Moves | None, clock: Clock) -> Term:
        """The move to make after the moves of the step before. Raises HexlogicError for moves that do not belong
        there, or when no machine can be made."""
        self._clock.stop()
        self._last_request = monotonic()
        clock = clock.less(margin(self.start.play_clock_s, self._margin_s))
        with self._turn:
            self._clock = clock
            if self._closed:
                raise MoveError("the match is over")
            self._heard.append(moves)
            try:
                side = self._side(clock)
                side.catch_up(self._heard)
                move = side.choose(clock)
            except HexlogicError:
                self._heard.pop()
                raise
            why = self._sides[0].exception() if self._sides[0].done() else None
            self.note = side.strategy.note if side is _made(self._sides[0]) else f"{DRAWN}: {why or _LATE}"
            return move

    def finish(self, moves: Moves | None) -> str:
        """The last moves were made; what to say of the end."""
        self._clock.stop()
        with self._turn:
            self._heard.append(moves)
            side = next((made for one in self._sides if (made := _made(one)) is not None), None)
            try:
                if side is None or moves is None:
                    return "the end was not followed"
                side.catch_up(self._heard)
                if not side.machine.is_terminal(side.state):
                    return "stopped before the end"
                return f"goal {side.machine.goal(side.state, self.start.role)}"
            except HexlogicError as error:
                return str(error)
            finally:
                self.close()

    def abandon(self) -> None:
        """The match is given up, or its host has left."""
        self._clock.stop()
        with self._turn:
            self.close()

    def close(self) -> None:
        """End what runs behind the machines, also those that are still being made."""
        self._closed = True
        for side in self._sides:
            side.add_done_callback(_close)

    @property
    def is_forgotten(self) -> bool:
        """Whether its host has been silent for so long that it will not come back."""
        silence = monotonic() - self._last_request
        return silence > _PATIENCE * (self.start.start_clock_s + self.start.play_clock_s + 60)

    def _side(self, clock: Clock) -> Side:
        """The side whose machine is there, the better one if both are; waits for the first to come."""
        best, *spare = self._sides
        if not spare:
            try:
                side = _result(best, clock)
            except HexlogicError:
                side = None
            if side is not None:
                return side
            self._sides.append(in_thread(self._spare))
        return _made(best) or self._sides[1].result()


def _made(side: Future[Side]) -> Side | None:
    return side.result() if side.done() and side.exception() is None else None


def _result(side: Future[Side], clock: Clock) -> Side | None:
    try:
        return side.result(timeout=clock.left_s)
    except TimeoutError:
        return None


def _close(side: Future[Side]) -> None:
    if side.exception() is None:
        side.result().machine.close()

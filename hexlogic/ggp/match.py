"""A match that a player plays for a host: requests that may overlap or come late, and a machine that may be slow to
start."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from hexlogic.errors import EngineError, GameError, HexlogicError, MoveError
from hexlogic.gdl.machines import StateMachine
from hexlogic.ggp.clock import Clock
from hexlogic.ggp.prepared import PreparedSide
from hexlogic.ggp.protocol import Start
from hexlogic.ggp.side import DRAWN, MakeMachine, Moves, Side
from hexlogic.ggp.strategy import Choice, Maker
from hexlogic.logic.syntax import Term
from hexlogic.process.threads import in_thread

__all__ = ["Match", "margin"]

_LATE = "the machine is still being made"
_BY_PROVER = "by the prover"
"""How a note says that a machine that starts at once chose the move."""
_STUCK = "a question to the machine took longer than the clock"
_UNKNOWN_END = "the end was not followed"
_PATIENCE = 10
"""A match is forgotten when its host has been silent for so many times its clocks."""

Made = TypeVar("Made")


def margin(play_clock_s: float, wanted_s: float) -> float:
    """The seconds of a clock that are left for the way back: those wanted, but at most a third of the clock.

    >>> margin(15, 0.5), margin(1, 0.5)
    (0.5, 0.3333333333333333)
    """
    return min(wanted_s, play_clock_s / 3)


class Match:
    """One role of one match. Requests are answered one after the other; a new one ends the thinking for the last.

    The machine is made in a thread of its own. When it is not there at the end of the start clock, a prover plays until
    it is; when it cannot be made, the prover plays the match. With `prepare`, the name of a reasoner, a second machine
    is made in a process of its own, and takes over when it is there; should it fail, the first one goes on. Where a
    single question takes longer than a clock, the best move known is made, and others are drawn at random until the
    question is answered."""

    def __init__(
        self,
        start: Start,
        choice: Maker,
        seed: int,
        make: MakeMachine,
        margin_s: float,
        prepare: str | None = None,
    ) -> None:
        self.start = start
        self._margin_s = margin_s
        self._heard: list[Moves | None] = []
        self._turn = threading.Lock()
        self._clock = Clock(0)
        self._closed = False
        self._last_request = monotonic()
        self._sides = [in_thread(lambda: Side(start.sheet, start.role, choice, seed, make))]
        self._spare = lambda: Side(start.sheet, start.role, choice, seed, StateMachine.prover)
        self._last = lambda: Side(start.sheet, start.role, Choice("random"), seed, StateMachine.prover)
        self._stuck: dict[int, tuple[Future[Side], Future[Any]]] = {}
        """By place: the side that it belongs to, and the question that its machine is still asked."""
        self._prepared: PreparedSide | None = None
        if prepare is not None and isinstance(choice, Choice):
            with suppress(EngineError):  # then the first machine plays the match
                self._prepared = PreparedSide(start.sheet, start.role, choice, seed, prepare)
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
                self.note = f"{_BY_PROVER} only: {error}"
                return
            if side is None:
                self.note = _LATE
                self._sides.append(in_thread(self._spare))
                return
            try:
                if not self._within(partial(_ready, side, clock), side, clock, self.start.start_clock_s):
                    self.note = _STUCK
            except GameError as error:
                self.note = str(error)

    def play(self, moves: Moves | None, clock: Clock) -> Term:
        """The move to make after the moves of the step before. Raises HexlogicError for moves that do not belong
        there, or when no machine can be made."""
        self._stop()
        self._last_request = monotonic()
        clock = clock.less(margin(self.start.play_clock_s, self._margin_s))
        with self._turn:
            self._clock = clock
            if self._closed:
                raise MoveError("the match is over")
            self._heard.append(moves)
            self._put_back()
            try:
                side = self._side(clock)
                side.catch_up(self._heard)
                move = self._prepared_move(side, clock)
                if move is not None:
                    return move
                move, note = self._chosen(side, clock)
            except HexlogicError:
                self._heard.pop()
                raise
            notes = [note]
            if side is not _made(self._sides[0]) and 0 not in self._stuck:
                why = self._sides[0].exception() if self._sides[0].done() else None
                notes.append(f"{_BY_PROVER}: {why or _LATE}")
            if self._prepared is not None:
                notes.append(f"the faster machine: {self._prepared.why or 'too late'}")
            self.note = "; ".join(filter(None, notes))
            return move

    def _chosen(self, side: Side, clock: Clock) -> tuple[Term, str]:
        """The move that the strategy chooses, and what a log may say of it; where that takes too long, the best that it
        knows of so far, or a random one."""
        legal = () if side.machine.is_terminal(side.state) else side.strategy.legal_moves(side.state)
        stands_in = any(side is _made(self._sides[place]) for place in self._stuck)
        move = self._within(partial(side.choose, clock), side, clock, self.start.play_clock_s)
        if move is not None:
            return move, f"{DRAWN}: {_STUCK}" if stands_in else side.strategy.note
        known = side.strategy.best_so_far()
        if known in legal:
            return known, f"the best so far: {_STUCK}"
        return side.strategy.draw.choice(legal), f"{DRAWN}: {_STUCK}"

    def _within(self, work: Callable[[], Made], side: Side, clock: Clock, whole_s: float) -> Made | None:
        """What the work of a side comes to; None where it is not done soon after the clock, of so many seconds, is
        over: then another side takes its place while its machine is being asked."""
        done = in_thread(work)
        try:
            return done.result(timeout=clock.left_s + margin(whole_s, self._margin_s) / 2)
        except TimeoutError:
            place = next(place for place, one in enumerate(self._sides) if _made(one) is side)
            if place in self._stuck:
                in_thread(side.machine.close)
            else:
                self._stuck[place] = self._sides[place], done
            self._sides[place] = in_thread(self._last)
            return None

    def _put_back(self) -> None:
        """Give the sides whose machines have answered at last their places again."""
        for place, (side, done) in list(self._stuck.items()):
            if done.done():
                self._sides[place].add_done_callback(_close)
                self._sides[place] = side
                del self._stuck[place]

    def _prepared_move(self, side: Side, clock: Clock) -> Term | None:
        """The move of the machine that was prepared; None where it is not ready, fails or is late. `side` knows what
        is legal."""
        prepared = self._prepared
        if prepared is None or not prepared.is_ready or side.machine.is_terminal(side.state):
            return None
        try:
            move = prepared.choose(self._heard, clock, margin(self.start.play_clock_s, self._margin_s) / 2)
        except HexlogicError:
            prepared.close()
            return None
        if move is None or move not in side.strategy.legal_moves(side.state):
            return None
        self.note = prepared.note
        return move

    def _stop(self) -> None:
        """Call off the time of a request that is being answered."""
        self._clock.stop()
        if self._prepared is not None:
            self._prepared.stop()

    def finish(self, moves: Moves | None) -> str:
        """The last moves were made; what to say of the end."""
        self._stop()
        with self._turn:
            self._heard.append(moves)
            side = next((made for one in self._sides if (made := _made(one)) is not None), None)
            try:
                if side is None or moves is None:
                    return _UNKNOWN_END
                return _result(in_thread(partial(self._end, side)), Clock(self.start.play_clock_s)) or _UNKNOWN_END
            except HexlogicError as error:
                return str(error)
            finally:
                self.close()

    def _end(self, side: Side) -> str:
        """What to say of the end of the game."""
        side.catch_up(self._heard)
        if not side.machine.is_terminal(side.state):
            return "stopped before the end"
        return f"goal {side.machine.goal(side.state, self.start.role)}"

    def abandon(self) -> None:
        """The match is given up, or its host has left."""
        self._stop()
        with self._turn:
            self.close()

    def close(self) -> None:
        """End what runs behind the machines, also those that are still being made."""
        self._closed = True
        for side in [*self._sides, *(side for side, _ in self._stuck.values())]:
            side.add_done_callback(_close)
        if self._prepared is not None:
            self._prepared.close()

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


def _result(made: Future[Made], clock: Clock) -> Made | None:
    try:
        return made.result(timeout=clock.left_s)
    except TimeoutError:
        return None


def _ready(side: Side, clock: Clock) -> bool:
    side.strategy.get_ready(clock)
    return True


def _close(side: Future[Side]) -> None:
    if side.exception() is None:
        side.result().machine.close()

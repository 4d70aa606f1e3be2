"""A match that a player plays for a host: requests that may overlap or come late."""

from __future__ import annotations

import threading
from time import monotonic

from hexlogic.errors import HexlogicError, MoveError
from hexlogic.ggp.playing.best_machine import BestMachine
from hexlogic.ggp.playing.protocol import Start
from hexlogic.ggp.playing.strategy import Clock, MakeMachine, Moves, StrategyFactory
from hexlogic.language.syntax import Term

_UNKNOWN_END = "the end was not followed"
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

    The machine is made in a thread of its own. When it is not there at the end of the start clock, a prover plays until
    it is; when it cannot be made, the prover plays the match. With `prepare`, the name of a reasoner, a second machine
    is made in a process of its own, and takes over when it is there; should it fail, the first one goes on. Where a
    single question takes longer than a clock, the best move known is made, and others are drawn at random until the
    question is answered, unless a prover is there."""

    def __init__(
        self,
        start: Start,
        choice: StrategyFactory,
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
        self._machine = BestMachine(start, choice, seed, make, prepare)
        self.note = ""
        """A note for the log on the last answer."""

    def get_ready(self, clock: Clock) -> None:
        """Prepare until the clock is over, less the margin. Raises HexlogicError when the sheet cannot be played."""
        kept_s = margin(self.start.start_clock_s, self._margin_s)
        with self._turn:
            self._clock = clock.less(kept_s)
            self.note = self._machine.get_ready(self._clock, kept_s / 2)

    def play(self, moves: Moves | None, clock: Clock) -> Term:
        """The move to make after the moves of the step before. Raises HexlogicError for moves that do not belong
        there, or when no machine can be made."""
        self._stop()
        self._last_request = monotonic()
        kept_s = margin(self.start.play_clock_s, self._margin_s)
        clock = clock.less(kept_s)
        with self._turn:
            self._clock = clock
            if self._closed:
                raise MoveError("the match is over")
            self._heard.append(moves)
            try:
                move, self.note = self._machine.choose(self._heard, clock, kept_s / 2)
            except HexlogicError:
                self._heard.pop()
                raise
            return move

    def _stop(self) -> None:
        """End the thinking for the last request."""
        self._clock.stop()
        self._machine.stop()

    def finish(self, moves: Moves | None) -> str:
        """End the match after its last moves; return a note on the end for the log."""
        self._stop()
        with self._turn:
            self._heard.append(moves)
            try:
                clock = Clock(self.start.play_clock_s)
                end = None if moves is None else self._machine.ended(self._heard, clock)
                return end or _UNKNOWN_END
            except HexlogicError as error:
                return str(error)
            finally:
                self.close()

    def abandon(self) -> None:
        """End a match that is given up, or whose host has left."""
        self._stop()
        with self._turn:
            self.close()

    def close(self) -> None:
        """End what runs behind the machines, also those that are still being made."""
        self._closed = True
        self._machine.close()

    @property
    def is_forgotten(self) -> bool:
        """Whether its host has been silent for so long that it will not come back."""
        silence = monotonic() - self._last_request
        return silence > _PATIENCE * (self.start.start_clock_s + self.start.play_clock_s + 60)

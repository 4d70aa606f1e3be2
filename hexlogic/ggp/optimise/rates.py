"""Playouts a second of a sheet before and after, measured in turns in one run, so that the ratio can be trusted.

Seconds are those of the CPU, in the process that does the work, so that others on the machine matter little.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from hexlogic.ggp.machines import StateMachine
from hexlogic.language import Program

_ROUNDS = 3
_TICK_S = 1e-6


@dataclass(frozen=True, slots=True)
class Rates:
    """Playouts a CPU second; None where not one ended within the limit, and then `limit_s` is what it had."""

    reasoner: str
    before: float | None
    after: float | None
    limit_s: float

    @property
    def ratio(self) -> float | None:
        """How many times as fast the sheet has become; a lower bound where nothing ended before."""
        if self.after is None:
            return None
        return self.after / self.before if self.before is not None else self.after * self.limit_s


def rates(
    before: Program,
    after: Program,
    reasoner: str,
    limit_s: float,
    report: Callable[[Rates], None] = lambda _: None,
) -> Rates:
    """Measure two sheets for at most about `limit_s` seconds each; `report` hears what is known so far. Raises
    EngineError and GameError."""
    with contextlib.ExitStack() as stack:
        machines = [stack.enter_context(StateMachine.from_sheet(sheet, reasoner)) for sheet in (before, after)]
        best: list[float | None] = [None, None]
        sizes = [1, 1]
        for _ in range(_ROUNDS + 1):  # the first round only finds out how many games fill the time of one
            for number, machine in enumerate(machines):
                games = sizes[number]
                if games:
                    seconds = machine.time_playouts(games, 1, limit_s)
                    if seconds is None:
                        sizes[number] = 0
                        continue
                    seconds = max(seconds, _TICK_S)
                    best[number] = max(best[number] or 0.0, games / seconds)
                    sizes[number] = max(1, min(100_000, int(games * limit_s / _ROUNDS / seconds / 2)))
                    report(Rates(reasoner, best[0], best[1], limit_s))
        return Rates(reasoner, best[0], best[1], limit_s)

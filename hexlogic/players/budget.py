"""Limits on the time and the playouts of a move."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

Clock: TypeAlias = Literal["wall", "cpu"]
CLOCKS: Final[tuple[Clock, ...]] = ("wall", "cpu")


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one move: seconds, playouts, or both. A strategy that needs neither ignores them.

    `threads` is how many a strategy may run at once. `clock` says which seconds count: those on the wall, or the
    processor time of this process, which makes budgets equal on a busy machine (threads share it).

    >>> Budget(playouts=10).deadline() is None
    True
    """

    seconds: float | None = None
    playouts: int | None = None
    threads: int = 1
    clock: Clock = "wall"

    def now(self) -> float:
        """Seconds on the clock that counts."""
        return time.monotonic() if self.clock == "wall" else time.process_time()

    def deadline(self) -> float | None:
        """The time on the clock at which a move that begins now must end; None for no limit."""
        return None if self.seconds is None else self.now() + self.seconds

    def since(self, begin: float) -> Budget:
        """The budget that is left for a move that began at a time of the clock.

        >>> budget = Budget(seconds=1.0)
        >>> budget.since(budget.now() - 60).seconds, Budget(playouts=10).since(0.0)
        (0.0, Budget(seconds=None, playouts=10, threads=1, clock='wall'))
        """
        return self if self.seconds is None else replace(self, seconds=max(0.0, self.seconds - (self.now() - begin)))

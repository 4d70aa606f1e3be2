"""What a move may cost."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Budget"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits for one move: wall seconds, playouts, or both. A strategy that needs neither ignores them.

    `threads` is how many a strategy may run at once.

    >>> Budget(seconds=2.0).until(100.0), Budget(playouts=10).until(100.0)
    (102.0, None)
    """

    seconds: float | None = None
    playouts: int | None = None
    threads: int = 1

    def until(self, now: float) -> float | None:
        """The monotonic time at which a move that begins now must end; None for no limit."""
        return None if self.seconds is None else now + self.seconds

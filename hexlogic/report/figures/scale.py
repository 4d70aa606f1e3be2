"""Logarithmic scales: where a value stands on an axis, and which values get a tick."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["LogScale", "count_tick", "decades", "rate_tick", "seconds_tick"]


@dataclass(frozen=True, slots=True)
class LogScale:
    """Values from `low` to `high`, both above 0, on pixels from `start` to `end`.

    >>> LogScale(0.001, 10.0, 0, 400).at(0.1)
    200.0
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a value; values outside stand at the edge."""
        share = (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return round(self.start + min(1.0, max(0.0, share)) * (self.end - self.start), 6)

    def ticks(self) -> Sequence[float]:
        """The powers of ten on the axis, not more than eight of them."""
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        step = 1 + (last - first) // 8
        return [10.0**power for power in range(first, last + 1, step)]


def decades(values: Iterable[float], limit: float) -> tuple[float, float]:
    """The powers of ten around all values and a limit, with room above the limit for its words.

    >>> decades([0.002, 0.5], 2.0), decades([], 1.0)
    ((0.001, 10.0), (1.0, 10.0))
    >>> decades([0.002, 0.5], 10.0)
    (0.001, 20.0)
    """
    known = [value for value in values if value > 0] + [limit]
    low = math.floor(math.log10(min(known)) + 1e-9)
    high = max(math.ceil(math.log10(max(known)) - 1e-9), low + 1)
    return 10.0**low, max(10.0**high, 2 * limit)


def count_tick(count: float) -> str:
    """A power of ten of things that are counted.

    >>> count_tick(10000.0)
    '10,000'
    """
    return f"{count:,.0f}"


def rate_tick(count: float) -> str:
    """A power of ten of things a second, which may be millions.

    >>> [rate_tick(value) for value in (0.1, 100.0, 10000.0, 1e7)]
    ['0.1', '100', '10 k', '10 M']
    """
    for unit, word in ((1e6, " M"), (1e3, " k")):
        if count >= 0.99 * unit:
            return f"{count / unit:,.0f}{word}"
    return f"{count:.3g}"


def seconds_tick(time_s: float) -> str:
    """A power of ten of a second.

    >>> [seconds_tick(value) for value in (1e-06, 0.0001, 0.01, 1.0, 1000.0)]
    ['1 µs', '0.1 ms', '10 ms', '1 s', '1,000 s']
    """
    if time_s < 0.99e-4:
        return f"{time_s * 1e6:,.3g} µs"
    return f"{time_s * 1e3:,.3g} ms" if time_s < 0.99 else f"{time_s:,.0f} s"

"""What a measured figure may be: an estimate with its interval, a bound, an exact counter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["LEVEL", "Bound", "Counter", "Estimate", "Side"]

LEVEL = 0.95
"""The confidence level of every interval of a report."""

Side: TypeAlias = Literal["at least", "at most"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval. Raises ValueError unless `low` <= `value` <= `high`.

    >>> Estimate(2.0, 3.0, 4.0)
    Traceback (most recent call last):
    ValueError: 2.0 lies outside of its interval, 3.0 to 4.0
    """

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"{self.value} lies outside of its interval, {self.low} to {self.high}")

    @property
    def inverse(self) -> Estimate:
        """The same ratio the other way round; for values above 0."""
        return Estimate(1 / self.value, 1 / self.high, 1 / self.low)


@dataclass(frozen=True, slots=True)
class Bound:
    """A value that is known from one side only. Raises ValueError for a bound that is not above 0."""

    value: float
    side: Side = "at least"

    def __post_init__(self) -> None:
        if not self.value > 0:
            raise ValueError(f"{self.value} bounds nothing")


@dataclass(frozen=True, slots=True)
class Counter:
    """A count that every run repeats exactly, such as SWI-Prolog's inferences."""

    name: str
    value: int

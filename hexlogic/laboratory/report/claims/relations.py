"""What a measured figure may be, and how one configuration stands to another.

The factor of a relation is the baseline's time over the time of the configuration that is compared: above 1 where the
configuration needs less time. What it shows follows from its interval, so that it cannot claim more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

LEVEL = 0.95
"""The confidence level of every interval of a report."""

BAND = 1.1
"""Two times are called equal when the whole interval of their ratio lies within this factor of 1."""

Kind: TypeAlias = Literal[
    "Faster", "Slower", "Same", "Undecided", "Once", "AtLeast", "AtMost", "Reference", "NoBaseline"
]
"""What a relation shows. Faster, Slower, Same, Undecided: by the interval of the factor. Once: nothing tells how much
the times scatter. AtLeast: the baseline did not finish; AtMost: only the baseline did. Reference: the configuration is
its own baseline. NoBaseline: there is no factor."""


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


@dataclass(frozen=True, slots=True)
class Counter:
    """A count that every run repeats exactly, such as SWI-Prolog's inferences."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A factor with the known ends of its interval, made by the functions below. A bound is its own known end."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why there is no factor."""
    is_reference: bool = False

    @property
    def is_known(self) -> bool:
        """Whether there is a factor."""
        return self.value is not None

    @property
    def is_bound(self) -> bool:
        """Whether the factor is known from one side only."""
        return (self.low is None) != (self.high is None)

    @property
    def kind(self) -> Kind:
        """What the figures show; the end of a bound on the wrong side of 1 shows nothing.

        >>> [judged(Estimate(2.0, low, 3.0)).kind for low in (1.5, 0.9)]
        ['Faster', 'Undecided']
        >>> [judged(Estimate(v, v - 0.03, v + 0.03)).kind for v in (0.5, 1.0, 1.05)]
        ['Slower', 'Same', 'Same']
        """
        if self.is_reference:
            return "Reference"
        if self.low is None or self.high is None:
            if self.is_bound:
                return "AtLeast" if self.high is None else "AtMost"
            return "NoBaseline" if self.value is None else "Once"
        if self.low >= 1 / BAND and self.high <= BAND:
            return "Same"
        return "Faster" if self.low > 1 else "Slower" if self.high < 1 else "Undecided"

    @property
    def decides(self) -> int:
        """1 where it shows that time is saved, -1 where it shows that time is lost, else 0."""
        if self.is_reference or self.kind == "Same":
            return 0
        return 1 if self.low is not None and self.low > 1 else -1 if self.high is not None and self.high < 1 else 0


REFERENCE = Relation(1.0, 1.0, 1.0, is_reference=True)
"""Of what is its own baseline."""


def judged(factor: Estimate) -> Relation:
    """The relation of a factor with its interval."""
    return Relation(factor.value, factor.low, factor.high)


def once(factor: float) -> Relation:
    """Both have a time, and nothing tells how much either scatters."""
    return Relation(factor)


def at_least(factor: float) -> Relation:
    """The baseline did not finish: the factor is at least this much. Raises ValueError unless it is above 0."""
    return Relation(_positive(factor), low=factor)


def at_most(factor: float) -> Relation:
    """Only the baseline finished: the factor is at most this much. Raises ValueError unless it is above 0."""
    return Relation(_positive(factor), high=factor)


def no_baseline(why: str) -> Relation:
    """There is no factor, and why."""
    return Relation(None, why=why)


def _positive(value: float) -> float:
    if not value > 0:
        raise ValueError(f"{value} bounds nothing")
    return value

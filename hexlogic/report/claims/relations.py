"""How one configuration stands to another: each relation can only be made from figures that support it.

The factor of a relation is the baseline's time over the time of the configuration that is judged: above 1 where the
configuration needs less time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.report.claims.values import Bound, Estimate

__all__ = [
    "BAND",
    "AtLeast",
    "AtMost",
    "Faster",
    "NoBaseline",
    "Once",
    "Reference",
    "Relation",
    "Same",
    "Slower",
    "Undecided",
    "at_least",
    "at_most",
    "judged",
]

BAND = 1.1
"""Two times are called equal when the whole interval of their ratio lies within this factor of 1."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A relation that the interval of the factor decides. Raises ValueError where it decides for another one."""

    factor: Estimate

    def __post_init__(self) -> None:
        _require(type(self) is _decided(self.factor), self)


class Faster(_Judged):
    """The whole interval of the factor is above 1, and not all of it within the band."""

    __slots__ = ()


class Slower(_Judged):
    """The whole interval of the factor is below 1, and not all of it within the band."""

    __slots__ = ()


class Same(_Judged):
    """The whole interval of the factor lies within the band around 1; noisy repeats never show that."""

    __slots__ = ()


class Undecided(_Judged):
    """The interval holds 1 and reaches out of the band: the two cannot be told apart from these runs."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Once:
    """Both have a time, and nothing tells how much either scatters: a factor without an interval decides nothing."""

    factor: float


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The baseline did not finish, so that the factor is known from below; a bound below 1 decides nothing."""

    factor: Bound

    def __post_init__(self) -> None:
        _require(self.factor.side == "at least", self)


@dataclass(frozen=True, slots=True)
class AtMost:
    """The configuration did not finish and the baseline did: the factor is known from above."""

    factor: Bound

    def __post_init__(self) -> None:
        _require(self.factor.side == "at most", self)


@dataclass(frozen=True, slots=True)
class Reference:
    """The configuration is what it is compared with: its factor is 1 by definition."""


@dataclass(frozen=True, slots=True)
class NoBaseline:
    """There is no factor, and why."""

    why: str


Relation: TypeAlias = Faster | Slower | Same | Undecided | Once | AtLeast | AtMost | Reference | NoBaseline


def judged(factor: Estimate) -> Faster | Slower | Same | Undecided:
    """The one relation that the interval of a factor supports.

    >>> [type(judged(Estimate(2.0, low, 3.0))).__name__ for low in (1.5, 0.9)]
    ['Faster', 'Undecided']
    >>> [type(judged(Estimate(v, v - 0.03, v + 0.03))).__name__ for v in (0.5, 1.0, 1.05)]
    ['Slower', 'Same', 'Same']
    """
    return _decided(factor)(factor)


def _decided(factor: Estimate) -> type[Faster | Slower | Same | Undecided]:
    if factor.low >= 1 / BAND and factor.high <= BAND:
        return Same
    if factor.low > 1:
        return Faster
    return Slower if factor.high < 1 else Undecided


def at_least(value: float) -> AtLeast:
    """The factor is at least this much."""
    return AtLeast(Bound(value, "at least"))


def at_most(value: float) -> AtMost:
    """The factor is at most this much."""
    return AtMost(Bound(value, "at most"))


def _require(holds: bool, claim: object) -> None:
    if not holds:
        raise ValueError(f"the figures do not support {claim}")

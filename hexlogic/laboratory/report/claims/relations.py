"""How one configuration stands to another: the interval of a ratio of medians, and bounds where a side did not finish.

The factor of a relation is the baseline's time over the time of the configuration that is compared: above 1 where the
configuration needs less time. What it shows follows from its interval, so that it cannot claim more.

An interval is that of `claims.noise`. Over several questions the factor is a geometric mean. Its interval is the wider
one of two: that from the noise of the times, and that from how much the factors of the questions differ.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from hexlogic.laboratory.report.claims.noise import LEVEL, combined, log_error, shift, two_sided_quantile

BAND = 1.1
"""Two times are called equal when the whole interval of their ratio lies within this factor of 1."""

Kind: TypeAlias = Literal[
    "Faster", "Slower", "Same", "Undecided", "Once", "AtLeast", "AtMost", "Reference", "NoBaseline"
]
"""What a relation shows. Faster, Slower, Same, Undecided: by the interval of the factor. Once: the noise of the
times is not known. AtLeast: the baseline did not finish; AtMost: only the baseline did. Reference: the configuration is
its own baseline. NoBaseline: there is no factor."""


class Estimate(NamedTuple):
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Counter:
    """A count that every run repeats exactly, such as SWI-Prolog's inferences."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A factor with the ends of its interval; without any it was measured once. A bound is its own known end.

    Raises ValueError for a factor outside of its interval, and for a bound that is not above 0.

    >>> Relation(2.0, 3.0, 4.0)
    Traceback (most recent call last):
    ValueError: 2.0 is not within 3.0 to 4.0, or bounds nothing
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why there is no factor."""
    is_reference: bool = False

    def __post_init__(self) -> None:
        ends = [end for end in (self.low, self.value, self.high) if end is not None]
        if not all(a <= b for a, b in pairwise(ends)) or (self.is_bound and not ends[0] > 0):
            raise ValueError(f"{self.value} is not within {self.low} to {self.high}, or bounds nothing")

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

        >>> [Relation(2.0, low, 3.0).kind for low in (1.5, 0.9)]
        ['Faster', 'Undecided']
        >>> [Relation(v, v - 0.03, v + 0.03).kind for v in (0.5, 1.0, 1.05)]
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


def at_least(factor: float) -> Relation:
    """The baseline did not finish: the factor is at least this much."""
    return Relation(factor, low=factor)


def at_most(factor: float) -> Relation:
    """Only the baseline finished: the factor is at most this much."""
    return Relation(factor, high=factor)


def no_baseline(why: str) -> Relation:
    """There is no factor, and why."""
    return Relation(None, why=why)


@dataclass(frozen=True, slots=True)
class Timed:
    """The seconds of each repeat, all above 0, and the pooled variance of logarithms on the same engine, if known."""

    times_s: tuple[float, ...]
    noise: float | None = None

    @property
    def median_s(self) -> float:
        """The median of the repeats."""
        return statistics.median(self.times_s)

    @property
    def highest_s(self) -> float:
        """The upper end of the interval of the median; the median itself where the noise is not known."""
        error = log_error(self.times_s, self.noise)
        return self.median_s if error is None else self.median_s * math.exp(error.half_width(LEVEL))


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A query that met a limit, and the seconds that it took at least; None where they are not known."""

    at_least_s: float | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A configuration without a time, and the reason."""

    why: str


Timing: TypeAlias = Timed | LimitReached | Missing


def relate(baseline: Timing, this: Timing) -> Relation:
    """How `this` stands to `baseline`."""
    match baseline, this:
        case Missing(why=why), _:
            return no_baseline(f"the baseline: {why}")
        case _, Missing(why=why):
            return no_baseline(why)
        case Timed(), Timed():
            change = shift(this.times_s, baseline.times_s, (this.noise, baseline.noise), 1.0)
            if change is None:
                return Relation(baseline.median_s / this.median_s)
            return Relation(change.ratio, change.low, change.high)
        case LimitReached(at_least_s=floor_s), Timed() if floor_s:
            return at_least(floor_s / this.highest_s)
        case Timed(), LimitReached(at_least_s=floor_s) if floor_s:
            return at_most(baseline.highest_s / floor_s)
        case LimitReached(), LimitReached():
            return no_baseline("neither finished")
        case LimitReached(), _:
            return no_baseline("the baseline did not finish")
        case _:
            return no_baseline("did not finish")


def against_slowest(this: Timing, among: Sequence[Timing]) -> Relation:
    """The runtime savings factor: the slowest time of the group over this one's.

    Where any of the group met a limit the slowest one is not known, so that the factor is at least what the others,
    and the time that the unfinished query was given, say.
    """
    if not isinstance(this, Timed):
        return no_baseline("no time")
    timed = [timing for timing in among if isinstance(timing, Timed)]
    slowest = max([this, *timed], key=lambda timing: timing.median_s)
    # Equal medians are both the slowest.
    relation = REFERENCE if slowest.median_s <= this.median_s else relate(slowest, this)
    unfinished = [timing.at_least_s or 0.0 for timing in among if isinstance(timing, LimitReached)]
    if not unfinished:
        return relation
    known = slowest.median_s / this.highest_s if relation.low is None else relation.low
    return at_least(max(1.0, known, *(floor_s / this.highest_s for floor_s in unfinished)))


def pooled(pairs: Sequence[tuple[Timed, Timed]], *, level: float = LEVEL) -> Relation | None:
    """The geometric mean over (baseline, this) pairs of baseline over this, with its interval. None without pairs, or
    when the noise is not known: one pair whose times were measured once."""
    if not pairs:
        return None
    logs = [math.log(baseline.median_s / this.median_s) for baseline, this in pairs]
    mean, count = math.fsum(logs) / len(logs), len(logs)
    halves: list[float] = []
    error = combined([log_error(side.times_s, side.noise) for pair in pairs for side in pair])
    if error is not None:
        halves.append(error.half_width(level) / count)
    if count > 1:
        halves.append(two_sided_quantile(count - 1, level) * statistics.stdev(logs) / math.sqrt(count))
    if not halves:
        return None
    half = max(halves)
    # The ends are formed from the value, so that rounding cannot leave it outside of them.
    value = math.exp(mean)
    return Relation(value, min(value, math.exp(mean - half)), max(value, math.exp(min(700.0, mean + half))))


def relate_pairs(pairs: Sequence[tuple[Timing, Timing]]) -> Relation:
    """How one configuration stands to another over several (baseline, this) questions. Baselines that met a limit make
    the factor a bound; a question that only the baseline answered leaves none."""
    both = [(baseline, this) for baseline, this in pairs if isinstance(baseline, Timed) and isinstance(this, Timed)]
    bounds: list[float] = []
    for baseline, this in pairs:
        if isinstance(baseline, Timed) and not isinstance(this, Timed):
            return no_baseline("answered without, and not with")
        if isinstance(baseline, LimitReached) and isinstance(this, Timed):
            if not baseline.at_least_s:
                return no_baseline("a baseline did not finish")
            bounds.append(baseline.at_least_s / this.highest_s)
    factor = pooled(both)
    once = statistics.geometric_mean([baseline.median_s / this.median_s for baseline, this in both] or [1.0])
    if bounds:
        low = once if factor is None or factor.low is None else factor.low
        logs = [math.log(low)] * len(both) + [math.log(bound) for bound in bounds]
        return at_least(math.exp(math.fsum(logs) / len(logs)))
    return (factor or Relation(once)) if both else no_baseline("nothing was answered both times")

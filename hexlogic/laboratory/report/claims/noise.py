"""Is one sample of times slower than another, beyond noise? Intervals for a ratio of medians, from few repeats.

Times scatter by factors, so everything is done on logarithms. A configuration has five repeats, or one when it is slow:
too few to tell their own noise. So a configuration's variance is its own, drawn towards that of all configurations that
ran on the same engine in the same session, which counts as much as five repeats (the moderated t-test of Smyth 2004,
with a fixed prior). Slow configurations scatter less, relatively: their intervals are rather too wide.

Many configurations are compared at once, and some of them look slower by chance: `discoveries` keeps the
expected share of such false alarms among all alarms below `RATE`.

Student's t-distribution is here because the report and `bench` run without scipy, which is larger than all other
dependencies of a measurement together; the tests compare each function with scipy's.
"""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hexlogic.laboratory.records.types import grouped

LEVEL = 0.95
"""The confidence level of every interval of a report."""

RATE = 0.05
"""The expected share of false alarms among the alarms."""

_PRIOR = 4  # Degrees of freedom that the noise of the engine counts for
_NORMAL = 1.96  # Standard errors on each side of an interval of 95 percent
_TINY = 1e-300
_CLOSE = 1e-15
_MEDIAN = math.pi / 2  # The variance of a median over that of a mean, for many values; for few ones it is less


@dataclass(frozen=True, slots=True)
class Shift:
    """How much longer the new times are: the ratio of the medians, new over old, and its interval. `p` is the two-sided
    probability of such a ratio, or one further off, if the true one were at the threshold."""

    ratio: float
    low: float
    high: float
    p: float


def pooled_variance(samples: Iterable[Sequence[float]]) -> float | None:
    """The variance of the logarithms within samples of times above 0, over all of them; None without repeats.

    >>> pooled_variance([[1.0, math.e], [5.0]]), pooled_variance([[5.0]])
    (0.5, None)
    """
    squares, freedom = 0.0, 0
    for sample in samples:
        logs = [math.log(value) for value in sample]
        mean = math.fsum(logs) / len(logs)
        squares += math.fsum((value - mean) ** 2 for value in logs)
        freedom += len(logs) - 1
    return squares / freedom if freedom else None


def pooled_variances(samples: Iterable[tuple[str, Sequence[float]]]) -> dict[str, float | None]:
    """The pooled variance for each name of samples; empty samples and samples with a time of 0 are left out."""
    return {
        name: pooled_variance(sample for _, sample in group if sample and min(sample) > 0)
        for name, group in grouped(samples, lambda pair: pair[0]).items()
    }


def shift(
    old: Sequence[float], new: Sequence[float], noise: tuple[float | None, float | None], threshold: float
) -> Shift | None:
    """Compare two samples of times above 0; `noise` is the pooled variance of each side. None when neither the sample
    nor its side says anything about noise."""
    error = combined([log_error(sample, pooled) for sample, pooled in zip((old, new), noise, strict=True)])
    if error is None:
        return None
    ratio = math.log(statistics.median(new) / statistics.median(old))
    if not error.variance:
        return Shift(math.exp(ratio), math.exp(ratio), math.exp(ratio), float(abs(ratio) <= math.log(threshold)))
    half = error.half_width(LEVEL)
    beyond = (abs(ratio) - math.log(threshold)) / math.sqrt(error.variance)
    p = two_sided_p(beyond, error.freedom) if beyond > 0 else 1.0
    return Shift(math.exp(ratio), math.exp(ratio - half), math.exp(ratio + half), p)


@dataclass(frozen=True, slots=True)
class LogError:
    """The squared standard error of a median of logarithms, and its degrees of freedom (above 0)."""

    variance: float
    freedom: float

    def half_width(self, level: float) -> float:
        """Half the width of the interval of this level."""
        return two_sided_quantile(self.freedom, level) * math.sqrt(self.variance) if self.variance else 0.0


def combined(errors: Sequence[LogError | None]) -> LogError | None:
    """The error of a sum; None when that of any part is not known. The degrees of freedom are Satterthwaite's: those
    of the noisiest part count most."""
    known = [error for error in errors if error is not None]
    if len(known) < len(errors):
        return None
    variance = math.fsum(error.variance for error in known)
    if not variance:
        return LogError(0.0, math.inf)
    return LogError(variance, variance**2 / math.fsum(error.variance**2 / error.freedom for error in known))


def log_error(sample: Sequence[float], pooled: float | None) -> LogError | None:
    """How far the median of times above 0 may be off; None when neither the sample nor its side has repeats."""
    within, repeats = pooled_variance([sample]), len(sample) - 1
    if pooled is None:
        return None if within is None else LogError(_MEDIAN * within / len(sample), repeats)
    variance = (_PRIOR * pooled + repeats * (within or 0.0)) / (_PRIOR + repeats)
    return LogError(_MEDIAN * variance / len(sample), _PRIOR + repeats)


def two_sided_p(t: float, freedom: float) -> float:
    """The probability of a value at least as far from 0 as `t`, with `freedom` degrees of freedom above 0.

    The regularised incomplete beta function I_x(freedom/2, 1/2) at x = freedom/(freedom + t^2).

    >>> round(two_sided_p(2.2281, 10), 4), two_sided_p(0.0, 3)
    (0.05, 1.0)
    """
    x, y = freedom / (freedom + t * t), t * t / (freedom + t * t)
    a, b = freedom / 2, 0.5
    if y == 0:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(y))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, y) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's method."""
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0) or _TINY)
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d = 1.0 / (1.0 + part * d or _TINY)
            c = 1.0 + part / c or _TINY
            value *= c * d
        if abs(c * d - 1.0) < _CLOSE:
            break
    return value


def two_sided_quantile(freedom: float, level: float) -> float:
    """The t between -t and t of which a value lies with probability `level`.

    >>> round(two_sided_quantile(10, 0.95), 4), round(two_sided_quantile(1, 0.5), 4)
    (2.2281, 1.0)
    """
    low, high = 0.0, 1.0
    while two_sided_p(high, freedom) > 1.0 - level:
        low, high = high, 2.0 * high
    while (middle := (low + high) / 2) not in (low, high):  # halving ends when no number lies between
        low, high = (middle, high) if two_sided_p(middle, freedom) > 1.0 - level else (low, middle)
    return middle


def discoveries(chances: Sequence[float], rate: float) -> list[bool]:
    """Which of these p-values are alarms at this rate of false ones (Benjamini and Hochberg 1995).

    >>> discoveries([0.001, 0.04, 0.9], 0.05), discoveries([0.001, 0.02, 0.04], 0.05), discoveries([], 0.05)
    ([True, False, False], [True, True, True], [])
    """
    count = len(chances)
    passed = [p for rank, p in enumerate(sorted(chances), 1) if p * count / rank <= rate]
    return [bool(passed) and p <= passed[-1] for p in chances]


def difference(apart: tuple[int, int], positions: int) -> tuple[float, float, float]:
    """By how much one is right more often than another on the same positions, with the interval of 95 percent.

    `apart` counts the positions that only the one and only the other names right (McNemar's table).

    >>> [round(bound, 3) for bound in difference((30, 10), 1000)]
    [0.02, 0.008, 0.032]
    """
    only, other = apart
    gain = (only - other) / positions
    half = _NORMAL * math.sqrt(max(0.0, only + other - (only - other) ** 2 / positions)) / positions
    return gain, gain - half, gain + half

"""Student's t-distribution and the Benjamini-Hochberg procedure: the statistics that the tables need.

The report and `bench` run without scipy, which is larger than all other dependencies of a measurement together; the
tests compare each function with scipy's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["discoveries", "two_sided_p", "two_sided_quantile"]

_TINY = 1e-300
_CLOSE = 1e-16


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
    c, d = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d = 1.0 / _not_zero(1.0 + part * d)
            c = _not_zero(1.0 + part / c)
            value *= c * d
        if abs(c * d - 1.0) < _CLOSE * 10:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def two_sided_quantile(freedom: float, level: float) -> float:
    """The t between -t and t of which a value lies with probability `level`.

    >>> round(two_sided_quantile(10, 0.95), 4), round(two_sided_quantile(1, 0.5), 4)
    (2.2281, 1.0)
    """
    low, high = 0.0, 1.0
    while two_sided_p(high, freedom) > 1.0 - level:
        low, high = high, 2.0 * high
    while True:  # halving ends when no number lies between
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if two_sided_p(middle, freedom) > 1.0 - level:
            low = middle
        else:
            high = middle


def discoveries(chances: Sequence[float], rate: float) -> list[bool]:
    """Which of these p-values are alarms at this rate of false ones (Benjamini and Hochberg 1995).

    >>> discoveries([0.001, 0.04, 0.9], 0.05), discoveries([0.001, 0.02, 0.04], 0.05), discoveries([], 0.05)
    ([True, False, False], [True, True, True], [])
    """
    count = len(chances)
    passed = [p for rank, p in enumerate(sorted(chances), 1) if p * count / rank <= rate]
    return [bool(passed) and p <= passed[-1] for p in chances]

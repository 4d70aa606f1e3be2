"""How a quantity grows with the size n of the board: a fit on the sizes that were measured, and what it foretells.

Three shapes are tried, each a straight line through the logarithms: n^b (power), b^n (exponential) and n^(b n)
(steeper: as when n stones are chosen first and checked afterwards). The one with the least error is kept. Sizes at the
small end whose value is below three times the smallest measure the constant part, not the growth, and are left out
while enough others remain.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from hexlogic.report.claims.student import two_sided_quantile
from hexlogic.report.claims.values import LEVEL, Estimate

__all__ = ["Growth", "Shape", "fit_growth"]

Shape: TypeAlias = Literal["power", "exponential", "steeper"]

_SHAPES: Final[Mapping[Shape, Callable[[int], float]]] = {
    "power": lambda n: math.log(n),
    "exponential": lambda n: float(n),
    "steeper": lambda n: n * math.log(n),
}

_LEAST = 3
"""Fewer sizes are not fitted: two parameters go through any two of them."""

_ENOUGH = 4
"""While more sizes than these are there, those at the floor are left out."""

_FLOOR = 3.0


@dataclass(frozen=True, slots=True)
class Growth:
    """A fitted shape: `slope` is b of the power and of the steeper shape, and log b of the exponential one.

    `low` and `high` bound the slope at 95 %; `spread` is the standard deviation of the logarithms around the line.
    """

    shape: Shape
    slope: float
    low: float
    high: float
    sizes: tuple[int, ...]
    spread: float
    _mean: tuple[float, float]
    _square: float

    def __str__(self) -> str:
        slope, low, high = self.slope, self.low, self.high
        if self.shape == "exponential":
            return f"x{math.exp(slope):.3g} per column ({math.exp(low):.3g} to {math.exp(high):.3g})"
        power = f"n^({slope:.2f} n)" if self.shape == "steeper" else f"n^{slope:.2f}"
        return f"{power} ({low:.2f} to {high:.2f})"

    def short(self) -> str:
        """The shape alone: `n^2.1`, `x17/column`, `n^(1.2 n)`."""
        if self.shape == "exponential":
            return f"x{math.exp(self.slope):.2g}/column"
        return f"n^({self.slope:.2f} n)" if self.shape == "steeper" else f"n^{self.slope:.1f}"

    def estimate(self, size: int) -> Estimate:
        """What the fit says of a size, with its prediction interval.

        >>> round(fit_growth([(n, 2.0 * n**3) for n in (4, 5, 6, 8)]).estimate(10).value)
        2000
        """
        x = _SHAPES[self.shape](size)
        at, value = self._mean
        middle = value + self.slope * (x - at)
        count = len(self.sizes)
        wide = (
            two_sided_quantile(count - 2, LEVEL) * self.spread * math.sqrt(1 + 1 / count + (x - at) ** 2 / self._square)
        )
        return Estimate(_exp(middle), _exp(middle - wide), _exp(middle + wide))


def fit_growth(points: Sequence[tuple[int, float]]) -> Growth | None:
    """The growth of values by size, zeros left out; None when fewer than three sizes are there or nothing grows.

    >>> str(fit_growth([(n, 7.0 * 3**n) for n in range(3, 9)]))
    'x3 per column (3 to 3)'
    >>> str(fit_growth([(n, 0.5 * n**2) for n in range(3, 9)]))
    'n^2.00 (2.00 to 2.00)'
    >>> fit_growth([(n, 1.0) for n in range(3, 9)]) is None
    True
    """
    used = sorted((size, value) for size, value in points if value > 0)
    least = used[0][1] if used else 0.0
    while len(used) > _ENOUGH and used[0][1] < _FLOOR * least:
        used = used[1:]
    if len(used) < _LEAST or used[-1][1] < _FLOOR * least:
        return None
    return min((_line(shape, used) for shape in _SHAPES), key=lambda growth: growth.spread)


def _line(shape: Shape, points: Sequence[tuple[int, float]]) -> Growth:
    """Least squares through the logarithms."""
    xs = [_SHAPES[shape](size) for size, _ in points]
    ys = [math.log(value) for _, value in points]
    count = len(points)
    x_mean, y_mean = statistics.fmean(xs), statistics.fmean(ys)
    square = sum((x - x_mean) ** 2 for x in xs)
    slope = statistics.linear_regression(xs, ys).slope
    rest = sum((y - y_mean - slope * (x - x_mean)) ** 2 for x, y in zip(xs, ys, strict=True))
    spread = math.sqrt(rest / (count - 2))
    wide = two_sided_quantile(count - 2, LEVEL) * spread / math.sqrt(square)
    return Growth(
        shape, slope, slope - wide, slope + wide, tuple(n for n, _ in points), spread, (x_mean, y_mean), square
    )


def _exp(power: float) -> float:
    return math.exp(power) if power < 700 else math.inf

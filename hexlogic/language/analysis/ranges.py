"""Intervals of integers and their arithmetic, exact at both ends except for division and remainders.

1..9 + -1..1   is 0..10      4..9 / 2   is 2..4      names   have no integer, and no arithmetic
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, mul, sub
from typing import Final, NamedTuple

FAR: Final = 2**200
"""Stands for every integer from there on."""
_BEYOND: Final = 2**100
"""What arithmetic over FAR stays above."""


class Values(NamedTuple):
    """The integers from `low` to `high`, none when `low` is above `high`; with `others` also all other terms."""

    low: int
    high: int
    others: bool

    @property
    def unbounded(self) -> bool:
        """Whether the integers have no bound."""
        return self.low <= -_BEYOND or self.high >= _BEYOND


NAMES: Final = Values(1, 0, True)
NOTHING: Final = Values(1, 0, False)
ANYTHING: Final = Values(-FAR, FAR, True)


def made(low: int, high: int, others: bool) -> Values:
    """The values, nothing beyond FAR, and one way to say that there is no integer."""
    return Values(max(low, -FAR), min(high, FAR), others) if low <= high else Values(1, 0, others)


def join(left: Values, right: Values) -> Values:
    """The least values with all of both."""
    if left.low > left.high or right.low > right.high:
        kept = right if left.low > left.high else left
        return Values(kept.low, kept.high, left.others or right.others)
    return Values(min(left.low, right.low), max(left.high, right.high), left.others or right.others)


def meet(left: Values, right: Values) -> Values:
    """What both have."""
    return made(max(left.low, right.low), min(left.high, right.high), left.others and right.others)


def divided(product: Values, factor: Values) -> Values:
    """What the other factor may be: rounded up at the lower end and down at the upper one. `factor` is at least 1."""
    low = min(-(-product.low // factor.low), -(-product.low // factor.high))
    high = max(product.high // factor.low, product.high // factor.high)
    return made(low if product.low > -FAR else -FAR, high if product.high < FAR else FAR, False)


def widened(before: Values, after: Values) -> Values:
    """The values after a round, an end that moved put at 0 or far away. The first integers of a place move nothing."""
    if before.low > before.high:
        return after
    low = after.low if after.low == before.low else 0 if after.low >= 0 else -FAR
    high = after.high if after.high == before.high else 0 if after.high <= 0 else FAR
    return Values(low, high, after.others)


_COMPUTE: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": lambda first, second: abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1),
}


def computed(operator: str, left: Values, right: Values) -> Values:
    """What `left operator right` may be, for integers of unlimited size; terms that are no integers have no value."""
    if left.low > left.high or right.low > right.high:
        return NOTHING
    ends = list(right[:2])
    if operator in "/\\":  # a divisor is below or above 0
        sides = ((right.low, min(right.high, -1)), (max(right.low, 1), right.high))
        ends = [end for low, high in sides if low <= high for end in (low, high)]
        if not ends:
            return NOTHING
    if operator == "\\":
        most = max(map(abs, ends)) - 1
        return made(max(-most, left.low) if left.low < 0 else 0, min(most, left.high) if left.high > 0 else 0, False)
    corners = [_COMPUTE[operator](first, second) for first in left[:2] for second in ends]
    return made(min(corners), max(corners), False)

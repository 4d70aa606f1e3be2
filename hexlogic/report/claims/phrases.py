"""The words for a relation: every verb and comparative of a report stands here and nowhere else.

A bound is rounded down (or up) so that it stays one, and an interval outwards so that it still holds what it held.
"""

from __future__ import annotations

import math
from typing import assert_never

from hexlogic.report.claims.relations import (
    BAND,
    AtLeast,
    AtMost,
    Faster,
    NoBaseline,
    Once,
    Reference,
    Relation,
    Same,
    Slower,
    Undecided,
)
from hexlogic.report.claims.values import Counter, Estimate
from hexlogic.report.formatting import counter_name, factor

__all__ = ["adjective", "counter_text", "decides", "entry", "interval_text", "raw_factor", "verb"]


def interval_text(found: Estimate) -> str:
    """An interval with two digits, rounded outwards.

    >>> interval_text(Estimate(7.76, 7.02, 8.61)), interval_text(Estimate(3384.0, 3010.0, 3790.0))
    ('[7.0, 8.7]', '[3.0k, 3.8k]')
    """
    return f"[{_end(found.low, up=False)}, {_end(found.high, up=True)}]"


def entry(relation: Relation) -> str:
    """A factor as it stands in a table: with its interval, as a bound, or empty. `[?]`: nothing tells its interval.

    >>> from hexlogic.report.claims.relations import at_least, judged
    >>> entry(judged(Estimate(7.76, 7.02, 8.61))), entry(at_least(3384.0)), entry(Once(2.0)), entry(Reference())
    ('7.8x [7.0, 8.7]', '>= 3,300x', '2.0x [?]', '1.0x')
    """
    match relation:
        case Faster(factor=found) | Slower(factor=found) | Same(factor=found) | Undecided(factor=found):
            return f"{_times(found.value)} {interval_text(found)}"
        case Once(factor=value):
            return f"{_times(value)} [?]"
        case AtLeast(factor=bound):
            return factor(bound.value, bound=True)
        case AtMost(factor=bound):
            return f"<= {_end(bound.value, up=True)}x"
        case Reference():
            return factor(1.0)
        case NoBaseline():
            return ""
        case _:
            assert_never(relation)


def verb(relation: Relation, *, plural: bool = False) -> str:
    """What a pass does to the time, as the predicate of a sentence.

    >>> from hexlogic.report.claims.relations import at_least, judged
    >>> verb(judged(Estimate(2.0, 1.5, 2.5))), verb(judged(Estimate(0.5, 0.4, 0.6)), plural=True)
    ('saves 2.0x [1.5, 2.5]', 'cost 2.0x [1.6, 2.5]')
    >>> verb(at_least(3384.0)), verb(judged(Estimate(2.0, 0.5, 8.0)))
    ('saves at least 3,300x', 'cannot be told apart here (2.0x [0.50, 8.0])')
    """
    s = "" if plural else "s"
    match _decided(relation), relation:
        case (1, much, interval), _:
            return f"save{s} {much}{interval}"
        case (-1, much, interval), _:
            late = f"do{'' if plural else 'es'} not finish, and " if isinstance(relation, AtMost) else ""
            return f"{late}cost{s} {much}{interval}"
        case _, Same():
            return f"make{s} no difference ({_within(relation)})"
        case _, Reference():
            return "is what is compared with"
        case _, NoBaseline(why=why):
            return f"ha{'ve' if plural else 's'} no baseline ({why})"
        case _:
            return _apart(relation)


def adjective(relation: Relation) -> str:
    """How a configuration stands to another, as a predicate adjective.

    >>> from hexlogic.report.claims.relations import judged
    >>> adjective(judged(Estimate(0.5, 0.4, 0.6))), adjective(judged(Estimate(1.0, 0.97, 1.04)))
    ('2.0x slower [1.6, 2.5]', 'equally fast (1.0x [0.97, 1.1], within 1.1x)')
    """
    match _decided(relation), relation:
        case (1, much, interval), _:
            return f"{much} faster{interval}"
        case (-1, much, interval), _:
            return f"{much} slower{interval}"
        case _, Same():
            return f"equally fast ({_within(relation)})"
        case _, Reference():
            return "the one that is compared with"
        case _, NoBaseline(why=why):
            return f"not comparable ({why})"
        case _:
            return _apart(relation)


def decides(relation: Relation) -> int:
    """1 where the relation shows that time is saved, -1 where it shows that time is lost, else 0."""
    return _decided(relation)[0]


def _decided(relation: Relation) -> tuple[int, str, str]:
    """What `decides` says, by how much the faster one is faster, and the interval of that."""
    match relation:
        case Faster(factor=found):
            return 1, factor(found.value), f" {interval_text(found)}"
        case Slower(factor=found):
            return -1, factor(found.inverse.value), f" {interval_text(found.inverse)}"
        case AtLeast(factor=bound) if bound.value > 1:
            return 1, f"at least {_down(bound.value)}", ""
        case AtMost(factor=bound) if bound.value < 1:
            return -1, f"at least {_down(1 / bound.value)}", ""
        case _:
            return 0, "", ""


def raw_factor(relation: Relation) -> tuple[float | None, float | None, float | None]:
    """The factor and the ends of its interval for data; None for an end that is not known."""
    match relation:
        case Faster(factor=found) | Slower(factor=found) | Same(factor=found) | Undecided(factor=found):
            return found.value, found.low, found.high
        case Once(factor=value):
            return value, None, None
        case AtLeast(factor=bound):
            return bound.value, bound.value, None
        case AtMost(factor=bound):
            return bound.value, None, bound.value
        case Reference():
            return 1.0, 1.0, 1.0
        case NoBaseline():
            return None, None, None
        case _:
            assert_never(relation)


def counter_text(found: Counter) -> str:
    """A count with its unit.

    >>> counter_text(Counter("ground_rules", 1970))
    '1,970 ground rules'
    """
    return f"{found.value:,} {counter_name(found.name)}"


def _apart(relation: Relation) -> str:
    why = {Once: ": measured once", Undecided: " here"}.get(type(relation), ": a limit came first")
    return f"cannot be told apart{why} ({entry(relation)})"


def _within(relation: Same) -> str:
    return f"{entry(relation)}, within {BAND:g}x"


def _times(value: float) -> str:
    """A factor with two digits, below 1 as well: 0.96 must not stand as 1.0 beside an interval that ends at 0.99."""
    return factor(value) if value >= 0.995 else f"{value:.2g}x"


def _down(value: float) -> str:
    return factor(value, bound=True).removeprefix(">= ")


def _end(value: float, *, up: bool) -> str:
    """Two digits, rounded up or down; thousands as `k`, millions as `M`."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{_end(value / size, up=up)}{unit}" if value < 1e9 else f"{value:.1e}"
    if not 1e-300 < value < math.inf:
        return f"{value:g}"
    digits = 1 - math.floor(math.log10(value))
    scaled = value * 10.0**digits
    # A hair of tolerance: 0.1 * 10 must not become 2 when it is rounded up.
    near = round(scaled)
    whole = near if abs(scaled - near) < 1e-9 else math.ceil(scaled) if up else math.floor(scaled)
    return f"{whole / 10.0**digits:.{max(digits, 0)}f}"

"""The words for a relation: every verb and comparative of a report stands here and nowhere else.

A bound is rounded down (or up) so that it stays one, and an interval outwards so that it still holds what it held.
"""

from __future__ import annotations

import math

from hexlogic.laboratory.report.claims.relations import BAND, Counter, Relation
from hexlogic.laboratory.report.formatting import counter_name, factor


def interval_text(low: float, high: float) -> str:
    """An interval with two digits, rounded outwards.

    >>> interval_text(7.02, 8.61), interval_text(3010.0, 3790.0)
    ('[7.0, 8.7]', '[3.0k, 3.8k]')
    """
    return f"[{_end(low, up=False)}, {_end(high, up=True)}]"


def entry(relation: Relation) -> str:
    """A factor as it stands in a table: with its interval, as a bound, or empty. `[?]`: nothing tells its interval.

    >>> from hexlogic.laboratory.report.claims.relations import REFERENCE, Estimate, at_least, judged, once
    >>> entry(judged(Estimate(7.76, 7.02, 8.61))), entry(at_least(3384.0)), entry(once(2.0)), entry(REFERENCE)
    ('7.8x [7.0, 8.7]', '>= 3,300x', '2.0x [?]', '1.0x')
    """
    value, low, high = relation.value, relation.low, relation.high
    if value is None or relation.is_reference:
        return "" if value is None else factor(value)
    if low is not None and high is not None:
        return f"{_times(value)} {interval_text(low, high)}"
    if relation.is_bound:
        return factor(value, bound=True) if high is None else f"<= {_end(value, up=True)}x"
    return f"{_times(value)} [?]"


def verb(relation: Relation, *, plural: bool = False) -> str:
    """What a pass does to the time, as the predicate of a sentence.

    >>> from hexlogic.laboratory.report.claims.relations import Estimate, at_least, judged
    >>> verb(judged(Estimate(2.0, 1.5, 2.5))), verb(judged(Estimate(0.5, 0.4, 0.6)), plural=True)
    ('saves 2.0x [1.5, 2.5]', 'cost 2.0x [1.6, 2.5]')
    >>> verb(at_least(3384.0)), verb(judged(Estimate(2.0, 0.5, 8.0)))
    ('saves at least 3,300x', 'cannot be told apart here (2.0x [0.50, 8.0])')
    """
    s = "" if plural else "s"
    if decides := relation.decides:
        late = f"do{'' if plural else 'es'} not finish, and " if relation.kind == "AtMost" else ""
        return f"{late}{'save' if decides > 0 else 'cost'}{s} {_by(relation, '{}')}"
    match relation.kind:
        case "Same":
            return f"make{s} no difference ({_within(relation)})"
        case "Reference":
            return "is what is compared with"
        case "NoBaseline":
            return f"ha{'ve' if plural else 's'} no baseline ({relation.why})"
        case _:
            return _open(relation, "are " if plural else "is ")


def adjective(relation: Relation) -> str:
    """How a configuration stands to another, as a predicate adjective.

    >>> from hexlogic.laboratory.report.claims.relations import Estimate, judged
    >>> adjective(judged(Estimate(0.5, 0.4, 0.6))), adjective(judged(Estimate(1.0, 0.97, 1.04)))
    ('2.0x slower [1.6, 2.5]', 'equally fast (1.0x [0.97, 1.1], within 1.1x)')
    """
    if decides := relation.decides:
        return _by(relation, "{} faster" if decides > 0 else "{} slower")
    match relation.kind:
        case "Same":
            return f"equally fast ({_within(relation)})"
        case "Reference":
            return "the one that is compared with"
        case "NoBaseline":
            return f"not comparable ({relation.why})"
        case _:
            return _open(relation)


def _by(relation: Relation, words: str) -> str:
    """By how much the faster one is faster, put into `words`, and its interval where there is one."""
    ends = [relation.value, relation.low, relation.high]
    if relation.decides < 0:
        ends = [None if end is None else 1 / end for end in (relation.value, relation.high, relation.low)]
    value, low, high = ends
    if value is None or low is None or high is None:
        return words.format(f"at least {_down(value or 0.0)}")
    return f"{words.format(factor(value))} {interval_text(low, high)}"


def counter_text(counter: Counter) -> str:
    """A count with its unit.

    >>> counter_text(Counter("ground_rules", 1970))
    '1,970 ground rules'
    """
    return f"{counter.value:,} {counter_name(counter.name)}"


def _open(relation: Relation, verb: str = "") -> str:
    """A relation that decides nothing: two times that cannot be told apart, or a bound on the wrong side of 1."""
    if relation.is_bound:
        return f"{verb}not decided: a limit came first ({entry(relation)})"
    return f"cannot be told apart{': measured once' if relation.kind == 'Once' else ' here'} ({entry(relation)})"


def _within(relation: Relation) -> str:
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

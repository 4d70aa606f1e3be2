"""From configurations and relations to the dots of a chart and the entries of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from hexlogic.process.limits import Limits
from hexlogic.report.charts import Dot
from hexlogic.report.claims.phrases import decides, entry, raw_factor
from hexlogic.report.claims.relations import AtLeast, AtMost, NoBaseline, Relation, Same
from hexlogic.report.claims.timing import LimitReached, Timed
from hexlogic.report.document import Entry
from hexlogic.report.entries import status_tone
from hexlogic.report.formatting import duration, limit_met
from hexlogic.report.repeat import repeat
from hexlogic.report.statistics import ConfigurationStats
from hexlogic.runs.records import Session

__all__ = ["factor_dot", "outcome", "time_dot", "with_interval"]


def with_interval(text: Callable[[float], str], value: float, low: float | None, high: float | None) -> str:
    """A value as a tooltip tells it, with the ends of its interval where they are known.

    >>> with_interval(duration, 0.05, 0.04, 0.06), with_interval(duration, 0.05, None, None)
    ('50 ms (40 ms to 60 ms)', '50 ms')
    """
    return text(value) if low is None or high is None else f"{text(value)} ({text(low)} to {text(high)})"


def factor_dot(
    row: str, series: str, relation: Relation, session: Session, configs: Sequence[ConfigurationStats]
) -> Dot | None:
    """A factor with its interval or as a bound; None where there is none."""
    value, low, high = raw_factor(relation)
    if value is None or isinstance(relation, NoBaseline):
        return None
    bound: Literal["", "at least", "at most"] = ""
    if isinstance(relation, AtLeast | AtMost):
        bound, low, high = relation.factor.side, None, None
    return Dot(
        row=row,
        series=series,
        value=value,
        low=low,
        high=high,
        bound=bound,
        open=not decides(relation) and not isinstance(relation, Same),
        shown=entry(relation),
        runs=sum(one.counted for one in configs),
        repeat=repeat(session, *configs),
    )


def time_dot(row: str, series: str, one: ConfigurationStats, session: Session) -> Dot | None:
    """A time with its quartiles, or the limit as a bound from below; None for what never ran."""
    low: float | None = None
    high: float | None = None
    match one.timing:
        case Timed(median_s=value):
            low, high = one.quartiles_s or (value, value)
            shown = with_interval(duration, value, low, high)
        case LimitReached(at_least_s=floor_s):
            value, shown = floor_s or session.limits.cpu_s, outcome(one, session.limits).text
        case _:
            return None
    return Dot(
        row=row,
        series=series,
        value=value,
        low=low,
        high=high,
        bound="at least" if high is None else "",
        shown=shown,
        runs=one.counted,
        repeat=repeat(session, one),
    )


def outcome(one: ConfigurationStats, limits: Limits) -> Entry:
    """The time of a configuration, or in a word why it has none; never a number for what did not finish."""
    if one.category == "wrong":
        return Entry("WRONG", None, "bad")
    if one.status == "answered" and one.time_s is not None:
        return Entry(duration(one.time_s), one.time_s)
    text = "-" if one.status == "unsupported" else limit_met(one.status, one.termination, limits)
    return Entry(text, None, status_tone(one.status) or "bad")

"""Charts of a report, dots with intervals and lines that grow: `templates/charts.json.j2` makes Vega-Lite of them."""

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, astuple, dataclass
from typing import Literal, TypeAlias

from hexlogic.laboratory.report.document import TEMPLATES, Figure
from hexlogic.process.files import load_template

_PALETTE = (
    "#2f7ed8", "#c8553d", "#2e8b57", "#8a63d2", "#b07d12", "#d1477a",
    "#1c8c96", "#9c5a2c", "#6a8f1f", "#c46a1c", "#5d73d6", "#7f7f7f",
)  # fmt: skip
"""Colours with a contrast of at least 3 on white and on the page's dark ground."""

_SERIES = ("swipl", "clingo", "pydatalog", "egglog", "compiled", "by hand", "epilog", "swipl:sld")
"""Engines and reasoners, in their order: each has the same colour in every chart."""

_FEW = 4  # Decades with finer ticks
_MANY = 8  # Rows that have room between each other
_TICKS = 12  # Places that have a tick each
Kind: TypeAlias = Literal["factor", "rate", "seconds"]
"""What an axis measures."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with the ends of its interval, in a row; `bound` says where the true one lies, if it is not known.

    An `open` one does not differ from its baseline beyond noise and is drawn grey. `shown` is the value as people read
    it, `runs` their number, `repeat` the command that measures it again.
    """

    row: str
    series: str
    value: float
    _: KW_ONLY
    low: float | None = None
    high: float | None = None
    bound: Literal["", "at least", "at most"] = ""
    open: bool = False
    shown: str
    runs: int
    repeat: str


@dataclass(frozen=True, slots=True)
class Point:
    """A value of a line at a place; where it is not known, it is above `value`, the limit."""

    series: str
    place: int
    value: float
    finished: bool
    shown: str
    runs: int
    repeat: str


def dots(name: str, title: str, caption: str, marks: Sequence[Dot], axis: str, kind: Kind = "factor") -> Figure:
    """Dots in rows on a logarithmic axis, the series beside each other; rows and series as they come first. An axis of
    factors has a line at 1."""
    rows = list(dict.fromkeys(mark.row for mark in marks))
    ends = [end for mark in marks for end in (mark.low or mark.value, mark.high or mark.value)]
    height = len(rows) * (26 if len(rows) <= _MANY else 20)
    values = {"kind": "dots", "axis": axis, "rows": rows, "measures": kind, "height": height}
    values |= {"has_baseline": kind == "factor", "has_bars": any(mark.low is not None for mark in marks)}
    return _figure(name, title, caption, marks, values | {"ticks": _ticks(min(ends), max(ends))})


def lines(name: str, title: str, caption: str, marks: Sequence[Point], axis: str, limit: float | None = None) -> Figure:
    """Lines of seconds on two logarithmic axes. What did not finish goes up to the limit and out of the picture."""
    top = max(limit or 0.0, *(point.value for point in marks)) * 1.6
    low = min(point.value for point in marks)
    values: dict[str, object] = {"kind": "lines", "axis": axis, "low": low, "top": top, "limit": limit}
    values |= {"ticks": _ticks(low, top), "places": sorted({point.place for point in marks})}
    return _figure(name, title, caption, marks, values | {"has_late": not all(point.finished for point in marks)})


def shares(name: str, title: str, caption: str, marks: Sequence[Point], axis: str, *, log_axis: bool = False) -> Figure:
    """Lines of shares from 0 to 1 on a linear axis, shown as percent, over places in order."""
    places = sorted({point.place for point in marks})
    values = {"kind": "shares", "axis": axis, "places": places if len(places) <= _TICKS else [], "log_axis": log_axis}
    return _figure(name, title, caption, marks, values)


def svg(figure: Figure) -> str:
    """The chart as one SVG element, for Markdown and for print."""
    from vl_convert import vegalite_to_svg

    return str(vegalite_to_svg(figure.spec))


def _ticks(low: float, high: float) -> list[float]:
    """Decades from below `low` to above `high`; of few decades also two and five times each.

    >>> _ticks(0.3, 40), _ticks(2, 5000)
    ([0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0], [1.0, 10.0, 100.0, 1000.0, 10000.0])
    """
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    if len(decades) > _FEW:
        return [float(f"1e{power}") for power in decades]
    return [float(f"{step}e{power}") for power in decades[:-1] for step in (1, 2, 5)] + [float(f"1e{decades[-1]}")]


def _figure(
    name: str, title: str, caption: str, marks: Sequence[Dot] | Sequence[Point], values: Mapping[str, object]
) -> Figure:
    """The template filled with these values; engines in their order, before every other series by its name."""
    series = sorted({mark.series for mark in marks}, key=lambda name: ([*_SERIES, name].index(name), name))
    known = [_SERIES.index(name) for name in series if name in _SERIES]
    free = itertools.cycle([place for place in range(len(_PALETTE)) if place not in known])
    places = [_SERIES.index(name) if name in _SERIES else next(free) for name in series]
    looks = {"series": series, "colours": [_PALETTE[place % len(_PALETTE)] for place in places]}
    rows = [asdict(mark) for mark in marks]
    text = load_template(TEMPLATES / "charts.json.j2", {"json": json.dumps}).render(values, marks=rows, **looks)
    return Figure(name, title, caption, json.loads(text), tuple(rows[0]), tuple(map(astuple, marks)))

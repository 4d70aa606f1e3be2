"""Charts of a report: dots with intervals, and lines that grow, as Vega-Lite specifications made by altair."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, astuple, dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from hexlogic.laboratory.report.document import Figure

if TYPE_CHECKING:
    import altair as alt

_PALETTE = (
    "#2f7ed8", "#c8553d", "#2e8b57", "#8a63d2", "#b07d12", "#d1477a",
    "#1c8c96", "#9c5a2c", "#6a8f1f", "#c46a1c", "#5d73d6", "#7f7f7f",
)  # fmt: skip
"""Colours with a contrast of at least 3 on white and on the page's dark ground."""

_SERIES = ("swipl", "clingo", "pydatalog", "egglog", "compiled", "by hand", "epilog", "swipl:sld")
"""Engines and reasoners, in their order: each has the same colour in every chart."""

_GREY = "#8a8f98"
_WIDTH = 620
_COLUMNS, _ENTRY, _LETTER = 4, 34, 6
"""Columns of a legend at most, and the pixels of an entry: without its text, and for each letter."""
_FEW = 4  # Decades with finer ticks
_MANY = 8  # Rows that have room between each other
_TICKS = 12  # Places that have a tick each
_LABELS = {
    "factor": "format(datum.value, '~r') + ' x'",
    "rate": "format(datum.value, '~s')",
    "seconds": (
        "datum.value >= 1 ? format(datum.value, '~r') + ' s' : datum.value >= 0.001 ? "
        "format(datum.value * 1e3, '.3~r') + ' ms' : format(datum.value * 1e6, '.3~r') + ' µs'"
    ),
}
"""How the labels of an axis are written, by what it measures."""
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


Marks: TypeAlias = Sequence[Dot] | Sequence[Point]


def dots(name: str, title: str, caption: str, marks: Sequence[Dot], axis: str, kind: Kind = "factor") -> Figure:
    """Dots in rows on a logarithmic axis, the series beside each other; rows and series as they come first. An axis of
    factors has a line at 1."""
    import altair as alt

    rows, series = list(dict.fromkeys(mark.row for mark in marks)), _series(marks)
    switch, colour, opacity = _looks(series)
    place = {
        "y": alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(labelLimit=230, grid=True, tickBand="extent")),
        "yOffset": alt.YOffset("series:N", sort=series),
        "color": alt.condition("datum.open", alt.value(_GREY), colour),
        "opacity": opacity,
    }
    base = _chart(marks)
    ends = [end for mark in marks for end in (mark.low or mark.value, mark.high or mark.value)]
    values = _ticks(min(ends), max(ends))
    ticks = alt.Axis(labelExpr=_LABELS[kind], values=values, labelOverlap="greedy", labelSeparation=5)
    x = alt.X("value:Q", title=axis, scale=alt.Scale(type="log", nice=True), axis=ticks)
    symbols = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=x,
        shape=alt.Shape(
            "bound:N",
            scale=alt.Scale(domain=["", "at least", "at most"], range=["circle", "triangle-right", "triangle-left"]),
            legend=None,
        ),
        tooltip=[_tip("row", "what"), _tip("series", "on"), *map(_tip, ("shown", "runs", "repeat"))],
        **place,
    )
    bars = base.transform_filter("isValid(datum.low) && isValid(datum.high)").transform_calculate(value="datum.low")
    bars = bars.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", **place)
    layers: list[alt.Chart] = [bars, symbols] if any(mark.low is not None for mark in marks) else [symbols]
    # The legend listens to the selection of the first layer that has colours.
    layers[0] = layers[0].add_params(switch)
    if kind == "factor":
        baseline = alt.Chart(alt.Data(values=[{"at": 1}])).mark_rule(strokeDash=[4, 3], color=_GREY)
        layers.insert(0, baseline.encode(x="at:Q"))
    return _figure(name, title, caption, layers, marks, len(rows) * (26 if len(rows) <= _MANY else 20))


def lines(name: str, title: str, caption: str, marks: Sequence[Point], axis: str, limit: float | None = None) -> Figure:
    """Lines of seconds on two logarithmic axes. What did not finish goes up to the limit and out of the picture."""
    import altair as alt

    top = max(limit or 0.0, *(point.value for point in marks)) * 1.6
    low = min(point.value for point in marks)
    ticks = alt.Axis(values=sorted({point.place for point in marks}), format="d", grid=False)
    x = alt.X("place:Q", title=axis, scale=alt.Scale(type="log", nice=False), axis=ticks)
    scale = alt.Scale(type="log", domain=[low, top], nice=False)
    labels = alt.Axis(labelExpr=_LABELS["seconds"], values=_ticks(low, top))
    drawn = _chart(marks).transform_calculate(drawn=f"datum.finished ? datum.value : {top:.6g}")
    drawn = drawn.encode(x=x, y=alt.Y("drawn:Q", title=None, scale=scale, axis=labels))
    line, dotted = _line(drawn, marks, axis, "shown", "runs", "repeat")
    finished = dotted.transform_filter("datum.finished")
    layers: list[alt.Chart] = [line, finished.mark_point(filled=True, size=45, opacity=1)]
    if not all(point.finished for point in marks):  # a layer without marks makes the browser complain
        late = dotted.transform_filter("!datum.finished")
        layers.append(late.mark_point(filled=True, size=80, shape="triangle-up", opacity=1))
    if limit is not None:
        at = alt.Chart(alt.Data(values=[{"at": limit, "says": f"limit {limit:g} s"}]))
        layers.append(at.mark_rule(strokeDash=[4, 3], color=_GREY).encode(y="at:Q"))
        layers.append(at.mark_text(align="left", dy=8, x=4, fontSize=10, color=_GREY).encode(y="at:Q", text="says:N"))
    return _figure(name, title, caption, layers, marks)


def shares(name: str, title: str, caption: str, marks: Sequence[Point], axis: str, *, log_axis: bool = False) -> Figure:
    """Lines of shares from 0 to 1 on a linear axis, shown as percent, over places in order."""
    import altair as alt

    places = sorted({point.place for point in marks})
    ticks = alt.Axis(format="d", grid=False, values=places if len(places) <= _TICKS else alt.Undefined)
    kind = alt.Scale(type="log", nice=False) if log_axis else alt.Scale(zero=False, nice=False)
    x = alt.X("place:Q", title=axis, scale=kind, axis=ticks)
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(format=".1~%"))
    line, dotted = _line(_chart(marks).encode(x=x, y=y), marks, axis, "shown", "repeat")
    return _figure(name, title, caption, [line, dotted.mark_point(filled=True, size=45, opacity=1)], marks)


def _line(base: alt.Chart, points: Sequence[Point], axis: str, *tips: str) -> tuple[alt.Chart, alt.Chart]:
    """The lines of a chart, with the selection of the legend, which listens to the first layer; and its points."""
    switch, colour, opacity = _looks(_series(points))
    base = base.encode(color=colour, opacity=opacity)
    marks = base.encode(tooltip=[_tip("series"), _tip("place", axis), *map(_tip, tips)])
    return base.mark_line(strokeWidth=2).add_params(switch), marks


def svg(figure: Figure) -> str:
    """The chart as one SVG element, for Markdown and for print."""
    from vl_convert import vegalite_to_svg

    return str(vegalite_to_svg(figure.spec))


def _tip(field: str, head: str = "") -> alt.Tooltip:
    import altair as alt

    return alt.Tooltip(f"{field}:N", title=head or {"shown": "value"}.get(field, field))


def _looks(series: Sequence[str]) -> tuple[alt.Parameter, alt.Color, Mapping[str, object]]:
    """What all charts share: a selection that each click on the legend changes by one series, the colours of the
    series, and the opacity of selected and of other series."""
    import altair as alt

    switch = alt.selection_point(name="chosen", fields=["series"], bind="legend", toggle="true", empty=True)
    known = [_SERIES.index(name) for name in series if name in _SERIES]
    free = itertools.cycle([place for place in range(len(_PALETTE)) if place not in known])
    places = [_SERIES.index(name) if name in _SERIES else next(free) for name in series]
    colours = [_PALETTE[place % len(_PALETTE)] for place in places]
    colour = alt.Color("series:N", scale=alt.Scale(domain=list(series), range=colours), title=None)
    return switch, colour, alt.condition(switch, alt.value(1), alt.value(0.06))


def _series(marks: Marks) -> list[str]:
    """Engines in their order, before everything else by its name."""
    return sorted({mark.series for mark in marks}, key=lambda name: ([*_SERIES, name].index(name), name))


def _ticks(low: float, high: float) -> list[float]:
    """Decades from below `low` to above `high`; of few decades also two and five times each.

    >>> _ticks(0.3, 40), _ticks(2, 5000)
    ([0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0], [1.0, 10.0, 100.0, 1000.0, 10000.0])
    """
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    if len(decades) > _FEW:
        return [float(f"1e{power}") for power in decades]
    return [float(f"{step}e{power}") for power in decades[:-1] for step in (1, 2, 5)] + [float(f"1e{decades[-1]}")]


def _chart(marks: Marks) -> alt.Chart:
    import altair as alt

    return alt.Chart(alt.Data(values=[asdict(mark) for mark in marks]))


def _figure(name: str, title: str, caption: str, layers: list[alt.Chart], marks: Marks, height: int = 260) -> Figure:
    import altair as alt

    entry = _ENTRY + _LETTER * max(len(mark.series) for mark in marks)
    configured = alt.layer(*layers, width=_WIDTH, height=height).configure(
        background="#ffffff",
        font="Liberation Sans, Arial, sans-serif",
        padding={"left": 24, "right": 16, "top": 8, "bottom": 8},
        view={"stroke": None},
        axis={"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "gridOpacity": 0.35},
        legend={
            "orient": "bottom",
            "labelFontSize": 11,
            "labelLimit": _WIDTH,
            "symbolStrokeWidth": 3,
            "title": None,
            "columns": max(1, min(_COLUMNS, _WIDTH // entry)),
        },
    )
    spec = configured.to_dict(validate=False)
    # On a page the script chooses the columns, for the width that there is.
    spec["usermeta"] = {"entry": entry}
    return Figure(name, title, caption, spec, tuple(asdict(marks[0])), tuple(map(astuple, marks)))

"""Growth: time against the size of the board, both logarithmic; hollow markers are times that were not reached.

Other quantities have other words at their axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.report.figures.canvas import Canvas
from hexlogic.report.figures.frame import LEFT, WIDTH, Entry, draw_legend, draw_limit, draw_times, legend_height
from hexlogic.report.figures.scale import LogScale, seconds_tick

__all__ = ["Curve", "CurvePoint", "growth_plot"]

_HIGH = 230.0
_TOP = 34.0


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Seconds (or what else is drawn) on a board of this size; not `reached`: it takes longer, and this is how long it
    was given."""

    size: int
    time_s: float
    reached: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """One configuration: a series (colour and marker) and a dash pattern."""

    points: tuple[CurvePoint, ...]
    series: int
    dash: int


def growth_plot(
    title: str,
    curves: Sequence[Curve],
    sizes: Sequence[int],
    bounds_s: tuple[float, float],
    lines: Sequence[tuple[float, str]],
    entries: Sequence[Entry],
    *,
    axis: str = "board size n (n x n)",
    tick: Callable[[float], str] = seconds_tick,
) -> str:
    """The plot as SVG: `sizes` are the ticks of the horizontal `axis`, `lines` limits and floors with their words,
    `tick` writes a value of the vertical axis."""
    right = WIDTH - 14
    canvas = Canvas(WIDTH, _TOP + _HIGH + 44 + legend_height(entries))
    canvas.text((4, 16), title, size=13, bold=True)
    times = LogScale(*bounds_s, _TOP + _HIGH, _TOP)
    boards = LogScale(sizes[0], max(sizes[-1], sizes[0] + 1), LEFT + 16, right - 12)
    draw_times(canvas, times, right, tick)
    for number, (value, words) in enumerate(lines):
        draw_limit(canvas, times, right, value, words, number % 3)
    for size in sizes:
        x = boards.at(size)
        canvas.line((x, _TOP), (x, _TOP + _HIGH), "f-line")
        canvas.text((x, _TOP + _HIGH + 15), str(size), "f-soft", anchor="middle")
    canvas.text(((LEFT + right) / 2, _TOP + _HIGH + 32), axis, "f-soft", anchor="middle")
    for curve in curves:
        places = [(boards.at(point.size), times.at(point.time_s)) for point in curve.points]
        canvas.polyline(places, curve.series, curve.dash)
        for place, point in zip(places, curve.points, strict=True):
            canvas.mark(place, curve.series, hollow=not point.reached, size=3.6)
    draw_legend(canvas, _TOP + _HIGH + 40, entries)
    return canvas.finish(title)

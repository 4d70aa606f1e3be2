"""A cactus plot: how many configurations answer within how long. Further right and lower is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.report.figures.canvas import Canvas
from hexlogic.report.figures.frame import LEFT, WIDTH, Entry, draw_legend, draw_limit, draw_times, legend_height
from hexlogic.report.figures.scale import LogScale

__all__ = ["Solved", "cactus_plot"]

_HIGH = 220.0
_TOP = 34.0


@dataclass(frozen=True, slots=True)
class Solved:
    """One series: `times_s` of what it answered, of `asked` questions."""

    name: str
    series: int
    times_s: tuple[float, ...]
    asked: int


def cactus_plot(title: str, solved: Sequence[Solved], bounds_s: tuple[float, float], limit_s: float, words: str) -> str:
    """The plot as SVG; `bounds_s` are the ends of the time axis, `words` name the limit."""
    right = WIDTH - 14
    entries = [Entry(f"{one.name}: {len(one.times_s)} of {one.asked}", one.series, one.series) for one in solved]
    canvas = Canvas(WIDTH, _TOP + _HIGH + 44 + legend_height(entries))
    canvas.text((4, 16), title, size=13, bold=True)
    times = LogScale(*bounds_s, _TOP + _HIGH, _TOP)
    draw_times(canvas, times, right)
    draw_limit(canvas, times, right, limit_s, words)
    most = max([one.asked for one in solved], default=1)
    step = (right - LEFT - 10) / most
    every = max(1, math.ceil(most / 12))
    for count in range(every, most + 1, every):
        canvas.text((LEFT + step * count, _TOP + _HIGH + 15), str(count), "f-soft", anchor="middle")
    canvas.text(((LEFT + right) / 2, _TOP + _HIGH + 32), "questions answered", "f-soft", anchor="middle")
    for one in solved:
        points = [(LEFT + step * place, times.at(time)) for place, time in enumerate(sorted(one.times_s), start=1)]
        if points:
            canvas.polyline(points, one.series, one.series)
        for point in points:
            canvas.mark(point, one.series, size=3.4)
    draw_legend(canvas, _TOP + _HIGH + 40, entries)
    return canvas.finish(title)

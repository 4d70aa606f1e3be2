"""Lines of measured values against the board or the move, as a plot with both axes in decades or sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.report.figures import Curve, CurvePoint, growth_plot
from hexlogic.report.figures.frame import Entry
from hexlogic.report.figures.scale import decades, seconds_tick

__all__ = ["COLOURS", "Line", "line_plot"]

COLOURS = 6
"""Lines with a colour of their own; further ones take other patterns."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the plot: its label in the legend, its (place, value) points, its colour and its pattern."""

    label: str
    points: Sequence[tuple[int, float]]
    colour: int
    pattern: int

    @classmethod
    def numbered(cls, label: str, points: Sequence[tuple[int, float]], place: int) -> Line:
        """A line with the colour and the pattern of its place among all lines."""
        return cls(label, points, place % COLOURS, place // COLOURS)


def line_plot(
    title: str, lines: Sequence[Line], ticks: Sequence[int], axis: str, tick: Callable[[float], str] = seconds_tick
) -> str:
    """The plot as SVG; `ticks` are those of the horizontal axis, and `tick` writes a value of the vertical one."""
    curves = [
        Curve(tuple(CurvePoint(place, value, True) for place, value in line.points), line.colour, line.pattern)
        for line in lines
    ]
    legend = [Entry(line.label, line.colour, line.pattern) for line in lines]
    values = [value for line in lines for _, value in line.points]
    return growth_plot(title, curves, ticks, decades(values, max(values)), [], legend, axis=axis, tick=tick)

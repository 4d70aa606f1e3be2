"""What plots of time share: the axis with its decades, the limit, the legend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.report.figures.canvas import Canvas
from hexlogic.report.figures.scale import LogScale, seconds_tick

__all__ = ["LEFT", "WIDTH", "Entry", "draw_legend", "draw_limit", "draw_times", "legend_height"]

WIDTH = 420.0
"""Pixels of every plot: what a phone shows at scale 1."""

LEFT = 56.0
_RIGHT = 12.0
_ROW = 18.0
_WORDS = 115.0
_LETTER = 6.1
"""Pixels of a letter at the size of the legend, on the wide side."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the legend: a marker in the colour of a series and a line in its pattern, or words alone."""

    words: str
    series: int | None = None
    dash: int = 0


def draw_times(canvas: Canvas, scale: LogScale, right: float, tick: Callable[[float], str] = seconds_tick) -> None:
    """Horizontal lines at the decades of a vertical axis, of time unless `tick` says otherwise, labelled."""
    for value in scale.ticks():
        y = scale.at(value)
        canvas.line((LEFT, y), (right, y), "f-line")
        canvas.text((LEFT - 6, y + 4), tick(value), "f-soft", anchor="end")
    canvas.line((LEFT, scale.start), (LEFT, scale.end), "f-axis")
    canvas.line((LEFT, scale.start), (right, scale.start), "f-axis")


def draw_limit(canvas: Canvas, scale: LogScale, right: float, value: float, words: str, place: int = 0) -> None:
    """A dashed line at a limit (or a floor), with its words above it; lines close to each other take other places."""
    y = scale.at(value)
    canvas.line((LEFT, y), (right, y), "f-axis", width=1.4, dash="7 4")
    canvas.text((right - 2 - _WORDS * place, y - 4), words, "f-soft", size=10.5, anchor="end")


def _places(entries: Sequence[Entry]) -> list[tuple[float, int]]:
    """Where each entry begins: its x and its row."""
    places: list[tuple[float, int]] = []
    x, row = 8.0, 0
    for entry in entries:
        width = (34 if entry.series is not None else 7) + _LETTER * len(entry.words)
        if x + width > WIDTH - _RIGHT and x > 8.0:
            x, row = 8.0, row + 1
        places.append((x, row))
        x += width
    return places


def legend_height(entries: Sequence[Entry]) -> float:
    """Pixels that the legend takes."""
    return _ROW * (_places(entries)[-1][1] + 1) + 6 if entries else 0.0


def draw_legend(canvas: Canvas, top: float, entries: Sequence[Entry]) -> None:
    """The entries in rows from `top` down."""
    for entry, (x, row) in zip(entries, _places(entries), strict=True):
        y = top + _ROW * row + 10
        if entry.series is not None:
            canvas.polyline([(x, y), (x + 22, y)], entry.series, entry.dash)
            canvas.mark((x + 11, y), entry.series)
            x += 27
        canvas.text((x, y + 4), entry.words)

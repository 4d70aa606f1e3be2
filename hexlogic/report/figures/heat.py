"""A heat map with its numbers in the cells: powers of two saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hexlogic.report.figures.canvas import Canvas
from hexlogic.report.figures.palette import step_class

__all__ = ["Heat", "heat_map"]

_LETTER = 6.4
_HIGH = 30.0
_WIDE = 66.0
_SWATCHES = (-4, -1, 0, 1, 3, 5, 7, 9, 11, 13)


@dataclass(frozen=True, slots=True)
class Heat:
    """One cell: what is printed, and the power of two that colours it; None leaves it blank."""

    text: str
    log2: float | None


def heat_map(
    title: str, rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], Heat], legend: str
) -> str:
    """The map as SVG. `legend` stands below the scale of colours; a missing cell is empty."""
    left = 12 + _LETTER * max(map(len, rows), default=0)
    top = 48.0
    width = max(left + _WIDE * len(columns) + 8, 330.0)
    bottom = top + _HIGH * len(rows)
    canvas = Canvas(width, bottom + 64)
    canvas.text((4, 16), title, size=13, bold=True)
    for number, column in enumerate(columns):
        x = left + _WIDE * (number + 0.5)
        lines = column.replace(" + ", " +\n").split("\n")
        for line, words in enumerate(lines):
            canvas.text((x, top - 7 - 12 * (len(lines) - 1 - line)), words, "f-soft", size=10.5, anchor="middle")
    for place, row in enumerate(rows):
        y = top + _HIGH * place
        canvas.text((left - 6, y + _HIGH / 2 + 4), row, size=11.5, anchor="end")
        for number, column in enumerate(columns):
            heat = cells.get((row, column))
            x = left + _WIDE * number
            kind = "f-none" if heat is None or heat.log2 is None else step_class(heat.log2)
            canvas.rect(x + 1, y + 1, _WIDE - 2, _HIGH - 2, kind, radius=3)
            if heat is not None:
                ink = "f-soft" if heat.log2 is None else f"{step_class(heat.log2)}t"
                middle = (x + _WIDE / 2, y + _HIGH / 2 + 4)
                canvas.text(middle, heat.text, ink, size=11.5, anchor="middle")
    _scale(canvas, bottom + 16, legend)
    return canvas.finish(title)


def _scale(canvas: Canvas, top: float, legend: str) -> None:
    wide = 30.0
    for number, log2 in enumerate(_SWATCHES):
        canvas.rect(8 + wide * number, top, wide - 1, 12, step_class(log2))
        words = "same" if log2 == 0 else f"{log2:+d}".replace("-", "−")
        canvas.text((8 + wide * (number + 0.5), top + 25), words, "f-soft", size=10, anchor="middle")
    canvas.text((8, top + 42), legend, "f-soft", size=10)

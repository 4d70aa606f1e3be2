"""A small SVG canvas: shapes by class, the same bytes for the same calls. Colours are the palette's affair."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal, TypeAlias

from hexlogic.report.figures.palette import SERIES, figure_css

__all__ = ["Canvas", "Point", "stand_alone"]

Point: TypeAlias = tuple[float, float]

_MARKS = 6
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4")


class Canvas:
    """Shapes collected from back to front; `finish` gives the element. Lengths are in pixels at scale 1."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._body: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, kind: str, radius: float = 0) -> None:
        """A rectangle of a class."""
        round_ = f' rx="{_n(radius)}"' if radius else ""
        size = f'width="{_n(width)}" height="{_n(height)}"'
        self._body.append(f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" {size}{round_}/>')

    def line(self, start: Point, end: Point, kind: str, *, width: float = 1, dash: str = "") -> None:
        """A straight line."""
        ends = f'x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}"'
        self._body.append(f'<line class="{kind}" {ends} stroke-width="{_n(width)}"{_dash(dash)}/>')

    def polyline(self, points: Sequence[Point], series: int, dash: int = 0) -> None:
        """The curve of a series; `dash` chooses a pattern, 0 is solid."""
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        kind = f"f-p{series % SERIES + 1}"
        pattern = _dash(_DASHES[dash % len(_DASHES)])
        self._body.append(f'<polyline class="{kind}" points="{path}" stroke-width="1.8"{pattern}/>')

    def mark(self, at: Point, series: int, *, hollow: bool = False, size: float = 4) -> None:
        """A marker in the shape of a series, hollow for what did not finish."""
        kind = f"f-{'o' if hollow else 's'}{series % SERIES + 1}"
        shape = _shape(at, (series + series // SERIES) % _MARKS, size)
        self._body.append(f'<{shape[0]} class="{kind}" stroke-width="1.6" {shape[1]}/>')

    def text(
        self,
        at: Point,
        words: str,
        kind: str = "f-ink",
        *,
        size: float = 11,
        anchor: Literal["start", "middle", "end"] = "start",
        bold: bool = False,
        turn: float = 0,
    ) -> None:
        """One line of text on its base line; `turn` in degrees."""
        options = "" if anchor == "start" else f' text-anchor="{anchor}"'
        options += ' font-weight="600"' if bold else ""
        options += f' transform="rotate({_n(turn)} {_n(at[0])} {_n(at[1])})"' if turn else ""
        place = f'x="{_n(at[0])}" y="{_n(at[1])}" font-size="{_n(size)}"'
        self._body.append(f'<text class="{kind}" {place}{options}>{escape(words, quote=False)}</text>')

    def finish(self, title: str) -> str:
        """The `<svg>` element; `title` is what a screen reader says."""
        size = f'viewBox="0 0 {_n(self.width)} {_n(self.height)}" width="{_n(self.width)}" height="{_n(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="system-ui, sans-serif">'
        return "\n".join([head, f"<title>{escape(title, quote=False)}</title>", *self._body, "</svg>\n"])


def stand_alone(svg: str) -> str:
    """The element as a file that can be read by itself: with its style and a background."""
    style = f'<style>\n{figure_css()}</style>\n<rect class="f-paper" width="100%" height="100%"/>\n'
    head, end, body = svg.partition("</title>\n")
    return f"{head}{end}{style}{body}"


def _shape(at: Point, number: int, size: float) -> tuple[str, str]:
    x, y = at
    corners: dict[int, list[Point]] = {
        1: [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2: [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        3: [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
        4: [(0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        5: [(-1.2, -0.5), (1.2, -0.5), (1.2, 0.5), (-1.2, 0.5)],
    }
    if number == 0:
        return "circle", f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}"'
    points = " ".join(f"{_n(x + dx * size)},{_n(y + dy * size)}" for dx, dy in corners[number])
    return "polygon", f'points="{points}"'


def _dash(pattern: str) -> str:
    return f' stroke-dasharray="{pattern}"' if pattern else ""


def _n(value: float) -> str:
    """A length with two decimals at most."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")

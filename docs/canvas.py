"""A small SVG canvas for the diagrams of `machine_pictures`: shapes by class, in the reader's light or dark theme."""

from __future__ import annotations

from html import escape
from typing import Literal, TypeAlias

__all__ = ["Canvas", "Point", "stand_alone"]

Point: TypeAlias = tuple[float, float]

_CLASSES = {
    "f-paper": "fill:{paper}",
    "f-ink": "fill:{ink}",
    "f-soft": "fill:{soft}",
    "f-axis": "stroke:{soft};fill:none",
    "f-none": "fill:{paper};stroke:{line}",
    "f-dot": "fill:{soft}",
    "f-t1": "fill:{blue}",
    "f-t2": "fill:{red}",
    "h-z": "fill:{zero}",
    "h-g1": "fill:{gain}",
}
_LIGHT = {"paper": "#ffffff", "ink": "#1b1f24", "soft": "#57606a", "line": "#d5dae0", "blue": "#0067b1",
          "red": "#b8460e", "zero": "#eef0f2", "gain": "#cdd7e0"}  # fmt: skip
_DARK = {"paper": "#14181d", "ink": "#e6eaee", "soft": "#a5b0bb", "line": "#38424d", "blue": "#5db2f0",
         "red": "#ff9561", "zero": "#242b33", "gain": "#314150"}  # fmt: skip


class Canvas:
    """Shapes collected from back to front; `finish` gives the element. Lengths are in pixels at scale 1."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._body: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, kind: str, radius: float) -> None:
        """A rectangle of a class, with round corners."""
        size = f'width="{_n(width)}" height="{_n(height)}"'
        self._body.append(f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" {size} rx="{_n(radius)}"/>')

    def line(self, start: Point, end: Point, kind: str, *, width: float = 1) -> None:
        """A straight line."""
        ends = f'x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}"'
        self._body.append(f'<line class="{kind}" {ends} stroke-width="{_n(width)}"/>')

    def dot(self, at: Point, size: float) -> None:
        """A small disc."""
        self._body.append(f'<circle class="f-dot" cx="{_n(at[0])}" cy="{_n(at[1])}" r="{_n(size)}"/>')

    def text(
        self,
        at: Point,
        words: str,
        kind: str = "f-ink",
        *,
        size: float = 11,
        anchor: Literal["start", "middle", "end"] = "start",
        bold: bool = False,
    ) -> None:
        """One line of text on its base line."""
        options = "" if anchor == "start" else f' text-anchor="{anchor}"'
        options += ' font-weight="600"' if bold else ""
        place = f'x="{_n(at[0])}" y="{_n(at[1])}" font-size="{_n(size)}"'
        self._body.append(f'<text class="{kind}" {place}{options}>{escape(words, quote=False)}</text>')

    def finish(self, title: str) -> str:
        """The `<svg>` element; `title` is what a screen reader says."""
        size = f'viewBox="0 0 {_n(self.width)} {_n(self.height)}" width="{_n(self.width)}" height="{_n(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="system-ui, sans-serif">'
        return "\n".join([head, f"<title>{escape(title, quote=False)}</title>", *self._body, "</svg>\n"])


def stand_alone(svg: str) -> str:
    """The element as a file that can be read by itself: with its style and a background."""
    dark = f"@media screen and (prefers-color-scheme: dark) {{\n{_css(_DARK)}}}\n"
    style = f'<style>\n{_css(_LIGHT)}{dark}</style>\n<rect class="f-paper" width="100%" height="100%"/>\n'
    head, end, body = svg.partition("</title>\n")
    return f"{head}{end}{style}{body}"


def _css(theme: dict[str, str]) -> str:
    return "".join(f".{name}{{{style.format(**theme)}}}\n" for name, style in _CLASSES.items())


def _n(value: float) -> str:
    """A length with two decimals at most."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")

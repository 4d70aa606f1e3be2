"""How rule sets stand to each other: a square of signs, explained below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexlogic.report.figures.canvas import Canvas

__all__ = ["SIGNS", "relation_matrix"]

SIGNS: Mapping[str, tuple[str, str, str]] = {
    "equal": ("=", "h-g2", "equal on every position"),
    "smaller": ("~", "h-g1", "equal on every position of a smaller board"),
    "different": ("x", "h-l3", "different on some position"),
    "unknown": ("?", "f-none", "not settled"),
}
"""Sign, class and meaning of each relation."""

_CELL = 28.0
_LETTER = 6.4


def relation_matrix(title: str, names: Sequence[str], relations: Mapping[tuple[str, str], str]) -> str:
    """The matrix as SVG; columns are numbered like rows. `relations` has a word of `SIGNS` for every pair."""
    used = [word for word in SIGNS if word in relations.values()]
    left = 34 + _LETTER * max(map(len, names), default=0)
    top = 46.0
    bottom = top + _CELL * len(names)
    canvas = Canvas(max(left + _CELL * len(names) + 8, 340.0), bottom + 12 + 20 * len(used))
    canvas.text((4, 16), title, size=13, bold=True)
    for place, name in enumerate(names):
        middle = top + _CELL * (place + 0.5) + 4
        canvas.text((left - 6, middle), f"{place + 1}  {name}", size=11.5, anchor="end")
        canvas.text((left + _CELL * (place + 0.5), top - 7), str(place + 1), "f-soft", anchor="middle")
        for number, other in enumerate(names):
            sign, kind, _ = SIGNS[relations[name, other]]
            x = left + _CELL * number
            canvas.rect(x + 1, top + _CELL * place + 1, _CELL - 2, _CELL - 2, kind, radius=3)
            canvas.text((x + _CELL / 2, middle), sign, _ink(kind), size=14, anchor="middle", bold=True)
    for line, word in enumerate(used):
        sign, kind, meaning = SIGNS[word]
        y = bottom + 10 + 20 * line
        canvas.rect(8, y, 18, 16, kind, radius=3)
        canvas.text((17, y + 13), sign, _ink(kind), size=13, anchor="middle", bold=True)
        canvas.text((32, y + 12), meaning)
    return canvas.finish(title)


def _ink(kind: str) -> str:
    return "f-soft" if kind.startswith("f-") else f"{kind}t"

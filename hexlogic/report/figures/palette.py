"""Colours of the figures, for light and for dark: told apart by people who see fewer, and never the only sign.

Figures name classes; this module says what a class looks like. The series are Okabe and Ito's hues, made darker or
lighter until each has a contrast of 3:1 with its background. Scales run through blue for savings and orange for losses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["SERIES", "STEPS", "figure_css", "step_class"]

SERIES: Final = 6
"""How many series there are; later ones begin again, with another marker."""

STEPS: Final = 7
"""Steps of the scale on the side of savings; losses have `_LOSSES`."""

_LOSSES: Final = 3

_LIGHT: Final[Mapping[str, str | Sequence[str]]] = {
    "paper": "#ffffff",
    "ink": "#1b1f24",
    "soft": "#57606a",
    "line": "#d5dae0",
    "series": ("#0067b1", "#b8460e", "#00795a", "#9b3d8a", "#7d6200", "#4f5b66"),
    "zero": "#eef0f2",
    "gain": "#08457e",
    "loss": "#a8480b",
}
_DARK: Final[Mapping[str, str | Sequence[str]]] = {
    "paper": "#14181d",
    "ink": "#e6eaee",
    "soft": "#a5b0bb",
    "line": "#38424d",
    "series": ("#5db2f0", "#ff9561", "#43c99c", "#e493d5", "#dcc04c", "#b5bec8"),
    "zero": "#242b33",
    "gain": "#7cc4ff",
    "loss": "#ffa36b",
}


def step_class(log2: float) -> str:
    """The class of a cell whose saving is 2 to this power; below 0 it is a loss.

    >>> step_class(0.1), step_class(4.9), step_class(40.0), step_class(-1.0)
    ('h-z', 'h-g3', 'h-g7', 'h-l1')
    """
    if abs(log2) < 0.32:  # a factor of 1.25: what is called equal elsewhere
        return "h-z"
    if log2 > 0:
        return f"h-g{min(STEPS, 1 + int(log2 // 2))}"
    return f"h-l{min(_LOSSES, 1 + int(-log2 // 2))}"


def figure_css(*, scope: str = "") -> str:
    """The style of all classes, in light and, on a screen whose reader wants it, in dark; paper is always light."""
    return _theme(_LIGHT, scope) + "@media screen and (prefers-color-scheme: dark) {\n" + _theme(_DARK, scope) + "}\n"


def _theme(theme: Mapping[str, str | Sequence[str]], scope: str) -> str:
    paper, zero = str(theme["paper"]), str(theme["zero"])
    ink = str(theme["ink"])
    rules = {
        ".f-paper": f"fill:{paper}",
        ".f-ink": f"fill:{ink}",
        ".f-soft": f"fill:{theme['soft']}",
        ".f-axis": f"stroke:{theme['soft']};fill:none",
        ".f-line": f"stroke:{theme['line']};fill:none",
        ".f-none": f"fill:{paper};stroke:{theme['line']}",
    }
    for number, colour in enumerate(theme["series"], start=1):
        rules[f".f-s{number}"] = f"stroke:{colour};fill:{colour}"
        rules[f".f-o{number}"] = f"stroke:{colour};fill:{paper}"
        rules[f".f-p{number}"] = f"stroke:{colour};fill:none"
        rules[f".f-t{number}"] = f"fill:{colour}"
    steps = {"h-z": zero}
    steps |= {f"h-g{step}": _mix(zero, str(theme["gain"]), step / STEPS) for step in range(1, STEPS + 1)}
    steps |= {f"h-l{step}": _mix(zero, str(theme["loss"]), step / _LOSSES) for step in range(1, _LOSSES + 1)}
    for name, colour in steps.items():
        rules[f".{name}"] = f"fill:{colour}"
        rules[f".{name}t"] = f"fill:{max(('#000000', '#ffffff'), key=lambda other: _contrast(colour, other))}"
    return "".join(f"{scope}{name}{{{style}}}\n" for name, style in rules.items())


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(one: str, other: str, share: float) -> str:
    mixed = (round(a + (b - a) * share) for a, b in zip(_channels(one), _channels(other), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _luminance(colour: str) -> float:
    parts = [channel / 255 for channel in _channels(colour)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21, as the WCAG define it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)

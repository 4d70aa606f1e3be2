"""Numbers and names as people read them. Rounding happens here and nowhere else."""

from __future__ import annotations

import math

__all__ = ["PIPELINE_ORDER", "counter_words", "factor", "listed", "milliseconds", "pipeline_words", "seconds"]

_WORDS = {
    "none": "none",
    "ground": "grounding",
    "reorder": "reordering",
    "ground,reorder": "both",
    "ground,reorder,prune": "both + pruning",
}
PIPELINE_ORDER = tuple(_WORDS)
"""The paper's order of rows."""


def pipeline_words(pipeline: str) -> str:
    """The paper's words for a pipeline, or its own text.

    >>> pipeline_words("ground,reorder"), pipeline_words("prune")
    ('both', 'prune')
    """
    return _WORDS.get(pipeline, pipeline)


def milliseconds(time_s: float) -> str:
    """Seconds as milliseconds with two sensible digits, without the unit.

    >>> [milliseconds(s) for s in (0.00000231, 0.00052, 0.003, 0.0101, 0.3684, 5.7806)]
    ['0.0023', '0.52', '3.0', '10', '368', '5,781']
    """
    ms = time_s * 1000
    if ms <= 0:
        return "0"
    decimals = max(0, 1 - math.floor(math.log10(float(f"{ms:.2g}"))))
    return f"{ms:,.{decimals}f}"


def seconds(time_s: float) -> str:
    """A limit in seconds.

    >>> seconds(10.0), seconds(0.5), seconds(900.0)
    ('10 s', '0.5 s', '900 s')
    """
    return f"{time_s:g} s"


def factor(value: float, *, bound: bool = False) -> str:
    """A savings factor with two digits. A bound is rounded down, so that it stays one.

    >>> factor(1.0), factor(7.76), factor(87.5), factor(3384.0), factor(3384.0, bound=True)
    ('1.0x', '7.8x', '88x', '3,400x', '>= 3,300x')
    """
    near = value if bound else float(f"{value:.2g}")
    digits = 1 if near < 10 else 0 if near < 100 else 1 - math.floor(math.log10(near))
    scale = 10.0**digits
    rounded = (math.floor(value * scale) if bound else round(value * scale)) / scale
    return f"{'>= ' if bound else ''}{rounded:,.{max(digits, 0)}f}x"


def counter_words(name: str) -> str:
    """A counter's name for people.

    >>> counter_words("ground_rules")
    'ground rules'
    """
    return name.replace("_", " ")


def listed(parts: list[str], last: str = "and") -> str:
    """Parts as an English list.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""

"""Numbers and names as people read them. Rounding happens here and nowhere else."""

import math

from hexlogic.errors import HexlogicError
from hexlogic.games import load_game

_WORDS = {
    "none": "none",
    "ground": "grounding",
    "reorder": "reordering",
    "ground,reorder": "both",
    "ground,reorder,prune": "both + pruning",
}
"""The paper's words for pipelines, in its order of rows."""


def pipeline_name(pipeline: str) -> str:
    """The paper's words for a pipeline, or its own text.

    >>> pipeline_name("ground,reorder"), pipeline_name("prune")
    ('both', 'prune')
    """
    return _WORDS.get(pipeline, pipeline)


def pipeline_rank(pipeline: str) -> tuple[int, str]:
    """For sorting: the paper's order of rows, then every other pipeline by its text.

    >>> sorted(["magic", "reorder", "none"], key=pipeline_rank)
    ['none', 'reorder', 'magic']
    """
    return [*_WORDS, pipeline].index(pipeline), pipeline


def milliseconds(time_s: float) -> str:
    """Seconds as milliseconds with two sensible digits, without the unit.

    >>> [milliseconds(s) for s in (0.00000231, 0.00052, 0.003, 0.0101, 0.3684, 5.7806)]
    ['0.0023', '0.52', '3.0', '10', '368', '5,781']
    """
    ms = time_s * 1000
    return f"{ms:,.{_decimals(ms)}f}" if ms > 0 else "0"


def _decimals(value: float) -> int:
    """The decimals that two significant digits of a value above 0 need."""
    return max(0, 1 - math.floor(math.log10(float(f"{value:.2g}"))))


def seconds(time_s: float) -> str:
    """A limit in seconds.

    >>> seconds(10.0), seconds(0.5), seconds(900.0)
    ('10 s', '0.5 s', '900 s')
    """
    return f"{time_s:g} s"


def duration(time_s: float) -> str:
    """Seconds in the unit that a person would choose, with two digits.

    >>> [duration(s) for s in (0.0000123, 0.00052, 0.0512, 3.21, 95.0, 7300.0, 200000.0, 4.2e9)]
    ['12 µs', '0.52 ms', '51 ms', '3.2 s', '95 s', '2.0 h', '2.3 days', '130 years']
    """
    for unit, length_s, least_s in _UNITS:
        if time_s >= least_s:
            value = time_s / length_s if unit == "ms" else float(f"{time_s / length_s:.2g}")
            return f"{value:,.{_decimals(value)}f} {unit}"
    return "0 ms"


_UNITS = (
    ("years", 31_557_600.0, 2 * 31_557_600.0),
    ("days", 86_400.0, 2 * 86_400.0),
    ("h", 3600.0, 2 * 3600.0),
    ("min", 60.0, 120.0),
    ("s", 1.0, 1.0),
    ("ms", 1e-3, 1e-4),
    ("µs", 1e-6, 5e-324),
)
"""Each with its length in seconds, and the seconds from which on it is used."""


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


def counter_name(name: str) -> str:
    """A counter's name for people.

    >>> counter_name("ground_rules")
    'ground rules'
    """
    return name.replace("_", " ")


def listed(parts: list[str]) -> str:
    """Parts as an English list.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def game_title(game: str) -> str:
    """The game's name for people; the given one for a game that is not known here.

    >>> game_title("hex"), game_title("tic-tac-toe-3d"), game_title("chess")
    ('Hex', '3D tic-tac-toe', 'chess')
    """
    try:
        return load_game(game).title
    except HexlogicError:
        return game

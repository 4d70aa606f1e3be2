"""What chapters share: cells as items, sentences about pairs."""

from __future__ import annotations

import hashlib
import math

from hexlogic.process.limits import Limits
from hexlogic.report.claims.phrases import entry, raw_factor
from hexlogic.report.claims.relations import Relation
from hexlogic.report.claims.sentences import pairs
from hexlogic.report.document import Item, Tone
from hexlogic.report.marks import marks, warm_mark
from hexlogic.report.ratios import Pairing
from hexlogic.report.stats import CellStats, work_counter
from hexlogic.report.table import Notes
from hexlogic.report.tables import time_text
from hexlogic.report.words import listed, milliseconds, pipeline_words

_LONGEST = 80
"""Letters of the name of a file: with its folder and ending it has to fit everywhere."""

__all__ = [
    "again_item",
    "factor_item",
    "log2_text",
    "pairing_text",
    "passes_text",
    "quartile_text",
    "slug",
    "solved_text",
    "time_item",
    "tone_of",
    "work_item",
]


def slug(text: str) -> str:
    """A name for a file or an anchor: of a long text, or of one with other letters than ASCII's, a part and a hash.

    >>> slug("ground,reorder"), slug("clusters (difficult-1, wins(red))")
    ('ground-reorder', 'clusters-difficult-1-wins-red')
    >>> len(slug("x" * 400)), slug("x" * 400) == slug("x" * 401)
    (80, False)
    """
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in text.lower()).split()
    short = "-".join(words)
    if len(short) <= _LONGEST and text.isascii() and short:
        return short
    mark = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{short[: _LONGEST - len(mark) - 1].rstrip('-')}-{mark}".lstrip("-")


def tone_of(cell: CellStats) -> Tone:
    """How the cell is tinted."""
    if cell.category == "wrong":
        return "bad"
    match cell.status:
        case "answered":
            return ""
        case "timeout" | "out-of-memory":
            return "late"
        case "unsupported":
            return "absent"
        case "crashed" | "error":
            return "bad"


def time_item(cell: CellStats, limits: Limits, notes: Notes) -> Item:
    """The time in ms with its marks, or why there is none; the raw value is seconds."""
    return Item(time_text(cell, limits, notes) + marks(cell), cell.time_s, tone_of(cell))


def again_item(cell: CellStats) -> Item:
    """The time of the query asked again, in ms with its mark."""
    return Item("", None) if cell.warm_s is None else Item(milliseconds(cell.warm_s) + warm_mark(cell), cell.warm_s)


def quartile_text(cell: CellStats) -> str:
    """First to third quartile in ms, and from how many runs."""
    if cell.quartiles_s is None:
        return ""
    low, high = (milliseconds(value) for value in cell.quartiles_s)
    return low if low == high else f"{low} to {high}"


def work_item(cell: CellStats) -> Item:
    """The deterministic work counter, without its unit."""
    work = work_counter(cell)
    return Item("", None) if work is None else Item(f"{work.value:,}", work.value)


def solved_text(cell: CellStats) -> str:
    """How many of the counted runs answered."""
    return f"{cell.answered} of {cell.counted}"


def log2_text(value: float, *, bound: bool = False) -> str:
    """A power of two with its sign; a bound is rounded down.

    >>> log2_text(11.68, bound=True), log2_text(-0.44), log2_text(0.04)
    ('≥ +11.6', '−0.4', '0.0')
    """
    shown = math.floor(value * 10) / 10 if bound else round(value, 1)
    sign = "+" if shown > 0 else "−" if shown < 0 else ""
    return f"{'≥ ' if bound else ''}{sign}{abs(shown):.1f}"


def passes_text(pipeline: str) -> str:
    """A pipeline in full words.

    >>> passes_text("ground,reorder,prune"), passes_text("none"), passes_text("magic")
    ('grounding, reordering and pruning', 'as written', 'magic')
    """
    steps = [] if pipeline == "none" else pipeline.split(",")
    return listed([pipeline_words(step) if step != "prune" else "pruning" for step in steps]) or "as written"


def pairing_text(pair: Pairing) -> str:
    """What a pipeline does over its pairs, in words, solved ones first."""
    count = pair.ratios + pair.bounds
    return pairs(pair.solved, pair.asked, pair.solved_before, pair.lost, pair.relation, count)


def factor_item(relation: Relation) -> Item:
    """A factor with its interval or as a bound; the raw value is the factor."""
    return Item(entry(relation), raw_factor(relation)[0])

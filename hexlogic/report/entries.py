"""What pages and sections of several topics share: entries of tables, names of files, words for passes and work."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from hexlogic.process.limits import MEGABYTE
from hexlogic.report.claims.phrases import entry, raw_factor
from hexlogic.report.claims.relations import BAND, Relation
from hexlogic.report.document import Entry, Tone, number
from hexlogic.report.formatting import counter_name, limits_text, listed, pipeline_name
from hexlogic.report.statistics import ConfigurationStats, work_counter
from hexlogic.runs.records import Session, Status

__all__ = [
    "factor_entry",
    "megabytes",
    "passes_text",
    "pipeline_entry",
    "question_legend",
    "slug",
    "status_tone",
    "work_entry",
    "work_units",
]

_LONGEST = 80
"""Letters of the name of a file: with its folder and ending it has to fit everywhere."""


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


def status_tone(status: Status) -> Tone:
    """How an outcome is tinted."""
    match status:
        case "answered":
            return ""
        case "timeout" | "out-of-memory":
            return "late"
        case "unsupported":
            return "absent"
        case "crashed" | "error":
            return "bad"


def work_entry(config: ConfigurationStats) -> Entry:
    """The deterministic work counter, without its unit."""
    work = work_counter(config)
    return number(None if work is None else work.value)


def factor_entry(relation: Relation) -> Entry:
    """A factor with its interval or as a bound; the raw value is the factor."""
    return Entry(entry(relation), raw_factor(relation)[0])


def pipeline_entry(pipeline: str) -> Entry:
    """A pipeline in the paper's words."""
    return Entry(pipeline_name(pipeline), pipeline)


def megabytes(digits: int = 0) -> Callable[[float], str]:
    """A way to show bytes in MB."""
    return lambda size: f"{size / MEGABYTE:,.{digits}f}"


def passes_text(pipeline: str) -> str:
    """A pipeline in full words.

    >>> passes_text("ground,reorder,prune"), passes_text("none"), passes_text("magic")
    ('grounding, reordering and pruning', 'as written', 'magic')
    """
    steps = [] if pipeline == "none" else pipeline.split(",")
    return listed([pipeline_name(step) if step != "prune" else "pruning" for step in steps]) or "as written"


def work_units(configs: Sequence[ConfigurationStats]) -> str:
    """Which counter is whose, for columns that leave it out."""
    units = {config.engine: counter_name(work.name) for config in configs if (work := work_counter(config)) is not None}
    return listed([f"{unit} on {engine}" for engine, unit in units.items()]) or "not counted"


def question_legend(session: Session) -> str:
    """How to read tables of questions."""
    return (
        f"time: the first query in a fresh process, grounding and solving, median of {session.repeats} runs (fewer of "
        f"slow ones); again: the same query repeated in that process, median; RSF: the slowest time of the same "
        f"reformulation and engine divided by this one, a ratio of medians, with its 95 % interval (t-distribution on "
        f"logarithms; so few repeats do not tell their own noise, which is drawn towards that of all cells of the "
        f"engine); >=: a configuration met a limit; [?]: nothing tells the noise. Saves, costs and makes no difference "
        f"are said of intervals that show it; no difference: the interval lies within {BAND:g}x of 1. Limits per run, "
        f"building and loading included: {limits_text(session.limits)}."
    )

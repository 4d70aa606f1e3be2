"""What sections share: columns of configurations with their entries, names of files, and sentences about pairs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

from hexlogic.process.limits import MEGABYTE, Limits
from hexlogic.report.caveats import marks, warm_mark
from hexlogic.report.claims.phrases import entry, raw_factor
from hexlogic.report.claims.relations import BAND, Relation
from hexlogic.report.document import Column, Entry, Notes, Tone, number
from hexlogic.report.formatting import (
    counter_name,
    limits_text,
    listed,
    memory_limit,
    milliseconds,
    pipeline_name,
    seconds,
)
from hexlogic.report.statistics import ConfigurationStats, work_counter
from hexlogic.runs.records import Session, Status

__all__ = [
    "AGAIN",
    "ENGINE",
    "RULE_SET",
    "Row",
    "factor_entry",
    "megabytes",
    "of_first",
    "of_key",
    "passes_text",
    "pipeline_entry",
    "question_legend",
    "slug",
    "status_tone",
    "time_entry",
    "tone_of",
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


def tone_of(one: ConfigurationStats) -> Tone:
    """How a configuration is tinted."""
    return "bad" if one.category == "wrong" else status_tone(one.status)


def time_text(config: ConfigurationStats, limits: Limits, notes: Notes) -> str:
    """The time of a configuration in ms, or a mark for why there is none; never a number for what did not finish."""
    if config.category == "wrong":
        return "WRONG" + notes.mark(config.message)
    partly = (
        None if config.answered in (0, config.counted) else f"answered in {config.answered} of {config.counted} runs"
    )
    match config.status:
        case "answered":
            return ("?" if config.time_s is None else milliseconds(config.time_s)) + notes.mark(config.message)
        case "timeout":
            limit = limits.wall_s if config.termination == "wall-limit" else limits.cpu_s
            early = None if config.floor_s is not None else config.message
            return f"> {seconds(limit)}" + notes.mark(partly or early)
        case "out-of-memory":
            return f"> {memory_limit(limits)}" + notes.mark(partly)
        case "unsupported":
            return "-" + notes.mark(f"unsupported: {config.message}")
        case "crashed" | "error":
            return config.status + notes.mark(config.message)


def time_entry(config: ConfigurationStats, limits: Limits, notes: Notes) -> Entry:
    """The time in ms with its marks, or why there is none; the raw value is seconds."""
    return Entry(time_text(config, limits, notes) + marks(config), config.time_s, tone_of(config))


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


RULE_SET: Column[ConfigurationStats] = Column("rule_set", "reformulation", lambda one: one.rule_set, choices=True)
ENGINE: Column[ConfigurationStats] = Column("engine", "engine", choices=True)
AGAIN: Column[ConfigurationStats] = Column(
    "again_s",
    "again (ms)",
    lambda one: number(one.warm_s, lambda time_s: milliseconds(time_s) + warm_mark(one)),
    numeric=True,
)


Row: TypeAlias = Mapping[Any, ConfigurationStats]
"""A row that shows several configurations, by what they differ in."""


def of_first(column: Column[ConfigurationStats]) -> Column[Row]:
    """A column whose entry is that of the first configuration of a row."""
    return replace(cast("Column[Row]", column), entry=lambda row: column.of(next(iter(row.values()))))


def of_key(key: object, column: Column[ConfigurationStats]) -> Column[Row]:
    """A column whose entry is that of one configuration of a row; empty where the row has none of that key."""
    return replace(
        cast("Column[Row]", column), entry=lambda row: column.of(row[key]) if key in row else Entry("", None)
    )


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

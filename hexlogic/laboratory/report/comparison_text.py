"""A comparison of two measurements for people, in 100 columns, and as data for programs."""

import math
import statistics
import textwrap
from collections.abc import Callable
from dataclasses import asdict
from typing import TypeAlias

from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.claims.noise import LEVEL, RATE
from hexlogic.laboratory.report.claims.sentences import changes, clock, pooled_change
from hexlogic.laboratory.report.comparison import (
    ChangeVerdict,
    ComparedSide,
    Name,
    ResultChange,
    SideResult,
    SuiteComparison,
    WorkChange,
)
from hexlogic.laboratory.report.document import Block, Column, Text, make_table, number
from hexlogic.laboratory.report.formatting import counter_name, factor, milliseconds, pipeline_name
from hexlogic.laboratory.report.terminal import render_blocks, wrapped

_NAME = 46  # Columns for the name of a configuration
_FEW = 5  # So many configurations of one side alone are named

_TITLES: dict[ChangeVerdict, str] = {"slower": "slower", "faster": "faster", "suspect": "perhaps, or by chance"}


def render_comparison(comparison: SuiteComparison) -> str:
    """What got worse first, each table by the size of the change, and how many configurations that is among."""
    name_of = _namer(comparison)
    cell: Column[ResultChange] = Column("name", "cell", lambda change: name_of(change.name))
    blocks: list[Block] = []
    if ended := comparison.having("wrong", "lost", "other", "corrected", "found"):
        blocks.append(make_table("outcomes", f"another end ({len(ended)})", [cell, *_OUTCOMES], ended))
    for verdict, title in _TITLES.items():
        if moved := comparison.having(verdict):
            blocks.append(make_table("times", f"{title} ({len(moved)})", [cell, *_TIMES], moved))
    if rows := [(change, work) for change in comparison.changes for work in change.work]:
        rows.sort(key=lambda row: (-_size(row[1]), row[0].name, row[1].counter))
        of_row: Column[_Work] = Column("name", "cell", lambda row: name_of(row[0].name))
        blocks.append(make_table("work", f"other work ({len(rows)}); it repeats exactly", [of_row, *_WORK], rows))
    sides = f"{_side('old', comparison.old)}\n{_side('new', comparison.new)}"
    return "\n\n".join([sides, render_blocks([*blocks, *map(Text, _sentences(comparison, name_of))])])


def comparison_data(comparison: SuiteComparison) -> dict[str, object]:
    """Every configuration with its times, raw, ready for JSON."""
    return {
        "old": str(comparison.old.source),
        "new": str(comparison.new.source),
        "threshold": comparison.threshold,
        "level": LEVEL,
        "false_alarm_rate": RATE,
        "mixed": comparison.mixed,
        "worse": comparison.worse,
        "cells": [
            {
                "cell": list(change.name),
                "verdict": change.verdict,
                "old": _result_data(change.old),
                "new": _result_data(change.new),
                "ratio": None if change.shift is None else asdict(change.shift),
                "work": [work._asdict() for work in change.work],
            }
            for change in comparison.changes
        ],
        "pools": [
            {"name": pool.name, "cells": pool.count, "relation": pool.relation.kind}
            | {"old_over_new": pool.relation.value, "low": pool.relation.low, "high": pool.relation.high}
            for pool in comparison.pools
        ],
        "only_old": [list(name) for name in comparison.only_old],
        "only_new": [list(name) for name in comparison.only_new],
    }


def _result_data(result: SideResult) -> dict[str, object]:
    return {"outcome": result.outcome, "time_s": result.time_s, "repeats": len(result.times)}


def _side(word: str, side: ComparedSide) -> str:
    session = side.records.session
    commit = f", commit {session.commit[:10]}{' and changes' if session.dirty else ''}" if session.commit else ""
    return wrapped(f"{word}: {side.source} ({session.suite}, {session.started}, hexlogic {session.hexlogic}{commit})")


def _namer(comparison: SuiteComparison) -> Callable[[Name], str]:
    names = [change.name for change in comparison.changes] + [*comparison.only_old, *comparison.only_new]
    shown = None if len({name[3:] for name in names if len(name) > 1}) > 1 else 3

    def name_of(name: Name) -> str:
        parts = [pipeline_name(part) if place == 1 else part for place, part in enumerate(name[:shown])]
        return textwrap.fill(", ".join(parts), _NAME, break_on_hyphens=False)

    return name_of


def _outcome(result: SideResult) -> str:
    if result.outcome == "wrong":
        return "WRONG"
    return result.outcome if result.time_s is None else f"{milliseconds(result.time_s)} ms"


def _moved(change: ResultChange) -> tuple[str, str]:
    """By what factor the new times are faster or slower, and the interval of that."""
    if change.shift is None:
        return "", ""
    ratio, low, high, word = change.shift.ratio, change.shift.low, change.shift.high, "slower"
    if ratio < 1:
        ratio, low, high, word = 1 / ratio, 1 / high, 1 / low, "faster"
    return f"{factor(ratio)} {word}", f"{factor(low)} to {factor(high)}"


def _size(work: WorkChange) -> float:
    return abs(math.log(work.ratio)) if work.old and work.new else math.inf


_OUTCOMES: tuple[Column[ResultChange], ...] = (
    Column("before", "before", lambda change: _outcome(change.old)),
    Column("after", "after", lambda change: _outcome(change.new)),
)
_TIMES: tuple[Column[ResultChange], ...] = (
    Column("old_s", "old (ms)", lambda change: number(change.old.time_s, milliseconds), numeric=True),
    Column("new_s", "new (ms)", lambda change: number(change.new.time_s, milliseconds), numeric=True),
    Column("change", "change", lambda change: _moved(change)[0], numeric=True),
    Column("interval", f"{LEVEL:.0%} interval", lambda change: _moved(change)[1], numeric=True),
)
_Work: TypeAlias = tuple[ResultChange, WorkChange]
_WORK: tuple[Column[_Work], ...] = (
    Column("counter", "counter", lambda row: counter_name(row[1].counter), numeric=True),
    Column("old", "old", lambda row: row[1].old, numeric=True),
    Column("new", "new", lambda row: row[1].new, numeric=True),
    Column("change", "change", lambda row: number(row[1].new - row[1].old, "+,"), numeric=True),
)

_WORDS: dict[ChangeVerdict, str] = {
    "slower": "slower beyond noise",
    "faster": "faster beyond noise",
    "suspect": "perhaps",
    "same": "within the threshold",
    "open": "too noisy to tell",
}


def _sentences(comparison: SuiteComparison, name_of: Callable[[Name], str]) -> list[str]:
    sentences = []
    moved = [change.shift for change in comparison.changes if change.shift is not None]
    if pools := [pooled_change(pool.name, pool.count, pool.relation) for pool in comparison.pools]:
        sentences.append(
            f"All cells together, the new times against the old ones (geometric means, all intervals hold together "
            f"with {LEVEL:.0%}): {'; '.join(pools)}."
        )
    if moved:
        counts = {
            words: sum(change.verdict == verdict for change in comparison.changes if change.shift)
            for verdict, words in _WORDS.items()
        }
        hold = sum(shift.low <= 1 <= shift.high for shift in moved)
        sentences.append(changes(counts, comparison.threshold, hold, statistics.median(shift.ratio for shift in moved)))
        count, limit = len(moved), f"{comparison.threshold:g}x"
        sentences.append(
            f"So many comparisons bring false alarms: one by one, up to {count * RATE:.1f} of {count} cells would be "
            f"beyond {limit} by chance. They are corrected for that (Benjamini and Hochberg): of the cells that count "
            f"as changed {RATE:.0%} may be false, and when nothing changed, any alarm at all has a chance of "
            f"{RATE:.0%}. Those that fail this correction alone are listed as perhaps."
        )
    if unknown := len(comparison.having("unknown")):
        why = "each was measured once, and nothing says how much it scatters."
        if comparison.old.records.processes is not None:
            why = "one process only. Rounds of one process are no independent repeats; run pytest several times, "
            why += "and compare folders of the files."
        sentences.append(f"{unknown} cells cannot be told apart: {why}")
    for side in (comparison.old, comparison.new):
        good = [run for run in side.records.runs if run.counted and run.status == "answered"]
        for engine, runs in grouped(good, lambda run: run.engine).items():
            if comparison.clock[engine] == "cpu" and (parted := sum(run.phases.parted for run in runs)):
                sentences.append(clock(f"{engine} in {side.source}", parted, len(runs)))
    for names, word in ((comparison.only_old, "old"), (comparison.only_new, "new")):
        if names:
            first = [" ".join(name_of(name).split()) for name in names[:_FEW]]
            rest = [f"{len(names) - _FEW} more"] if len(names) > _FEW else []
            sentences.append(f"Only in {word}: {len(names)} cells ({'; '.join([*first, *rest])}).")
    if comparison.mixed:
        sentences.append(f"Compared although the sessions have different {comparison.mixed}.")
    return sentences

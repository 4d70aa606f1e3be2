"""A comparison of two measurements for people, in 100 columns, and as data for programs."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections.abc import Callable
from dataclasses import asdict

from hexlogic.report.claims.noise import RATE
from hexlogic.report.claims.phrases import raw_factor
from hexlogic.report.claims.sentences import changes, clock, pooled_change
from hexlogic.report.claims.values import LEVEL
from hexlogic.report.comparison import (
    ChangeVerdict,
    Name,
    OneSide,
    ResultChange,
    SideResult,
    SuiteComparison,
    WorkChange,
)
from hexlogic.report.document import Block, Column, Table, Text, make_table, number
from hexlogic.report.formatting import counter_name, factor, milliseconds, pipeline_name
from hexlogic.report.text import render_blocks, wrapped

__all__ = ["comparison_data", "render_comparison"]

_NAME = 46
"""Columns for the name of a configuration."""

_FEW = 5
"""So many configurations of one side alone are named."""

_MOVED: tuple[ChangeVerdict, ...] = ("slower", "faster", "suspect", "same", "open")

_TITLES: dict[ChangeVerdict, str] = {"slower": "slower", "faster": "faster", "suspect": "perhaps, or by chance"}


def render_comparison(found: SuiteComparison) -> str:
    """What got worse first, each table by the size of the change, and how many configurations that is among."""
    name_of = _namer(found)
    blocks: list[Block] = []
    if ended := found.having("wrong", "lost", "other", "corrected", "found"):
        outcomes: list[Column[ResultChange]] = [
            _named(name_of),
            Column("before", "before", lambda one: _outcome(one.old)),
            Column("after", "after", lambda one: _outcome(one.new)),
        ]
        blocks.append(make_table("outcomes", f"another end ({len(ended)})", outcomes, ended))
    for verdict, title in _TITLES.items():
        if changes := found.having(verdict):
            blocks.append(_times(f"{title} ({len(changes)})", changes, name_of))
    if any(one.work for one in found.changes):
        blocks.append(_work_table(found, name_of))
    sides = f"{_side('old', found.old)}\n{_side('new', found.new)}"
    return "\n\n".join([sides, render_blocks([*blocks, *map(Text, _sentences(found))])])


def comparison_data(found: SuiteComparison) -> dict[str, object]:
    """Every configuration with its times, raw, ready for JSON."""
    return {
        "old": str(found.old.source),
        "new": str(found.new.source),
        "threshold": found.threshold,
        "level": LEVEL,
        "false_alarm_rate": RATE,
        "mixed": found.mixed,
        "worse": found.worse,
        "cells": [
            {
                "cell": list(one.name),
                "verdict": one.verdict,
                "old": {"outcome": one.old.outcome, "time_s": one.old.time_s, "repeats": len(one.old.times)},
                "new": {"outcome": one.new.outcome, "time_s": one.new.time_s, "repeats": len(one.new.times)},
                "ratio": None if one.shift is None else asdict(one.shift),
                "work": [asdict(work) for work in one.work],
            }
            for one in found.changes
        ],
        "pools": [
            {"name": pool.name, "cells": pool.count, "relation": type(pool.relation).__name__}
            | dict(zip(("old_over_new", "low", "high"), raw_factor(pool.relation), strict=True))
            for pool in found.pools
        ],
        "only_old": [list(name) for name in found.only_old],
        "only_new": [list(name) for name in found.only_new],
    }


def _side(word: str, side: OneSide) -> str:
    session = side.session
    commit = f", commit {session.commit[:10]}{' and changes' if session.dirty else ''}" if session.commit else ""
    return wrapped(f"{word}: {side.source} ({session.suite}, {session.started}, hexlogic {session.hexlogic}{commit})")


def _namer(found: SuiteComparison) -> Callable[[Name], str]:
    """Names of configurations without what all of them share."""
    names = [one.name for one in found.changes] + [*found.only_old, *found.only_new]
    questions = {name[3:] for name in names if len(name) > 1}

    def name_of(name: Name) -> str:
        parts = [pipeline_name(part) if place == 1 else part for place, part in enumerate(name)]
        return textwrap.fill(", ".join(parts if len(questions) > 1 else parts[:3]), _NAME, break_on_hyphens=False)

    return name_of


def _named(name_of: Callable[[Name], str]) -> Column[ResultChange]:
    return Column("name", "cell", lambda one: name_of(one.name))


def _outcome(one: SideResult) -> str:
    if one.outcome == "wrong":
        return "WRONG"
    return one.outcome if one.time_s is None else f"{milliseconds(one.time_s)} ms"


def _times(title: str, changes: list[ResultChange], name_of: Callable[[Name], str]) -> Table:
    columns: list[Column[ResultChange]] = [
        _named(name_of),
        Column("old_s", "old (ms)", lambda one: number(one.old.time_s, milliseconds), numeric=True),
        Column("new_s", "new (ms)", lambda one: number(one.new.time_s, milliseconds), numeric=True),
        Column("change", "change", _by, numeric=True),
        Column("interval", f"{LEVEL:.0%} interval", _interval, numeric=True),
    ]
    return make_table("times", title, columns, changes)


def _by(one: ResultChange) -> str:
    """By what factor the new times are faster or slower."""
    if one.shift is None:
        return ""
    ratio = one.shift.ratio
    return f"{factor(max(ratio, 1 / ratio))} {'faster' if ratio < 1 else 'slower'}"


def _interval(one: ResultChange) -> str:
    if one.shift is None:
        return ""
    low, high = one.shift.low, one.shift.high
    return " to ".join(map(factor, (1 / high, 1 / low) if one.shift.ratio < 1 else (low, high)))


def _work_table(found: SuiteComparison, name_of: Callable[[Name], str]) -> Table:
    rows = [(change, work) for change in found.changes for work in change.work]
    rows.sort(key=lambda row: (-_size(row[1]), row[0].name, row[1].counter))
    columns: list[Column[tuple[ResultChange, WorkChange]]] = [
        Column("name", "cell", lambda row: name_of(row[0].name)),
        Column("counter", "counter", lambda row: counter_name(row[1].counter), numeric=True),
        Column("old", "old", lambda row: row[1].old, numeric=True),
        Column("new", "new", lambda row: row[1].new, numeric=True),
        Column("change", "change", lambda row: number(row[1].new - row[1].old, "+,"), numeric=True),
    ]
    return make_table("work", f"other work ({len(rows)}); it repeats exactly", columns, rows)


def _size(work: WorkChange) -> float:
    return abs(math.log(work.ratio)) if work.old and work.new else math.inf


_WORDS: dict[ChangeVerdict, str] = {
    "slower": "slower beyond noise",
    "faster": "faster beyond noise",
    "suspect": "perhaps",
    "same": "within the threshold",
    "open": "too noisy to tell",
}


def _sentences(found: SuiteComparison) -> list[str]:
    """How many configurations the changes are among, how sure they are, and what could not be compared."""
    told = []
    moved = [one.shift for one in found.changes if one.shift is not None]
    if found.pools:
        pools = [pooled_change(pool.name, pool.count, pool.relation) for pool in found.pools]
        told.append(
            f"All cells together, the new times against the old ones (geometric means, all intervals hold together "
            f"with {LEVEL:.0%}): {'; '.join(pools)}."
        )
    if moved:
        counts = {
            _WORDS[verdict]: sum(one.verdict == verdict for one in found.changes if one.shift) for verdict in _MOVED
        }
        hold = sum(one.low <= 1 <= one.high for one in moved)
        told.append(changes(counts, found.threshold, hold, statistics.median(one.ratio for one in moved)))
        count, limit = len(moved), f"{found.threshold:g}x"
        told.append(
            f"So many comparisons bring false alarms: one by one, up to {count * RATE:.1f} of {count} cells would be "
            f"beyond {limit} by chance. They are corrected for that (Benjamini and Hochberg): of the cells that count "
            f"as changed {RATE:.0%} may be false, and when nothing changed, any alarm at all has a chance of "
            f"{RATE:.0%}. Those that fail this correction alone are listed as perhaps."
        )
    if unknown := len(found.having("unknown")):
        why = "each was measured once, and nothing says how much it scatters."
        if found.old.processes is not None:
            why = (
                "one process only. Rounds of one process are no independent repeats; run pytest several times, and "
                "compare folders of the files."
            )
        told.append(f"{unknown} cells cannot be told apart: {why}")
    for one in (found.old, found.new):
        told += [clock(f"{engine} in {one.source}", *counts) for engine, counts in one.parted.items()]
    name_of = _namer(found)
    for names, side in ((found.only_old, "old"), (found.only_new, "new")):
        if names:
            first = [" ".join(name_of(name).split()) for name in names[:_FEW]]
            rest = [f"{len(names) - _FEW} more"] if len(names) > _FEW else []
            told.append(f"Only in {side}: {len(names)} cells ({'; '.join([*first, *rest])}).")
    if found.mixed:
        told.append(f"Compared although the sessions have different {found.mixed}.")
    return told

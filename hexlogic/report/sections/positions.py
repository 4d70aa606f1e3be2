"""Many positions: what a position costs by each rule set and method."""

from __future__ import annotations

import statistics

from hexlogic.report.document import Block, Column, Entry, make_table, number
from hexlogic.report.formatting import duration, limits_text
from hexlogic.report.judgings import Judging, judgings
from hexlogic.report.material import SuiteRecords
from hexlogic.report.section import Section
from hexlogic.report.sections.common import factor_entry, megabytes, status_tone
from hexlogic.runs.records import Session

__all__ = ["COLUMNS", "SECTION"]


def _time(one: Judging) -> Entry:
    if one.position_s is not None:
        return number(one.position_s, duration)
    if any(run.category == "wrong" for run in one.runs):
        return Entry("WRONG", None, "bad")
    worst = next((run.status for run in one.runs if run.status != "answered"), one.first.status)
    return Entry(worst, None, status_tone(worst))


COLUMNS: tuple[Column[Judging], ...] = (
    Column("rule_set", "reformulation", lambda one: one.first.rule_set),
    Column("size", "n", lambda one: number(one.first.size), numeric=True),
    Column("method", "method", lambda one: one.first.method),
    Column("position_s", "a position", _time, numeric=True),
    Column(
        "factor", "against asked [95 %]", lambda one: factor_entry(one.against) if one.against else "", numeric=True
    ),
    Column(
        "load_s",
        "start",
        lambda one: number(statistics.median(run.phases.load_s or 0.0 for run in one.runs), duration),
        numeric=True,
    ),
    Column(
        "peak_bytes",
        "memory (MB)",
        lambda one: number(max(run.usage.peak_bytes or 0 for run in one.runs), megabytes()),
        numeric=True,
    ),
)


def _blocks(suite: SuiteRecords) -> list[Block]:
    found = judgings(suite)
    return [make_table("positions", "Many positions", COLUMNS, found)] if found else []


def _legend(session: Session) -> str:
    return (
        "a position: CPU time on one core, both players, random positions by turns; packed: boards in machine words, "
        "64 positions to a word; batch: arrays of bytes, packed on the way; asked: one after the other, on compiled; "
        "start: grounding, compilation and a check by the referee. Limits per run, everything included: "
        f"{limits_text(session.limits)}."
    )


SECTION = Section(name="positions", order=75, blocks=_blocks, legend=_legend)

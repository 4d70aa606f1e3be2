"""The whole grid: every configuration on every task."""

from __future__ import annotations

from hexlogic.report.chapters.common import (
    again_item,
    factor_item,
    quartile_text,
    slug,
    solved_text,
    time_item,
    tone_of,
    work_item,
)
from hexlogic.report.document import Block, Bullets, Chapter, Column, Grid, Item, Text, item
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.marks import explain_marks
from hexlogic.report.stats import CellStats, savings
from hexlogic.report.table import Notes
from hexlogic.report.words import pipeline_words
from hexlogic.runs.records import Run

__all__ = ["comparison_chapter"]

_COLUMNS = (
    Column("rule_set", "reformulation", choices=True),
    Column("engine", "engine", choices=True),
    Column("pipeline", "passes", choices=True),
    Column("task", "board", choices=True),
    Column("query", "question", choices=True),
    Column("status", "outcome", choices=True),
    Column("answered", "answered", numeric=True),
    Column("time_s", "time (ms)", numeric=True),
    Column("quartiles", "middle half (ms)", numeric=True),
    Column("again_s", "again (ms)", numeric=True),
    Column("rsf", "RSF [95 %]", numeric=True),
    Column("work", "work", numeric=True),
    Column("rules", "rules", numeric=True),
    Column("facts", "facts", numeric=True),
    Column("literals", "literals", numeric=True),
    Column("peak_bytes", "memory (MB)", numeric=True),
)


def comparison_chapter(material: Material) -> Chapter:
    """The chapter: one table for each suite."""
    blocks: list[Block] = []
    for suite in material.suites:
        notes = Notes()
        runs: dict[tuple[str, ...], list[Run]] = {}
        for run in suite.runs:
            if run.counted:
                runs.setdefault(_key(run), []).append(run)
        rows = tuple(_row(cell, suite, runs[_key(cell)], notes) for cell in suite.cells)
        title = f"Suite {suite.suite}: {len(rows)} configurations"
        blocks.append(Grid(f"grid-{slug(suite.suite)}", title, _COLUMNS, rows, tuple(notes.texts)))
        if marked := explain_marks(suite.cells):
            blocks.append(Bullets(tuple(marked)))
    lead = Text(
        "Every configuration on every board. *time* is the median of the counted runs and *middle half* their first to "
        "third quartile; *answered* says in how many of them there was an answer. *rules*, *facts* and *literals* are "
        "those of the program that the engine got, *memory* the largest of the runs, engine and Python included."
    )
    return Chapter("grid", "The whole grid", (lead, *blocks))


def _key(one: Run | CellStats) -> tuple[str, ...]:
    return one.rule_set, one.pipeline, one.engine, one.task, one.query


def _row(cell: CellStats, suite: SuiteRecords, runs: list[Run], notes: Notes) -> tuple[Item, ...]:
    saved = savings(cell, suite.cells)
    sizes = next((run.sizes for run in runs if run.sizes is not None), None)
    peak = max((run.usage.peak_bytes for run in runs if run.usage.peak_bytes is not None), default=None)
    counts = (None, None, None) if sizes is None else (sizes.rules, sizes.facts, sizes.literals)
    status = "WRONG" if cell.category == "wrong" else cell.status
    return (
        item(cell.rule_set),
        item(cell.engine),
        Item(pipeline_words(cell.pipeline), cell.pipeline),
        item(cell.task),
        item(cell.query),
        Item(status, status, tone_of(cell)),
        Item(solved_text(cell), cell.answered),
        time_item(cell, suite.session.limits, notes),
        item(quartile_text(cell)),
        again_item(cell),
        factor_item(saved),
        work_item(cell),
        *(Item("", None) if count is None else Item(f"{count:,}", count) for count in counts),
        Item("", None) if peak is None else Item(f"{peak / 1e6:,.0f}", peak),
    )

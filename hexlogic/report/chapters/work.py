"""Deterministic work counters: the same number in every run, whatever else the machine does."""

from __future__ import annotations

import math

from hexlogic.report.chapters.common import log2_text, slug
from hexlogic.report.document import Block, Chapter, Column, Figure, Grid, Item, Text, Value, item
from hexlogic.report.figures import Heat, heat_map
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.stats import CellStats, work_counter
from hexlogic.report.words import counter_words, pipeline_rank, pipeline_words

__all__ = ["work_chapter"]


def work_chapter(material: Material) -> Chapter | None:
    """The chapter; None when no engine counted anything."""
    blocks: list[Block] = []
    for suite in material.suites:
        counted = [cell for cell in suite.cells if work_counter(cell) is not None]
        if counted:
            blocks += [*_heats(suite, counted), _grid(suite, counted)]
    if not blocks:
        return None
    lead = Text(
        "Times depend on the machine; these counters do not. SWI-Prolog counts inferences, clingo the rules that it "
        "grounds, egglog the matches of its rules. They are the figures to compare across machines. A heat map shows "
        "how much less is counted than without passes, as a power of two, summed over the boards that were answered "
        "both times."
    )
    return Chapter("work", "Work counters", (lead, *blocks))


def _heats(suite: SuiteRecords, counted: list[CellStats]) -> list[Block]:
    figures: list[Block] = []
    pipelines = sorted({cell.pipeline for cell in counted} - {"none"}, key=pipeline_rank)
    for engine in suite.engines:
        work: dict[tuple[str, str], dict[tuple[str, str], int]] = {}
        unit = ""
        for cell in counted:
            found = work_counter(cell)
            if cell.engine == engine and found is not None:
                unit = counter_words(found.name)
                work.setdefault((cell.rule_set, cell.pipeline), {})[cell.task, cell.query] = found.value
        cells: dict[tuple[str, str], Heat] = {}
        data: list[tuple[Value, ...]] = []
        for (name, pipeline), after in sorted(work.items()):
            before = work.get((name, "none"), {})
            both = sorted(before.keys() & after.keys())
            if pipeline != "none" and both:
                less, more = sum(after[key] for key in both), sum(before[key] for key in both)
                log2 = math.log2(more / less) if more and less else 0.0
                cells[name, pipeline_words(pipeline)] = Heat(log2_text(log2), log2)
                data.append((name, engine, pipeline, len(both), more, less, log2))
        if cells:
            title = f"Fewer {unit} on {engine}, log2 ({suite.suite})"
            columns = [pipeline_words(p) for p in pipelines if any(key[1] == pipeline_words(p) for key in cells)]
            svg = heat_map(title, sorted({key[0] for key in cells}), columns, cells, f"+1: half the {unit}")
            head = ("rule_set", "engine", "pipeline", "boards", "before", "after", "log2_saving")
            figures.append(Figure(f"work-{slug(suite.suite)}-{slug(engine)}", title, svg, head, tuple(data)))
    return figures


def _grid(suite: SuiteRecords, counted: list[CellStats]) -> Grid:
    pipelines = sorted({cell.pipeline for cell in counted}, key=pipeline_rank)
    columns = (
        Column("rule_set", "reformulation", choices=True),
        Column("engine", "engine", choices=True),
        Column("task", "board", choices=True),
        Column("counter", "counter", choices=True),
        *(Column(slug(pipeline).replace("-", "_"), pipeline_words(pipeline), numeric=True) for pipeline in pipelines),
    )
    rows: dict[tuple[str, str, str, str], dict[str, int]] = {}
    for cell in counted:
        found = work_counter(cell)
        if found is not None:
            rows.setdefault((cell.rule_set, cell.engine, cell.task, found.name), {})[cell.pipeline] = found.value
    items = tuple(
        (
            *(item(part) for part in key[:3]),
            Item(counter_words(key[3]), key[3]),
            *(Item(f"{row[p]:,}", row[p]) if p in row else Item("", None) for p in pipelines),
        )
        for key, row in rows.items()
    )
    return Grid(f"work-{slug(suite.suite)}", f"Work of the suite {suite.suite}", columns, items)

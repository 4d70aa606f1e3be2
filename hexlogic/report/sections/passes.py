"""What each pass saves, reformulation by reformulation: on a page the paper's Tables 1 and 2 beside ours, on a terminal
all reformulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hexlogic.games import family_of
from hexlogic.process.limits import Limits
from hexlogic.report.document import Block, Bullets, Column, Entry, Notes, Table, make_table, number, plain
from hexlogic.report.findings import findings, overview_findings
from hexlogic.report.formatting import pipeline_name, pipeline_rank, seconds
from hexlogic.report.material import SuiteRecords
from hexlogic.report.published import PAPER, PAPER_CAP_MS
from hexlogic.report.section import Section
from hexlogic.report.sections.common import (
    AGAIN,
    ENGINE,
    Row,
    factor_entry,
    of_first,
    of_key,
    pipeline_entry,
    question_legend,
    slug,
    time_entry,
    work_entry,
    work_units,
)
from hexlogic.report.statistics import ConfigurationStats, savings

__all__ = ["SECTION"]


_RSF: Column[Any] = Column("rsf", "RSF [95 %]", numeric=True, brief="RSF\n[95 %]")


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On each board a table for each rule set with more than two pipelines, and one for all others together.

    A rule set that no engine could run, for one reason, is a sentence and no table.
    """
    blocks: list[Block] = []
    remarks: list[str] = []
    limits = suite.session.limits
    asked = sorted(_questions(suite), key=lambda one: _paper_first(one.rule_set))
    for task, query in dict.fromkeys((one.task, one.query) for one in asked):
        where = f"({task}, {query})"
        ours = [one for one in asked if (one.task, one.query) == (task, query)]
        few: list[ConfigurationStats] = []
        for name in dict.fromkeys(one.rule_set for one in ours):
            own = [one for one in ours if one.rule_set == name]
            reasons = {one.message for one in own}
            if all(one.status == "unsupported" for one in own) and len(reasons) == 1:
                remarks.append(f"{name}: no engine can run it here: {reasons.pop()}")
            elif len({one.pipeline for one in own}) > 2:
                blocks.append(_passes(f"passes-{slug(name)}", f"{name} {where}; work: {work_units(own)}", own, suite))
                blocks.append(Bullets(tuple(findings(own, suite.session.engines, limits))))
            else:
                few += own
        if few:
            blocks += [_overview(few, limits, where), Bullets(tuple(overview_findings(ours, limits)))]
    return [*blocks, Bullets(tuple(remarks))] if remarks else blocks


def _questions(suite: SuiteRecords) -> list[ConfigurationStats]:
    """The questions about single boards, which are of no series and no game."""
    return [one for one in suite.configurations if one.mode is None and family_of(one.task) is None]


def _passes(file: str, title: str, own: Sequence[ConfigurationStats], suite: SuiteRecords) -> Table:
    """One rule set: a row for each engine and pipeline."""
    notes, limits = Notes(), suite.session.limits
    columns: list[Column[ConfigurationStats]] = [
        Column("engine", "engine", choices=True, group=True),
        Column("pipeline", "GOTs applied", lambda one: pipeline_entry(one.pipeline), choices=True),
        Column("time_s", "time (ms)", lambda one: time_entry(one, limits, notes), numeric=True),
        replace(_RSF, entry=lambda one: factor_entry(savings(one, own))),
        AGAIN,
        Column("work", "work", work_entry, numeric=True),
    ]
    if own[0].rule_set in PAPER:
        columns.append(Column("paper_ms", "paper (ms)", _paper_time, numeric=True))
        columns.append(Column("paper_rsf", "paper RSF", _paper_factor, numeric=True, brief="paper\nRSF"))
    return make_table(file, title, columns, own, notes)


def _overview(own: Sequence[ConfigurationStats], limits: Limits, where: str) -> Table:
    """Rule sets with one or two pipelines: one row for each engine, the pipelines side by side."""
    notes = Notes()
    pipelines = sorted({one.pipeline for one in own}, key=pipeline_rank)
    rows: dict[tuple[str, str], dict[str, ConfigurationStats]] = {}
    for one in own:
        rows.setdefault((one.rule_set, one.engine), {})[one.pipeline] = one

    def saved(row: Row) -> Entry:
        last = row.get(pipelines[-1])
        return Entry("", None) if last is None else factor_entry(savings(last, own))

    def time(name: str) -> Column[ConfigurationStats]:
        return Column(f"time_s_{name}", f"{name} (ms)", lambda one: time_entry(one, limits, notes), numeric=True)

    def work(name: str) -> Column[ConfigurationStats]:
        return Column(f"work_{name}", f"{name} (work)", work_entry, numeric=True)

    columns = [
        of_first(Column("rule_set", "reformulation", group=True)),
        of_first(ENGINE),
        *(of_key(pipeline, time(pipeline_name(pipeline))) for pipeline in pipelines),
        replace(_RSF, entry=saved),
        *(of_key(pipeline, work(pipeline_name(pipeline))) for pipeline in pipelines),
    ]
    title = "other reformulations" if len({one.rule_set for one in own}) > 1 else own[0].rule_set
    return make_table("overview", f"{title} {where}; work: {work_units(own)}", columns, rows.values(), notes)


def _paper_first(rule_set: str) -> int:
    return list(PAPER).index(rule_set) if rule_set in PAPER else len(PAPER)


def _paper_time(one: ConfigurationStats) -> Entry:
    figure = PAPER[one.rule_set].get(one.pipeline)
    if figure is not None and figure.time_ms is None:
        return Entry(f"> {seconds(PAPER_CAP_MS / 1000)}", None, "late")
    return number(None if figure is None else figure.time_ms, "g")


def _paper_factor(one: ConfigurationStats) -> Entry:
    figure = PAPER[one.rule_set].get(one.pipeline)
    return Entry("", None) if figure is None else plain(figure.rsf)


SECTION = Section(
    name="passes",
    order=30,
    blocks=_blocks,
    legend=question_legend,
)

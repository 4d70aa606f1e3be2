"""What each pass saves, reformulation by reformulation: on a page the paper's Tables 1 and 2 beside ours, on a terminal
all reformulations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

from hexlogic.games import family_of
from hexlogic.process.limits import Limits
from hexlogic.report.caveats import doubt_marks, warm_mark
from hexlogic.report.document import Block, Bullets, Column, Entry, Notes, Table, make_table
from hexlogic.report.findings import findings, overview_findings
from hexlogic.report.formatting import memory_limit, milliseconds, pipeline_name, pipeline_rank, seconds
from hexlogic.report.grouping import grouped
from hexlogic.report.material import SuiteRecords
from hexlogic.report.published import PAPER, PAPER_CAP_MS
from hexlogic.report.section import Section
from hexlogic.report.sections.common import factor_entry, pipeline_entry, question_legend, work_entry, work_units
from hexlogic.report.statistics import ConfigurationStats, savings

__all__ = ["SECTION"]


_RSF = "RSF\n[95 %]"

_Row: TypeAlias = Mapping[str, ConfigurationStats]
"""A rule set on an engine, by pipeline."""


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
                blocks.append(_passes(f"{name} {where}; work: {work_units(own)}", own, suite))
                blocks.append(Bullets(tuple(findings(own, suite.session.engines, limits))))
            else:
                few += own
        if few:
            blocks += [_overview(few, limits, where), Bullets(tuple(overview_findings(ours, limits)))]
    return [*blocks, Bullets(tuple(remarks))] if remarks else blocks


def _questions(suite: SuiteRecords) -> list[ConfigurationStats]:
    """The questions about single boards, which are of no series and no game."""
    return [one for one in suite.configurations if one.mode is None and family_of(one.task) is None]


def _passes(title: str, own: Sequence[ConfigurationStats], suite: SuiteRecords) -> Table:
    """One rule set: a row for each engine and pipeline."""
    notes, limits = Notes(), suite.session.limits
    columns: list[Column[ConfigurationStats]] = [
        Column("engine", "engine", group=True),
        Column("pipeline", "GOTs applied", lambda one: pipeline_entry(one.pipeline)),
        Column("time_s", "time (ms)", lambda one: _time(one, limits, notes), numeric=True),
        Column("rsf", _RSF, lambda one: factor_entry(savings(one, own)), numeric=True),
        Column("again_s", "again (ms)", _again, numeric=True),
        Column("work", "work", work_entry, numeric=True),
    ]
    if own[0].rule_set in PAPER:
        columns.append(Column("paper_ms", "paper (ms)", _paper_time, numeric=True))
        columns.append(Column("paper_rsf", "paper\nRSF", _paper_factor, numeric=True))
    return make_table("passes", title, columns, own, notes)


def _overview(own: Sequence[ConfigurationStats], limits: Limits, where: str) -> Table:
    """Rule sets with one or two pipelines: one row for each engine, the pipelines side by side."""
    notes = Notes()
    pipelines = sorted({one.pipeline for one in own}, key=pipeline_rank)
    groups = grouped(own, lambda one: (one.rule_set, one.engine))
    rows = [{one.pipeline: one for one in group} for group in groups.values()]

    def of_first(row: _Row, attribute: str) -> str:
        return str(getattr(next(iter(row.values())), attribute))

    def time(row: _Row, pipeline: str) -> str:
        return _time(row[pipeline], limits, notes) if pipeline in row else ""

    def did(row: _Row, pipeline: str) -> Entry | str:
        return work_entry(row[pipeline]) if pipeline in row else ""

    def saved(row: _Row) -> Entry | str:
        return factor_entry(savings(row[pipelines[-1]], own)) if pipelines[-1] in row else ""

    columns: list[Column[_Row]] = [
        Column("rule_set", "reformulation", partial(of_first, attribute="rule_set"), group=True),
        Column("engine", "engine", partial(of_first, attribute="engine")),
        *(Column(f"time_{p}", f"{pipeline_name(p)} (ms)", partial(time, pipeline=p), numeric=True) for p in pipelines),
        Column("rsf", _RSF, saved, numeric=True),
        *(Column(f"work_{p}", f"{pipeline_name(p)} (work)", partial(did, pipeline=p), numeric=True) for p in pipelines),
    ]
    title = "other reformulations" if len({one.rule_set for one in own}) > 1 else own[0].rule_set
    return make_table("overview", f"{title} {where}; work: {work_units(own)}", columns, rows, notes)


def _time(config: ConfigurationStats, limits: Limits, notes: Notes) -> str:
    """The time in ms with its marks, or why there is none; never a number for what did not finish."""
    return _time_text(config, limits, notes) + doubt_marks(config)


def _time_text(config: ConfigurationStats, limits: Limits, notes: Notes) -> str:
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


def _again(config: ConfigurationStats) -> str:
    """The time of the query asked again, in ms with its mark."""
    return "" if config.warm_s is None else milliseconds(config.warm_s) + warm_mark(config)


def _paper_first(rule_set: str) -> int:
    return list(PAPER).index(rule_set) if rule_set in PAPER else len(PAPER)


def _paper_time(one: ConfigurationStats) -> str:
    figure = PAPER[one.rule_set].get(one.pipeline)
    if figure is None:
        return ""
    return f"> {seconds(PAPER_CAP_MS / 1000)}" if figure.time_ms is None else f"{figure.time_ms:g}"


def _paper_factor(one: ConfigurationStats) -> str:
    figure = PAPER[one.rule_set].get(one.pipeline)
    return "" if figure is None else figure.rsf


SECTION = Section(name="passes", order=30, blocks=_blocks, legend=question_legend)

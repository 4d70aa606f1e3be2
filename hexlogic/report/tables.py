"""The tables: per reformulation, what each pass saves on each engine, beside the paper's figures."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.games import family_of
from hexlogic.process.limits import MEGABYTE, Limits
from hexlogic.report.claims.phrases import entry
from hexlogic.report.findings import findings, overview_findings
from hexlogic.report.marks import marks, warm_mark
from hexlogic.report.paper import PAPER, PAPER_CAP_MS
from hexlogic.report.replays import replay_tables
from hexlogic.report.series import find_series, series_table
from hexlogic.report.stats import CellStats, savings, work_counter
from hexlogic.report.table import Notes, Table
from hexlogic.report.words import (
    counter_words,
    listed,
    milliseconds,
    pipeline_rank,
    pipeline_words,
    seconds,
)
from hexlogic.runs.records import Session

__all__ = ["make_tables", "time_text"]

_RSF = "RSF\n[95 %]"


def make_tables(cells: Sequence[CellStats], session: Session) -> tuple[list[Table], list[str]]:
    """The tables of a session: one for each rule set on a series of boards; on each other board one for each rule set
    with more than two pipelines, one for all others together. Replayed games have tables of their own.

    The second result has a sentence for each rule set that no engine could run, which needs no table.
    """
    tables: list[Table] = []
    remarks: list[str] = []
    limits = session.limits
    order = list(session.engines)
    # Records come in the order in which runs ended; tables do not depend on it.
    cells = sorted(cells, key=lambda cell: (_paper_first(cell.rule_set), order.index(cell.engine)))
    tables += replay_tables(cells, limits)
    cells = [cell for cell in cells if cell.mode is None]
    series = find_series(cells)
    for rule_set in dict.fromkeys((one.name[0], *one.name[3:]) for one in series):
        tables.append(series_table([one for one in series if (one.name[0], *one.name[3:]) == rule_set], limits))
    cells = [cell for cell in cells if family_of(cell.task) is None]
    for task, query in dict.fromkeys((cell.task, cell.query) for cell in cells):
        ours = [cell for cell in cells if (cell.task, cell.query) == (task, query)]
        few: list[CellStats] = []
        for name in dict.fromkeys(cell.rule_set for cell in ours):
            own = [cell for cell in ours if cell.rule_set == name]
            reasons = {cell.message for cell in own}
            if all(cell.status == "unsupported" for cell in own) and len(reasons) == 1:
                remarks.append(f"{name}: no engine can run it here: {reasons.pop()}")
            elif len({cell.pipeline for cell in own}) > 2:
                tables.append(_passes_table(name, own, session, f"{task}, {query}"))
            else:
                few += own
        if few:
            table = _overview(few, limits, f"{task}, {query}")
            table.findings = overview_findings(ours, limits)
            tables.append(table)
    return tables, remarks


def time_text(cell: CellStats, limits: Limits, notes: Notes) -> str:
    """The time of a cell in ms, or a mark for why there is none; never a number for what did not finish."""
    if cell.category == "wrong":
        return "WRONG" + notes.mark(cell.message)
    partly = None if cell.answered in (0, cell.counted) else f"answered in {cell.answered} of {cell.counted} runs"
    match cell.status:
        case "answered":
            return ("?" if cell.time_s is None else milliseconds(cell.time_s)) + notes.mark(cell.message)
        case "timeout":
            limit = limits.wall_s if cell.termination == "wall-limit" else limits.cpu_s
            early = None if cell.floor_s is not None else cell.message
            return f"> {seconds(limit)}" + notes.mark(partly or early)
        case "out-of-memory":
            return f"> {limits.memory_bytes / MEGABYTE:,.0f} MB" + notes.mark(partly)
        case "unsupported":
            return "-" + notes.mark(f"unsupported: {cell.message}")
        case "crashed" | "error":
            return cell.status + notes.mark(cell.message)


def _passes_table(name: str, cells: list[CellStats], session: Session, where: str) -> Table:
    notes, limits = Notes(), session.limits
    paper = PAPER.get(name, {})
    columns = ["engine", "GOTs applied", "time\n(ms)", _RSF, "again\n(ms)", "work"]
    columns += ["paper\n(ms)", "paper\nRSF"] if paper else []
    rows: list[list[str]] = []
    groups: list[int] = []
    for engine in dict.fromkeys(cell.engine for cell in cells):
        groups.append(len(rows))
        own = sorted((cell for cell in cells if cell.engine == engine), key=_place)
        for number, cell in enumerate(own):
            row = [engine if number == 0 else "", pipeline_words(cell.pipeline)]
            row += [
                time_text(cell, limits, notes) + marks(cell),
                entry(savings(cell, own)),
                _again_text(cell),
                _work_text(cell),
            ]
            rows.append(row + (_paper_texts(name, cell.pipeline) if paper else []))
    told = findings(cells, session.engines, limits)
    return Table(f"{name} ({where}); work: {_units(cells)}", columns, rows, groups[1:], notes.texts, told)


def _overview(cells: list[CellStats], limits: Limits, where: str) -> Table:
    """Rule sets with one or two pipelines: one row for each engine, the pipelines side by side."""
    notes = Notes()
    pipelines = sorted(dict.fromkeys(cell.pipeline for cell in cells), key=pipeline_rank)
    words = [pipeline_words(pipeline) for pipeline in pipelines]
    columns = ["reformulation", "engine", *(f"{word}\n(ms)" for word in words), _RSF, *(f"{w}\n(work)" for w in words)]
    rows: list[list[str]] = []
    groups: list[int] = []
    for name in dict.fromkeys(cell.rule_set for cell in cells):
        groups.append(len(rows))
        own = [cell for cell in cells if cell.rule_set == name]
        for number, engine in enumerate(dict.fromkeys(cell.engine for cell in own)):
            by_pipeline = {cell.pipeline: cell for cell in own if cell.engine == engine}
            present = [by_pipeline.get(pipeline) for pipeline in pipelines]
            last = present[-1]
            row = [name if number == 0 else "", engine]
            row += ["" if cell is None else time_text(cell, limits, notes) + marks(cell) for cell in present]
            row.append("" if last is None else entry(savings(last, own)))
            rows.append(row + ["" if cell is None else _work_text(cell) for cell in present])
    title = "other reformulations" if len(groups) > 1 else cells[0].rule_set
    return Table(f"{title} ({where}); work: {_units(cells)}", columns, rows, groups[1:], notes.texts)


def _paper_first(rule_set: str) -> tuple[int, str]:
    known = list(PAPER)
    return (known.index(rule_set) if rule_set in PAPER else len(known), rule_set)


def _place(cell: CellStats) -> tuple[int, str]:
    return pipeline_rank(cell.pipeline)


def _again_text(cell: CellStats) -> str:
    return "" if cell.warm_s is None else milliseconds(cell.warm_s) + warm_mark(cell)


def _work_text(cell: CellStats) -> str:
    work = work_counter(cell)
    return "" if work is None else f"{work.value:,}"


def _units(cells: Sequence[CellStats]) -> str:
    """Which counter is whose, for columns that leave it out."""
    units = {cell.engine: counter_words(work.name) for cell in cells if (work := work_counter(cell)) is not None}
    return listed([f"{unit} on {engine}" for engine, unit in units.items()]) or "not counted"


def _paper_texts(name: str, pipeline: str) -> list[str]:
    figure = PAPER[name].get(pipeline)
    if figure is None:
        return ["", ""]
    time = f"> {seconds(PAPER_CAP_MS / 1000)}" if figure.time_ms is None else f"{figure.time_ms:g}"
    return [time, figure.rsf]

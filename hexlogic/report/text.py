"""Tables and findings as text for a terminal of 100 columns."""

from __future__ import annotations

import statistics
import textwrap
from collections.abc import Sequence

from tabulate import tabulate

from hexlogic.process.limits import MEGABYTE
from hexlogic.report.claims.relations import BAND
from hexlogic.report.findings import clock_findings
from hexlogic.report.machines import play_tables
from hexlogic.report.marks import explain_marks
from hexlogic.report.stats import CellStats, summarise
from hexlogic.report.table import Table
from hexlogic.report.tables import make_tables
from hexlogic.report.words import seconds
from hexlogic.runs.records import Playing, Run, Session
from hexlogic.runs.store import RecordFile

__all__ = ["WIDTH", "doubts", "render_report", "render_table", "wrapped", "wrong_answers"]

WIDTH = 100

_BUSY = 1.5
"""A typical run that takes this many times its CPU time has waited for others."""

_OFTEN = 0.1
"""So many runs may see a high load without a word."""

_LEFT = {"sheet", "engine", "mode", "reformulation", "GOTs applied", "cell", "before", "after"}


def render_report(records: RecordFile) -> str:
    """Tables, each with what it shows, how to read them, and at the end, where it is seen, what is wrong."""
    cells = summarise(records.runs, records.floors)
    tables, remarks = make_tables(cells, records.session)
    if records.playings:
        tables += play_tables(records.playings, records.session.limits)
    parts = [render_table(table) for table in tables]
    if remarks:
        parts.append("\n".join(map(wrapped, remarks)))
    questions = [cell for cell in cells if cell.mode is None]
    legends = [_legend(records.session)] if questions or not (cells or records.playings) else []
    legends += [_replay_legend(records.session)] if len(questions) < len(cells) else []
    legends += [_play_legend(records.session)] if records.playings else []
    parts.append("\n".join(map(wrapped, [*legends, *explain_marks(questions), *clock_findings(cells)])))
    parts += map(wrapped, wrong_answers(cells) + doubts(records))
    return "\n\n".join(parts) + "\n"


def render_table(table: Table) -> str:
    """The title, the table, its footnotes and its findings.

    >>> print(render_table(Table("title", ["engine", "time (ms)"], [["swipl", "1.0"], ["clingo", "> 10 s"]], [1])))
    title
    <BLANKLINE>
    engine      time (ms)
    --------  -----------
    swipl             1.0
    --------  -----------
    clingo         > 10 s
    """
    align = ["left" if name in _LEFT else "right" for name in table.columns]
    text = tabulate(table.rows, headers=table.columns, tablefmt="simple", colalign=align, disable_numparse=True)
    lines = [line.rstrip() for line in text.splitlines()]
    depth = 1 + max(name.count("\n") for name in table.columns)
    head, rule, body = lines[:depth], lines[depth], lines[depth + 1 :]
    for number in reversed(table.groups):
        body.insert(number, rule)
    notes = [wrapped(f"[{number}] {note}", hang=4) for number, note in enumerate(table.notes, start=1)]
    told = [wrapped(sentence) for sentence in table.findings]
    return "\n".join([wrapped(table.title), "", *head, rule, *body, *notes, *(["", *told] if told else [])])


def _legend(session: Session) -> str:
    limits = session.limits
    memory = f"{limits.memory_bytes / MEGABYTE:,.0f} MB"
    return (
        f"time: the first query in a fresh process, grounding and solving, median of {session.repeats} runs (fewer of "
        f"slow ones); again: the same query repeated in that process, median; RSF: the slowest time of the same "
        f"reformulation and engine divided by this one, a ratio of medians, with its 95 % interval (t-distribution on "
        f"logarithms; so few repeats do not tell their own noise, which is drawn towards that of all cells of the "
        f"engine); >=: a configuration met a limit; [?]: nothing tells the noise. Saves, costs and makes no difference "
        f"are said of intervals that show it; no difference: the interval lies within {BAND:g}x of 1. Limits per run, "
        f"building and loading included: {seconds(limits.cpu_s)} CPU, {memory}."
    )


def _replay_legend(session: Session) -> str:
    limits = session.limits
    runs = "one run" if session.repeats == 1 else f"median of {session.repeats} runs (fewer of slow ones)"
    return (
        f"n = ...: all moves of a game and who has won after each, {runs} and mean of the games; ~: not measured, "
        "estimated from the growth; load: the time was over before the first move; memory: it took too much; empty: a "
        "smaller board had no time, or this one is not in the suite. On the largest board where the games ended: a "
        "move, the median one; loaded: making and loading the program, which is in no other time; grown: by how much "
        "memory was larger than before the first move. followed: the engine keeps what it has from move to move; anew: "
        "it is asked about both players with all stones after each. facts: what follows from the stones and is kept; "
        "process: its memory at most. "
        f"Limits per run, loading included: {seconds(limits.cpu_s)} CPU, {limits.memory_bytes / MEGABYTE:,.0f} MB."
    )


def _play_legend(session: Session) -> str:
    limits = session.limits
    return (
        "1/s: random games, or steps in them, a second of CPU time, once started; start: CPU seconds from the sheet as "
        "a program to the end of the first playout (grounding, analysis, compilation, with numba's cache warm); MB: "
        "the largest resident memory of all processes; ground rules: those with a body that not every state fulfils; "
        "OpenSpiel: Hex written by hand in C++, which knows no rules; empty: a smaller board had no result, or nothing "
        "is known. Limits per run, everything included: "
        f"{seconds(limits.cpu_s)} CPU, {limits.memory_bytes / MEGABYTE:,.0f} MB."
    )


def _all_runs(records: RecordFile) -> tuple[Run | Playing, ...]:
    return (*records.runs, *records.playings)


def wrong_answers(cells: Sequence[CellStats]) -> list[str]:
    """One sentence for each cell with a wrong answer."""
    return [
        f"WRONG ANSWER: {cell.rule_set}, {cell.pipeline}, {cell.engine}, {cell.task}, {cell.query}: {cell.message}"
        for cell in cells
        if cell.category == "wrong"
    ]


def doubts(records: RecordFile) -> list[str]:
    """Reasons not to trust the figures of a session: it was cut off, the machine was busy, a line is torn."""
    told = []
    if records.end is None or records.end.reason == "interrupted":
        told.append(f"The session was cut off after {len(_all_runs(records))} runs: cells without repeats are missing.")
    if (waited := _waiting(records)) is not None and waited > _BUSY:
        told.append(
            f"The machine was busy: a run took {waited:.1f} times as long as it had the processor. Do not trust times "
            "and factors; bounds, counters and answers stand."
        )
    return told + _loaded(records) + _without_floor(records) + list(records.warnings)


def _loaded(records: RecordFile) -> list[str]:
    """What else the machine did: more work than it has processors, and swapping."""
    told = []
    cores = records.session.cores
    before = [load for load in (records.session.load_1m, *(one.load_1m for one in records.resumed)) if load is not None]
    if before and max(before) > cores:
        told.append(f"The load average was {max(before):.1f} before the start, above the {cores} processors.")
    loads = [run.machine.load_1m for run in _all_runs(records) if not run.warmup and run.machine.load_1m is not None]
    above = [load for load in loads if load > cores]
    # The warm-ups, a run on each processor, are still in the average of the first minute.
    if len(above) > _OFTEN * len(loads):
        told.append(
            f"The load average was above the {cores} processors in {len(above)} of {len(loads)} measured runs, up to "
            f"{max(above):.1f}: other work disturbed the times."
        )
    swapped = [run.machine.swapped_bytes for run in _all_runs(records) if run.machine.swapped_bytes]
    if swapped:
        told.append(
            f"The machine swapped {sum(swapped) / MEGABYTE:,.1f} MB in {len(swapped)} of {len(_all_runs(records))} "
            "runs: memory was short, do not trust the times of those runs."
        )
    return told


def _without_floor(records: RecordFile) -> list[str]:
    """Engines whose smallest query got no right answer: no time of theirs can be compared with it."""
    engines = sorted(
        {one.engine for one in records.floors} - {f.engine for f in records.floors if f.category == "correct"}
    )
    return [f"The smallest query got no right answer on {engine}: its floor is not known." for engine in engines]


def _waiting(records: RecordFile) -> float | None:
    """Wall time over CPU time of the typical repeat: little more than 1 on a machine with nothing else to do."""
    ratios = [
        run.usage.wall_s / run.usage.cpu_s
        for run in _all_runs(records)
        if not run.warmup and run.usage.wall_s is not None and run.usage.cpu_s
    ]
    return statistics.median(ratios) if ratios else None


def wrapped(text: str, hang: int = 2) -> str:
    """A paragraph in lines of at most `WIDTH`, but for words that are longer."""
    return textwrap.fill(text, WIDTH, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)

"""State machines: random playouts of sheets, reformulation by reasoner, on growing boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from hexlogic.gdl.machines import reasoner_names
from hexlogic.process.limits import Limits
from hexlogic.report.document import Block, Bullets, Column, Entry, Notes, Table, make_table, number
from hexlogic.report.formatting import limits_text, memory_limit, seconds
from hexlogic.report.material import SuiteRecords
from hexlogic.report.playouts import PlayStats, agreement_texts, rate_findings, rate_text, summarise_plays
from hexlogic.report.section import Section
from hexlogic.report.sections.common import megabytes
from hexlogic.runs.baselines import OPEN_SPIEL, baseline_names
from hexlogic.runs.records import Session

__all__ = ["SECTION"]


def _blocks(suite: SuiteRecords) -> list[Block]:
    """Two tables for each board, reformulation x reasoner, and two for all files."""
    stats = summarise_plays(suite.playings)
    places = dict.fromkeys(one.place if one.size is not None else "sheets" for one in stats)
    blocks: list[Block] = []
    for place in sorted(places, key=lambda place: place == "sheets"):
        own = [one for one in stats if place == (one.place if one.size is not None else "sheets")]
        blocks.append(_rates("playouts", f"{place}: random playouts a second", own, suite.session.limits))
        blocks.append(Bullets(tuple(rate_findings(own))))
        blocks.append(_steps(f"{place}: state updates a second, and memory", own))
    return [*blocks, Bullets(tuple(agreement_texts(suite.playings)))] if blocks else []


_Row: TypeAlias = dict[str, PlayStats]
"""One sheet on one board, by reasoner; OpenSpiel, which knows no reasoner, stands at the first one."""


def _names(stats: Sequence[PlayStats]) -> list[str]:
    """The reasoners that have a column, in the order of their registry; OpenSpiel alone has one of its own."""
    there = {one.reasoner for one in stats}
    return [name for name in reasoner_names() if name in there] or [OPEN_SPIEL]


def _rows(stats: Sequence[PlayStats]) -> list[_Row]:
    """The sheets; of the peers only OpenSpiel, at the end."""
    names, found = _names(stats), dict[tuple[str, str], _Row]()
    for one in sorted(stats, key=lambda one: one.reasoner == OPEN_SPIEL):
        if one.reasoner == OPEN_SPIEL or one.reasoner not in baseline_names():
            name = names[0] if one.reasoner == OPEN_SPIEL else one.reasoner
            found.setdefault((one.place, one.sheet), {})[name] = one
    return list(found.values())


def _sheets(stats: Sequence[PlayStats], count: str, head: str) -> list[Column[_Row]]:
    """What a sheet is called, and the first count that a reasoner tells of it."""

    def counted(row: _Row) -> int | None:
        return next((found for one in row.values() if (found := getattr(one, count)) is not None), None)

    what = "reformulation" if stats[0].size is not None else "sheet"
    return [
        Column("sheet", what, lambda row: next(iter(row.values())).sheet),
        Column(count, head, counted, numeric=True),
    ]


def _by_reasoner(
    names: Sequence[str], key: str, head: str, entry: Callable[[PlayStats], Entry | str]
) -> list[Column[_Row]]:
    """A column for each reasoner; the head holds its name in place of `*`."""

    def of(row: _Row, name: str) -> Entry | str:
        return entry(row[name]) if name in row else ""

    return [Column(f"{name}_{key}", head.replace("*", name), partial(of, name=name), numeric=True) for name in names]


def _rates(file: str, title: str, stats: Sequence[PlayStats], limits: Limits) -> Table:
    """Reformulation x reasoner on one board: playouts a second, ground rules and starts."""
    notes, names = Notes(), _names(stats)
    columns = [
        *_sheets(stats, "rules", "ground\nrules"),
        *_by_reasoner(names, "per_s", "*\n(1/s)", lambda one: _play_text(one, limits, notes)),
        *_by_reasoner(names, "start_s", "start (s)\n*", lambda one: number(one.start_s, ".2f")),
    ]
    return make_table(file, title, columns, _rows(stats), notes)


def _steps(title: str, stats: Sequence[PlayStats]) -> Table:
    """State updates a second, atoms and memory."""
    names = _names(stats)
    columns = [
        *_sheets(stats, "atoms", "atoms"),
        *_by_reasoner(names, "steps_per_s", "*\n(1/s)", lambda one: number(one.steps_per_s, rate_text)),
        *_by_reasoner(names, "peak_bytes", "(MB)\n*", _memory),
    ]
    return make_table("steps", title, columns, _rows([one for one in stats if one.reasoner != OPEN_SPIEL]))


def _play_text(one: PlayStats, limits: Limits, notes: Notes) -> str:
    """Playouts a second, or why there are none."""
    match one.status:
        case "answered":
            if one.playouts_per_s is None:
                return "?" + notes.mark("too few games for the clock")
            return rate_text(one.playouts_per_s)
        case "timeout":
            limit = limits.wall_s if one.termination == "wall-limit" else limits.cpu_s
            return f"> {seconds(limit)}" + ("" if one.start_s is None else notes.mark("started, and played no game"))
        case "out-of-memory":
            return f"> {memory_limit(limits)}"
        case "unsupported":
            return "no" + notes.mark(one.message)
        case "crashed" | "error":
            return one.status + notes.mark(one.message)


def _memory(one: PlayStats) -> Entry:
    return number(None if one.status == "unsupported" else one.peak_bytes, megabytes())


def _legend(session: Session) -> str:
    return (
        "1/s: random games, or steps in them, a second of CPU time, once started; start: CPU seconds from the sheet as "
        "a program to the end of the first playout (grounding, analysis, compilation, with numba's cache warm); MB: "
        "the largest resident memory of all processes; ground rules: those with a body that not every state fulfils; "
        "OpenSpiel: Hex written by hand in C++, which knows no rules; empty: a smaller board had no result, or nothing "
        "is known. Limits per run, everything included: "
        f"{limits_text(session.limits)}."
    )


SECTION = Section(name="playouts", order=70, blocks=_blocks, legend=_legend)

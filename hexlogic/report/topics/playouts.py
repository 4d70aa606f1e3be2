"""Game descriptions: random playouts of sheets in GDL, reformulation by reasoner, on growing boards."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from hexlogic.gdl.machines import reasoner_names
from hexlogic.process.limits import Limits
from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.timing import relate
from hexlogic.report.document import Block, Bullets, Column, Entry, Figure, Notes, Table, make_table, number
from hexlogic.report.dots import with_interval
from hexlogic.report.entries import factor_entry, megabytes, status_tone
from hexlogic.report.formatting import duration, limit_met, limits_text
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.playouts import PlayStats, agreement_texts, rate_findings, rate_text, summarise_plays
from hexlogic.report.repeat import copied, repeat_playouts
from hexlogic.report.topic import PageAnswer, PageQuestion, Section
from hexlogic.runs.baselines import OPEN_SPIEL, baseline_names
from hexlogic.runs.records import Session

__all__ = ["QUESTION", "SECTION", "PlayedSheet", "playout_figure", "sheets"]


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
    text, why = limit_met(one.status, one.termination, limits), one.message
    match one.status:
        case "answered":
            if one.playouts_per_s is not None:
                return rate_text(one.playouts_per_s)
            text, why = "?", "too few games for the clock"
        case "timeout" | "out-of-memory":
            why = "started, and played no game" if one.status == "timeout" and one.start_s is not None else None
        case "unsupported":
            text = "no"
    return text + notes.mark(why)


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


_RATES = "Random games a second of CPU time on one core, once started; bars are the lowest and the highest run."
_STARTS = "What a player waits for: grounding, analysis and compilation, to the end of the first game."


@dataclass(frozen=True, slots=True)
class PlayedSheet:
    """A reasoner on a sheet, with the suite that played it, and all that this suite played."""

    suite: SuiteRecords
    stats: PlayStats
    every: tuple[PlayStats, ...]

    @property
    def repeat(self) -> str:
        """The command that plays it again."""
        return repeat_playouts(self.suite.session, self.stats)


def sheets(material: Material) -> list[PlayedSheet]:
    """All sheets on all reasoners."""
    stats = [(suite, summarise_plays(suite.playings)) for suite in material.playouts]
    return [PlayedSheet(suite, one, every) for suite, every in stats for one in every]


def playout_figure(found: Sequence[PlayedSheet]) -> Figure | None:
    """Playouts a second on the largest board; its title says which is played most often."""
    own = _largest([one for one in found if one.stats.playouts_per_s])
    marks = [_rate_dot(one) for one in own]
    if not marks:
        return None
    title = rate_findings([one.stats for one in own]) or [f"Playouts of {own[0].stats.place}"]
    order = {dot.row: max(other.value for other in marks if other.row == dot.row) for dot in marks}
    marks.sort(key=lambda dot: -order[dot.row])
    text = f"{own[0].stats.place}: {title[0].partition('. ')[0].rstrip('.')}"
    return dots("playouts", text, _RATES, marks, "playouts a second", "rate")


def _largest(found: Sequence[PlayedSheet]) -> list[PlayedSheet]:
    """Those of the largest board, without peers other than players of the sheet."""
    sizes = [one.stats.size for one in found if one.stats.size is not None]
    return [one for one in found if not sizes or one.stats.size == max(sizes)]


def _rate_dot(one: PlayedSheet) -> Dot:
    rates = [1 / time_s for time_s in one.stats.playout_s]
    value, low, high = one.stats.playouts_per_s or 0.0, min(rates, default=None), max(rates, default=None)
    by_hand = one.stats.reasoner in baseline_names()
    return Dot(
        row=f"{one.stats.reasoner} (no sheet)" if by_hand else one.stats.sheet,
        series="by hand" if by_hand else one.stats.reasoner,
        value=value,
        low=low,
        high=high,
        shown=f"{with_interval(rate_text, value, low, high)} playouts/s",
        runs=one.stats.runs,
        repeat=one.repeat,
    )


def _answer(material: Material, found: list[PlayedSheet]) -> PageAnswer:
    blocks: list[Block] = []
    if (figure := playout_figure(found)) is not None:
        blocks.append(figure)
    starts = [
        Dot(
            row=one.stats.sheet,
            series=one.stats.reasoner,
            value=one.stats.start_s or 0.0,
            shown=duration(one.stats.start_s or 0.0),
            runs=one.stats.runs,
            repeat=one.repeat,
        )
        for one in _largest([one for one in found if one.stats.start_s])
    ]
    if starts:
        slowest = max(starts, key=lambda dot: dot.value)
        title = f"Starting takes up to {slowest.shown} ({slowest.row} on {slowest.series})"
        blocks.append(dots("starts", title, _STARTS, starts, "time to the first game", "seconds"))
    agreed = [text for suite in material.playouts for text in agreement_texts(suite.playings)]
    finding = f"{figure.title}." if figure is not None else "No sheet was played to the end."
    checked = f" Checked: {' '.join(agreed)}" if agreed else ""
    return PageAnswer(
        finding + checked, [*blocks, make_table("descriptions", "Every sheet on every reasoner", _COLUMNS, found)]
    )


def _rate(one: PlayedSheet) -> Entry:
    if one.stats.playouts_per_s is None:
        return Entry(one.stats.status, None, status_tone(one.stats.status))
    return number(one.stats.playouts_per_s, rate_text)


def _factor(one: PlayedSheet) -> Entry | None:
    """Against the slowest sheet that the same reasoner played on the same board."""
    place = (one.stats.reasoner, one.stats.place)
    own = [other for other in one.every if (other.reasoner, other.place) == place and other.playout_s]
    if len(own) < 2 or not one.stats.playout_s:
        return None
    slowest = max(own, key=lambda other: statistics.median(other.playout_s))
    return None if slowest.sheet == one.stats.sheet else factor_entry(relate(slowest.timing, one.stats.timing))


_COLUMNS: tuple[Column[PlayedSheet], ...] = (
    Column("place", "game", lambda one: one.stats.place),
    Column("sheet", "sheet", lambda one: one.stats.sheet),
    Column("reasoner", "reasoner", lambda one: one.stats.reasoner),
    Column("playouts_per_s", "playouts/s", _rate, numeric=True),
    Column("factor", "against the slowest sheet [95 %]", _factor, numeric=True),
    Column("start_s", "start", lambda one: number(one.stats.start_s, duration), numeric=True),
    Column("rules", "ground rules", lambda one: number(one.stats.rules), numeric=True),
    Column("peak_bytes", "memory (MB)", lambda one: number(one.stats.peak_bytes, megabytes()), numeric=True),
    Column("repeat", "repeat", lambda one: copied(one.repeat)),
)

QUESTION = PageQuestion(
    name="descriptions",
    title="Game descriptions",
    text="Which game description is played fastest, by which reasoner?",
    order=50,
    find=sheets,
    answer=_answer,
    how="hexlogic gdl bench --hex 5,9",
)

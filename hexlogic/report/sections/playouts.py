"""State machines: random playouts of sheets, reformulation by reasoner, on growing boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.process.limits import Limits
from hexlogic.report.boards import size_axis
from hexlogic.report.claims.sentences import growth as growth_sentence
from hexlogic.report.document import (
    Block,
    Bullets,
    Column,
    Entry,
    Figure,
    Heading,
    Notes,
    Table,
    Value,
    make_table,
    number,
)
from hexlogic.report.figures.scale import rate_tick, seconds_tick
from hexlogic.report.formatting import limits_text, memory_limit, seconds
from hexlogic.report.growth import fit_growth
from hexlogic.report.lines import Line, line_plot
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.playouts import PlayStats, agreement_texts, rate_findings, rate_text, reasoners_of, summarise_plays
from hexlogic.report.section import Section
from hexlogic.report.sections.common import megabytes, slug, status_tone
from hexlogic.runs.baselines import OPEN_SPIEL, baseline_names
from hexlogic.runs.records import Session

__all__ = ["SECTION"]

_DATA = ("sheet", "reasoner", "game", "size", "value")

_LEAD = (
    "Sheets in GDL, played at random from the first state to the end, as a general game player does. A "
    "reformulation is the rule set that decides who has won; everything else in the sheet is the same. Rates are "
    "by CPU time, one core. *Start* is what a player waits for: grounding, analysis and compilation, to the end of "
    "the first playout; exporting the sheet is apart. OpenSpiel stands beside them as Hex written by hand in C++; "
    "it knows no rules. All playouts of a game draw from the same distribution, so that mean lengths and goals "
    "must agree."
)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A figure to draw: a value of each sheet on each board."""

    name: str
    title: str
    value: Callable[[PlayStats], float | None]
    tick: Callable[[float], str]


def _page(material: Material) -> list[Block]:
    blocks: list[Block] = []
    for suite in material.playouts:
        if len(material.playouts) > 1:
            blocks.append(Heading(f"Suite {suite.suite}"))
        stats = summarise_plays(suite.playings)
        blocks += [Bullets(tuple(told))] if (told := agreement_texts(suite.playings)) else []
        for place in dict.fromkeys(one.place for one in stats if one.size):
            own = [one for one in stats if one.place == place]
            title = f"{place.capitalize()}: random playouts a second"
            blocks.append(_rates(slug(f"playouts-{suite.suite}-{place}"), title, own, suite.session.limits))
        for game in dict.fromkeys(one.game for one in stats if one.size is not None):
            blocks += _figures(suite, [one for one in stats if one.game == game])
        blocks.append(_every(suite, stats))
    return blocks


def _terminal(suite: SuiteRecords) -> list[Block]:
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
    """The reasoners that have a column; OpenSpiel alone has one of its own."""
    return reasoners_of(stats) or [OPEN_SPIEL]


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
        Column(count, head, counted, numeric=True, brief=head.replace(" ", "\n")),
    ]


def _by_reasoner(
    names: Sequence[str], key: str, head: str, brief: str, entry: Callable[[PlayStats], Entry]
) -> list[Column[_Row]]:
    """A column for each reasoner; the heads hold its name in place of `*`."""

    def column(name: str) -> Column[_Row]:
        heads = head.replace("*", name), brief.replace("*", name)
        return Column(
            f"{name}_{key}",
            heads[0],
            lambda row: entry(row[name]) if name in row else None,
            numeric=True,
            brief=heads[1],
        )

    return [column(name) for name in names]


def _rates(file: str, title: str, stats: Sequence[PlayStats], limits: Limits) -> Table:
    """Reformulation x reasoner on one board: playouts a second, ground rules and starts."""
    notes, names = Notes(), _names(stats)
    columns = [
        *_sheets(stats, "rules", "ground rules"),
        *_by_reasoner(names, "per_s", "* (playouts/s)", "*\n(1/s)", lambda one: _rate(one, limits, notes)),
        *_by_reasoner(names, "start_s", "* (start, s)", "start (s)\n*", _start),
    ]
    return make_table(file, title, columns, _rows(stats), notes)


def _steps(title: str, stats: Sequence[PlayStats]) -> Table:
    """State updates a second, atoms and memory."""
    names = _names(stats)
    columns = [
        *_sheets(stats, "atoms", "atoms"),
        *_by_reasoner(names, "steps_per_s", "* (1/s)", "*\n(1/s)", lambda one: number(one.steps_per_s, rate_text)),
        *_by_reasoner(names, "peak_bytes", "* (MB)", "(MB)\n*", _memory),
    ]
    return make_table("steps", title, columns, _rows([one for one in stats if one.reasoner != OPEN_SPIEL]))


def _figures(suite: SuiteRecords, stats: Sequence[PlayStats]) -> list[Block]:
    """Curves against the board, where there are at least two."""
    sizes = sorted({one.size for one in stats if one.size is not None})
    if len(sizes) < 2:
        return []
    sheets = list(dict.fromkeys(one.sheet for one in stats if one.reasoner not in baseline_names()))
    blocks: list[Block] = []
    for name in reasoners_of(stats):
        own = [one for one in stats if one.reasoner in (name, OPEN_SPIEL)]
        drawn = _Drawn(f"rate-{name}", f"Random playouts a second on {name}", lambda one: one.playouts_per_s, rate_tick)
        blocks += _figure(suite, own, sheets, sizes, drawn)
        blocks += _growths(own, name)
        starts = _Drawn(f"start-{name}", f"Seconds to start {name}", lambda one: one.start_s, seconds_tick)
        blocks += _figure(suite, [one for one in own if one.reasoner == name], sheets, sizes, starts)
    grounding = _Drawn("rules", "Ground rules of a sheet", lambda one: one.rules, rate_tick)
    known: dict[tuple[str, int | None], PlayStats] = {}
    for one in stats:
        if one.rules is not None:
            known.setdefault((one.sheet, one.size), one)
    return [*blocks, *_figure(suite, list(known.values()), sheets, sizes, grounding)]


def _figure(
    suite: SuiteRecords, stats: Sequence[PlayStats], sheets: Sequence[str], sizes: Sequence[int], drawn: _Drawn
) -> list[Block]:
    lines: list[Line] = []
    rows: list[tuple[Value, ...]] = []
    for sheet in dict.fromkeys(one.sheet for one in stats):
        own = sorted((one for one in stats if one.sheet == sheet), key=lambda one: one.size or 0)
        found = [(one, value) for one in own if one.size is not None and (value := drawn.value(one))]
        if found:
            place = sheets.index(sheet) if sheet in sheets else len(sheets)
            lines.append(Line.numbered(sheet, [(one.size or 0, value) for one, value in found], place))
            rows += [(sheet, one.reasoner, one.game, one.size, value) for one, value in found]
    if not lines:
        return []
    svg = line_plot(drawn.title, lines, sizes, size_axis(stats[0].game), drawn.tick)
    return [Figure(slug(f"{drawn.name}-{suite.suite}-{stats[0].game}"), drawn.title, svg, _DATA, tuple(rows))]


def _growths(stats: Sequence[PlayStats], name: str) -> list[Block]:
    """How the time of a playout grows with the board."""
    told = []
    for sheet in dict.fromkeys(one.sheet for one in stats if one.reasoner == name):
        own = [one for one in stats if one.sheet == sheet and one.reasoner == name]
        points = [(one.size, 1 / one.playouts_per_s) for one in own if one.size is not None and one.playouts_per_s]
        growth = fit_growth(points)
        if growth is not None:
            told.append(growth_sentence(f"The time of a playout of {sheet} on {name}", str(growth)))
    return [Bullets(tuple(told))] if told else []


def _every(suite: SuiteRecords, stats: Sequence[PlayStats]) -> Table:
    """Every sheet on every reasoner."""
    notes, limits = Notes(), suite.session.limits

    def goal(one: PlayStats) -> Entry:
        return number(next((mean.mean for what, mean in one.means.items() if what != "length"), None), ".2f")

    def length(one: PlayStats) -> Entry:
        return number(one.means["length"].mean if "length" in one.means else None, ".2f")

    columns: list[Column[PlayStats]] = [
        Column("place", "game", choices=True),
        Column("sheet", "reformulation", choices=True),
        Column("reasoner", "reasoner", choices=True),
        Column("playouts_per_s", "playouts (1/s)", lambda one: _rate(one, limits, notes), numeric=True),
        Column("steps_per_s", "state updates (1/s)", lambda one: number(one.steps_per_s, rate_text), numeric=True),
        Column("start_s", "start (s)", _start, numeric=True),
        Column("rules", "ground rules", numeric=True),
        Column("atoms", "atoms", numeric=True),
        Column("peak_bytes", "memory (MB)", lambda one: number(one.peak_bytes, megabytes()), numeric=True),
        Column("games", "games", numeric=True),
        Column("length", "steps a game", length, numeric=True),
        Column("goal", "first role's goal", goal, numeric=True),
        Column("analysis", "how it plays", lambda one: one.analysis or ""),
    ]
    name = f"machines-{slug(suite.suite)}"
    return make_table(name, f"Playouts of the suite {suite.suite}", columns, stats, notes)


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


def _rate(one: PlayStats, limits: Limits, notes: Notes) -> Entry:
    return Entry(_play_text(one, limits, notes), one.playouts_per_s, status_tone(one.status))


def _start(one: PlayStats) -> Entry:
    return number(one.start_s, ".2f")


def _memory(one: PlayStats) -> Entry:
    """The memory of what was tried."""
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


SECTION = Section(
    name="machines",
    title="State machines",
    order=70,
    lead=_LEAD,
    blocks=_page,
    always=True,
    terminal=_terminal,
    legend=_legend,
)

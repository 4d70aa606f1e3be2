"""State machines: random playouts of sheets, reformulation by reasoner, on growing boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.process.limits import MEGABYTE
from hexlogic.report.boards import size_axis
from hexlogic.report.chapters.common import slug
from hexlogic.report.claims.sentences import growth as growth_sentence
from hexlogic.report.document import (
    Block,
    Bullets,
    Chapter,
    Column,
    Figure,
    Grid,
    Heading,
    Item,
    Text,
    Tone,
    Value,
    item,
)
from hexlogic.report.figures import Curve, CurvePoint, growth_plot
from hexlogic.report.figures.frame import Entry
from hexlogic.report.figures.scale import decades, rate_tick, seconds_tick
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.growth import fit_growth
from hexlogic.report.machines import (
    PlayStats,
    agreement_texts,
    play_text,
    rate_text,
    reasoners_of,
    summarise_plays,
)
from hexlogic.report.table import Notes
from hexlogic.runs.baselines import OPEN_SPIEL, baseline_names

__all__ = ["machines_chapter"]

_DASHES = 6
"""Series with a colour of their own; further ones take other lines."""

_DATA = ("sheet", "reasoner", "game", "size", "value")

_COLUMNS = (
    Column("place", "game", choices=True),
    Column("sheet", "reformulation", choices=True),
    Column("reasoner", "reasoner", choices=True),
    Column("playouts_per_s", "playouts (1/s)", numeric=True),
    Column("steps_per_s", "state updates (1/s)", numeric=True),
    Column("start_s", "start (s)", numeric=True),
    Column("rules", "ground rules", numeric=True),
    Column("atoms", "atoms", numeric=True),
    Column("peak_bytes", "memory (MB)", numeric=True),
    Column("games", "games", numeric=True),
    Column("length", "steps a game", numeric=True),
    Column("goal", "first role's goal", numeric=True),
    Column("analysis", "how it plays"),
)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A figure to draw: a value of each sheet on each board."""

    name: str
    title: str
    value: Callable[[PlayStats], float | None]
    tick: Callable[[float], str]


def machines_chapter(material: Material) -> Chapter | None:
    """The chapter; None when nothing was played."""
    blocks: list[Block] = []
    for suite in material.playouts:
        if len(material.playouts) > 1:
            blocks.append(Heading(f"Suite {suite.suite}"))
        blocks += _suite(suite)
    if not blocks:
        return None
    lead = Text(
        "Sheets in GDL, played at random from the first state to the end, as a general game player does. A "
        "reformulation is the rule set that decides who has won; everything else in the sheet is the same. Rates are "
        "by CPU time, one core. *Start* is what a player waits for: grounding, analysis and compilation, to the end of "
        "the first playout; exporting the sheet is apart. OpenSpiel stands beside them as Hex written by hand in C++; "
        "it knows no rules. All playouts of a game draw from the same distribution, so that mean lengths and goals "
        "must agree."
    )
    return Chapter("machines", "State machines", (lead, *blocks))


def _suite(suite: SuiteRecords) -> list[Block]:
    stats = summarise_plays(suite.playings)
    blocks: list[Block] = [Bullets(tuple(told))] if (told := agreement_texts(suite.playings)) else []
    blocks += [_matrix(suite, stats, place) for place in dict.fromkeys(one.place for one in stats if one.size)]
    for game in dict.fromkeys(one.game for one in stats if one.size is not None):
        blocks += _figures(suite, [one for one in stats if one.game == game])
    return [*blocks, _grid(suite, stats)]


def _matrix(suite: SuiteRecords, stats: Sequence[PlayStats], place: str) -> Grid:
    """Reformulation x reasoner on one board."""
    own, notes = [one for one in stats if one.place == place], Notes()
    names = reasoners_of(own)
    by = {(one.sheet, one.reasoner): one for one in own}
    rows = []
    for sheet in dict.fromkeys(one.sheet for one in own if one.reasoner not in baseline_names()):
        cells = [by.get((sheet, name)) for name in names]
        known = next((one for one in cells if one is not None and one.rules is not None), None)
        row = [item(sheet), _count(None if known is None else known.rules)]
        rows.append((*row, *(_rate(one, suite, notes) for one in cells), *map(_start, cells)))
    for one in (one for one in own if one.reasoner == OPEN_SPIEL):
        rows.append((item(one.sheet), _count(None), _rate(one, suite, notes), *[Item("", None)] * (2 * len(names) - 1)))
    columns = (
        Column("sheet", "reformulation"),
        Column("rules", "ground rules", numeric=True),
        *(Column(f"{name}_per_s", f"{name} (playouts/s)", numeric=True) for name in names),
        *(Column(f"{name}_start_s", f"{name} (start, s)", numeric=True) for name in names),
    )
    title = f"{place.capitalize()}: random playouts a second"
    name = slug(f"playouts-{suite.suite}-{place}")
    return Grid(name, title, columns, tuple(rows), tuple(notes.texts))


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
    curves: list[Curve] = []
    entries: list[Entry] = []
    rows: list[tuple[Value, ...]] = []
    for sheet in dict.fromkeys(one.sheet for one in stats):
        number = sheets.index(sheet) if sheet in sheets else len(sheets)
        own = sorted((one for one in stats if one.sheet == sheet), key=lambda one: one.size or 0)
        found = [(one, value) for one in own if one.size is not None and (value := drawn.value(one))]
        if found:
            points = tuple(CurvePoint(one.size or 0, value, True) for one, value in found)
            curves.append(Curve(points, number % _DASHES, number // _DASHES))
            entries.append(Entry(sheet, number % _DASHES, number // _DASHES))
            rows += [(sheet, one.reasoner, one.game, one.size, value) for one, value in found]
    if not curves:
        return []
    values = [point.time_s for curve in curves for point in curve.points]
    bounds = decades(values, max(values))
    svg = growth_plot(drawn.title, curves, sizes, bounds, [], entries, axis=size_axis(stats[0].game), tick=drawn.tick)
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


def _grid(suite: SuiteRecords, stats: Sequence[PlayStats]) -> Grid:
    notes = Notes()
    rows = []
    for one in stats:
        length = one.means.get("length")
        goal = next((mean for what, mean in one.means.items() if what != "length"), None)
        rows.append(
            (
                item(one.place),
                item(one.sheet),
                item(one.reasoner),
                _rate(one, suite, notes),
                Item("" if one.steps_per_s is None else rate_text(one.steps_per_s), one.steps_per_s),
                _start(one),
                _count(one.rules),
                _count(one.atoms),
                Item("" if one.peak_bytes is None else f"{one.peak_bytes / MEGABYTE:,.0f}", one.peak_bytes),
                _count(one.games),
                Item("" if length is None else f"{length.mean:.2f}", None if length is None else length.mean),
                Item("" if goal is None else f"{goal.mean:.2f}", None if goal is None else goal.mean),
                item(one.analysis or ""),
            )
        )
    title = f"Playouts of the suite {suite.suite}"
    return Grid(f"machines-{slug(suite.suite)}", title, _COLUMNS, tuple(rows), tuple(notes.texts))


def _rate(one: PlayStats | None, suite: SuiteRecords, notes: Notes) -> Item:
    if one is None:
        return Item("", None)
    return Item(play_text(one, suite.session.limits, notes), one.playouts_per_s, _tone(one))


def _tone(one: PlayStats) -> Tone:
    match one.status:
        case "answered":
            return ""
        case "timeout" | "out-of-memory":
            return "late"
        case "unsupported":
            return "absent"
        case "crashed" | "error":
            return "bad"


def _start(one: PlayStats | None) -> Item:
    return Item("", None) if one is None or one.start_s is None else Item(f"{one.start_s:.2f}", one.start_s)


def _count(count: int | None) -> Item:
    return Item("" if count is None else f"{count:,}", count)

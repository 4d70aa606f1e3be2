"""How time grows with the board: curves of the series, one figure for each engine and each reformulation."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.games import family_of
from hexlogic.process.limits import Limits
from hexlogic.report.boards import game_of, size_axis
from hexlogic.report.chapters.common import passes_text, slug, time_item
from hexlogic.report.chapters.fits import fits_grid
from hexlogic.report.document import Block, Bullets, Chapter, Column, Figure, Grid, Heading, Item, Text, Value, item
from hexlogic.report.figures import Curve, CurvePoint, growth_plot
from hexlogic.report.figures.frame import Entry
from hexlogic.report.figures.scale import decades
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.series import Series, find_series, series_table
from hexlogic.report.stats import CellStats
from hexlogic.report.table import Notes
from hexlogic.report.words import milliseconds, pipeline_rank, pipeline_words, seconds

__all__ = ["growth_chapter"]

_DATA = ("rule_set", "engine", "pipeline", "size", "time_s", "at_least_s", "status")


def growth_chapter(material: Material) -> Chapter | None:
    """The chapter; None when no suite has a series of boards."""
    blocks: list[Block] = []
    for suite in material.suites:
        members = [(cell, member) for cell in suite.cells if (member := family_of(cell.task)) is not None]
        for family, query in dict.fromkeys((member[0], cell.query) for cell, member in members):
            cells = {
                size: [cell for cell, member in members if member == (family, size) and cell.query == query]
                for size in sorted({member[1] for cell, member in members if member[0] == family})
            }
            if len(cells) > 1:
                blocks.append(Heading(f"{family}, {query} (suite {suite.suite})"))
                blocks += _series(suite, f"{suite.suite} {family} {query}", cells)
    if not blocks:
        return None
    lead = Text(
        "The same idea of a board on every size, both axes logarithmic. A filled marker is the median time; a hollow "
        "one did not finish, and stands at the time it was given: the true one is above. A configuration goes up until "
        "the first size without an answer. Dashed lines are the limit and the floor of each engine: what the smallest "
        "query there is takes, one fact asked for, so that a curve near it does not show its growth yet. Estimates are "
        "extrapolations of a fit, never measurements."
    )
    return Chapter("growth", "How time grows with the board", (lead, *blocks))


_Cells = dict[int, list[CellStats]]
"""By size of the board."""


def _series(suite: SuiteRecords, name: str, cells: _Cells) -> list[Block]:
    limits = suite.session.limits
    limit = limits.cpu_s
    every = [cell for group in cells.values() for cell in group]
    times = [time for cell in every if (time := cell.time_s or _floor(cell, limit)) is not None]
    times += [cell.smallest_s for cell in every if cell.smallest_s]
    bounds = decades(times, limit)
    lines = [(limit, f"limit {seconds(limit)}")]
    rule_sets = sorted({cell.rule_set for cell in every})
    pipelines = sorted({cell.pipeline for cell in every}, key=pipeline_rank)
    engines = [engine for engine in suite.engines if any(cell.engine == engine for cell in every)]
    sizes = list(cells)

    def curve(rule_set: str, engine: str, pipeline: str, series: int, dash: int) -> Curve | None:
        points = [
            CurvePoint(size, time, cell.time_s is not None)
            for size, group in cells.items()
            for cell in group
            if (cell.rule_set, cell.engine, cell.pipeline) == (rule_set, engine, pipeline)
            and (time := cell.time_s or _floor(cell, limit)) is not None
        ]
        return Curve(tuple(points), series, dash) if points else None

    def figure(title: str, curves: Sequence[Curve | None], entries: list[Entry], chosen: list[CellStats]) -> Figure:
        drawn = [one for one in curves if one is not None]
        least = {cell.engine: cell.smallest_s for cell in chosen if cell.smallest_s}
        floor = [(time, f"floor {engine} {milliseconds(time)} ms") for engine, time in sorted(least.items())]
        legend = [*entries, Entry("○ hollow: did not finish")]
        axis = size_axis(game_of(every[0].task))
        svg = growth_plot(title, drawn, sizes, bounds, [*floor, *lines], legend, axis=axis)
        return Figure(f"growth-{slug(name)}-{slug(title)}", title, svg, _DATA, _data(cells, chosen, limit))

    blocks: list[Block] = []
    last = pipelines[-1]
    for engine in engines:
        entries = [Entry(rule_set, number, number // 6) for number, rule_set in enumerate(rule_sets)]
        curves = [curve(rule_set, engine, last, i, i // 6) for i, rule_set in enumerate(rule_sets)]
        shown = [entry for entry, one in zip(entries, curves, strict=True) if one is not None]
        title = f"{engine}, {passes_text(last)}"
        chosen = [cell for cell in every if (cell.engine, cell.pipeline) == (engine, last)]
        blocks.append(figure(title, curves, shown, chosen))
    ends = list(dict.fromkeys([pipelines[0], last]))
    for rule_set in rule_sets:
        drawn = [
            (Entry(f"{engine}, {pipeline_words(pipeline)}", i, 1 - j if len(ends) > 1 else 0), one)
            for i, engine in enumerate(engines)
            for j, pipeline in enumerate(ends)
            if (one := curve(rule_set, engine, pipeline, i, 1 - j if len(ends) > 1 else 0)) is not None
        ]
        chosen = [cell for cell in every if cell.rule_set == rule_set]
        if drawn:
            blocks.append(figure(rule_set, [one for _, one in drawn], [entry for entry, _ in drawn], chosen))
    series = [one for one in find_series(suite.cells) if set(map(id, one.cells)) <= set(map(id, every))]
    return [*blocks, fits_grid(series, f"fits-{slug(name)}", limits), *_told(series, limits), _grid(suite, name, cells)]


def _told(series: Sequence[Series], limits: Limits) -> list[Block]:
    """The estimates in words, with their intervals and fits."""
    by_rule_set = dict.fromkeys(one.name[0] for one in series)
    tables = [series_table([one for one in series if one.name[0] == name], limits) for name in by_rule_set]
    told = [text for table in tables for text in table.findings]
    return [Bullets(tuple(told))] if told else []


def _floor(cell: CellStats, limit_s: float) -> float | None:
    """What a cell without a time was given at least; None for one that never ran."""
    if cell.status != "timeout":
        return None
    return cell.floor_s or limit_s


def _data(cells: _Cells, chosen: list[CellStats], limit_s: float) -> tuple[tuple[Value, ...], ...]:
    rows: list[tuple[Value, ...]] = []
    for size, group in cells.items():
        for cell in group:
            if any(cell is one for one in chosen):
                floor = None if cell.time_s else _floor(cell, limit_s)
                key = (cell.rule_set, cell.engine, cell.pipeline)
                rows.append((*key, size, cell.time_s, floor, cell.status))
    return tuple(sorted(rows, key=lambda row: (str(row[0]), str(row[1]), pipeline_rank(str(row[2])), row[3])))


def _grid(suite: SuiteRecords, name: str, cells: _Cells) -> Grid:
    notes = Notes()
    columns = (
        Column("rule_set", "reformulation", choices=True),
        Column("engine", "engine", choices=True),
        Column("pipeline", "passes", choices=True),
        *(Column(f"time_s_{size}", f"n = {size}", numeric=True) for size in cells),
    )
    rows: dict[tuple[str, str, str], dict[int, Item]] = {}
    for size, group in cells.items():
        for cell in group:
            row = rows.setdefault((cell.rule_set, cell.engine, cell.pipeline), {})
            row[size] = time_item(cell, suite.session.limits, notes)
    order = sorted(rows, key=lambda key: (key[0], suite.engines.index(key[1]), pipeline_rank(key[2])))
    items = tuple(
        (
            item(key[0]),
            item(key[1]),
            Item(pipeline_words(key[2]), key[2]),
            *(rows[key].get(size, Item("", None)) for size in cells),
        )
        for key in order
    )
    return Grid(f"growth-{slug(name)}", "Times in ms by size", columns, items, tuple(notes.texts))

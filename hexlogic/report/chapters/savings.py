"""What each pipeline saves: heat maps, ratios paired by task, and cactus plots."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hexlogic.report.chapters.common import log2_text, slug
from hexlogic.report.claims.phrases import decides, raw_factor
from hexlogic.report.claims.relations import AtLeast, Same
from hexlogic.report.document import Block, Chapter, Column, Figure, Grid, Heading, Item, Text, Value, item
from hexlogic.report.figures import Heat, Solved, cactus_plot, heat_map
from hexlogic.report.figures.scale import decades
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.ratios import Pairing, pair_pipelines
from hexlogic.report.stats import CellStats
from hexlogic.report.words import factor, pipeline_rank, pipeline_words, seconds

__all__ = ["savings_chapter"]

_COLUMNS = (
    Column("engine", "engine", choices=True),
    Column("pipeline", "passes", choices=True),
    Column("solved", "answered", numeric=True),
    Column("solved_before", "answered before", numeric=True),
    Column("asked", "asked", numeric=True),
    Column("lost", "lost", numeric=True),
    Column("mean", "geometric mean", numeric=True),
    Column("low", "from", numeric=True),
    Column("high", "to", numeric=True),
    Column("bounds", "bounds", numeric=True),
    Column("at_least", "with bounds", numeric=True),
)
_DATA = ("rule_set", "engine", "pipeline", "log2_saving", "bound", "asked", "solved_before", "solved", "lost")


def savings_chapter(material: Material) -> Chapter | None:
    """The chapter; None when every rule set was measured with one pipeline only."""
    blocks: list[Block] = []
    for suite in material.suites:
        found = _suite(suite)
        if found and len(material.suites) > 1:
            blocks.append(Heading(f"Suite {suite.suite}"))
        blocks += found
    if not blocks:
        return None
    lead = Text(
        "Each cell of a heat map is the logarithm to base 2 of the saving against the same reformulation on the same "
        "engine without passes: +1 is half the time, +10 a thousandth, −1 twice the time. With several boards it is "
        "the geometric mean over them. A dot in place of a number: answered neither before nor after; "
        "≥: the baseline met its limit; ?: the interval does not tell the two apart; an empty cell was not measured."
    )
    return Chapter("savings", "What the passes save", (lead, *blocks))


def _suite(suite: SuiteRecords) -> list[Block]:
    cells = suite.cells
    pipelines = sorted({cell.pipeline for cell in cells} - {"none"}, key=pipeline_rank)
    pairs = [
        pair
        for engine in suite.engines
        for pipeline in pipelines
        if (pair := pair_pipelines(cells, engine, pipeline)) is not None
    ]
    if not pairs:
        return []
    engines = [engine for engine in suite.engines if any(pair.engine == engine for pair in pairs)]
    heats = [_heat(suite, engine, pipelines) for engine in engines]
    told = Text(
        "All reformulations together, ratios paired by reformulation and board. *Answered* comes first: a mean says "
        "nothing about what did not end. *Lost* was answered without the passes and not with them. The interval "
        "(95 %) is the wider one of two: from the noise of the repeats, and from how much the pairs differ "
        "(t-distribution on logarithms); *with bounds* counts the pairs whose baseline met its limit at the least they "
        "can be."
    )
    grid = Grid(f"pairs-{slug(suite.suite)}", "Savings over all pairs", _COLUMNS, tuple(map(_row, pairs)))
    return [*heats, told, grid, *_cactus(suite, engines)]


def _heat(suite: SuiteRecords, engine: str, pipelines: Sequence[str]) -> Figure:
    names = sorted({cell.rule_set for cell in suite.cells if cell.engine == engine})
    cells: dict[tuple[str, str], Heat] = {}
    data: list[tuple[Value, ...]] = []
    used = []
    for pipeline in pipelines:
        for name in names:
            pair = pair_pipelines(suite.cells, engine, pipeline, rule_set=name)
            if pair is not None:
                heat, log2, bound = heat_of(pair)
                cells[name, pipeline_words(pipeline)] = heat
                counts = (pair.asked, pair.solved_before, pair.solved, pair.lost)
                data.append((name, engine, pipeline, log2, bound, *counts))
                used.append(pipeline)
    columns = [pipeline_words(pipeline) for pipeline in pipelines if pipeline in used]
    title = f"Time saved on {engine}, log2" + (f" ({suite.suite})" if suite.suite else "")
    legend = "+1: half the time; ≥: at least; ?: cannot be told apart"
    svg = heat_map(title, [name for name in names if any(key[0] == name for key in cells)], columns, cells, legend)
    return Figure(f"savings-{slug(suite.suite)}-{slug(engine)}", title, svg, _DATA, tuple(sorted(data, key=repr)))


def heat_of(pair: Pairing) -> tuple[Heat, float | None, bool]:
    """The cell of a heat map, its number and whether that is a bound."""
    if pair.lost:
        return Heat(f"lost {pair.lost}", None), None, False
    bound = isinstance(pair.relation, AtLeast)
    saved = raw_factor(pair.relation)[0]
    if saved is None:
        return Heat("·", None), None, False
    log2 = math.log2(saved)
    open_mark = "" if decides(pair.relation) or isinstance(pair.relation, Same) else "?"
    return Heat(log2_text(log2, bound=bound) + open_mark, log2), log2, bound


def _row(pair: Pairing) -> tuple[Item, ...]:
    mean, low, high = raw_factor(pair.answered)
    bound = raw_factor(pair.relation)[0] if isinstance(pair.relation, AtLeast) else None
    return (
        item(pair.engine),
        Item(pipeline_words(pair.pipeline), pair.pipeline),
        Item(str(pair.solved), pair.solved),
        Item(str(pair.solved_before), pair.solved_before),
        Item(str(pair.asked), pair.asked),
        Item(str(pair.lost), pair.lost, "bad" if pair.lost else ""),
        *(_factor(value) for value in (mean, low, high)),
        Item(str(pair.bounds), pair.bounds),
        _factor(bound, bound=True),
    )


def _factor(value: float | None, *, bound: bool = False) -> Item:
    return Item("", None) if value is None else Item(factor(value, bound=bound), value)


def _cactus(suite: SuiteRecords, engines: Sequence[str]) -> list[Block]:
    asked = [cell for cell in suite.cells if cell.status != "unsupported"]
    limit = suite.session.limits.cpu_s
    bounds = decades([cell.time_s for cell in asked if cell.time_s], limit)
    figures: list[Block] = []
    for engine in engines:
        own = [cell for cell in asked if cell.engine == engine]
        pipelines = sorted({cell.pipeline for cell in own}, key=pipeline_rank)
        solved = [_solved(own, pipeline, number) for number, pipeline in enumerate(pipelines)]
        title = f"Questions answered within a time on {engine} ({suite.suite})"
        svg = cactus_plot(title, solved, bounds, limit, f"limit {seconds(limit)}")
        data = tuple(
            (engine, pipeline, place, time)
            for pipeline, one in zip(pipelines, solved, strict=True)
            for place, time in enumerate(sorted(one.times_s), start=1)
        )
        name = f"cactus-{slug(suite.suite)}-{slug(engine)}"
        figures.append(Figure(name, title, svg, ("engine", "pipeline", "answered", "time_s"), data))
    return figures


def _solved(cells: Sequence[CellStats], pipeline: str, series: int) -> Solved:
    own = [cell for cell in cells if cell.pipeline == pipeline]
    return Solved(pipeline_words(pipeline), series, tuple(cell.time_s for cell in own if cell.time_s), len(own))

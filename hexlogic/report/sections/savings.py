"""What each pipeline saves: heat maps, ratios paired by task, and cactus plots."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hexlogic.report.claims.phrases import decides, raw_factor
from hexlogic.report.claims.relations import AtLeast, Same
from hexlogic.report.document import Block, Column, Entry, Figure, Text, Value, make_table, number
from hexlogic.report.figures import Heat, Solved, cactus_plot, heat_map
from hexlogic.report.figures.scale import decades
from hexlogic.report.formatting import factor, pipeline_name, pipeline_rank, seconds
from hexlogic.report.material import SuiteRecords
from hexlogic.report.ratios import Pairing, pair_pipelines
from hexlogic.report.section import Section, by_suite
from hexlogic.report.sections.common import log2_text, pipeline_entry, slug
from hexlogic.report.statistics import ConfigurationStats

__all__ = ["SECTION"]

_LEAD = (
    "Each cell of a heat map is the logarithm to base 2 of the saving against the same reformulation on the same "
    "engine without passes: +1 is half the time, +10 a thousandth, −1 twice the time. With several boards it is "
    "the geometric mean over them. A dot in place of a number: answered neither before nor after; "
    "≥: the baseline met its limit; ?: the interval does not tell the two apart; an empty cell was not measured."
)
_DATA = ("rule_set", "engine", "pipeline", "log2_saving", "bound", "asked", "solved_before", "solved", "lost")


def _suite(suite: SuiteRecords) -> list[Block]:
    configs = suite.configurations
    pipelines = sorted({config.pipeline for config in configs} - {"none"}, key=pipeline_rank)
    pairs = [
        pair
        for engine in suite.engines
        for pipeline in pipelines
        if (pair := pair_pipelines(configs, engine, pipeline)) is not None
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
    table = make_table(f"pairs-{slug(suite.suite)}", "Savings over all pairs", _FIELDS, pairs)
    return [*heats, told, table, *_cactus(suite, engines)]


def _heat(suite: SuiteRecords, engine: str, pipelines: Sequence[str]) -> Figure:
    names = sorted({config.rule_set for config in suite.configurations if config.engine == engine})
    heats: dict[tuple[str, str], Heat] = {}
    data: list[tuple[Value, ...]] = []
    used = []
    for pipeline in pipelines:
        for name in names:
            pair = pair_pipelines(suite.configurations, engine, pipeline, rule_set=name)
            if pair is not None:
                heat, log2, bound = heat_of(pair)
                heats[name, pipeline_name(pipeline)] = heat
                counts = (pair.asked, pair.solved_before, pair.solved, pair.lost)
                data.append((name, engine, pipeline, log2, bound, *counts))
                used.append(pipeline)
    columns = [pipeline_name(pipeline) for pipeline in pipelines if pipeline in used]
    title = f"Time saved on {engine}, log2" + (f" ({suite.suite})" if suite.suite else "")
    legend = "+1: half the time; ≥: at least; ?: cannot be told apart"
    svg = heat_map(title, [name for name in names if any(key[0] == name for key in heats)], columns, heats, legend)
    return Figure(f"savings-{slug(suite.suite)}-{slug(engine)}", title, svg, _DATA, tuple(sorted(data, key=repr)))


def heat_of(pair: Pairing) -> tuple[Heat, float | None, bool]:
    """The entry of a heat map, its number and whether that is a bound."""
    if pair.lost:
        return Heat(f"lost {pair.lost}", None), None, False
    bound = isinstance(pair.relation, AtLeast)
    saved = raw_factor(pair.relation)[0]
    if saved is None:
        return Heat("·", None), None, False
    log2 = math.log2(saved)
    open_mark = "" if decides(pair.relation) or isinstance(pair.relation, Same) else "?"
    return Heat(log2_text(log2, bound=bound) + open_mark, log2), log2, bound


def _mean(pair: Pairing, end: int) -> Entry:
    """The geometric mean over the answered pairs (0), or an end of its interval (1, 2)."""
    return number(raw_factor(pair.answered)[end], factor)


def _with_bounds(pair: Pairing) -> Entry:
    bound = raw_factor(pair.relation)[0] if isinstance(pair.relation, AtLeast) else None
    return number(bound, lambda value: factor(value, bound=True))


_FIELDS: tuple[Column[Pairing], ...] = (
    Column("engine", "engine", choices=True),
    Column("pipeline", "passes", lambda pair: pipeline_entry(pair.pipeline), choices=True),
    Column("solved", "answered", numeric=True),
    Column("solved_before", "answered before", numeric=True),
    Column("asked", "asked", numeric=True),
    Column("lost", "lost", lambda pair: Entry(str(pair.lost), pair.lost, "bad" if pair.lost else ""), numeric=True),
    Column("mean", "geometric mean", lambda pair: _mean(pair, 0), numeric=True),
    Column("low", "from", lambda pair: _mean(pair, 1), numeric=True),
    Column("high", "to", lambda pair: _mean(pair, 2), numeric=True),
    Column("bounds", "bounds", numeric=True),
    Column("at_least", "with bounds", _with_bounds, numeric=True),
)


def _cactus(suite: SuiteRecords, engines: Sequence[str]) -> list[Block]:
    asked = [config for config in suite.configurations if config.status != "unsupported"]
    limit = suite.session.limits.cpu_s
    bounds = decades([config.time_s for config in asked if config.time_s], limit)
    figures: list[Block] = []
    for engine in engines:
        own = [config for config in asked if config.engine == engine]
        pipelines = sorted({config.pipeline for config in own}, key=pipeline_rank)
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


def _solved(configs: Sequence[ConfigurationStats], pipeline: str, series: int) -> Solved:
    own = [config for config in configs if config.pipeline == pipeline]
    return Solved(pipeline_name(pipeline), series, tuple(config.time_s for config in own if config.time_s), len(own))


SECTION = Section(
    name="savings", title="What the passes save", order=40, lead=_LEAD, blocks=by_suite(_suite, headings=True)
)

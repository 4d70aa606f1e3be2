"""How time grows with the board: how far each configuration comes, its curve, and what the rest would take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from hexlogic.games import family_of
from hexlogic.process.limits import Limits
from hexlogic.report.boards import game_of, size_axis
from hexlogic.report.caveats import marks
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
    plain,
)
from hexlogic.report.figures import Curve, CurvePoint, growth_plot
from hexlogic.report.figures.frame import Entry as LegendEntry
from hexlogic.report.figures.scale import decades
from hexlogic.report.formatting import duration, milliseconds, pipeline_name, pipeline_rank, seconds
from hexlogic.report.growth import Growth
from hexlogic.report.lines import COLOURS
from hexlogic.report.material import SuiteRecords
from hexlogic.report.published import PAPER_SIZE
from hexlogic.report.section import Section, by_suite
from hexlogic.report.sections.common import (
    ENGINE,
    PIPELINE,
    RULE_SET,
    of_first,
    of_key,
    passes_text,
    pipeline_entry,
    question_legend,
    slug,
    time_entry,
    tone_of,
)
from hexlogic.report.series import Series, ended_by, estimates, find_series
from hexlogic.report.statistics import ConfigurationStats

__all__ = ["SECTION"]

_LEAD = (
    "The same idea of a board on every size, both axes logarithmic. A filled marker is the median time; a hollow "
    "one did not finish, and stands at the time it was given: the true one is above. A configuration goes up until "
    "the first size without an answer. Dashed lines are the limit and the floor of each engine: what the smallest "
    "query there is takes, one fact asked for, so that a curve near it does not show its growth yet. Estimates are "
    "extrapolations of a fit, never measurements."
)
_DATA = ("rule_set", "engine", "pipeline", "size", "time_s", "at_least_s", "status")


def _page(suite: SuiteRecords) -> list[Block]:
    """A part for each family of boards with more than one size."""
    blocks: list[Block] = []
    members = [(config, member) for config in suite.configurations if (member := family_of(config.task)) is not None]
    for family, query in dict.fromkeys((member[0], config.query) for config, member in members):
        by_size = {
            size: [config for config, member in members if member == (family, size) and config.query == query]
            for size in sorted({member[1] for config, member in members if member[0] == family})
        }
        if len(by_size) > 1:
            blocks.append(Heading(f"{family}, {query} (suite {suite.suite})"))
            blocks += _series(suite, f"{suite.suite} {family} {query}", by_size)
    return blocks


def _terminal(suite: SuiteRecords) -> list[Block]:
    """A table and its estimates for each rule set on each family of boards."""
    blocks: list[Block] = []
    series = find_series([one for one in suite.configurations if one.mode is None])
    for rule_set, family, query in dict.fromkeys((one.name[0], *one.name[3:]) for one in series):
        own = [one for one in series if (one.name[0], *one.name[3:]) == (rule_set, family, query)]
        title = f"{rule_set} on {family}@n, {query}: growth"
        blocks += [_fits("growth", title, own, suite.session.limits), Bullets(tuple(estimates(own)))]
    return blocks


_BySize: TypeAlias = dict[int, list[ConfigurationStats]]
"""By size of the board."""


def _series(suite: SuiteRecords, name: str, by_size: _BySize) -> list[Block]:
    limits = suite.session.limits
    limit = limits.cpu_s
    every = [config for group in by_size.values() for config in group]
    times = [time for config in every if (time := config.time_s or _floor(config, limit)) is not None]
    times += [config.smallest_s for config in every if config.smallest_s]
    bounds = decades(times, limit)
    lines = [(limit, f"limit {seconds(limit)}")]
    rule_sets = sorted({config.rule_set for config in every})
    pipelines = sorted({config.pipeline for config in every}, key=pipeline_rank)
    engines = [engine for engine in suite.engines if any(config.engine == engine for config in every)]
    sizes = list(by_size)

    def curve(rule_set: str, engine: str, pipeline: str, colour: int, pattern: int) -> Curve | None:
        points = [
            CurvePoint(size, time, config.time_s is not None)
            for size, group in by_size.items()
            for config in group
            if (config.rule_set, config.engine, config.pipeline) == (rule_set, engine, pipeline)
            and (time := config.time_s or _floor(config, limit)) is not None
        ]
        return Curve(tuple(points), colour, pattern) if points else None

    def figure(title: str, curves: dict[str, Curve | None], chosen: list[ConfigurationStats]) -> Figure:
        drawn = {words: one for words, one in curves.items() if one is not None}
        least = {config.engine: config.smallest_s for config in chosen if config.smallest_s}
        floor = [(time, f"floor {engine} {milliseconds(time)} ms") for engine, time in sorted(least.items())]
        legend = [LegendEntry(words, one.series, one.dash) for words, one in drawn.items()]
        legend.append(LegendEntry("○ hollow: did not finish"))
        axis = size_axis(game_of(every[0].task))
        svg = growth_plot(title, [*drawn.values()], sizes, bounds, [*floor, *lines], legend, axis=axis)
        return Figure(f"growth-{slug(name)}-{slug(title)}", title, svg, _DATA, _data(by_size, chosen, limit))

    blocks: list[Block] = []
    last = pipelines[-1]
    for engine in engines:
        curves = {
            rule_set: curve(rule_set, engine, last, place % COLOURS, place // COLOURS)
            for place, rule_set in enumerate(rule_sets)
        }
        chosen = [config for config in every if (config.engine, config.pipeline) == (engine, last)]
        blocks.append(figure(f"{engine}, {passes_text(last)}", curves, chosen))
    ends = list(dict.fromkeys([last, pipelines[0]]))
    for rule_set in rule_sets:
        curves = {
            f"{engine}, {pipeline_name(pipeline)}": curve(rule_set, engine, pipeline, colour, ends.index(pipeline))
            for colour, engine in enumerate(engines)
            for pipeline in reversed(ends)
        }
        if any(curves.values()):
            blocks.append(figure(rule_set, curves, [config for config in every if config.rule_set == rule_set]))
    found = [one for one in find_series(every) if one.configurations]
    found.sort(key=lambda one: (one.name[0], one.name[2]))
    title = "How far, and how it grows (shape with its 95 % interval)"
    blocks.append(_fits(f"fits-{slug(name)}", title, found, limits))
    told = [text for name in rule_sets for text in estimates([one for one in found if one.name[0] == name])]
    return [*blocks, *([Bullets(tuple(told))] if told else []), _times(suite, name, by_size)]


def _fits(file: str, title: str, series: Sequence[Series], limits: Limits) -> Table:
    """How far each configuration comes, how it grows, and what the rest would take."""
    columns: list[Column[Series]] = [
        Column("rule_set", "reformulation", lambda one: one.name[0], choices=True, detail=True),
        Column("engine", "engine", lambda one: one.name[2], choices=True, group=True),
        Column("pipeline", "passes", lambda one: pipeline_entry(one.name[1]), choices=True, brief="GOTs applied"),
        Column("largest", "up to n", _largest, numeric=True, brief="up to\nn"),
        Column("time_s", "time there (ms)", _time_there, numeric=True, brief="time\n(ms)"),
        Column("ended_by", "ended by", lambda one: _end(one.stopped, limits), choices=True),
        Column("time_growth", "time grows as", lambda one: _growth(one.time_growth), brief="time grows\nwith n"),
        Column("work_growth", "work grows as", lambda one: _growth(one.work_growth), brief="work grows\nwith n"),
        Column(
            "estimate_s",
            f"estimate for n = {PAPER_SIZE}",
            _estimate,
            numeric=True,
            brief=f"n = {PAPER_SIZE}:\nestimate",
        ),
        Column("estimate_low_s", "from (s)", lambda one: _estimate_end(one, "low"), numeric=True, detail=True),
        Column("estimate_high_s", "to (s)", lambda one: _estimate_end(one, "high"), numeric=True, detail=True),
    ]
    return make_table(file, title, columns, series)


def _largest(one: Series) -> Entry:
    return number(one.timed[-1][0], "d") if one.timed else Entry("-", 0)


def _time_there(one: Series) -> Entry:
    if not one.timed:
        return Entry("", None)
    _, config, time_s = one.timed[-1]
    return Entry(milliseconds(time_s) + marks(config), time_s)


def _end(config: ConfigurationStats | None, limits: Limits) -> Entry:
    text = ended_by(config, limits)
    return plain(text) if config is None else Entry(text, config.status, tone_of(config))


def _growth(growth: Growth | None) -> Entry:
    return Entry("", None) if growth is None else Entry(str(growth), str(growth), brief=growth.short())


def _estimate(one: Series) -> Entry:
    """An estimate as a duration, never to be taken for a measurement; empty for none."""
    found = one.estimate(PAPER_SIZE)
    return Entry("", None) if found is None else Entry(f"~ {duration(found.value)}", found.value, "late")


def _estimate_end(one: Series, end: str) -> Entry:
    found = one.estimate(PAPER_SIZE)
    return number(None if found is None else getattr(found, end), ",.3g")


def _floor(config: ConfigurationStats, limit_s: float) -> float | None:
    """What a configuration without a time was given at least; None for one that never ran."""
    if config.status != "timeout":
        return None
    return config.floor_s or limit_s


def _data(by_size: _BySize, chosen: list[ConfigurationStats], limit_s: float) -> tuple[tuple[Value, ...], ...]:
    rows: list[tuple[Value, ...]] = []
    for size, group in by_size.items():
        for config in group:
            if any(config is one for one in chosen):
                floor = None if config.time_s else _floor(config, limit_s)
                key = (config.rule_set, config.engine, config.pipeline)
                rows.append((*key, size, config.time_s, floor, config.status))
    return tuple(sorted(rows, key=lambda row: (str(row[0]), str(row[1]), pipeline_rank(str(row[2])), row[3])))


def _times(suite: SuiteRecords, name: str, by_size: _BySize) -> Table:
    """The times of each configuration by size."""
    notes = Notes()
    rows: dict[tuple[str, str, str], dict[int, ConfigurationStats]] = {}
    for size, group in by_size.items():
        for config in group:
            rows.setdefault((config.rule_set, config.engine, config.pipeline), {})[size] = config
    order = sorted(rows, key=lambda key: (key[0], suite.engines.index(key[1]), pipeline_rank(key[2])))

    def time(size: int) -> Column[ConfigurationStats]:
        limits = suite.session.limits
        return Column(f"time_s_{size}", f"n = {size}", lambda one: time_entry(one, limits, notes), numeric=True)

    columns = [*map(of_first, (RULE_SET, ENGINE, PIPELINE)), *(of_key(size, time(size)) for size in by_size)]
    return make_table(f"growth-{slug(name)}", "Times in ms by size", columns, [rows[key] for key in order], notes)


SECTION = Section(
    name="growth",
    title="How time grows with the board",
    order=50,
    lead=_LEAD,
    blocks=by_suite(_page),
    terminal=_terminal,
    legend=question_legend,
)

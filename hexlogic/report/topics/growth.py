"""How time grows with the board: a line for each reformulation up to the first size without an answer, how far each
configuration comes, and what the rest would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.process.limits import Limits
from hexlogic.report.boards import game_of, size_axis
from hexlogic.report.caveats import doubt_marks
from hexlogic.report.charts import Point, lines
from hexlogic.report.claims.sentences import reached
from hexlogic.report.document import Block, Bullets, Column, Entry, Figure, Table, make_table, number
from hexlogic.report.dots import outcome, with_interval
from hexlogic.report.entries import passes_text, pipeline_entry, question_legend, work_entry
from hexlogic.report.formatting import duration, milliseconds, pipeline_rank
from hexlogic.report.growth import Growth
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.published import PAPER_SIZE
from hexlogic.report.repeat import copied, repeat
from hexlogic.report.series import Series, ended_by, estimates, find_series
from hexlogic.report.topic import PageAnswer, PageQuestion, Section

__all__ = ["QUESTION", "SECTION", "growth_figure"]

_CAPTION = "The first answer on each size, median; a line that meets the limit goes out of the picture."
_MANY = 2
"""Engines that have a figure."""


def _series(suite: SuiteRecords) -> list[Series]:
    return find_series([one for one in suite.configurations if one.mode is None])


def _blocks(suite: SuiteRecords) -> list[Block]:
    """A table and its estimates for each rule set on each family of boards."""
    blocks: list[Block] = []
    series = _series(suite)
    for rule_set, family, query in dict.fromkeys((one.name[0], *one.name[3:]) for one in series):
        own = [one for one in series if (one.name[0], *one.name[3:]) == (rule_set, family, query)]
        title = f"{rule_set} on {family}@n, {query}: growth"
        blocks += [_fits(title, own, suite.session.limits), Bullets(tuple(estimates(own)))]
    return blocks


def _fits(title: str, series: Sequence[Series], limits: Limits) -> Table:
    """How far each configuration comes, how it grows, and what the rest would take."""
    columns: list[Column[Series]] = [
        Column("engine", "engine", lambda one: one.name[2], group=True),
        Column("pipeline", "GOTs applied", lambda one: pipeline_entry(one.name[1])),
        Column("largest", "up to\nn", _largest, numeric=True),
        Column("time_s", "time\n(ms)", _time_there, numeric=True),
        Column("ended_by", "ended by", lambda one: ended_by(one.stopped, limits)),
        Column("time_growth", "time grows\nwith n", lambda one: _short(one.time_growth)),
        Column("work_growth", "work grows\nwith n", lambda one: _short(one.work_growth)),
        Column("estimate_s", f"n = {PAPER_SIZE}:\nestimate", _estimate, numeric=True),
    ]
    return make_table("growth", title, columns, series)


def _largest(one: Series) -> Entry:
    return number(one.timed[-1][0], "d") if one.timed else Entry("-", 0)


def _time_there(one: Series) -> str:
    if not one.timed:
        return ""
    _, config, time_s = one.timed[-1]
    return milliseconds(time_s) + doubt_marks(config)


def _short(growth: Growth | None) -> str:
    return "" if growth is None else growth.short()


def _estimate(one: Series) -> str:
    """An estimate as a duration, never to be taken for a measurement; empty for none."""
    found = one.estimate(PAPER_SIZE)
    return "" if found is None else f"~ {duration(found.value)}"


@dataclass(frozen=True, slots=True)
class _Grown:
    """A series with the suite that measured it."""

    suite: SuiteRecords
    series: Series


def growth_figure(material: Material, engine: str | None = None) -> Figure | None:
    """The lines of an engine after the last pipeline: of the one with the most reformulations unless given."""
    found = _found(material)
    engines = _engines(found)
    if not engines:
        return None
    engine = engine or engines[0]
    own = [one for one in found if one.series.name[2] == engine]
    last = max((one.series.name[1] for one in own), key=pipeline_rank)
    own = [one for one in own if one.series.name[1] == last]
    points = [point for one in own for point in _points(one)]
    if not points:
        return None
    furthest = max(point.place for point in points)
    ends = {one.series.name[0]: one.series.timed[-1][0] if one.series.timed else 0 for one in own}
    limits = {one.suite.session.limits.cpu_s for one in own}
    title = reached(engine, passes_text(last), furthest, ends)
    axis = size_axis(game_of(own[0].series.configurations[0].task))
    limit = limits.pop() if len(limits) == 1 else None
    return lines(f"growth-{engine}", title, _CAPTION, points, axis, "seconds", limit)


def _points(one: _Grown) -> list[Point]:
    limits, name = one.suite.session.limits, one.series.name[0]
    timed = [(size, config, time_s, True) for size, config, time_s in one.series.timed]
    if (stopped := one.series.stopped) is not None and stopped.status == "timeout":
        size = int(stopped.task.rpartition("@")[2])
        timed.append((size, stopped, stopped.floor_s or limits.cpu_s, False))
    return [
        Point(
            series=name,
            place=size,
            value=time_s,
            finished=finished,
            shown=with_interval(duration, time_s, *(config.quartiles_s or (None, None)))
            if finished
            else outcome(config, limits).text,
            runs=config.counted,
            repeat=repeat(one.suite.session, config),
        )
        for size, config, time_s, finished in timed
    ]


def _found(material: Material) -> list[_Grown]:
    return [
        _Grown(suite, series)
        for suite in material.suites
        for series in _series(suite)
        if len(series.configurations) > 1
    ]


def _engines(found: Sequence[_Grown]) -> list[str]:
    """Those with the most reformulations first."""
    names = dict.fromkeys(one.series.name[2] for one in found)
    return sorted(names, key=lambda name: -len({one.series.name[0] for one in found if one.series.name[2] == name}))


def _answer(material: Material, found: list[_Grown]) -> PageAnswer:
    figures = [growth_figure(material, engine) for engine in _engines(found)[:_MANY]]
    blocks: list[Block] = [figure for figure in figures if figure is not None]
    finding = ". ".join(figure.title for figure in figures if figure is not None)
    table = make_table("growth", "How far each configuration comes, and how its time grows", _COLUMNS, found)
    return PageAnswer(f"{finding}." if finding else "Nothing was answered on two sizes.", [*blocks, table])


def _time(one: _Grown) -> Entry:
    return number(one.series.timed[-1][2] if one.series.timed else None, duration)


def _work(one: _Grown) -> Entry:
    return work_entry(one.series.timed[-1][1]) if one.series.timed else Entry("", None)


_COLUMNS: tuple[Column[_Grown], ...] = (
    Column("rule_set", "reformulation", lambda one: one.series.name[0]),
    Column("engine", "engine", lambda one: one.series.name[2]),
    Column("pipeline", "passes", lambda one: pipeline_entry(one.series.name[1])),
    Column("largest", "up to n", lambda one: _largest(one.series), numeric=True),
    Column("time_s", "time there", _time, numeric=True),
    Column("work", "work there", _work, numeric=True),
    Column("ended_by", "ended by", lambda one: ended_by(one.series.stopped, one.suite.session.limits)),
    Column("grows", "time grows as", lambda one: _short(one.series.time_growth)),
    Column("repeat", "repeat", lambda one: copied(repeat(one.suite.session, *one.series.configurations))),
)

SECTION = Section(name="growth", order=50, blocks=_blocks, legend=question_legend)

QUESTION = PageQuestion(
    name="growth",
    title="Growth",
    text="How does time grow with the board?",
    order=30,
    find=_found,
    answer=_answer,
    how="hexlogic bench --suite scaling",
)

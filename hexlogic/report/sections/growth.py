"""How time grows with the board: how far each configuration comes, its curve, and what the rest would take."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.process.limits import Limits
from hexlogic.report.caveats import marks
from hexlogic.report.document import (
    Block,
    Bullets,
    Column,
    Entry,
    Table,
    make_table,
    number,
    plain,
)
from hexlogic.report.formatting import duration, milliseconds
from hexlogic.report.growth import Growth
from hexlogic.report.material import SuiteRecords
from hexlogic.report.published import PAPER_SIZE
from hexlogic.report.section import Section
from hexlogic.report.sections.common import (
    pipeline_entry,
    question_legend,
    tone_of,
)
from hexlogic.report.series import Series, ended_by, estimates, find_series
from hexlogic.report.statistics import ConfigurationStats

__all__ = ["SECTION"]


def _blocks(suite: SuiteRecords) -> list[Block]:
    """A table and its estimates for each rule set on each family of boards."""
    blocks: list[Block] = []
    series = find_series([one for one in suite.configurations if one.mode is None])
    for rule_set, family, query in dict.fromkeys((one.name[0], *one.name[3:]) for one in series):
        own = [one for one in series if (one.name[0], *one.name[3:]) == (rule_set, family, query)]
        title = f"{rule_set} on {family}@n, {query}: growth"
        blocks += [_fits("growth", title, own, suite.session.limits), Bullets(tuple(estimates(own)))]
    return blocks


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


SECTION = Section(
    name="growth",
    order=50,
    blocks=_blocks,
    legend=question_legend,
)

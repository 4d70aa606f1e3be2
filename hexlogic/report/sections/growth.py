"""How time grows with the board: how far each configuration comes, its curve, and what the rest would take."""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.process.limits import Limits
from hexlogic.report.caveats import doubt_marks
from hexlogic.report.document import Block, Bullets, Column, Table, make_table
from hexlogic.report.formatting import duration, milliseconds
from hexlogic.report.growth import Growth
from hexlogic.report.material import SuiteRecords
from hexlogic.report.published import PAPER_SIZE
from hexlogic.report.section import Section
from hexlogic.report.sections.common import pipeline_entry, question_legend
from hexlogic.report.series import Series, ended_by, estimates, find_series

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
        Column("engine", "engine", lambda one: one.name[2], group=True),
        Column("pipeline", "GOTs applied", lambda one: pipeline_entry(one.name[1])),
        Column("largest", "up to\nn", lambda one: str(one.timed[-1][0]) if one.timed else "-", numeric=True),
        Column("time_s", "time\n(ms)", _time_there, numeric=True),
        Column("ended_by", "ended by", lambda one: ended_by(one.stopped, limits)),
        Column("time_growth", "time grows\nwith n", lambda one: _short(one.time_growth)),
        Column("work_growth", "work grows\nwith n", lambda one: _short(one.work_growth)),
        Column("estimate_s", f"n = {PAPER_SIZE}:\nestimate", _estimate, numeric=True),
    ]
    return make_table(file, title, columns, series)


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


SECTION = Section(name="growth", order=50, blocks=_blocks, legend=question_legend)

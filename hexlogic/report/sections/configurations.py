"""The whole grid: every configuration on every task."""

from __future__ import annotations

from hexlogic.report.caveats import explain_marks
from hexlogic.report.document import Block, Bullets, Column, Entry, Notes, make_table, number
from hexlogic.report.grouping import grouped
from hexlogic.report.material import SuiteRecords
from hexlogic.report.section import Section, by_suite
from hexlogic.report.sections.common import (
    AGAIN,
    ENGINE,
    PIPELINE,
    RULE_SET,
    factor_entry,
    quartile_text,
    slug,
    time_entry,
    tone_of,
    work_entry,
)
from hexlogic.report.statistics import ConfigurationStats, question, savings

__all__ = ["SECTION"]

_LEAD = (
    "Every configuration on every board. *time* is the median of the counted runs and *middle half* their first to "
    "third quartile; *answered* says in how many of them there was an answer. *rules*, *facts* and *literals* are "
    "those of the program that the engine got, *memory* the largest of the runs, engine and Python included."
)


def _suite(suite: SuiteRecords) -> list[Block]:
    """One table, and what its marks say."""
    notes, limits = Notes(), suite.session.limits
    runs = grouped((run for run in suite.runs if run.counted), question)

    def size(name: str) -> Column[ConfigurationStats]:
        def entry(one: ConfigurationStats) -> Entry:
            sizes = next((run.sizes for run in runs[question(one)] if run.sizes is not None), None)
            return number(None if sizes is None else getattr(sizes, name))

        return Column(name, name, entry, numeric=True)

    def memory(one: ConfigurationStats) -> Entry:
        peaks = [run.usage.peak_bytes for run in runs[question(one)] if run.usage.peak_bytes is not None]
        return number(max(peaks, default=None), lambda peak: f"{peak / 1e6:,.0f}")

    columns: list[Column[ConfigurationStats]] = [
        RULE_SET,
        ENGINE,
        PIPELINE,
        Column("task", "board", choices=True),
        Column("query", "question", choices=True),
        Column("status", "outcome", _outcome, choices=True),
        Column("answered", "answered", _answered, numeric=True),
        Column("time_s", "time (ms)", lambda one: time_entry(one, limits, notes), numeric=True),
        Column("quartiles", "middle half (ms)", lambda one: quartile_text(one), numeric=True),
        AGAIN,
        Column("rsf", "RSF [95 %]", lambda one: factor_entry(savings(one, suite.configurations)), numeric=True),
        Column("work", "work", work_entry, numeric=True),
        *map(size, ("rules", "facts", "literals")),
        Column("peak_bytes", "memory (MB)", memory, numeric=True),
    ]
    title = f"Suite {suite.suite}: {len(suite.configurations)} configurations"
    table = make_table(f"grid-{slug(suite.suite)}", title, columns, suite.configurations, notes)
    marked = explain_marks(suite.configurations)
    return [table, Bullets(tuple(marked))] if marked else [table]


def _outcome(one: ConfigurationStats) -> Entry:
    status = "WRONG" if one.category == "wrong" else one.status
    return Entry(status, status, tone_of(one))


def _answered(one: ConfigurationStats) -> Entry:
    """In how many of the counted runs there was an answer."""
    return Entry(f"{one.answered} of {one.counted}", one.answered)


SECTION = Section(name="grid", title="The whole grid", order=120, lead=_LEAD, blocks=by_suite(_suite))

"""Deterministic work counters: the same number in every run, whatever else the machine does."""

from __future__ import annotations

import math

from hexlogic.report.document import Block, Column, Entry, Figure, Table, Value, make_table
from hexlogic.report.figures import Heat, heat_map
from hexlogic.report.formatting import counter_name, pipeline_name, pipeline_rank
from hexlogic.report.material import SuiteRecords
from hexlogic.report.section import Section, by_suite
from hexlogic.report.sections.common import ENGINE, RULE_SET, log2_text, of_first, of_key, slug, work_entry
from hexlogic.report.statistics import ConfigurationStats, work_counter

__all__ = ["SECTION"]


_LEAD = (
    "Times depend on the machine; these counters do not. SWI-Prolog counts inferences, clingo the rules that it "
    "grounds, egglog the matches of its rules. They are the figures to compare across machines. A heat map shows "
    "how much less is counted than without passes, as a power of two, summed over the boards that were answered "
    "both times."
)


def _suite(suite: SuiteRecords) -> list[Block]:
    """A heat map for each engine that counts, and a table; nothing when no engine counted anything."""
    counted = [one for one in suite.configurations if work_counter(one) is not None]
    return [*_heats(suite, counted), _table(suite, counted)] if counted else []


def _heats(suite: SuiteRecords, counted: list[ConfigurationStats]) -> list[Block]:
    figures: list[Block] = []
    pipelines = sorted({config.pipeline for config in counted} - {"none"}, key=pipeline_rank)
    for engine in suite.engines:
        work: dict[tuple[str, str], dict[tuple[str, str], int]] = {}
        unit = ""
        for config in counted:
            found = work_counter(config)
            if config.engine == engine and found is not None:
                unit = counter_name(found.name)
                work.setdefault((config.rule_set, config.pipeline), {})[config.task, config.query] = found.value
        heats: dict[tuple[str, str], Heat] = {}
        data: list[tuple[Value, ...]] = []
        for (name, pipeline), after in sorted(work.items()):
            before = work.get((name, "none"), {})
            both = sorted(before.keys() & after.keys())
            if pipeline != "none" and both:
                less, more = sum(after[key] for key in both), sum(before[key] for key in both)
                log2 = math.log2(more / less) if more and less else 0.0
                heats[name, pipeline_name(pipeline)] = Heat(log2_text(log2), log2)
                data.append((name, engine, pipeline, len(both), more, less, log2))
        if heats:
            title = f"Fewer {unit} on {engine}, log2 ({suite.suite})"
            columns = [pipeline_name(p) for p in pipelines if any(key[1] == pipeline_name(p) for key in heats)]
            svg = heat_map(title, sorted({key[0] for key in heats}), columns, heats, f"+1: half the {unit}")
            head = ("rule_set", "engine", "pipeline", "boards", "before", "after", "log2_saving")
            figures.append(Figure(f"work-{slug(suite.suite)}-{slug(engine)}", title, svg, head, tuple(data)))
    return figures


def _table(suite: SuiteRecords, counted: list[ConfigurationStats]) -> Table:
    rows: dict[tuple[str, ...], dict[str, ConfigurationStats]] = {}
    for one in counted:
        rows.setdefault((one.rule_set, one.engine, one.task, _counter(one)), {})[one.pipeline] = one

    def work(pipeline: str) -> Column[ConfigurationStats]:
        return Column(slug(pipeline).replace("-", "_"), pipeline_name(pipeline), work_entry, numeric=True)

    common: list[Column[ConfigurationStats]] = [
        RULE_SET,
        ENGINE,
        Column("task", "board", choices=True),
        Column("counter", "counter", lambda one: Entry(counter_name(_counter(one)), _counter(one)), choices=True),
    ]
    pipelines = sorted({one.pipeline for one in counted}, key=pipeline_rank)
    columns = [*map(of_first, common), *(of_key(pipeline, work(pipeline)) for pipeline in pipelines)]
    return make_table(f"work-{slug(suite.suite)}", f"Work of the suite {suite.suite}", columns, rows.values())


def _counter(one: ConfigurationStats) -> str:
    work = work_counter(one)
    return "" if work is None else work.name


SECTION = Section(name="work", title="Work counters", order=80, lead=_LEAD, blocks=by_suite(_suite))

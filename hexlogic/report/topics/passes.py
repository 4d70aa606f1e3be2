"""What each pass saves: every pipeline against the rules as written, on the same engine and board; on a terminal all
reformulations, the paper"s figures beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from hexlogic.games import family_of
from hexlogic.process.limits import Limits
from hexlogic.report.caveats import doubt_marks, warm_mark
from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.phrases import decides, raw_factor
from hexlogic.report.claims.relations import NoBaseline, Relation
from hexlogic.report.claims.sentences import passes, worth
from hexlogic.report.document import Block, Bullets, Column, Entry, Figure, Notes, Table, make_table
from hexlogic.report.dots import factor_dot, outcome
from hexlogic.report.entries import factor_entry, pipeline_entry, question_legend, work_entry, work_units
from hexlogic.report.findings import findings, overview_findings
from hexlogic.report.formatting import limit_met, milliseconds, pipeline_name, pipeline_rank, seconds
from hexlogic.report.grouping import grouped
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.published import PAPER, PAPER_CAP_MS
from hexlogic.report.repeat import copied, repeat
from hexlogic.report.statistics import ConfigurationStats, against, savings
from hexlogic.report.topic import PageAnswer, PageQuestion, Section

__all__ = ["QUESTION", "SECTION", "Saving", "ladder", "savings_of"]


_RSF = "RSF\n[95 %]"

_Row: TypeAlias = Mapping[str, ConfigurationStats]
"""A rule set on an engine, by pipeline."""


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On each board a table for each rule set with more than two pipelines, and one for all others together.

    A rule set that no engine could run, for one reason, is a sentence and no table.
    """
    blocks: list[Block] = []
    remarks: list[str] = []
    limits = suite.session.limits
    asked = sorted(_questions(suite), key=lambda one: _paper_first(one.rule_set))
    for task, query in dict.fromkeys((one.task, one.query) for one in asked):
        where = f"({task}, {query})"
        ours = [one for one in asked if (one.task, one.query) == (task, query)]
        few: list[ConfigurationStats] = []
        for name in dict.fromkeys(one.rule_set for one in ours):
            own = [one for one in ours if one.rule_set == name]
            reasons = {one.message for one in own}
            if all(one.status == "unsupported" for one in own) and len(reasons) == 1:
                remarks.append(f"{name}: no engine can run it here: {reasons.pop()}")
            elif len({one.pipeline for one in own}) > 2:
                blocks.append(_passes(f"{name} {where}; work: {work_units(own)}", own, suite))
                blocks.append(Bullets(tuple(findings(own, suite.session.engines, limits))))
            else:
                few += own
        if few:
            blocks += [_overview(few, limits, where), Bullets(tuple(overview_findings(ours, limits)))]
    return [*blocks, Bullets(tuple(remarks))] if remarks else blocks


def _questions(suite: SuiteRecords) -> list[ConfigurationStats]:
    """The questions about single boards, which are of no series and no game."""
    return [one for one in suite.configurations if one.mode is None and family_of(one.task) is None]


def _passes(title: str, own: Sequence[ConfigurationStats], suite: SuiteRecords) -> Table:
    """One rule set: a row for each engine and pipeline."""
    notes, limits = Notes(), suite.session.limits
    columns: list[Column[ConfigurationStats]] = [
        Column("engine", "engine", group=True),
        Column("pipeline", "GOTs applied", lambda one: pipeline_entry(one.pipeline)),
        Column("time_s", "time (ms)", lambda one: _time_text(one, limits, notes), numeric=True),
        Column("rsf", _RSF, lambda one: factor_entry(savings(one, own)), numeric=True),
        Column("again_s", "again (ms)", _again, numeric=True),
        Column("work", "work", work_entry, numeric=True),
    ]
    if own[0].rule_set in PAPER:
        columns.append(Column("paper_ms", "paper (ms)", _paper_time, numeric=True))
        columns.append(Column("paper_rsf", "paper\nRSF", _paper_factor, numeric=True))
    return make_table("passes", title, columns, own, notes)


def _overview(own: Sequence[ConfigurationStats], limits: Limits, where: str) -> Table:
    """Rule sets with one or two pipelines: one row for each engine, the pipelines side by side."""
    notes = Notes()
    pipelines = sorted({one.pipeline for one in own}, key=pipeline_rank)
    groups = grouped(own, lambda one: (one.rule_set, one.engine))
    rows = [{one.pipeline: one for one in group} for group in groups.values()]

    def of_first(row: _Row, attribute: str) -> str:
        return str(getattr(next(iter(row.values())), attribute))

    def time(row: _Row, pipeline: str) -> str:
        return _time_text(row[pipeline], limits, notes) if pipeline in row else ""

    def did(row: _Row, pipeline: str) -> Entry | str:
        return work_entry(row[pipeline]) if pipeline in row else ""

    def saved(row: _Row) -> Entry | str:
        return factor_entry(savings(row[pipelines[-1]], own)) if pipelines[-1] in row else ""

    columns: list[Column[_Row]] = [
        Column("rule_set", "reformulation", partial(of_first, attribute="rule_set"), group=True),
        Column("engine", "engine", partial(of_first, attribute="engine")),
        *(Column(f"time_{p}", f"{pipeline_name(p)} (ms)", partial(time, pipeline=p), numeric=True) for p in pipelines),
        Column("rsf", _RSF, saved, numeric=True),
        *(Column(f"work_{p}", f"{pipeline_name(p)} (work)", partial(did, pipeline=p), numeric=True) for p in pipelines),
    ]
    title = "other reformulations" if len({one.rule_set for one in own}) > 1 else own[0].rule_set
    return make_table("overview", f"{title} {where}; work: {work_units(own)}", columns, rows, notes)


def _time_text(config: ConfigurationStats, limits: Limits, notes: Notes) -> str:
    """The time in ms with its marks, or why there is none; never a number for what did not finish."""
    text, why = limit_met(config.status, config.termination, limits), config.message
    if config.category == "wrong":
        text = "WRONG"
    elif config.status == "answered":
        text = "?" if config.time_s is None else milliseconds(config.time_s)
    elif config.status == "unsupported":
        text, why = "-", f"unsupported: {config.message}"
    elif config.status in ("timeout", "out-of-memory"):
        if config.answered not in (0, config.counted):
            why = f"answered in {config.answered} of {config.counted} runs"
        elif config.status == "out-of-memory" or config.floor_s is not None:
            why = None
    return text + notes.mark(why) + doubt_marks(config)


def _again(config: ConfigurationStats) -> str:
    """The time of the query asked again, in ms with its mark."""
    return "" if config.warm_s is None else milliseconds(config.warm_s) + warm_mark(config)


def _paper_first(rule_set: str) -> int:
    return list(PAPER).index(rule_set) if rule_set in PAPER else len(PAPER)


def _paper_time(one: ConfigurationStats) -> str:
    figure = PAPER[one.rule_set].get(one.pipeline)
    if figure is None:
        return ""
    return f"> {seconds(PAPER_CAP_MS / 1000)}" if figure.time_ms is None else f"{figure.time_ms:g}"


def _paper_factor(one: ConfigurationStats) -> str:
    figure = PAPER[one.rule_set].get(one.pipeline)
    return "" if figure is None else figure.rsf


SECTION = Section(name="passes", order=30, blocks=_blocks, legend=question_legend)


_CAPTION = (
    "How many times as fast as the same rules without passes; bars are 95 % intervals, arrows bounds, grey dots are "
    "not told apart from 1 x."
)


@dataclass(frozen=True, slots=True)
class Saving:
    """A configuration with passes, and the same one as written."""

    suite: SuiteRecords
    before: ConfigurationStats
    after: ConfigurationStats
    relation: Relation

    @property
    def dot(self) -> Dot | None:
        """The mark of a chart, in the row of the rule set and the passes."""
        row = f"{self.after.rule_set}: {pipeline_name(self.after.pipeline)}"
        return self.dot_in(row)

    def dot_in(self, row: str) -> Dot | None:
        """The mark of a chart in this row."""
        both = [self.before, self.after]
        return factor_dot(row, self.after.engine, self.relation, self.suite.session, both)


def savings_of(material: Material) -> list[Saving]:
    """Every configuration with passes on a board of no series, against the same as written.

    What several suites measured is told once, of the first."""
    found: list[Saving] = []
    told = set[tuple[str, ...]]()
    for suite in material.suites:
        own = [one for one in suite.configurations if one.mode is None and family_of(one.task) is None]
        written = {(one.rule_set, one.engine, *one.asked): one for one in own if one.pipeline == "none"}
        for one in own:
            before = written.get((one.rule_set, one.engine, *one.asked))
            named = (one.rule_set, one.pipeline, one.engine, one.task, one.query)
            if before is not None and one is not before and named not in told:
                told.add(named)
                found.append(Saving(suite, before, one, against(one, before)))
    return sorted(found, key=lambda one: (one.after.rule_set, pipeline_rank(one.after.pipeline)))


def ladder(found: list[Saving]) -> Figure | None:
    """The paper's rule sets after each pipeline; its title says the largest saving of a single pass."""
    own = [one for one in found if one.after.rule_set in PAPER and one.dot is not None]
    marks = [dot for name in PAPER for one in own if one.after.rule_set == name and (dot := one.dot) is not None]
    if not marks:
        return None
    single = [one for one in own if "," not in one.after.pipeline and decides(one.relation) > 0] or own
    most = max(single, key=lambda one: raw_factor(one.relation)[0] or 0.0)
    said = passes(most.after.pipeline, {most.after.engine: most.relation})
    return dots("passes-paper", f"{most.after.rule_set}: {said}", _CAPTION, marks, "times as fast as written")


def _answer(material: Material, found: list[Saving]) -> PageAnswer:
    both = [one for one in found if one.after.pipeline == "ground,reorder"]
    effects = {
        f"{one.after.rule_set} on {one.after.engine}": one.relation
        for one in both
        if not isinstance(one.relation, NoBaseline)
    }
    blocks: list[Block] = []
    marks = [dot for one in both if (dot := one.dot_in(one.after.rule_set)) is not None]
    if marks:
        count = sum(decides(relation) > 0 for relation in effects.values())
        title = f"Grounding and reordering: time is saved in {count} of {len(effects)} pairs"
        blocks.append(dots("passes-both", title, _CAPTION, marks, "times as fast as written"))
    if (figure := ladder(found)) is not None:
        blocks.append(figure)
    table = make_table("passes", "Every pipeline against the rules as written", _COLUMNS, found)
    return PageAnswer(
        worth(effects) if effects else "No pair has a time after grounding and reordering.", [*blocks, table]
    )


def _work(side: str) -> Column[Saving]:
    return Column(f"work_{side}", f"work {side}", lambda one: work_entry(getattr(one, side)), numeric=True)


def _time(side: str) -> Column[Saving]:
    return Column(
        f"time_{side}_s", side, lambda one: outcome(getattr(one, side), one.suite.session.limits), numeric=True
    )


_COLUMNS: tuple[Column[Saving], ...] = (
    Column("rule_set", "reformulation", lambda one: one.after.rule_set),
    Column("engine", "engine", lambda one: one.after.engine),
    Column("pipeline", "passes", lambda one: pipeline_entry(one.after.pipeline)),
    Column("task", "board", lambda one: one.after.task),
    Column("factor", "times as fast [95 %]", lambda one: factor_entry(one.relation), numeric=True),
    _time("before"),
    _time("after"),
    _work("before"),
    _work("after"),
    Column("repeat", "repeat", lambda one: copied(repeat(one.suite.session, one.before, one.after))),
)

QUESTION = PageQuestion(
    name="passes",
    title="Passes",
    text="What do the rewriting passes save?",
    order=10,
    find=savings_of,
    answer=_answer,
    how="hexlogic bench --suite quick",
)

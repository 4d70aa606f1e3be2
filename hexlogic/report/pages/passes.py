"""What the passes save: every pipeline against the rules as written, on the same engine and board."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.games import family_of
from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.phrases import decides, raw_factor
from hexlogic.report.claims.relations import NoBaseline, Relation
from hexlogic.report.claims.sentences import passes, worth
from hexlogic.report.document import Block, Column, Figure, make_table
from hexlogic.report.dots import factor_dot, outcome
from hexlogic.report.formatting import pipeline_name, pipeline_rank
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.published import PAPER
from hexlogic.report.question import PageAnswer, PageQuestion
from hexlogic.report.repeat import copied, repeat
from hexlogic.report.sections.common import factor_entry, pipeline_entry, work_entry
from hexlogic.report.statistics import ConfigurationStats, against

__all__ = ["QUESTION", "Saving", "ladder", "savings_of"]

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
    """Every configuration with passes on a board of no series, against the same as written."""
    found = []
    for suite in material.suites:
        own = [one for one in suite.configurations if one.mode is None and family_of(one.task) is None]
        written = {(one.rule_set, one.engine, *one.asked): one for one in own if one.pipeline == "none"}
        for one in own:
            before = written.get((one.rule_set, one.engine, *one.asked))
            if before is not None and one is not before:
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


def _answer(material: Material) -> PageAnswer | None:
    found = savings_of(material)
    both = [one for one in found if one.after.pipeline == "ground,reorder"]
    if not found:
        return None
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
    answer=_answer,
    how="hexlogic bench --suite quick",
)

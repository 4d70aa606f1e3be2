"""Which reformulation is fastest on which engine: the best of its pipelines on the boards of no series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.games import family_of, game_names
from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.phrases import adjective
from hexlogic.report.claims.sentences import leader
from hexlogic.report.claims.timing import Timed
from hexlogic.report.document import Column, Entry, make_table, plain
from hexlogic.report.dots import outcome, time_dot
from hexlogic.report.entries import pipeline_entry
from hexlogic.report.formatting import duration
from hexlogic.report.grouping import grouped
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.repeat import copied, repeat
from hexlogic.report.statistics import ConfigurationStats, against
from hexlogic.report.topic import PageAnswer, PageQuestion
from hexlogic.rulesets import load_rule_set, rule_set_names
from hexlogic.rulesets.transitions import transition_names

__all__ = ["QUESTION"]

_CAPTION = (
    "The first answer in a fresh process with the best passes, median and middle half of the runs; an arrow met the "
    "limit."
)


@dataclass(frozen=True, slots=True)
class _Best:
    """The fastest configuration of a rule set on an engine and a question."""

    suite: SuiteRecords
    config: ConfigurationStats

    @property
    def dot(self) -> Dot | None:
        """The mark of a chart; a rule set that misses wins says so."""
        name = self.config.rule_set if self.config.complete else f"{self.config.rule_set} (misses wins)"
        return time_dot(name, self.config.engine, self.config, self.suite.session)


def _best(material: Material) -> list[_Best]:
    found = []
    for suite in material.suites:
        own = [one for one in suite.configurations if one.mode is None and family_of(one.task) is None]
        for group in grouped(own, lambda one: (one.rule_set, one.engine, *one.asked)).values():
            timed = [one for one in group if isinstance(one.timing, Timed)]
            found.append(_Best(suite, min(timed, key=lambda one: one.time_s or 0.0) if timed else group[-1]))
    return found


def _answer(material: Material, found: list[_Best]) -> PageAnswer:
    told = []
    for group in grouped(found, lambda one: (one.config.engine, *one.config.asked)).values():
        ranked = sorted((one.config for one in group if _counts(one.config)), key=lambda one: one.time_s or 0.0)
        if ranked:
            others = {one.rule_set: against(ranked[0], one) for one in ranked[1:]}
            told.append(f"{ranked[0].engine}: {leader(ranked[0].rule_set, duration(ranked[0].time_s or 0), others)}")
    told += _own(found)
    finding = f"Of those that find every win: {'; '.join(dict.fromkeys(told))}." if told else "Nothing was answered."
    marks = [dot for one in found if (dot := one.dot) is not None]
    least = {row: min(dot.value for dot in own) for row, own in grouped(marks, lambda dot: dot.row).items()}
    rows = sorted(least, key=lambda row: least[row])
    # Series keep the order of the suite, whichever row comes first.
    engines = [name for suite in material.suites for name in suite.engines]
    marks.sort(key=lambda dot: (rows.index(dot.row), engines.index(dot.series)))
    title = f"{rows[0]} has the smallest time of {len(rows)}" if rows else ""
    figure = [dots("reformulations", title, _CAPTION, marks, "time, median", "seconds")] if marks else []
    table = make_table("reformulations", "The best passes for each reformulation and engine", _COLUMNS, found)
    ideas = make_table("ideas", "The reformulations", _IDEAS, sorted({one.config.rule_set for one in found}))
    return PageAnswer(finding, [*figure, table, ideas])


def _own(found: Sequence[_Best]) -> list[str]:
    """Where rule sets that do not come with the package stand, against the first of those that do."""
    shipped = {name for game in game_names() for name in rule_set_names(game)} | set(transition_names())
    told = []
    for group in grouped(found, lambda one: (one.config.engine, *one.config.asked)).values():
        known = [one.config for one in group if one.config.rule_set in shipped and _counts(one.config)]
        best = min(known, key=lambda one: one.time_s or 0.0, default=None)
        for mine in (one.config for one in group if one.config.rule_set not in shipped):
            if best is not None:
                standing = adjective(against(mine, best))
                told.append(f"One's own `{mine.rule_set}` on {mine.engine}: {standing} (than {best.rule_set})")
    return told


def _counts(one: ConfigurationStats) -> bool:
    return one.complete and isinstance(one.timing, Timed)


def _stored(attribute: str) -> Column[str]:
    def entry(name: str) -> Entry:
        try:
            return plain(str(getattr(load_rule_set(name), attribute)))
        except HexlogicError:
            return plain("")

    return Column(attribute, attribute, entry)


_IDEAS: tuple[Column[str], ...] = (Column("rule_set", "reformulation", plain), _stored("idea"), _stored("caveat"))

_COLUMNS: tuple[Column[_Best], ...] = (
    Column("rule_set", "reformulation", lambda one: one.config.rule_set),
    Column("engine", "engine", lambda one: one.config.engine),
    Column("task", "board", lambda one: one.config.task),
    Column("pipeline", "best passes", lambda one: pipeline_entry(one.config.pipeline)),
    Column("time_s", "time", lambda one: outcome(one.config, one.suite.session.limits), numeric=True),
    Column("runs", "runs", lambda one: one.config.counted, numeric=True),
    Column("why", "why not", lambda one: "" if one.config.time_s else (one.config.message or "")[:60]),
    Column("repeat", "repeat", lambda one: copied(repeat(one.suite.session, one.config))),
)

QUESTION = PageQuestion(
    name="reformulations",
    title="Reformulations",
    text="Which way of writing the rules is fastest on which engine?",
    order=20,
    find=_best,
    answer=_answer,
    how="hexlogic bench --suite quick",
)

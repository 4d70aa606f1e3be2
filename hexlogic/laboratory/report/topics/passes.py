"""What each pass saves: every pipeline against the rules as written, on the same engine and board; on a terminal all
reformulations, the paper's figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from hexlogic.laboratory.records.types import Session, grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.relations import BAND, Relation, Timed, no_baseline
from hexlogic.laboratory.report.claims.sentences import leader, order, passes, pruning, unfinished, worth
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, Figure, Notes, Table, make_table
from hexlogic.laboratory.report.entries import (
    copied,
    factor_dot,
    factor_entry,
    outcome,
    pipeline_entry,
    repeat,
    work_entry,
    work_units,
)
from hexlogic.laboratory.report.formatting import (
    limits_text,
    listed,
    milliseconds,
    pipeline_name,
    pipeline_rank,
    seconds,
)
from hexlogic.laboratory.report.published import PAPER, PAPER_CAP_MS
from hexlogic.laboratory.report.quality import doubt_marks, warm_mark
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, Section, SuiteRecords
from hexlogic.laboratory.report.statistics import ConfigurationStats, against, leading, question, savings, work_counter

_RSF = "RSF\n[95 %]"
_BOTH = "ground,reorder"

_Column: TypeAlias = Mapping[str, ConfigurationStats]
"""One rule set on one engine, by pipeline."""


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On each board a table for each rule set with more than two pipelines, and one for all others together.

    A rule set that no engine could run, for one reason, is a sentence and no table.
    """
    blocks: list[Block] = []
    remarks: list[str] = []
    asked = [configuration for configuration in suite.configurations if configuration.is_single]
    asked.sort(key=lambda configuration: _paper_first(configuration.rule_set))
    for (task, query), configs in grouped(asked, lambda config: (config.task, config.query)).items():
        where = f"({task}, {query})"
        few: list[ConfigurationStats] = []
        for name, group in grouped(configs, lambda config: config.rule_set).items():
            reasons = {config.message for config in group}
            if all(config.status == "unsupported" for config in group) and len(reasons) == 1:
                remarks.append(f"{name}: no engine can run it here: {reasons.pop()}")
            elif len({config.pipeline for config in group}) > 2:
                blocks.append(_passes(f"{name} {where}; work: {work_units(group)}", group))
                blocks.append(Bullets(tuple(findings(group))))
            else:
                few += group
        if few:
            blocks += [_overview(few, where), Bullets(tuple(overview_findings(configs)))]
    return [*blocks, Bullets(tuple(remarks))] if remarks else blocks


def _passes(title: str, configs: Sequence[ConfigurationStats]) -> Table:
    """One rule set: a row for each engine and pipeline."""
    notes = Notes()
    columns: list[Column[ConfigurationStats]] = [
        Column("engine", "engine", group=True),
        Column("pipeline", "GOTs applied", lambda config: pipeline_entry(config.pipeline)),
        Column("time_s", "time (ms)", lambda config: _time_text(config, notes), numeric=True),
        Column("rsf", _RSF, lambda config: factor_entry(savings(config, configs)), numeric=True),
        Column(
            "again_s",
            "again (ms)",
            lambda config: "" if config.warm_s is None else milliseconds(config.warm_s) + warm_mark(config),
            numeric=True,
        ),
        Column("work", "work", work_entry, numeric=True),
    ]
    if figures := PAPER.get(configs[0].rule_set):
        columns.append(Column("paper_ms", "paper (ms)", _paper_time, numeric=True))
        rsf = {pipeline: figure.rsf for pipeline, figure in figures.items()}
        columns.append(Column("paper_rsf", "paper\nRSF", lambda config: rsf.get(config.pipeline, ""), numeric=True))
    return make_table("passes", title, columns, configs, notes)


def _overview(configs: Sequence[ConfigurationStats], where: str) -> Table:
    """Rule sets with one or two pipelines: one row for each engine, the pipelines side by side."""
    notes = Notes()
    pipelines = sorted({config.pipeline for config in configs}, key=pipeline_rank)
    groups = grouped(configs, lambda config: (config.rule_set, config.engine))
    rows = [{config.pipeline: config for config in group} for group in groups.values()]

    def entry(row: _Column, pipeline: str, of: Callable[[ConfigurationStats], Entry | str]) -> Entry | str:
        return of(row[pipeline]) if pipeline in row else ""

    def each(key: str, head: str, of: Callable[[ConfigurationStats], Entry | str]) -> list[Column[_Column]]:
        return [
            Column(f"{key}_{p}", f"{pipeline_name(p)} ({head})", partial(entry, pipeline=p, of=of), numeric=True)
            for p in pipelines
        ]

    saved = partial(entry, pipeline=pipelines[-1], of=lambda config: factor_entry(savings(config, configs)))
    columns: list[Column[_Column]] = [
        Column("rule_set", "reformulation", lambda row: next(iter(row.values())).rule_set, group=True),
        Column("engine", "engine", lambda row: next(iter(row.values())).engine),
        *each("time", "ms", lambda config: _time_text(config, notes)),
        Column("rsf", _RSF, saved, numeric=True),
        *each("work", "work", work_entry),
    ]
    title = "other reformulations" if len({config.rule_set for config in configs}) > 1 else configs[0].rule_set
    return make_table("overview", f"{title} {where}; work: {work_units(configs)}", columns, rows, notes)


def _time_text(config: ConfigurationStats, notes: Notes) -> str:
    """The time in ms with its marks, or why there is none; never a number for what did not finish."""
    text, why = config.limit_met, config.message
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


def _paper_first(rule_set: str) -> int:
    return list(PAPER).index(rule_set) if rule_set in PAPER else len(PAPER)


def _paper_time(config: ConfigurationStats) -> str:
    if (figure := PAPER[config.rule_set].get(config.pipeline)) is None:
        return ""
    return f"> {seconds(PAPER_CAP_MS / 1000)}" if figure.time_ms is None else f"{figure.time_ms:g}"


def findings(configs: Sequence[ConfigurationStats]) -> list[str]:
    """Sentences on one rule set: the engines that follow the order of a body, and those that plan their own."""
    session = configs[0].session
    assert session is not None
    groups = grouped(configs, lambda config: config.engine)
    columns = {engine: {config.pipeline: config for config in group} for engine, group in groups.items()}
    following = {name: column for name, column in columns.items() if session.engines[name].order_sensitive}
    limit = seconds(session.limits.cpu_s)
    sentences = ["; ".join(_effects(following, limit))]
    for engine, column in columns.items():
        if engine not in following:
            sentences.append("; ".join(_planned(engine, column) or _effects({engine: column}, limit)))
    return [f"{configs[0].rule_set}: {sentence}." for sentence in sentences if sentence]


def _effects(columns: Mapping[str, _Column], limit: str) -> list[str]:
    """Clauses on engines that take the literals of a body in their order."""
    late = {
        engine: unfinished([name for name, config in column.items() if config.status == "timeout"], list(column), limit)
        for engine, column in columns.items()
    }
    clauses = _once(late)
    for pipeline in ("ground", "reorder", _BOTH):
        effects = {
            engine: relation
            for engine, column in columns.items()
            if pipeline in column and (relation := _effect(pipeline, column)).is_known
        }
        if effects:
            clauses.append(passes(pipeline, effects))
    return clauses + _once({engine: _pruning(column) for engine, column in columns.items()})


def _once(texts: Mapping[str, str]) -> list[str]:
    """Each text once, with the engines it is true of; empty texts are dropped."""
    engines = grouped(texts, texts.__getitem__)
    return [f"{text} on {listed(names)}" for text, names in engines.items() if text]


def _effect(pipeline: str, column: _Column, baseline: str = "none") -> Relation:
    """What a pipeline does on one engine; what did not finish itself is left to the clause on limits."""
    config, base = column.get(pipeline), column.get(baseline)
    if config is None or base is None:
        return no_baseline("not measured")
    return against(config, base) if isinstance(config.timing, Timed) else no_baseline("no time")


def _pruning(column: _Column) -> str:
    relation = _effect("ground,reorder,prune", column, _BOTH)
    if not relation.is_known:
        return ""
    both, pruned = column[_BOTH], column["ground,reorder,prune"]
    same = both.program_hash is not None and both.program_hash == pruned.program_hash
    return pruning(None if same else relation)


def _planned(engine: str, column: _Column) -> list[str]:
    """Whether order matters to an engine that plans its own joins: the two of each pair differ in nothing else."""
    effects: dict[str, Relation] = {}
    counted = set()
    for where, before, after in (("as written", "none", "reorder"), ("when grounded", "ground", _BOTH)):
        relation = _effect(after, column, before)
        if relation.is_known:
            effects[where] = relation
            counted |= {work_counter(column[before]), work_counter(column[after])}
    if not effects:
        return []
    clauses = [order(engine, effects, counted.pop() if len(counted) == 1 else None)]
    if (grounded := _effect("ground", column)).is_known:
        clauses.append(passes("ground", {engine: grounded}))
    return clauses


def overview_findings(configs: Sequence[ConfigurationStats]) -> list[str]:
    """Sentences over all rule sets of a task: who comes first on each engine, what passes do, what never ends."""
    pairs = grouped(configs, lambda config: f"{config.rule_set} on {config.engine}")
    columns = {name: {config.pipeline: config for config in group} for name, group in pairs.items()}
    relations = {name: against(c[_BOTH], c["none"]) for name, c in columns.items() if {"none", _BOTH} <= c.keys()}
    effects = {name: relation for name, relation in relations.items() if relation.is_known}
    sentences = [_leaders(configs), worth(effects) if effects else ""]
    never = [name for name, group in pairs.items() if all(config.status == "timeout" for config in group)]
    if never:
        limit = seconds(configs[0].limits.cpu_s)
        sentences.append(f"With none of these passes does it finish in {limit}: {listed(never)}.")
    return [sentence for sentence in sentences if sentence]


def _leaders(configs: Sequence[ConfigurationStats]) -> str:
    groups = grouped(configs, lambda config: config.engine)
    first = {engine: leading(group, lambda time_s: f"{milliseconds(time_s)} ms") for engine, group in groups.items()}
    clauses = [f"{engine}: {leader(*place)}" for engine, place in first.items() if place is not None]
    return f"Of the reformulations that find every win, on {'; on '.join(clauses)}." if clauses else ""


def _legend(session: Session) -> str:
    return (
        f"time: the first query in a fresh process, grounding and solving, median of {session.repeats} runs (fewer of "
        f"slow ones); again: the same query repeated in that process, median; RSF: the slowest time of the same "
        f"reformulation and engine divided by this one, a ratio of medians, with its 95 % interval (t-distribution on "
        f"logarithms; so few repeats do not tell their own noise, which is drawn towards that of all cells of the "
        f"engine); >=: a configuration met a limit; [?]: nothing tells the noise. Saves, costs and makes no difference "
        f"are said of intervals that show it; no difference: the interval lies within {BAND:g}x of 1. Limits per run, "
        f"building and loading included: {limits_text(session.limits)}."
    )


SECTION = Section(name="passes", order=30, blocks=_blocks, legend=_legend)


_CAPTION = (
    "How many times as fast as the same rules without passes; bars are 95 % intervals, arrows bounds; what is "
    "grey shows neither a saving nor a cost."
)


@dataclass(frozen=True, slots=True)
class Saving:
    """A configuration with passes, and the same one as written."""

    before: ConfigurationStats
    after: ConfigurationStats
    relation: Relation

    @property
    def name(self) -> str:
        """The pair of reformulation and engine."""
        return f"{self.after.rule_set} on {self.after.engine}"

    def dot(self, row: str) -> Dot | None:
        """The mark of a chart in this row."""
        return factor_dot(row, self.after.engine, self.relation, [self.before, self.after])


def savings_of(results: Results) -> list[Saving]:
    """Every configuration with passes on a board of no series, against the same as written.

    What several suites measured is given once, of the first."""
    pairs: dict[tuple[str, ...], Saving] = {}
    for suite in results.suites:
        configs = [config for config in suite.configurations if config.is_single]
        written = {
            (config.rule_set, config.engine, *config.asked): config for config in configs if config.pipeline == "none"
        }
        for config in configs:
            before = written.get((config.rule_set, config.engine, *config.asked))
            if before is not None and config is not before:
                pairs.setdefault(question(config), Saving(before, config, against(config, before)))
    return sorted(pairs.values(), key=lambda pair: (pair.after.rule_set, pipeline_rank(pair.after.pipeline)))


def ladder(every: Sequence[Saving]) -> Figure | None:
    """The paper's rule sets after each pipeline; its title says the largest saving of a single pass."""
    drawn = [
        (saving, dot)
        for saving in every
        if saving.after.rule_set in PAPER
        and (dot := saving.dot(f"{saving.after.rule_set}: {pipeline_name(saving.after.pipeline)}")) is not None
    ]
    if not drawn:
        return None
    marks = [dot for name in PAPER for saving, dot in drawn if saving.after.rule_set == name]
    shown = [saving for saving, _ in drawn]
    single = [saving for saving in shown if "," not in saving.after.pipeline and saving.relation.decides > 0] or shown
    most = max(single, key=lambda saving: saving.relation.value or 0.0)
    title = f"{most.after.rule_set}: {passes(most.after.pipeline, {most.after.engine: most.relation})}"
    return dots("passes-paper", title, _CAPTION, marks, "times as fast as written")


def _answer(results: Results, every: list[Saving]) -> PageAnswer:
    both = [saving for saving in every if saving.after.pipeline == _BOTH]
    several = len({(saving.after.task, saving.after.query) for saving in both})
    effects = {
        f"{saving.name}{f', {saving.after.task}, {saving.after.query}' if several > 1 else ''}": saving.relation
        for saving in both
        if saving.relation.is_known
    }
    blocks: list[Block] = []
    marks = [dot for saving in both if (dot := saving.dot(saving.after.rule_set)) is not None]
    if marks:
        count = sum(relation.decides > 0 for relation in effects.values())
        title = f"Grounding and reordering: time is saved in {count} of {len(effects)} pairs"
        blocks.append(dots("passes-both", title, _CAPTION, marks, "times as fast as written"))
    if (figure := ladder(every)) is not None:
        blocks.append(figure)
    blocks.append(make_table("passes", "Every pipeline against the rules as written", _COLUMNS, every))
    return PageAnswer(
        worth(effects, several) if effects else "No pair has a time after grounding and reordering.", blocks
    )


def _work(side: str) -> Column[Saving]:
    return Column(f"work_{side}", f"work {side}", lambda saving: work_entry(getattr(saving, side)), numeric=True)


def _time(side: str) -> Column[Saving]:
    return Column(f"time_{side}_s", side, lambda saving: outcome(getattr(saving, side)), numeric=True)


_COLUMNS: tuple[Column[Saving], ...] = (
    Column("rule_set", "reformulation", lambda saving: saving.after.rule_set),
    Column("engine", "engine", lambda saving: saving.after.engine),
    Column("pipeline", "passes", lambda saving: pipeline_entry(saving.after.pipeline)),
    Column("task", "board", lambda saving: saving.after.task),
    Column("factor", "times as fast [95 %]", lambda saving: factor_entry(saving.relation), numeric=True),
    _time("before"),
    _time("after"),
    _work("before"),
    _work("after"),
    Column("repeat", "repeat", lambda saving: copied(repeat(saving.before, saving.after))),
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

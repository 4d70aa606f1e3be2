"""What each pass saves: every pipeline against the rules as written, on the same engine and board; on a terminal all
reformulations, the paper's figures beside ours."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.relations import BAND, Relation, Timed, no_baseline
from hexlogic.laboratory.report.claims.sentences import passes, pruning, unfinished, worth
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, Figure, Table, make_table, marked, number
from hexlogic.laboratory.report.entries import copied, factor_dot, outcome, pipeline_entry, repeat, work_units
from hexlogic.laboratory.report.formatting import listed, milliseconds, pipeline_name, pipeline_rank, seconds
from hexlogic.laboratory.report.published import PAPER, PAPER_CAP_MS, PaperFigure
from hexlogic.laboratory.report.quality import doubt_marks, warm_mark
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords
from hexlogic.laboratory.report.statistics import ConfigurationStats, against, leading, question, savings, work_counter

_RSF = "RSF\n[95 %]"
_BOTH = "ground,reorder"

_Pipelines: TypeAlias = Mapping[str, ConfigurationStats]  # One rule set on one engine, by pipeline


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On each board a table for each rule set with more than two pipelines, and one for all others together. A rule set
    that no engine could run, for one reason, is a sentence and no table."""
    blocks: list[Block] = []
    remarks: list[str] = []
    asked = [config for config in suite.configurations if config.is_single]
    asked.sort(key=lambda config: [*PAPER, config.rule_set].index(config.rule_set))
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
            title = "other reformulations" if len({config.rule_set for config in few}) > 1 else few[0].rule_set
            blocks.append(_passes(f"{title} {where}; work: {work_units(few)}", few))
            blocks.append(Bullets(tuple(overview_findings(configs))))
    return [*blocks, Bullets(tuple(remarks))] if remarks else blocks


_GOTS = "the general optimisation techniques (grounding, reordering, pruning) that were applied to the rules"


def _passes(title: str, configs: Sequence[ConfigurationStats]) -> Table:
    notes: list[str] = []
    techniques = f"GOTs applied{marked(notes, _GOTS)}"
    several = len({config.rule_set for config in configs}) > 1
    columns: list[Column[ConfigurationStats]] = [
        Column("engine", "engine", group=True),
        Column("pipeline", techniques, lambda config: pipeline_entry(config.pipeline)),
        Column("time_s", "time (ms)", lambda config: _time_text(config, notes), numeric=True),
        Column("rsf", _RSF, lambda config: savings(config, configs), numeric=True),
        Column("again_s", "again (ms)", lambda c: number(c.warm_s, milliseconds).text + warm_mark(c), numeric=True),
        Column("work", "work", work_counter, numeric=True),
    ]
    if several:
        columns.insert(0, Column("rule_set", "reformulation", group=True))
    elif paper := PAPER.get(configs[0].rule_set):
        columns.append(Column("paper_ms", "paper (ms)", lambda c: paper_time(paper.get(c.pipeline)), numeric=True))
        printed = {pipeline: figure.rsf for pipeline, figure in paper.items()}
        columns.append(Column("paper_rsf", "paper\nRSF", lambda c: printed.get(c.pipeline, ""), numeric=True))
    return make_table("passes", title, columns, configs, notes)


def paper_time(figure: PaperFigure | None) -> Entry:
    """The milliseconds of the paper, or its cap; empty for what it does not have."""
    if figure is not None and figure.time_ms is None:
        return Entry(f"> {seconds(PAPER_CAP_MS / 1000)}", None, "late")
    return number(None if figure is None else figure.time_ms, "g")


def _by_pipeline(configs: Iterable[ConfigurationStats], key: Callable[..., str]) -> dict[str, _Pipelines]:
    return {name: {config.pipeline: config for config in group} for name, group in grouped(configs, key).items()}


def _time_text(config: ConfigurationStats, notes: list[str]) -> str:
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
    return text + marked(notes, why) + doubt_marks(config)


def findings(configs: Sequence[ConfigurationStats]) -> list[str]:
    """What engines did not finish of one rule set, what passes do on them, and what pruning does after both."""
    engines, limit = _by_pipeline(configs, lambda config: config.engine), seconds(configs[0].limits.cpu_s)
    late, dropped = {}, {}
    for engine, pipelines in engines.items():
        names = [name for name, config in pipelines.items() if config.status == "timeout"]
        late[engine] = unfinished(names, list(pipelines), limit)
        relation = _effect("ground,reorder,prune", pipelines, _BOTH)
        if relation.is_known:
            hashes = {pipelines[name].program_hash for name in (_BOTH, "ground,reorder,prune")}
            dropped[engine] = pruning(None if len(hashes) == 1 and None not in hashes else relation)
    clauses = _once(late)
    for pipeline in ("ground", "reorder", _BOTH):
        relations = {engine: _effect(pipeline, pipelines) for engine, pipelines in engines.items()}
        if known := {engine: relation for engine, relation in relations.items() if relation.is_known}:
            clauses.append(passes(pipeline, known))
    clauses += _once(dropped)
    return [f"{configs[0].rule_set}: {'; '.join(clauses)}."] if clauses else []


def _once(texts: Mapping[str, str]) -> list[str]:
    """Each text once, with the engines it is true of; empty texts are dropped."""
    engines = grouped(texts, texts.__getitem__)
    return [f"{text} on {listed(names)}" for text, names in engines.items() if text]


def _effect(pipeline: str, pipelines: _Pipelines, baseline: str = "none") -> Relation:
    """What a pipeline does on one engine; what did not finish itself is left to the clause on limits."""
    config, base = pipelines.get(pipeline), pipelines.get(baseline)
    if config is None or base is None:
        return no_baseline("not measured")
    return against(config, base) if isinstance(config.timing, Timed) else no_baseline("no time")


def overview_findings(configs: Sequence[ConfigurationStats]) -> list[str]:
    """Sentences over all rule sets of a task: who comes first on each engine, what passes do, what never ends."""
    pairs = _by_pipeline(configs, lambda config: f"{config.rule_set} on {config.engine}")
    both = {name: pair for name, pair in pairs.items() if {"none", _BOTH} <= pair.keys()}
    relations = {name: against(pair[_BOTH], pair["none"]) for name, pair in both.items()}
    effects = {name: relation for name, relation in relations.items() if relation.is_known}
    clauses = []
    for engine, group in grouped(configs, lambda config: config.engine).items():
        if clause := leading(group, lambda time_s: f"{milliseconds(time_s)} ms"):
            clauses.append(f"{engine}: {clause}")
    sentences = [f"Of the reformulations that find every win, on {'; on '.join(clauses)}."] if clauses else []
    sentences += [worth(effects)] if effects else []
    never = [name for name, pair in pairs.items() if all(config.status == "timeout" for config in pair.values())]
    if never:
        limit = seconds(configs[0].limits.cpu_s)
        sentences.append(f"With none of these passes does it finish in {limit}: {listed(never)}.")
    return sentences


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

    def dot(self, row: str) -> Dot | None:
        """The mark of a chart in this row."""
        return factor_dot(row, self.after.engine, self.relation, [self.before, self.after])


def savings_of(results: Results) -> list[Saving]:
    """Every configuration with passes on a board of no series, against the same as written; where there are only
    series, on their largest board. What several suites measured is given once, of the first."""
    pairs: dict[tuple[str, ...], Saving] = {}
    single = [config for config in results.configurations if config.is_single]
    if not single:
        furthest = max((config.size for config in results.configurations if config.mode is None), default=0)
        single = [config for config in results.configurations if config.mode is None and config.size == furthest]
    written = {(config.suite, *question(config)): config for config in single if config.pipeline == "none"}
    for config in single:
        before = written.get((config.suite, config.rule_set, "none", *question(config)[2:]))
        if before is not None and config is not before:
            pairs.setdefault(question(config), Saving(before, config, against(config, before)))
    return sorted(pairs.values(), key=lambda pair: (pair.after.rule_set, pipeline_rank(pair.after.pipeline)))


def ladder(every: Sequence[Saving]) -> Figure | None:
    """The paper's rule sets after each pipeline; its title says the largest saving of a single pass."""
    known = [saving for name in PAPER for saving in every if saving.after.rule_set == name and saving.relation.is_known]
    if not known:
        return None
    single = [saving for saving in known if "," not in saving.after.pipeline and saving.relation.decides > 0] or known
    most = max(single, key=lambda saving: saving.relation.value or 0.0)
    title = f"{most.after.rule_set}: {passes(most.after.pipeline, {most.after.engine: most.relation})}"
    rows = ((saving, f"{saving.after.rule_set}: {pipeline_name(saving.after.pipeline)}") for saving in known)
    marks = [dot for saving, row in rows if (dot := saving.dot(row)) is not None]
    return dots("passes-paper", title, _CAPTION, marks, "times as fast as written")


def _answer(results: Results, every: list[Saving]) -> PageAnswer:
    both = [saving for saving in every if saving.after.pipeline == _BOTH]
    several = len({(saving.after.task, saving.after.query) for saving in both})
    effects = {}
    for saving in both:
        if saving.relation.is_known:
            where = f", {saving.after.task}, {saving.after.query}" if several > 1 else ""
            effects[f"{saving.after.rule_set} on {saving.after.engine}{where}"] = saving.relation
    blocks: list[Block | None] = []
    if effects and (marks := [dot for saving in both if (dot := saving.dot(saving.after.rule_set)) is not None]):
        count = sum(relation.decides > 0 for relation in effects.values())
        title = f"Grounding and reordering: time is saved in {count or 'none'} of {len(effects)} pairs"
        title = title if len(effects) > 1 else worth(effects).rstrip(".")
        blocks.append(dots("passes-both", title, _CAPTION, marks, "times as fast as written"))
    table = make_table("passes", "Every pipeline against the rules as written", _COLUMNS, every)
    finding = worth(effects, several) if effects else "No pair has a time after grounding and reordering."
    return PageAnswer(finding, [*blocks, ladder(every), table])


_COLUMNS: tuple[Column[Saving], ...] = (
    Column("rule_set", "reformulation", lambda saving: saving.after.rule_set),
    Column("engine", "engine", lambda saving: saving.after.engine),
    Column("pipeline", "passes", lambda saving: pipeline_entry(saving.after.pipeline)),
    Column("task", "board", lambda saving: saving.after.task),
    Column("factor", "times as fast [95 %]", lambda saving: saving.relation, numeric=True),
    Column("time_before_s", "before", lambda saving: outcome(saving.before), numeric=True),
    Column("time_after_s", "after", lambda saving: outcome(saving.after), numeric=True),
    Column("work_before", "work before", lambda saving: work_counter(saving.before), numeric=True),
    Column("work_after", "work after", lambda saving: work_counter(saving.after), numeric=True),
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
    blocks=_blocks,
    legend="time: the first query in a fresh process, grounding and solving, {runs}; again: the same query repeated in "
    "that process, median; RSF: the slowest time of the same reformulation and engine divided by this one, a ratio of "
    "medians, with its 95 % interval (t-distribution on logarithms; so few repeats do not tell their own noise, which "
    "is drawn towards that of all cells of the engine); >=: a configuration met a limit; [?]: nothing tells the noise. "
    "Saves, costs and makes no difference are said of intervals that show it; no difference: the interval lies within "
    f"{BAND:g}x of 1. Limits per run, building and loading included: {{limits}}.",
)

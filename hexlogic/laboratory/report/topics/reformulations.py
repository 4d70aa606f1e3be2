"""Which reformulation is fastest on which engine: the best of its pipelines on the boards of no series."""

import itertools
from collections.abc import Sequence

from hexlogic.games import game_names
from hexlogic.games.rulesets import rule_set_names
from hexlogic.games.rulesets.transitions import transition_names
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.relations import Timed
from hexlogic.laboratory.report.claims.sentences import adjective
from hexlogic.laboratory.report.document import Column, Figure, make_table
from hexlogic.laboratory.report.entries import copied, outcome, pipeline_entry, repeat, time_dot
from hexlogic.laboratory.report.formatting import duration
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results
from hexlogic.laboratory.report.statistics import ConfigurationStats, against, leading, seconds_of

_CAPTION = (
    "The first answer in a fresh process with the best passes, median and middle half of the runs; an arrow met the "
    "limit."
)


def _best(results: Results) -> list[ConfigurationStats]:
    """The fastest configuration for each rule set, engine and question; any of them where none has an answer."""
    single = [config for config in results.configurations if config.is_single]
    groups = grouped(single, lambda config: (config.rule_set, config.engine, *config.asked))
    return [
        min((config for config in group if isinstance(config.timing, Timed)), key=seconds_of, default=group[-1])
        for group in groups.values()
    ]


def _contests(best: Sequence[ConfigurationStats]) -> list[list[ConfigurationStats]]:
    """The configurations to compare, by engine and question: of the suite that asked it of most reformulations."""

    def weight(same: Sequence[ConfigurationStats]) -> tuple[int, int]:
        return sum(config.can_lead for config in same), len(same)

    asked = grouped(best, lambda config: (config.engine, config.task, config.query)).values()
    return [max(grouped(group, lambda config: config.suite).values(), key=weight) for group in asked]


def _place(config: ConfigurationStats) -> str:
    return f"{config.task}, suite {config.suite}"


def _answer(results: Results, best: list[ConfigurationStats]) -> PageAnswer:
    contests = _contests(best)
    clauses: dict[str, dict[str, None]] = {}
    for group in contests:
        if clause := leading(group, duration):
            clauses.setdefault(_place(group[0]), {})[f"{group[0].engine}: {clause}"] = None
    parts = [f"On {place}, of those that find every win: {'; '.join(same)}." for place, same in clauses.items()]
    parts += [f"{clause}." for clause in _not_shipped(best)]
    table = make_table("reformulations", "The best passes for each reformulation and engine", _COLUMNS, best)
    return PageAnswer(" ".join(parts) or "Nothing was answered.", [_figure(results, contests), table])


def _figure(results: Results, contests: Sequence[Sequence[ConfigurationStats]]) -> Figure | None:
    """The chart of the question with most times: on one board of one suite. A rule set that misses wins says so."""
    drawn: dict[str, list[Dot]] = {}
    for config in itertools.chain.from_iterable(contests):
        name = config.rule_set if config.complete else f"{config.rule_set} (misses wins)"
        if (dot := time_dot(name, config.engine, config)) is not None:
            drawn.setdefault(_place(config), []).append(dot)
    if not drawn:
        return None
    place, marks = max(drawn.items(), key=lambda group: len(group[1]))
    least = {row: min(dot.value for dot in same) for row, same in grouped(marks, lambda dot: dot.row).items()}
    rows = sorted(least, key=least.__getitem__)
    # Series keep the order of the suite, whichever row comes first.
    engines = [name for suite in results.suites for name in suite.engines]
    marks.sort(key=lambda dot: (rows.index(dot.row), engines.index(dot.series)))
    timed = {dot.row for dot in marks if not dot.bound}
    title = f"{rows[0]} has the smallest time of {len(rows)} on {place}"
    if len(rows) == 1 or rows[0] not in timed:
        late = f"{len(rows) - len(timed)} of {len(rows)}" if timed else f"All {len(rows)}"
        title = f"{rows[0]} on {place}" if len(rows) == 1 else f"{late} met the limit on {place}"
    return dots("reformulations", title, _CAPTION, marks, "time, median", "seconds")


def _not_shipped(best: Sequence[ConfigurationStats]) -> list[str]:
    """Sentences that compare rule sets of the user's own with the fastest one that comes with the package."""
    shipped = {name for game in game_names() for name in rule_set_names(game)} | set(transition_names())
    clauses = []
    for group in grouped(best, lambda config: (config.engine, *config.asked)).values():
        known = [config for config in group if config.rule_set in shipped and config.can_lead]
        first = min(known, key=seconds_of, default=None)
        for mine in (config for config in group if config.rule_set not in shipped):
            if first is not None:
                standing = adjective(against(mine, first))
                clauses.append(f"One's own `{mine.rule_set}` on {mine.engine}: {standing} (than {first.rule_set})")
    return clauses


_COLUMNS: tuple[Column[ConfigurationStats], ...] = (
    Column("rule_set", "reformulation"),
    Column("engine", "engine"),
    Column("task", "board"),
    Column("suite", "suite"),
    Column("pipeline", "best passes", lambda config: pipeline_entry(config.pipeline)),
    Column("time_s", "time", outcome, numeric=True),
    Column("runs", "runs", lambda config: config.counted, numeric=True),
    Column("why", "why not", lambda config: "" if config.time_s else (config.message or "")[:60]),
    Column("repeat", "repeat", lambda config: copied(repeat(config))),
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

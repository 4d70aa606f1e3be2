"""The answer: which reformulation and which passes for whom, from all suites together."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hexlogic.games import family_of
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.claims.relations import REFERENCE, Relation, Timed, no_baseline, relate, relate_pairs
from hexlogic.laboratory.report.entries import repeat
from hexlogic.laboratory.report.formatting import duration, pipeline_rank
from hexlogic.laboratory.report.results import Results
from hexlogic.laboratory.report.statistics import ConfigurationStats
from hexlogic.laboratory.report.topics.game import played_games
from hexlogic.laboratory.report.topics.playouts import rate_text, sheets
from hexlogic.laboratory.report.topics.positions import judged_positions

_TOOLS = {
    "swipl": "Prolog, left to right",
    "clingo": "ASP solver",
    "pydatalog": "Datalog in Python",
    "egglog": "union-find engine",
    "epilog": "Epilog",
    "compiled": "our compiled rules",
}
_PLAYERS = {
    "swipl": "game player, prover",
    "clingo": "game player, ASP solver",
    "compiled": "game player, propnet",
}


class RankedRules:
    """A rule set with a pipeline on one engine: how many questions it answered, and how fast.

    `mean_s` is the geometric mean over the answered questions of their median times.
    """

    def __init__(self, configs: Sequence[ConfigurationStats]) -> None:
        self.rule_set, self.pipeline = configs[0].rule_set, configs[0].pipeline
        self.configurations = configs
        timings = ((config.asked, config.timing) for config in configs)
        self.timed = {asked: timing for asked, timing in timings if isinstance(timing, Timed)}
        self.solved = 0 if any(config.category == "wrong" for config in configs) else len(self.timed)
        self.mean_s = (
            statistics.geometric_mean(timing.median_s for timing in self.timed.values()) if self.timed else 0.0
        )

    def is_as_good(self, other: RankedRules) -> bool:
        """Whether it answered the same questions as the other and is not shown to be slower over all of them."""
        pairs = [(other.timed[asked], timing) for asked, timing in sorted(self.timed.items()) if asked in other.timed]
        relation = relate_pairs(pairs)
        return self.timed.keys() == other.timed.keys() and relation.is_known and relation.decides >= 0


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The choice on one engine. `equals` are not shown to be slower."""

    engine: str
    choice: RankedRules
    equals: tuple[RankedRules, ...]


def recommend(configs: Sequence[ConfigurationStats], engine: str) -> Recommendation | None:
    """The recommendation for an engine; None when no complete rule set answered anything on it.

    More questions answered is better; then less time. Among equals of the same rule set the one with the fewest
    passes is chosen: what a further pass does not gain it need not do.
    """
    groups = _candidates(config for config in configs if config.engine == engine and config.complete)
    ranked = [rules for _, group in sorted(groups.items()) if (rules := RankedRules(group)).solved]
    if not ranked:
        return None
    best = min(ranked, key=lambda rules: (-rules.solved, rules.mean_s))
    same = [rules for rules in ranked if rules is best or rules.is_as_good(best)]
    same.sort(key=lambda rules: rules.mean_s)
    choice = min(
        (rules for rules in same if rules.rule_set == best.rule_set),
        key=lambda rules: (rules.pipeline != "none", rules.pipeline.count(","), pipeline_rank(rules.pipeline)),
    )
    return Recommendation(engine, choice, tuple(rules for rules in same if rules is not choice))


def _candidates(configs: Iterable[ConfigurationStats]) -> dict[tuple[str, str], list[ConfigurationStats]]:
    return grouped(configs, lambda config: (config.rule_set, config.pipeline))


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to take with a tool; `relation` is how it stands to what `against` says, `over` how many questions.

    The evidence stands on a `page` of the report; `repeat` is the command that measures it again. `time_s` are the
    seconds of a question, where one was asked.
    """

    tool: str
    engine: str
    rule_set: str
    pipeline: str = ""
    relation: Relation
    against: str
    cost: str
    time_s: float | None = None
    over: int = 1
    page: str
    repeat: str


def advise(results: Results) -> list[Advice]:
    """A row for each tool that the records know something about."""
    return [*_asked(results), *_played(results), *_followed(results), *_judged(results)]


def choices(results: Results) -> list[Recommendation]:
    """The choice on each engine, by the questions of all suites that most candidates were asked.

    A candidate that was not asked all of them is left out: on easier questions anything looks good. One that met a
    limit on a board was given up there, and counts as asked about the larger ones too.
    """
    complete = [config for config in results.configurations if config.mode is None and config.complete]
    recommendations = []
    for engine, configs in grouped(complete, lambda config: config.engine).items():
        questions = {config.asked for config in configs}
        candidates = [(group, _asked_or_given_up(group, questions)) for group in _candidates(configs).values()]
        times = Counter(question for _, asked in candidates for question in asked)
        common = {question for question in questions if times[question] == max(times.values())}
        same = [config for group, asked in candidates if common <= asked for config in group if config.asked in common]
        if (choice := recommend(same, engine)) is not None:
            recommendations.append(choice)
    return sorted(recommendations, key=lambda choice: [*_TOOLS, choice.engine].index(choice.engine))


def _asked_or_given_up(
    group: Sequence[ConfigurationStats], questions: Iterable[tuple[str, str, str]]
) -> set[tuple[str, str, str]]:
    """What a candidate was asked, and of all questions those about larger boards than one that it did not answer."""
    asked = {config.asked for config in group}
    for config in group:
        if config.family and not isinstance(config.timing, Timed):
            for suite, task, query in questions:
                family, size = family_of(task) or ("", 0)
                if (suite, query, family) == (config.suite, config.query, config.family) and size > config.size:
                    asked.add((suite, task, query))
    return asked


def _asked(results: Results) -> Iterator[Advice]:
    every = [config for config in results.configurations if config.mode is None and config.pipeline == "none"]
    for recommendation in choices(results):
        engine, choice = recommendation.engine, recommendation.choice
        written = {c.asked: c for c in every if (c.engine, c.rule_set) == (engine, choice.rule_set)}
        pairs = [(written[config.asked], config) for config in choice.configurations if config.asked in written]
        relation = relate_pairs([(before.timing, after.timing) for before, after in pairs])
        longest_s = max((config.time_s for config in choice.configurations if config.time_s), default=0.0)
        measured = [config for pair in pairs for config in pair] or choice.configurations
        by_suite = grouped(measured, lambda config: config.suite)
        yield Advice(
            tool=_TOOLS.get(engine, engine),
            engine=engine,
            rule_set=choice.rule_set,
            pipeline=choice.pipeline,
            relation=REFERENCE if choice.pipeline == "none" else relation,
            against="as written",
            cost=f"{duration(longest_s)} a question",
            time_s=longest_s,
            over=len(pairs),
            page="passes",
            repeat="; ".join(repeat(*by_suite[suite.suite]) for suite in results.suites if suite.suite in by_suite),
        )


def _played(results: Results) -> Iterator[Advice]:
    """The sheet that is played fastest on the largest board that its reasoner played, against the slowest there."""
    known = grouped((s for s in sheets(results) if s.playout_s and s.size), lambda sheet: sheet.reasoner)
    for reasoner, tool in ((name, tool) for name, tool in _PLAYERS.items() if name in known):
        size = max(sheet.size or 0 for sheet in known[reasoner])
        largest = [sheet for sheet in known[reasoner] if sheet.size == size]
        ranked = sorted(largest, key=lambda sheet: statistics.median(sheet.playout_s))
        best, slowest = ranked[0], ranked[-1]
        yield Advice(
            tool=tool,
            engine=reasoner,
            rule_set=best.sheet,
            relation=REFERENCE if best is slowest else relate(slowest.timing, best.timing),
            against=slowest.sheet if best is not slowest else "no other sheet",
            cost=f"{rate_text(best.playouts_per_s or 0.0)} playouts/s, n = {size}",
            page="descriptions",
            repeat=best.repeat,
        )


def _followed(results: Results) -> Iterator[Advice]:
    """The rules whose moves take least time in a followed game, on the largest board where any game ended."""
    ended = [series for series in played_games(results) if series.mode == "followed" and series.largest]
    if not ended:
        return
    size = max(series.largest or 0 for series in ended)
    best = min((series for series in ended if series.largest == size), key=lambda series: series.ply_s or 0.0)
    yield Advice(
        tool="game loop in Python",
        engine=best.engine,
        rule_set=best.rule_set,
        pipeline=best.pipeline,
        relation=best.against[0] if best.against else no_baseline("never asked anew"),
        against="asked anew",
        cost=f"{duration(best.ply_s or 0.0)} a move, n = {size}",
        page="game",
        repeat=best.repeat,
    )


def _judged(results: Results) -> Iterator[Advice]:
    """The rules that judge many positions fastest on the largest board, against asking one by one."""
    best = next((judged for judged in judged_positions(*results.suites) if judged.position_s), None)
    if best is not None:
        yield Advice(
            tool="millions of positions",
            engine=f"Batch, {best.first.method}",
            rule_set=best.first.rule_set,
            relation=best.against or no_baseline("never asked one by one"),
            against="asked one by one",
            cost=f"{duration(best.position_s or 0.0)} a position, n = {best.first.size}",
            page="positions",
            repeat=best.repeat,
        )

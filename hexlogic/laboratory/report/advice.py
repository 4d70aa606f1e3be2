"""The answer: which reformulation and which passes for whom, from all suites together."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hexlogic.games import Hex, family_of
from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.claims.relations import REFERENCE, Relation, Timed, no_baseline, relate, relate_pairs
from hexlogic.laboratory.report.entries import Sample, passes_text, repeat, sample, slug
from hexlogic.laboratory.report.formatting import duration, pipeline_name, pipeline_rank
from hexlogic.laboratory.report.results import Results
from hexlogic.laboratory.report.statistics import ConfigurationStats, seconds_of
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
_PLAYERS = {"swipl": "game player, prover", "clingo": "game player, ASP solver", "compiled": "game player, propnet"}


class RankedRules:
    """A rule set with a pipeline on one engine: how many questions it answered, and how fast. `mean_s` is the geometric
    mean over the answered questions of their median times."""

    def __init__(self, configs: Sequence[ConfigurationStats]) -> None:
        self.name = self.rule_set, self.pipeline = configs[0].rule_set, configs[0].pipeline
        self.configurations = configs
        timings = ((config.asked, config.timing) for config in configs)
        self.timed = {asked: timing for asked, timing in timings if isinstance(timing, Timed)}
        self.solved = 0 if any(config.category == "wrong" for config in configs) else len(self.timed)
        medians = [timing.median_s for timing in self.timed.values()]
        self.mean_s = statistics.geometric_mean(medians) if medians else 0.0

    def against(self, other: "RankedRules") -> Relation:
        """How it stands to the other over the questions that both answered."""
        pairs = [(other.timed[asked], timing) for asked, timing in sorted(self.timed.items()) if asked in other.timed]
        return relate_pairs(pairs)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The choice on one engine, over boards of some sizes. `equals` are not shown to be slower, `others` are all other
    candidates, the best first. `excluded` says what ended the choice of the smaller boards, empty for nothing."""

    engine: str
    choice: RankedRules
    equals: tuple[RankedRules, ...]
    others: tuple[RankedRules, ...]
    excluded: str = ""


def recommend(configs: Sequence[ConfigurationStats], engine: str) -> Recommendation | None:
    """The recommendation for an engine; None when no complete rule set answered anything on it.

    More questions answered is better; then less time. Among equals of the same rule set the one with the fewest
    passes is chosen: what a further pass does not gain it need not do.
    """
    groups = _candidates(config for config in configs if config.engine == engine and config.complete)
    solving = [rules for _, group in sorted(groups.items()) if (rules := RankedRules(group)).solved]
    if not solving:
        return None
    best, *_ = ranked = sorted(solving, key=lambda rules: (-rules.solved, rules.mean_s))
    # These answered the same questions as the best and are not shown to be slower over all of them.
    same = [each for each in ranked if each.timed.keys() == best.timed.keys() and each.against(best).decides >= 0]
    choice = min(
        (rules for rules in same if rules.rule_set == best.rule_set),
        key=lambda rules: (rules.pipeline != "none", rules.pipeline.count(","), pipeline_rank(rules.pipeline)),
    )
    equals, others = (tuple(rules for rules in group if rules is not choice) for group in (same, ranked))
    return Recommendation(engine, choice, equals, others)


def _by_range(configs: Sequence[ConfigurationStats], engine: str) -> list[Recommendation]:
    """One recommendation for all boards; two where a limit ends what is faster on the smaller half of the sizes."""
    whole = recommend(configs, engine)
    sizes = sorted({config.rows for config in configs}, reverse=True)
    for rows in sizes[1 : len(sizes) // 2 + 1]:
        above = [config for config in configs if config.rows > rows]
        smaller = recommend([config for config in configs if config.rows <= rows], engine)
        larger = recommend(above, engine)
        if whole is None or smaller is None or larger is None or smaller.choice.name == whole.choice.name:
            continue
        late = [config for config in above if (config.rule_set, config.pipeline) == smaller.choice.name]
        # Given up after a limit on a smaller board, it was not asked any more.
        ended = min((config for config in late if not config.time_s), key=lambda config: config.rows, default=None)
        if ended is not None and smaller.choice.against(whole.choice).decides > 0:
            name, passes = smaller.choice.rule_set, passes_text(smaller.choice.pipeline)
            why = f"{name} after {passes} met its limit at n = {ended.rows} ({ended.limit_met})"
            return [smaller, replace(larger, excluded=why)]
    return [] if whole is None else [whole]


def _candidates(configs: Iterable[ConfigurationStats]) -> dict[tuple[str, str], list[ConfigurationStats]]:
    return grouped(configs, lambda config: (config.rule_set, config.pipeline))


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to take with a tool; `relation` is how it stands to what `against` says, `over` how many questions.

    `key` names the page with its evidence, `within` the boards that it holds for; `repeat` is the command that measures
    it again. `time_s` are the seconds of a question, where one was asked. `samples` are those of the choice, `baseline`
    those of what it is compared with, `others` those of further candidates, the best first, and `equals` are the names
    of those not shown to be slower; `note` is what else there is to say of the way it is asked.
    """

    key: str
    tool: str
    engine: str
    rule_set: str
    pipeline: str = ""
    within: str
    excluded: str = ""
    relation: Relation
    against: str
    cost: str
    time_s: float | None = None
    over: int = 1
    page: str
    repeat: str
    samples: Sequence[Sample]
    baseline: Sequence[Sample] = ()
    others: Sequence[Sequence[Sample]] = ()
    equals: Sequence[str] = ()
    game: str = Hex.name
    note: str = ""


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
        recommendations += _by_range(same, engine)
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
    keys = Counter[str]()
    for recommendation in choices(results):
        engine, choice = recommendation.engine, recommendation.choice
        written = {c.asked: c for c in every if (c.engine, c.rule_set) == (engine, choice.rule_set)}
        pairs = [(written[config.asked], config) for config in choice.configurations if config.asked in written]
        relation = relate_pairs([(before.timing, after.timing) for before, after in pairs])
        timed = [config for config in choice.configurations if config.time_s]
        longest, sizes = max(timed, key=seconds_of), sorted(config.rows for config in timed)
        measured = [config for pair in pairs for config in pair] or choice.configurations
        by_suite = grouped(measured, lambda config: config.suite)
        keys[engine] += 1
        yield Advice(
            key=f"answer-{slug(engine)}" + (f"-{keys[engine]}" if keys[engine] > 1 else ""),
            tool=_TOOLS.get(engine, engine),
            engine=engine,
            rule_set=choice.rule_set,
            pipeline=choice.pipeline,
            within=f"n = {' to '.join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))}",
            excluded=recommendation.excluded,
            relation=REFERENCE if choice.pipeline == "none" else relation,
            against="as written",
            cost=f"{duration(seconds_of(longest))}, n = {longest.rows}",
            time_s=longest.time_s,
            over=len(pairs),
            page="passes",
            repeat="; ".join(repeat(*by_suite[suite.suite]) for suite in results.suites if suite.suite in by_suite),
            samples=[sample(config) for config in choice.configurations],
            baseline=[] if choice.pipeline == "none" else [sample(before) for before, _ in pairs],
            others=[[sample(config) for config in rules.configurations] for rules in recommendation.others],
            equals=[f"{same.rule_set} ({pipeline_name(same.pipeline)})" for same in recommendation.equals],
            game=longest.game,
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
            key=f"answer-player-{slug(reasoner)}",
            tool=tool,
            engine=reasoner,
            rule_set=best.sheet,
            within=f"n = {size}",
            relation=REFERENCE if best is slowest else relate(slowest.timing, best.timing),
            against=slowest.sheet if best is not slowest else "no other sheet",
            cost=f"{rate_text(best.playouts_per_s or 0.0)} playouts/s, n = {size}",
            page="descriptions",
            repeat=best.repeat,
            samples=[best.sample],
            baseline=[slowest.sample] if best is not slowest else [],
            others=[[sheet.sample] for sheet in ranked[1:-1]],
            game=best.game,
        )


def _followed(results: Results) -> Iterator[Advice]:
    """The rules whose moves take least time in a followed game, on the largest board where any game ended."""
    every = played_games(results)
    ended = [series for series in every if series.mode == "followed" and series.largest]
    if not ended:
        return
    size = max(series.largest or 0 for series in ended)
    best, *slower = sorted((each for each in ended if each.largest == size), key=lambda series: series.ply_s or 0.0)
    name = best.rule_set, best.pipeline, best.engine, best.game, "anew"
    places = sorted({size, best.against[1] if best.against else size})
    anew = next((s for s in every if (s.rule_set, s.pipeline, s.engine, s.game, s.mode) == name), None)
    yield Advice(
        key="answer-loop",
        tool="game loop in Python",
        engine=best.engine,
        rule_set=best.rule_set,
        pipeline=best.pipeline,
        within=f"n = {size}",
        relation=best.against[0] if best.against else no_baseline("never asked anew"),
        against="asked anew",
        cost=f"{duration(best.ply_s or 0.0)} a move, n = {size}",
        page="game",
        repeat=best.repeat,
        samples=[sample(config) for place in places for config in best.games[place]],
        baseline=[sample(config) for config in anew.games.get(places[0], ())] if anew is not None else [],
        others=[[sample(config) for config in series.games[size]] for series in slower],
        game=best.game,
        note="An engine that follows a game derives after a move what the stone adds; asked anew, everything.",
    )


def _judged(results: Results) -> Iterator[Advice]:
    """The rules that judge many positions fastest on the largest board, against asking one by one."""
    every = [judged for judged in judged_positions(*results.suites) if judged.position_s]
    for best in every[:1]:
        size = f"n = {best.size}"
        same = [judged for judged in every[1:] if judged.size == best.size]
        asked = [judged for judged in same if judged.pipeline == "asked"]
        yield Advice(
            key="answer-positions",
            tool="millions of positions",
            engine=best.engine,
            rule_set=best.rule_set,
            within=size,
            relation=best.against or no_baseline("never asked one by one"),
            against="asked one by one",
            cost=f"{duration(best.position_s or 0.0)} a position, {size}",
            page="positions",
            repeat=best.repeat,
            samples=[best],
            baseline=[judged for judged in asked if judged.rule_set == best.rule_set],
            others=[[judged] for judged in same if judged not in asked],
            note="Packed and batch judge many positions at a time, a bit or a byte for each; asked, one.",
        )

"""The answer: which reformulation and which passes for whom, from all suites together."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.games import family_of
from hexlogic.report.claims.relations import NoBaseline, Reference, Relation
from hexlogic.report.claims.timing import Timed, relate, relate_pairs
from hexlogic.report.formatting import duration
from hexlogic.report.grouping import grouped
from hexlogic.report.judgings import judgings
from hexlogic.report.material import Material
from hexlogic.report.playouts import rate_text
from hexlogic.report.recommendation import Recommendation, recommend
from hexlogic.report.repeat import repeat
from hexlogic.report.statistics import ConfigurationStats
from hexlogic.report.topics.game import played_games
from hexlogic.report.topics.playouts import sheets

__all__ = ["Advice", "advise", "choices"]

Question: TypeAlias = tuple[str, str, str]
"""The suite, the task and the query: `ConfigurationStats.asked`."""

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


@dataclass(frozen=True, slots=True)
class Advice:
    """What to take with a tool; `relation` is how it stands to what `against` says, `over` how many questions.

    `page` is where the evidence stands, and `repeat` the command that measures it again.
    """

    tool: str
    engine: str
    rule_set: str
    pipeline: str
    relation: Relation
    against: str
    cost: str
    over: int
    page: str
    repeat: str


def advise(material: Material) -> list[Advice]:
    """A row for each tool that the records know something about."""
    return [*_asked(material), *_played(material), *_followed(material), *_judged(material)]


def choices(material: Material) -> list[Recommendation]:
    """The choice on each engine, by the questions of all suites that most candidates were asked.

    A candidate that was not asked all of them is left out: on easier questions anything looks good. One that met a
    limit on a board was given up there, and counts as asked about the larger ones too.
    """
    every = [one for suite in material.suites for one in suite.configurations if one.mode is None and one.complete]
    found = []
    for engine, own in grouped(every, lambda one: one.engine).items():
        questions = {one.asked for one in own}
        groups = list(grouped(own, lambda one: (one.rule_set, one.pipeline)).values())
        asked = [_asked_or_given_up(group, questions) for group in groups]
        times = Counter(question for some in asked for question in some)
        most = max(times.values())
        common = {question for question in questions if times[question] == most}
        whole = [group for group, some in zip(groups, asked, strict=True) if common <= some]
        same = [one for group in whole for one in group if one.asked in common]
        if (choice := recommend(same, engine)) is not None:
            found.append(choice)
    order = list(_TOOLS)
    return sorted(found, key=lambda one: order.index(one.engine) if one.engine in order else len(order))


def _asked_or_given_up(group: Sequence[ConfigurationStats], questions: Iterable[Question]) -> set[Question]:
    """What a candidate was asked, and of all questions those about larger boards than one that it did not answer."""
    asked = {one.asked for one in group}
    for one in group:
        member = family_of(one.task)
        if isinstance(one.timing, Timed) or member is None:
            continue
        for suite, task, query in questions:
            other = family_of(task)
            if (suite, query) == (one.suite, one.query) and other and other[0] == member[0] and other[1] > member[1]:
                asked.add((suite, task, query))
    return asked


def _asked(material: Material) -> Iterator[Advice]:
    every = [one for suite in material.suites for one in suite.configurations if one.mode is None]
    for found in choices(material):
        choice = found.choice
        written = {
            one.asked: one
            for one in every
            if (one.engine, one.rule_set, one.pipeline) == (found.engine, choice.rule_set, "none")
        }
        pairs = [(written[one.asked], one) for one in choice.configurations if one.asked in written]
        relation = relate_pairs([(before.timing, after.timing) for before, after in pairs])
        if choice.pipeline == "none":
            relation = Reference()
        longest_s = max((one.time_s for one in choice.configurations if one.time_s), default=0.0)
        yield Advice(
            tool=_TOOLS.get(found.engine, found.engine),
            engine=found.engine,
            rule_set=choice.rule_set,
            pipeline=choice.pipeline,
            relation=relation,
            against="as written",
            cost=f"{duration(longest_s)} a question",
            over=len(pairs),
            page="passes",
            repeat=_repeat(material, [one for pair in pairs for one in pair] or list(choice.configurations)),
        )


def _repeat(material: Material, configs: list[ConfigurationStats]) -> str:
    """The commands, one for each suite."""
    by_suite = grouped(configs, lambda one: one.suite)
    return "; ".join(
        repeat(suite.session, *by_suite[suite.suite]) for suite in material.suites if suite.suite in by_suite
    )


def _played(material: Material) -> Iterator[Advice]:
    """The sheet that is played fastest on the largest board that its reasoner played, against the slowest there."""
    found = sheets(material)
    known = [one.stats for one in found if one.stats.playout_s and one.stats.size]
    for reasoner, tool in _PLAYERS.items():
        own = [one for one in known if one.reasoner == reasoner]
        if not own:
            continue
        size = max(one.size or 0 for one in own)
        ranked = sorted((one for one in own if one.size == size), key=lambda one: statistics.median(one.playout_s))
        best, slowest = ranked[0], ranked[-1]
        yield Advice(
            tool=tool,
            engine=reasoner,
            rule_set=best.sheet,
            pipeline="",
            relation=Reference() if best is slowest else relate(slowest.timing, best.timing),
            against=slowest.sheet if best is not slowest else "no other sheet",
            cost=f"{rate_text(best.playouts_per_s or 0.0)} playouts/s, n = {size}",
            over=1,
            page="descriptions",
            repeat=next(one.repeat for one in found if one.stats is best),
        )


def _followed(material: Material) -> Iterator[Advice]:
    """The rules whose moves take least when a game is followed, on the largest board that anything ended."""
    own = [one for one in played_games(material) if one.series.mode == "followed"]
    size = max((max(one.series.times_s, default=0) for one in own), default=0)
    if not size:
        return
    best = min((one for one in own if size in one.series.times_s), key=lambda one: one.series.ply_s(size))
    yield Advice(
        tool="game loop in Python",
        engine=best.series.engine,
        rule_set=best.series.rule_set,
        pipeline=best.series.pipeline,
        relation=best.against[0] if best.against else NoBaseline("never asked anew"),
        against="asked anew",
        cost=f"{duration(best.series.ply_s(size))} a move, n = {size}",
        over=1,
        page="game",
        repeat=best.repeat,
    )


def _judged(material: Material) -> Iterator[Advice]:
    """The rules that judge many positions fastest, on the largest board of any, against the same one by one."""
    best = next((one for one in judgings(*material.suites) if one.position_s), None)
    if best is not None:
        yield Advice(
            tool="millions of positions",
            engine=f"Batch, {best.first.method}",
            rule_set=best.first.rule_set,
            pipeline="",
            relation=best.against or NoBaseline("never asked one by one"),
            against="asked one by one",
            cost=f"{duration(best.position_s or 0.0)} a position, n = {best.first.size}",
            over=1,
            page="positions",
            repeat=best.repeat,
        )

"""Which reformulation, and which passes, on each engine: computed from the configurations, with the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from hexlogic.report.claims.phrases import decides
from hexlogic.report.claims.relations import NoBaseline, Relation
from hexlogic.report.claims.timing import Timed, relate_pairs
from hexlogic.report.formatting import pipeline_rank
from hexlogic.report.grouping import grouped
from hexlogic.report.statistics import ConfigurationStats

__all__ = ["RankedRules", "Recommendation", "recommend"]


@dataclass(frozen=True, slots=True)
class RankedRules:
    """A rule set with a pipeline on one engine: how many questions it answered, and how fast.

    `mean_s` is the geometric mean over the answered questions of their median times.
    """

    rule_set: str
    pipeline: str
    solved: int
    mean_s: float
    configurations: tuple[ConfigurationStats, ...]

    def against(self, other: RankedRules) -> Relation:
        """How this one stands to the other over all questions; there is no relation unless both answered the same."""
        mine, theirs = (
            {config.asked: config.timing for config in side.configurations if isinstance(config.timing, Timed)}
            for side in (self, other)
        )
        if mine.keys() != theirs.keys():
            return NoBaseline("other questions answered")
        return relate_pairs([(theirs[key], mine[key]) for key in sorted(mine)])


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The choice on one engine. `equals` is not shown to be slower, with how the choice stands to each; `left_out` are
    incomplete rule sets."""

    engine: str
    choice: RankedRules
    equals: tuple[tuple[RankedRules, Relation], ...]
    left_out: tuple[str, ...]


def recommend(configs: Sequence[ConfigurationStats], engine: str) -> Recommendation | None:
    """The recommendation for an engine; None when no complete rule set answered anything on it.

    More questions answered is better; then less time. Among equals of the same rule set the one with the fewest
    passes is chosen: what a further pass does not gain it need not do.
    """
    own = [config for config in configs if config.engine == engine]
    groups = grouped((config for config in own if config.complete), lambda config: (config.rule_set, config.pipeline))
    found = [candidate for key, group in sorted(groups.items()) if (candidate := _candidate(*key, group)) is not None]
    if not found:
        return None
    found.sort(key=lambda one: (-one.solved, one.mean_s))
    best = found[0]
    same = [one for one in found if one is best or (one.solved == best.solved and _close(best.against(one)))]
    choice = min((one for one in same if one.rule_set == best.rule_set), key=lambda one: _steps(one.pipeline))
    return Recommendation(
        engine,
        choice,
        tuple((one, choice.against(one)) for one in same if one is not choice),
        tuple(sorted({config.rule_set for config in own if not config.complete})),
    )


def _close(relation: Relation) -> bool:
    return decides(relation) <= 0 and not isinstance(relation, NoBaseline)


def _candidate(rule_set: str, pipeline: str, configs: list[ConfigurationStats]) -> RankedRules | None:
    times = [config.timing.median_s for config in configs if isinstance(config.timing, Timed)]
    if not times or any(config.category == "wrong" for config in configs):
        return None
    return RankedRules(rule_set, pipeline, len(times), geometric_mean(times), tuple(configs))


def _steps(pipeline: str) -> tuple[int, tuple[int, str]]:
    return (0 if pipeline == "none" else pipeline.count(",") + 1, pipeline_rank(pipeline))

"""Ratios paired by task: what a pipeline does over many questions, as a geometric mean with its interval.

A pair is one rule set and one task on one engine, with two pipelines. Pairs solved on both sides have a ratio. Where
only the baseline met its limit the ratio is a bound from below; where only the other did, the pair is lost. How many
were solved is said before any mean, since a mean says nothing about what did not end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hexlogic.report.claims.relations import Relation
from hexlogic.report.claims.timing import Timed, Unfinished, relate_pairs
from hexlogic.report.statistics import ConfigurationStats

__all__ = ["Pairing", "pair_pipelines"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One pipeline against another on one engine, over all pairs that both were asked about.

    `ratios` counts the pairs that were answered both times and `bounds` those whose baseline met its limit. `answered`
    is the relation over the former, `relation` that over all; there is none where a pair was lost.
    """

    engine: str
    baseline: str
    pipeline: str
    asked: int
    solved_before: int
    solved: int
    lost: int
    ratios: int
    bounds: int
    answered: Relation
    relation: Relation


def pair_pipelines(
    configs: Iterable[ConfigurationStats],
    engine: str,
    pipeline: str,
    baseline: str = "none",
    rule_set: str | None = None,
) -> Pairing | None:
    """The pairs of two pipelines on an engine, of one rule set or of all; None when nothing was asked of both.

    Cells that the engine cannot take (unsupported) and wrong answers are no pairs.
    """
    sides: dict[tuple[str, ...], dict[str, ConfigurationStats]] = {}
    for config in configs:
        if config.engine == engine and rule_set in (None, config.rule_set):
            sides.setdefault((config.rule_set, *config.asked), {})[config.pipeline] = config
    pairs = [
        (side[baseline].timing, side[pipeline].timing)
        for _, side in sorted(sides.items())
        if baseline in side and pipeline in side and _counts(side[baseline]) and _counts(side[pipeline])
    ]
    if not pairs:
        return None
    both = [(before, after) for before, after in pairs if isinstance(before, Timed) and isinstance(after, Timed)]
    return Pairing(
        engine=engine,
        baseline=baseline,
        pipeline=pipeline,
        asked=len(pairs),
        solved_before=sum(isinstance(before, Timed) for before, _ in pairs),
        solved=sum(isinstance(after, Timed) for _, after in pairs),
        lost=sum(isinstance(before, Timed) and not isinstance(after, Timed) for before, after in pairs),
        ratios=len(both),
        bounds=sum(isinstance(before, Unfinished) and isinstance(after, Timed) for before, after in pairs),
        answered=relate_pairs(both),
        relation=relate_pairs(pairs),
    )


def _counts(config: ConfigurationStats) -> bool:
    return config.status != "unsupported" and config.category != "wrong"

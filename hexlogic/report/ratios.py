"""Ratios paired by task: what a pipeline saves over many questions, as a geometric mean with its interval.

A pair is one rule set and one task on one engine, with two pipelines. Pairs solved on both sides have a ratio. Where
only the baseline met its limit the ratio is a bound from below; where only the other did, the pair is lost. How many
were solved is said before any mean, since a mean says nothing about what did not end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hexlogic.report.stats import CellStats, savings_against

__all__ = ["Pairing", "bootstrap_interval", "geometric_mean", "pair_pipelines"]

_ENOUGH = 5
"""From fewer pairs no interval is made: resampling two or three values says nothing of those that were not seen."""

_RESAMPLES = 2000
_SEED = 2019


@dataclass(frozen=True, slots=True)
class Pairing:
    """One pipeline against another on one engine, over all pairs that both were asked about.

    `ratios` are baseline time over time, above 1 where it saves; `bounds` the ones known from below. `mean` is the
    geometric mean of the ratios, `interval` its 95 % interval, None where there are too few pairs to take it from.
    `at_least` is the mean with the bounds counted in, None where there are none or a pair was lost.
    """

    engine: str
    baseline: str
    pipeline: str
    asked: int
    solved_before: int
    solved: int
    lost: int
    ratios: tuple[float, ...]
    bounds: tuple[float, ...]
    mean: float | None
    interval: tuple[float, float] | None
    at_least: float | None


def geometric_mean(values: Sequence[float]) -> float:
    """The n-th root of the product of n values above 0.

    >>> geometric_mean([2.0, 8.0])
    4.0
    """
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def bootstrap_interval(values: Sequence[float], *, level: float = 0.95) -> tuple[float, float]:
    """The interval of the geometric mean: percentiles over resamples of the values (Efron), the same for the same
    values in whatever order.

    >>> low, high = bootstrap_interval([2.0, 4.0, 8.0])
    >>> 2.0 <= low < 4.0 < high <= 8.0
    True
    """
    chance = random.Random(_SEED)
    logs = sorted(map(math.log, values))
    means = sorted(math.fsum(chance.choices(logs, k=len(logs))) / len(logs) for _ in range(_RESAMPLES))
    cut = (1 - level) / 2
    low, high = (means[round(share * (_RESAMPLES - 1))] for share in (cut, 1 - cut))
    return math.exp(low), math.exp(high)


def pair_pipelines(
    cells: Iterable[CellStats], engine: str, pipeline: str, baseline: str = "none", rule_set: str | None = None
) -> Pairing | None:
    """The pairs of two pipelines on an engine, of one rule set or of all; None when nothing was asked of both.

    Cells that the engine cannot take (unsupported) and wrong answers are no pairs.
    """
    sides: dict[tuple[str, str, str], dict[str, CellStats]] = {}
    for cell in cells:
        if cell.engine == engine and rule_set in (None, cell.rule_set):
            sides.setdefault((cell.rule_set, cell.task, cell.query), {})[cell.pipeline] = cell
    pairs = [
        (side[baseline], side[pipeline])
        for _, side in sorted(sides.items())
        if baseline in side and pipeline in side and _counts(side[baseline]) and _counts(side[pipeline])
    ]
    if not pairs:
        return None
    found = [saved for before, after in pairs if (saved := savings_against(after, before)) is not None]
    ratios = tuple(saved.factor for saved in found if not saved.bound)
    bounds = tuple(saved.factor for saved in found if saved.bound)
    lost = sum(bool(before.time_s) and not after.time_s for before, after in pairs)
    return Pairing(
        engine=engine,
        baseline=baseline,
        pipeline=pipeline,
        asked=len(pairs),
        solved_before=sum(bool(before.time_s) for before, _ in pairs),
        solved=sum(bool(after.time_s) for _, after in pairs),
        lost=lost,
        ratios=ratios,
        bounds=bounds,
        mean=geometric_mean(ratios) if ratios else None,
        interval=bootstrap_interval(ratios) if len(ratios) >= _ENOUGH else None,
        at_least=geometric_mean(ratios + bounds) if bounds and not lost else None,
    )


def _counts(cell: CellStats) -> bool:
    return cell.status != "unsupported" and cell.category != "wrong"

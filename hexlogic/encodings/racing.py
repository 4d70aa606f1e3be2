"""Whether the text of a pipeline is cheaper than the given one: by its first run, and by the turns of a race."""

from dataclasses import dataclass, replace
from statistics import mean, median

from hexlogic.encodings.clingo_jobs import Unmeasured
from hexlogic.encodings.clingo_runs import ClingoCost, Turns
from hexlogic.encodings.rewriting import Rewritten

_NOISE = 0.05
"""Relative difference of two runs of one program."""
SHORT_S = 0.01
"""CPU seconds below which a time is no reason to choose a text: only a smaller ground program is."""
_LEAST_S = 0.005
"""CPU seconds that a text with a ground program as large must save, at least."""


@dataclass(frozen=True)
class Trial:
    """A pipeline and what its text costs."""

    steps: tuple[str, ...]
    rewritten: Rewritten
    measured: ClingoCost | Unmeasured

    @property
    def is_lossy(self) -> bool:
        """Whether the text may propagate less than the given one: taken only when a search has ended with it."""
        return not all(rewriting.propagates for rewriting in self.rewritten.rewritings)


def may_gain(cost: ClingoCost, before: ClingoCost) -> bool:
    """Whether a race seems worth it by the first run of each, with noise in favour of the smaller text."""
    if before.cpu_s < SHORT_S:
        return _is_smaller(cost, before)
    is_slower = cost.cpu_s > before.cpu_s * (1 + _NOISE)
    return cost.cpu_s < before.cpu_s * (1 - 2 * _NOISE) or (cost.size <= before.size * (1 - _NOISE) and not is_slower)


def _is_smaller(cost: ClingoCost, before: ClingoCost) -> bool:
    """Whether a ground program has no more rules, and fewer rules and atoms together by a clear part."""
    return cost.rules <= before.rules and cost.size <= before.size * (1 - _NOISE)


def in_turns(
    trial: Trial, before: ClingoCost, times: list[Turns], solves: bool, limit_s: float
) -> tuple[Trial, ClingoCost] | None:
    """The trial and the given text with the typical cost of several runs of each, None when the trial is not cheaper in
    the turns of a race, the given text's first, in which a search could take `limit_s`.

    A text that takes longer than the given one, in the mean, in the median or in the median of the differences between
    the two in a turn, is never taken. Below 10 ms, where a difference is also what the longer text takes to read, the
    best turns are compared, and 5 % are allowed. One that is faster is taken when it is so by more than noise or when
    its ground program is smaller; below 10 ms the ground program must be smaller. Where no search ended, only grounding
    is compared, and a text that may propagate less is not taken.
    """
    assert isinstance(trial.measured, ClingoCost)
    if solves and all(solve_s >= limit_s for turns in times for _, solve_s in turns):
        if trial.is_lossy:
            return None
        times = [[(ground_s, 0.0) for ground_s, _ in turns] for turns in times]
    given, new = (list(map(sum, turns)) for turns in times)
    typical = (mean, median) if solves and median(given) >= SHORT_S else (min,)
    lost = max(
        median(after - first for first, after in zip(given, new, strict=True)), *(f(new) - f(given) for f in typical)
    )
    smaller = _is_smaller(trial.measured, before)
    noise_s = _NOISE * median(given)
    is_faster = -lost > max(_LEAST_S, noise_s) or (trial.measured.size <= before.size * (1 - _NOISE) and lost <= 0)
    if not (smaller and lost <= noise_s if median(given) < SHORT_S else is_faster):
        return None
    costs = [
        replace(cost, ground_cpu_s=ground_s, solve_cpu_s=solve_s if solves else None)
        for cost, turns in zip((before, trial.measured), times, strict=True)
        for ground_s, solve_s in [map(median, zip(*turns, strict=True))]
    ]
    return replace(trial, measured=costs[1]), costs[0]

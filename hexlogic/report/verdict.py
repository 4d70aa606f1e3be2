"""Which reformulation, and which passes, on each engine: computed from the cells, with the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.report.ratios import Pairing, geometric_mean, pair_pipelines
from hexlogic.report.stats import NOISE, CellStats, alike
from hexlogic.report.words import pipeline_rank

__all__ = ["Candidate", "Verdict", "judge"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule set with a pipeline on one engine: what it answered of what it was asked, and how fast.

    `mean_s` is the geometric mean over the answered questions of their median times.
    """

    rule_set: str
    pipeline: str
    asked: int
    solved: int
    mean_s: float
    cells: tuple[CellStats, ...]

    def like(self, other: Candidate) -> bool:
        """Whether the two answered the same questions equally fast, as far as the runs tell."""
        mine = {(cell.task, cell.query): cell for cell in self.cells if cell.time_s}
        theirs = {(cell.task, cell.query): cell for cell in other.cells if cell.time_s}
        return mine.keys() == theirs.keys() and all(alike(mine[key], theirs[key]) for key in mine)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The choice on one engine. `equals` cannot be told apart from it, `next` is the best that can.

    `passes` is the pipeline that saves most against none, over all rule sets, on the questions that every pipeline was
    asked; `left_out` are incomplete rule sets.
    """

    engine: str
    choice: Candidate
    equals: tuple[Candidate, ...]
    next: Candidate | None
    passes: Pairing | None
    left_out: tuple[str, ...]


def judge(cells: Sequence[CellStats], engine: str) -> Verdict | None:
    """The verdict for an engine; None when no complete rule set answered anything on it.

    More questions answered is better; then less time. Among equals of the same rule set the one with the fewest
    passes is chosen: what a further pass does not gain it need not do.
    """
    own = [cell for cell in cells if cell.engine == engine]
    groups: dict[tuple[str, str], list[CellStats]] = {}
    for cell in own:
        if cell.complete:
            groups.setdefault((cell.rule_set, cell.pipeline), []).append(cell)
    found = [candidate for key, group in sorted(groups.items()) if (candidate := _candidate(*key, group)) is not None]
    if not found:
        return None
    found.sort(key=lambda one: (-one.solved, one.mean_s))
    best = found[0]
    same = [one for one in found if one.solved == best.solved and one.like(best)]
    choice = min((one for one in same if one.rule_set == best.rule_set), key=lambda one: _steps(one.pipeline))
    rest = [one for one in found if one not in same]
    left_out = sorted({cell.rule_set for cell in own if not cell.complete})
    return Verdict(
        engine,
        choice,
        tuple(one for one in same if one is not choice),
        rest[0] if rest else None,
        _best_passes(own, engine),
        tuple(left_out),
    )


def _best_passes(cells: Sequence[CellStats], engine: str) -> Pairing | None:
    """More questions answered is better, then the larger saving; of those about as good the one with fewest passes."""
    asked: dict[str, set[tuple[str, str, str]]] = {}
    for cell in cells:
        asked.setdefault(cell.pipeline, set()).add((cell.rule_set, cell.task, cell.query))
    common = set.intersection(*asked.values()) if asked else set()
    same = [cell for cell in cells if (cell.rule_set, cell.task, cell.query) in common]
    found = [pair for pipeline in asked if (pair := pair_pipelines(same, engine, pipeline)) is not None]
    found = [pair for pair in found if pair.pipeline != pair.baseline]
    if not found:
        return None
    most = max(pair.solved for pair in found)
    saving = {pair.pipeline: pair.at_least or pair.mean or 0.0 for pair in found if pair.solved == most}
    good = [pair for pair in found if saving.get(pair.pipeline, -1.0) * NOISE >= max(saving.values())]
    return min(good, key=lambda pair: _steps(pair.pipeline))


def _candidate(rule_set: str, pipeline: str, cells: list[CellStats]) -> Candidate | None:
    times = [cell.time_s for cell in cells if cell.time_s]
    if not times or any(cell.category == "wrong" for cell in cells):
        return None
    return Candidate(rule_set, pipeline, len(cells), len(times), geometric_mean(times), tuple(cells))


def _steps(pipeline: str) -> tuple[int, tuple[int, str]]:
    return (0 if pipeline == "none" else pipeline.count(",") + 1, pipeline_rank(pipeline))

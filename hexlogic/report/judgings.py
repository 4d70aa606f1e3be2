"""Many positions: the runs of a rule set on a board by one method, taken together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.report.claims.noise import pooled_variances
from hexlogic.report.claims.relations import Relation
from hexlogic.report.claims.timing import LimitReached, Missing, Timed, Timing, relate
from hexlogic.report.grouping import grouped
from hexlogic.report.material import SuiteRecords
from hexlogic.report.repeat import repeat_positions
from hexlogic.runs.kinds.positions import PositionsRun

__all__ = ["Judging", "judgings"]


@dataclass(frozen=True, slots=True)
class Judging:
    """A rule set on many positions of a board by one method, all its runs together, and how it stands to `asked`."""

    suite: SuiteRecords
    runs: tuple[PositionsRun, ...]
    timing: Timing
    against: Relation | None = None

    @property
    def first(self) -> PositionsRun:
        """The first run; the others differ in their times alone."""
        return self.runs[0]

    @property
    def position_s(self) -> float | None:
        """The median CPU seconds of a position."""
        return self.timing.median_s if isinstance(self.timing, Timed) else None

    @property
    def times_s(self) -> tuple[float, ...]:
        """The CPU seconds of a position in each run; empty unless every run ended."""
        return self.timing.times_s if isinstance(self.timing, Timed) else ()

    @property
    def repeat(self) -> str:
        """The command that measures it again."""
        return repeat_positions(self.suite.session, self.first.rule_set, self.first.size)


def judgings(*suites: SuiteRecords) -> list[Judging]:
    """All rule sets, boards and methods: the largest board first, and on a board the fastest."""
    found: list[Judging] = []
    for suite in suites:
        every = [run for run in suite.judgings if run.counted]
        groups = grouped(every, lambda run: (run.rule_set, run.size, run.method))
        noise = pooled_variances((key[2], _times(runs)) for key, runs in groups.items())
        timings = {key: _timing(runs, noise.get(key[2])) for key, runs in groups.items()}
        for key, runs in groups.items():
            asked = timings.get((key[0], key[1], "asked"))
            against = None if asked is None or key[2] == "asked" else relate(asked, timings[key])
            found.append(Judging(suite, tuple(runs), timings[key], against))
    return sorted(found, key=lambda one: (-one.first.size, one.position_s is None, one.position_s or 0.0))


def _times(runs: Sequence[PositionsRun]) -> tuple[float, ...]:
    """CPU seconds of a position in each run; empty unless every run ended."""
    spent = [(run.phases.query_cpu_s, run.positions) for run in runs if run.is_good]
    found = tuple(cpu_s / count for cpu_s, count in spent if cpu_s and count)
    return found if len(found) == len(runs) else ()


def _timing(runs: Sequence[PositionsRun], noise: float | None) -> Timing:
    if times_s := _times(runs):
        return Timed(times_s, noise)
    return LimitReached() if any(run.status == "timeout" for run in runs) else Missing("no positions were judged")

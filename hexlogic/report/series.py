"""Series: one configuration on boards of growing size, up to the first without an answer, and its extrapolation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.games import family_of
from hexlogic.process.limits import Limits
from hexlogic.report.claims.sentences import extrapolation
from hexlogic.report.claims.values import Estimate
from hexlogic.report.formatting import counter_name, limit_met, listed, pipeline_name
from hexlogic.report.grouping import grouped
from hexlogic.report.growth import Growth, fit_growth
from hexlogic.report.published import PAPER, PAPER_SIZE
from hexlogic.report.statistics import ConfigurationStats, work_counter

__all__ = ["VAGUE", "Series", "ended_by", "estimates", "find_series"]

_PROPORTIONAL = "inferences"
"""The counter whose growth is that of the time: each inference takes about as long as any other."""


VAGUE = 1e4
"""An interval whose ends differ by more than this factor tells nothing."""


@dataclass(frozen=True, slots=True)
class Series:
    """One configuration on one family of boards, the configurations by size up to the first without an answer."""

    configurations: tuple[ConfigurationStats, ...]

    @property
    def name(self) -> tuple[str, str, str, str, str]:
        """Rule set, pipeline, engine, family of boards, query."""
        config = self.configurations[0]
        return config.rule_set, config.pipeline, config.engine, config.task.partition("@")[0], config.query

    @property
    def timed(self) -> tuple[tuple[int, ConfigurationStats, float], ...]:
        """The sizes with a time, with their configurations."""
        return tuple((_size(config), config, config.time_s) for config in self.configurations if config.time_s)

    @property
    def stopped(self) -> ConfigurationStats | None:
        """The configuration that ended the series; None when it came to the last size of the suite."""
        return None if self.configurations[-1].time_s else self.configurations[-1]

    @property
    def time_growth(self) -> Growth | None:
        """How its time grows."""
        return fit_growth([(size, time_s) for size, _, time_s in self.timed])

    @property
    def work_growth(self) -> Growth | None:
        """How its work counter grows; None where the engine has none."""
        works = [(size, work_counter(config)) for size, config, _ in self.timed]
        return fit_growth([(size, float(work.value)) for size, work in works if work is not None])

    def estimate(self, size: int) -> Estimate | None:
        """Seconds that a query beyond the measured sizes would take.

        None when nothing can be fitted, when something else than the query ended the series, and when the fit leaves
        open by more than a factor of ten thousand what it would be.

        Where inferences are counted, they are what is extrapolated, at the time one took on the largest board.
        """
        stopped = self.stopped
        if not self.timed or self.timed[-1][0] >= size or stopped is None or stopped.floor_s is None:
            return None
        _, largest, time_s = self.timed[-1]
        work, grows = largest.counters.get(_PROPORTIONAL), self.work_growth
        if work and grows is not None:
            count, each = grows.estimate(size), time_s / work
            found = Estimate(count.value * each, count.low * each, count.high * each)
        elif self.time_growth is not None:
            found = self.time_growth.estimate(size)
        else:
            return None
        return found if found.high <= VAGUE * found.low else None


def find_series(configs: Sequence[ConfigurationStats]) -> list[Series]:
    """The series among configurations, in the order of their first configurations; configurations on single boards are
    passed over."""
    members = [config for config in configs if family_of(config.task) is not None]
    groups = grouped(members, lambda config: Series((config,)).name)
    return [Series(tuple(sorted(group, key=_size))) for group in groups.values()]


def estimates(series: Sequence[Series]) -> list[str]:
    """The estimates with their intervals and fits, those of the paper's unfinished configurations first."""
    told = []
    for one in sorted(series, key=lambda one: not _paper_timed_out(one)):
        found = one.estimate(PAPER_SIZE)
        if found is None:
            continue
        rule_set, pipeline, engine, _, _ = one.name
        fit = one.work_growth if _PROPORTIONAL in one.timed[-1][1].counters else one.time_growth
        what = counter_name(_PROPORTIONAL) if _PROPORTIONAL in one.timed[-1][1].counters else "time"
        sizes = fit.sizes if fit is not None else ()
        beside = ", which the paper stopped after 900 s" if _paper_timed_out(one) else ""
        told.append(
            extrapolation(
                f"{rule_set}, {pipeline_name(pipeline)}, on {engine}{beside}",
                PAPER_SIZE,
                found,
                f"from the growth of {what} at n = {listed([str(size) for size in sizes])}: {fit}",
            )
        )
    return told


def _paper_timed_out(one: Series) -> bool:
    figure = PAPER.get(one.name[0], {}).get(one.name[1])
    return figure is not None and figure.time_ms is None


def ended_by(config: ConfigurationStats | None, limits: Limits) -> str:
    """What ended a series, in a word; None when the last size was reached."""
    if config is None:
        return "last size"
    return "WRONG" if config.status == "answered" else limit_met(config.status, config.termination, limits)


def _size(config: ConfigurationStats) -> int:
    member = family_of(config.task)
    assert member is not None
    return member[1]

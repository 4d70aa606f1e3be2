"""Replayed games: what a whole game costs, followed from move to move and asked anew after each."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.games import family_of
from hexlogic.report.boards import game_of
from hexlogic.report.claims.relations import NoBaseline, Relation
from hexlogic.report.claims.sentences import followed
from hexlogic.report.claims.timing import relate_pairs
from hexlogic.report.claims.values import Estimate
from hexlogic.report.grouping import grouped
from hexlogic.report.growth import Growth, fit_growth
from hexlogic.report.series import VAGUE
from hexlogic.report.statistics import ConfigurationStats
from hexlogic.runs.records import Mode

__all__ = ["ReplaySeries", "against_anew", "by_rules", "find_replays", "record_of", "replay_findings"]


@dataclass(frozen=True, slots=True)
class ReplaySeries:
    """One configuration and mode on all records of a `game` in a suite; `games` are its configurations by size."""

    rule_set: str
    pipeline: str
    engine: str
    mode: Mode
    game: str
    games: dict[int, tuple[ConfigurationStats, ...]]

    @property
    def times_s(self) -> dict[int, float]:
        """Seconds of a game, the mean over the games, on the sizes where all of them ended."""
        return {
            size: statistics.mean(times)
            for size, configs in self.games.items()
            if len(times := [config.time_s for config in configs if config.time_s is not None]) == len(configs)
        }

    def load_s(self, size: int) -> float:
        """Seconds until the first move on a size where all games ended, the mean over the games."""
        return statistics.mean(config.replay.load_s for config in self.games[size] if config.replay)

    def ply_s(self, size: int) -> float:
        """The median move on a size where all games ended."""
        return statistics.median(s for config in self.games[size] if config.replay for s in config.replay.plies_s)

    @property
    def growth(self) -> Growth | None:
        """How the time of a game grows."""
        return fit_growth([(size, time_s) for size, time_s in self.times_s.items() if time_s > 0])

    def estimate(self, size: int) -> Estimate | None:
        """Seconds of a game on a size that was not tried; None when the fit tells nothing."""
        found = None if self.growth is None else self.growth.estimate(size)
        return found if found is not None and found.high <= VAGUE * found.low else None

    @property
    def facts(self) -> dict[int, int]:
        """The facts kept after the last move by size, the most of the games; empty where the engine does not tell."""
        replays = {size: [one.replay for one in configs if one.replay] for size, configs in self.games.items()}
        known = {size: [one.facts for one in own if one.facts is not None] for size, own in replays.items()}
        return {size: max(facts) for size, facts in known.items() if facts}

    @property
    def largest_s(self) -> tuple[int, float] | None:
        """The largest size where all games ended, and seconds of a game there."""
        return max(self.times_s.items(), default=None)

    def grown_bytes(self, size: int) -> int:
        """By how much memory was larger than before the first move, the most of the games."""
        return max(config.replay.grown_bytes for config in self.games[size] if config.replay is not None)

    @property
    def keeps(self) -> bool:
        """Whether more than the answer is kept."""
        return max(self.facts.values(), default=0) > 1

    @property
    def stopped(self) -> ConfigurationStats | None:
        """The first configuration without a time; None when all games ended."""
        return next((config for configs in self.games.values() for config in configs if config.time_s is None), None)


def find_replays(configs: Sequence[ConfigurationStats]) -> list[ReplaySeries]:
    """The replayed games among configurations, in the order of their first ones; other configurations are passed
    over."""
    found: dict[tuple[str, str, str, Mode, str], dict[int, list[ConfigurationStats]]] = {}
    for config in configs:
        if config.mode is not None and (member := family_of(config.task)) is not None:
            key = (config.rule_set, config.pipeline, config.engine, config.mode, game_of(config.task))
            own = found.setdefault(key, {})
            own.setdefault(member[1], []).append(config)
    return [
        ReplaySeries(*key, {size: tuple(sorted(games[size], key=lambda config: config.task)) for size in sorted(games)})
        for key, games in found.items()
    ]


def by_rules(all_series: Sequence[ReplaySeries]) -> dict[tuple[str, str, str], list[ReplaySeries]]:
    """The replays of each rule set, pipeline and game."""
    return grouped(all_series, lambda series: (series.rule_set, series.pipeline, series.game))


def against_anew(series: ReplaySeries, all_series: Sequence[ReplaySeries]) -> tuple[Relation, int] | None:
    """How games that are followed stand to the same configuration asked anew, over the games on the largest size that
    both came to, and that size.

    None for a series that is itself asked anew, and where there is nothing to compare.
    """
    key = (series.rule_set, series.pipeline, series.engine, series.game)
    others = [
        one for one in all_series if (one.rule_set, one.pipeline, one.engine, one.game) == key and one.mode == "anew"
    ]
    if series.mode == "anew" or not others:
        return None
    both = [size for size in series.times_s if size in others[0].times_s]
    if not both:
        return None
    size = max(both)
    theirs = {record_of(config): config.timing for config in others[0].games[size]}
    pairs = [(theirs[record_of(config)], config.timing) for config in series.games[size] if record_of(config) in theirs]
    relation = relate_pairs(pairs)
    return None if isinstance(relation, NoBaseline) else (relation, size)


def record_of(config: ConfigurationStats) -> str:
    """`random-1@9` of `followed random-1@9`."""
    return config.task.partition(" ")[2]


def replay_findings(all_series: Sequence[ReplaySeries]) -> list[str]:
    """What following saves on each engine, in one sentence."""
    told = {
        f"{series.engine} (n = {saved[1]})": saved[0]
        for series in all_series
        if (saved := against_anew(series, all_series)) is not None
    }
    return [followed(all_series[0].rule_set, told)] if told else []

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

__all__ = ["Way", "against_anew", "by_rules", "find_ways", "record_of", "replay_findings"]


@dataclass(frozen=True, slots=True)
class Way:
    """One configuration and mode on all records of a `game` in a suite; `games` are its cells by size."""

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
            for size, cells in self.games.items()
            if len(times := [cell.time_s for cell in cells if cell.time_s is not None]) == len(cells)
        }

    def load_s(self, size: int) -> float:
        """Seconds until the first move on a size where all games ended, the mean over the games."""
        return statistics.mean(cell.replay.load_s for cell in self.games[size] if cell.replay)

    def ply_s(self, size: int) -> float:
        """The median move on a size where all games ended."""
        return statistics.median(s for cell in self.games[size] if cell.replay for s in cell.replay.plies_s)

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
        return {
            size: max(known)
            for size, cells in self.games.items()
            if (known := [cell.replay.facts for cell in cells if cell.replay and cell.replay.facts is not None])
        }

    @property
    def largest_s(self) -> tuple[int, float] | None:
        """The largest size where all games ended, and seconds of a game there."""
        return max(self.times_s.items(), default=None)

    def grown_bytes(self, size: int) -> int:
        """By how much memory was larger than before the first move, the most of the games."""
        return max(cell.replay.grown_bytes for cell in self.games[size] if cell.replay is not None)

    @property
    def keeps(self) -> bool:
        """Whether more than the answer is kept."""
        return max(self.facts.values(), default=0) > 1

    @property
    def stopped(self) -> ConfigurationStats | None:
        """The first cell without a time; None when all games ended."""
        return next((cell for cells in self.games.values() for cell in cells if cell.time_s is None), None)


def find_ways(cells: Sequence[ConfigurationStats]) -> list[Way]:
    """The replayed games among cells, in the order of their first ones; other cells are passed over."""
    found: dict[tuple[str, str, str, Mode, str], dict[int, list[ConfigurationStats]]] = {}
    for cell in cells:
        if cell.mode is not None and (member := family_of(cell.task)) is not None:
            key = (cell.rule_set, cell.pipeline, cell.engine, cell.mode, game_of(cell.task))
            own = found.setdefault(key, {})
            own.setdefault(member[1], []).append(cell)
    return [
        Way(*key, {size: tuple(sorted(games[size], key=lambda cell: cell.task)) for size in sorted(games)})
        for key, games in found.items()
    ]


def by_rules(ways: Sequence[Way]) -> dict[tuple[str, str, str], list[Way]]:
    """The ways of each rule set, pipeline and game."""
    return grouped(ways, lambda way: (way.rule_set, way.pipeline, way.game))


def against_anew(way: Way, ways: Sequence[Way]) -> tuple[Relation, int] | None:
    """How a way that follows stands to the same configuration asked anew, over the games on the largest size that both
    came to, and that size.

    None for a way that is itself anew, and where there is nothing to compare.
    """
    key = (way.rule_set, way.pipeline, way.engine, way.game)
    others = [one for one in ways if (one.rule_set, one.pipeline, one.engine, one.game) == key and one.mode == "anew"]
    if way.mode == "anew" or not others:
        return None
    both = [size for size in way.times_s if size in others[0].times_s]
    if not both:
        return None
    size = max(both)
    theirs = {record_of(cell): cell.timing for cell in others[0].games[size]}
    pairs = [(theirs[record_of(cell)], cell.timing) for cell in way.games[size] if record_of(cell) in theirs]
    relation = relate_pairs(pairs)
    return None if isinstance(relation, NoBaseline) else (relation, size)


def record_of(cell: ConfigurationStats) -> str:
    """`random-1@9` of `followed random-1@9`."""
    return cell.task.partition(" ")[2]


def replay_findings(ways: Sequence[Way]) -> list[str]:
    """What following saves on each engine, in one sentence."""
    told = {
        f"{way.engine} (n = {saved[1]})": saved[0] for way in ways if (saved := against_anew(way, ways)) is not None
    }
    return [followed(ways[0].rule_set, told)] if told else []

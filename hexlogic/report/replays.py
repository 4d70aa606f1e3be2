"""Tables of replayed games: what a whole game costs, followed from move to move and asked anew after each."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.games import family_of
from hexlogic.process.limits import MEGABYTE, Limits
from hexlogic.report.boards import game_of
from hexlogic.report.claims.relations import NoBaseline, Relation
from hexlogic.report.claims.sentences import followed
from hexlogic.report.claims.timing import relate_pairs
from hexlogic.report.claims.values import Estimate
from hexlogic.report.growth import Growth, fit_growth
from hexlogic.report.series import VAGUE, ended_by
from hexlogic.report.stats import CellStats
from hexlogic.report.table import Notes, Table
from hexlogic.report.words import duration, listed, milliseconds, pipeline_words
from hexlogic.runs.records import Mode

__all__ = ["Way", "against_anew", "by_rules", "find_ways", "replay_tables"]

_WIDEST = 4
"""Sizes that have a column in a table of 100 letters."""


@dataclass(frozen=True, slots=True)
class Way:
    """One configuration and mode on all records of a `game` in a suite; `games` are its cells by size."""

    rule_set: str
    pipeline: str
    engine: str
    mode: Mode
    game: str
    games: dict[int, tuple[CellStats, ...]]

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
    def keeps(self) -> bool:
        """Whether more than the answer is kept."""
        return max(self.facts.values(), default=0) > 1

    @property
    def stopped(self) -> CellStats | None:
        """The first cell without a time; None when all games ended."""
        return next((cell for cells in self.games.values() for cell in cells if cell.time_s is None), None)


def find_ways(cells: Sequence[CellStats]) -> list[Way]:
    """The replayed games among cells, in the order of their first ones; other cells are passed over."""
    found: dict[tuple[str, str, str, Mode, str], dict[int, list[CellStats]]] = {}
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
    found: dict[tuple[str, str, str], list[Way]] = {}
    for way in ways:
        found.setdefault((way.rule_set, way.pipeline, way.game), []).append(way)
    return found


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
    theirs = {_record(cell): cell.timing for cell in others[0].games[size]}
    pairs = [(theirs[_record(cell)], cell.timing) for cell in way.games[size] if _record(cell) in theirs]
    relation = relate_pairs(pairs)
    return None if isinstance(relation, NoBaseline) else (relation, size)


def _record(cell: CellStats) -> str:
    """`random-1@9` of `followed random-1@9`."""
    return cell.task.partition(" ")[2]


def replay_tables(cells: Sequence[CellStats], limits: Limits) -> list[Table]:
    """A table for each rule set and pipeline, and one of the states that are kept."""
    ways = find_ways(cells)
    tables = []
    for kind, own in by_rules(ways).items():
        sizes = _shown_sizes(sorted({size for way in ways if way.game == kind[2] for size in way.games}))
        tables.append(_table(own, sizes, limits))
    states = _states(ways)
    return tables if states is None else [*tables, states]


def _table(ways: list[Way], sizes: Sequence[int], limits: Limits) -> Table:
    first, notes = ways[0], Notes()
    columns = ["engine", "mode", *(f"n = {size}\n(ms)" for size in sizes), "grows", "a move\n(ms)", "loaded\n(ms)"]
    columns.append("grown\n(MB)")
    rows: list[list[str]] = []
    groups: list[int] = []
    for engine in dict.fromkeys(way.engine for way in ways):
        groups.append(len(rows))
        for number, way in enumerate(
            sorted((way for way in ways if way.engine == engine), key=lambda way: way.mode == "anew")
        ):
            growth, last = way.growth, max(way.times_s, default=None)
            row = [engine if number == 0 else "", way.mode, *(_game_text(way, size, limits, notes) for size in sizes)]
            row.append("" if growth is None else growth.short())
            row += ["", ""] if last is None else [milliseconds(way.ply_s(last)), milliseconds(way.load_s(last))]
            rows.append([*row, "" if last is None else _megabytes(_grown(way, last))])
    games = sorted(
        {cell.task.partition(" ")[2].partition("@")[0] for way in ways for cell in way.games[min(way.games)]}
    )
    passes = "" if first.pipeline == "none" else f", {pipeline_words(first.pipeline)}"
    title = f"{first.rule_set}{passes} (whole games: {listed(games)})"
    return Table(title, columns, rows, groups[1:], notes.texts, _findings(ways))


def _shown_sizes(sizes: Sequence[int]) -> list[int]:
    """The sizes that have a column: all of a few, else some from the smallest to the largest.

    >>> _shown_sizes([5, 9, 13]), _shown_sizes([3, 4, 5, 6, 7, 8, 9])
    ([5, 9, 13], [3, 5, 7, 9])
    """
    if len(sizes) <= _WIDEST:
        return list(sizes)
    return [sizes[round(place * (len(sizes) - 1) / (_WIDEST - 1))] for place in range(_WIDEST)]


def _game_text(way: Way, size: int, limits: Limits, notes: Notes) -> str:
    """The time of a game on this size, or why there is none; on a size that was not tried, what it would take."""
    if size in way.times_s:
        return milliseconds(way.times_s[size])
    cell = next((cell for cell in way.games.get(size, ()) if cell.time_s is None), None)
    if cell is None:
        found = way.estimate(size)
        return "" if found is None else f"~ {duration(found.value)}"
    if cell.category == "wrong":
        return "WRONG" + notes.mark(cell.message)
    match cell.status:
        case "unsupported":
            return "no" + notes.mark(cell.message)
        case "out-of-memory":
            return "memory"
        case "timeout":
            return ended_by(cell, limits) if cell.floor_s else "load"
        case _:
            return ended_by(cell, limits) + notes.mark(cell.message)


def _findings(ways: list[Way]) -> list[str]:
    """What following saves on each engine, in one sentence."""
    told = {
        f"{way.engine} (n = {saved[1]})": saved[0] for way in ways if (saved := against_anew(way, ways)) is not None
    }
    return [followed(ways[0].rule_set, told)] if told else []


def _states(ways: list[Way]) -> Table | None:
    """How the facts that are kept grow with the board, for ways that tell them; None when none does."""
    columns = ["reformulation", "engine", "n", "moves", "facts", "grow", "as text\n(kB)", "grown\n(MB)"]
    columns.append("process\n(MB)")
    rows: list[list[str]] = []
    groups: list[int] = []
    for way in (way for way in ways if way.keeps and not _said_again(way, ways)):
        kept = [
            (size, cell.replay)
            for size, cells in way.games.items()
            for cell in cells
            if cell.replay is not None and cell.replay.facts is not None
        ]
        if kept:
            groups.append(len(rows))
        growth = fit_growth([(size, float(count)) for size, count in way.facts.items()])
        for number, (size, replay) in enumerate(kept):
            row = [way.rule_set, way.engine] if number == 0 else ["", ""]
            row += [str(size), str(len(replay.plies_s)), f"{replay.facts:,}"]
            row.append("" if growth is None or number else growth.short())
            row.append("" if replay.fact_bytes is None else f"{replay.fact_bytes / 1000:,.1f}")
            row += [_megabytes(replay.grown_bytes), "" if replay.peak_bytes is None else _megabytes(replay.peak_bytes)]
            rows.append(row)
    return Table("the facts that are kept, after the last move", columns, rows, groups[1:]) if rows else None


def _said_again(way: Way, ways: Sequence[Way]) -> bool:
    """Whether the same rules keep the same facts on another engine that came further: a state is a state."""
    others = [one.facts for one in by_rules(ways)[way.rule_set, way.pipeline, way.game]]
    return any(len(facts) > len(way.facts) and way.facts.items() <= facts.items() for facts in others)


def _grown(way: Way, size: int) -> int:
    return max(cell.replay.grown_bytes for cell in way.games[size] if cell.replay is not None)


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f}"

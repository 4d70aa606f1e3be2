"""Tables of replayed games: what a whole game costs, followed from move to move and asked anew after each."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.games import family_of
from hexlogic.report.growth import Growth, fit_growth
from hexlogic.report.series import ended_by
from hexlogic.report.stats import CellStats
from hexlogic.report.table import Table
from hexlogic.report.words import factor, listed, milliseconds, pipeline_words
from hexlogic.runs.limits import MEGABYTE, Limits
from hexlogic.runs.records import Mode

__all__ = ["Way", "against_anew", "find_ways", "replay_tables"]


@dataclass(frozen=True, slots=True)
class Way:
    """One configuration and mode on all games of a suite; `games` are its cells by size."""

    rule_set: str
    pipeline: str
    engine: str
    mode: Mode
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

    @property
    def stopped(self) -> CellStats | None:
        """The first cell without a time; None when all games ended."""
        return next((cell for cells in self.games.values() for cell in cells if cell.time_s is None), None)


def find_ways(cells: Sequence[CellStats]) -> list[Way]:
    """The replayed games among cells, in the order of their first ones; other cells are passed over."""
    found: dict[tuple[str, str, str, Mode], dict[int, list[CellStats]]] = {}
    for cell in cells:
        if cell.mode is not None and (member := family_of(cell.task)) is not None:
            own = found.setdefault((cell.rule_set, cell.pipeline, cell.engine, cell.mode), {})
            own.setdefault(member[1], []).append(cell)
    return [
        Way(*key, {size: tuple(sorted(games[size], key=lambda cell: cell.task)) for size in sorted(games)})
        for key, games in found.items()
    ]


def against_anew(way: Way, ways: Sequence[Way]) -> tuple[float, int] | None:
    """How many times as long the same configuration takes anew, on the largest size that both came to, and that size.

    None for a way that is itself anew, and where there is nothing to compare.
    """
    key = (way.rule_set, way.pipeline, way.engine)
    others = [one for one in ways if (one.rule_set, one.pipeline, one.engine) == key and one.mode == "anew"]
    if way.mode == "anew" or not others:
        return None
    ours, theirs = way.times_s, others[0].times_s
    both = [size for size in ours if size in theirs and ours[size] > 0]
    return (theirs[max(both)] / ours[max(both)], max(both)) if both else None


def replay_tables(cells: Sequence[CellStats], limits: Limits) -> list[Table]:
    """A table for each rule set and pipeline, and one of the states that are kept."""
    ways = find_ways(cells)
    kinds = dict.fromkeys((way.rule_set, way.pipeline) for way in ways)
    tables = [_table([way for way in ways if (way.rule_set, way.pipeline) == kind], limits) for kind in kinds]
    states = _states(ways)
    return tables if states is None else [*tables, states]


def _table(ways: list[Way], limits: Limits) -> Table:
    first = ways[0]
    common = max(set.intersection(*(set(way.times_s) for way in ways)), default=None)
    columns = ["engine", "mode", "up to n", "loaded\n(ms)", "game\n(ms)", "a move\n(ms)", "grows"]
    columns += [] if common is None else [f"n = {common}\n(ms)"]
    columns += ["ratio", "grown\n(MB)"]
    rows: list[list[str]] = []
    groups: list[int] = []
    for engine in dict.fromkeys(way.engine for way in ways):
        groups.append(len(rows))
        for number, way in enumerate(
            sorted((way for way in ways if way.engine == engine), key=lambda way: way.mode == "anew")
        ):
            times, growth, saved = way.times_s, way.growth, against_anew(way, ways)
            last = max(times, default=None)
            row = [engine if number == 0 else "", way.mode, _up_to(last, way.stopped, limits)]
            shown = [] if last is None else [way.load_s(last), times[last], way.ply_s(last)]
            row += [*map(milliseconds, shown)] or ["", "", ""]
            row.append("" if growth is None else growth.short())
            row += [] if common is None else [milliseconds(times[common])]
            row.append("" if saved is None else factor(saved[0]))
            rows.append([*row, "" if last is None else _megabytes(_grown(way, last))])
    games = sorted(
        {cell.task.partition(" ")[2].partition("@")[0] for way in ways for cell in way.games[min(way.games)]}
    )
    passes = "" if first.pipeline == "none" else f", {pipeline_words(first.pipeline)}"
    title = f"{first.rule_set}{passes} (whole games: {listed(games)})"
    return Table(title, columns, rows, groups[1:], findings=_findings(ways))


def _up_to(last: int | None, stopped: CellStats | None, limits: Limits) -> str:
    """The largest size, and what ended the way up when it was not the last one."""
    word = stopped is not None and ("memory" if stopped.status == "out-of-memory" else ended_by(stopped, limits))
    ended = [word] if word else []
    return "; ".join([*([] if last is None else [str(last)]), *ended])


def _findings(ways: list[Way]) -> list[str]:
    """What following saves on each engine, in one sentence."""
    told = [
        f"{factor(saved[0])} on {way.engine} (n = {saved[1]})"
        for way in ways
        if (saved := against_anew(way, ways)) is not None
    ]
    name = ways[0].rule_set
    return [f"{name}: a game asked anew after each move takes {listed(told)} the time of one followed."] if told else []


def _states(ways: list[Way]) -> Table | None:
    """How the state grows with the board, for ways that tell it; None when none does."""
    columns = ["reformulation", "engine", "n", "moves", "facts", "as text\n(kB)", "grown\n(MB)", "whole process\n(MB)"]
    rows: list[list[str]] = []
    groups: list[int] = []
    for way in ways:
        kept = [
            (size, cell, cell.replay)
            for size, cells in way.games.items()
            for cell in cells
            if cell.replay is not None and cell.replay.facts is not None and cell.replay.fact_bytes is not None
        ]
        if kept:
            groups.append(len(rows))
        for number, (size, _, replay) in enumerate(kept):
            row = [way.rule_set, way.engine] if number == 0 else ["", ""]
            row += [str(size), str(len(replay.plies_s)), f"{replay.facts:,}", f"{(replay.fact_bytes or 0) / 1000:,.1f}"]
            row += [_megabytes(replay.grown_bytes), "" if replay.peak_bytes is None else _megabytes(replay.peak_bytes)]
            rows.append(row)
    return Table("the state that is kept, after the last move", columns, rows, groups[1:]) if rows else None


def _grown(way: Way, size: int) -> int:
    return max(cell.replay.grown_bytes for cell in way.games[size] if cell.replay is not None)


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f}"

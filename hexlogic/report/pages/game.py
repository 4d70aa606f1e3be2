"""Inside a game: what a recorded game costs, followed from move to move and asked anew after each move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.relations import Relation
from hexlogic.report.claims.sentences import followed
from hexlogic.report.document import Block, Column, Entry, make_table, number
from hexlogic.report.dots import factor_dot, outcome
from hexlogic.report.formatting import duration, milliseconds
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.question import PageAnswer, PageQuestion
from hexlogic.report.repeat import copied, repeat
from hexlogic.report.replays import ReplaySeries, against_anew, find_replays
from hexlogic.report.sections.common import factor_entry, megabytes, pipeline_entry
from hexlogic.report.statistics import ConfigurationStats

__all__ = ["QUESTION", "ReplayedGame", "played_games"]

_RATIO = "How many times as fast as the same engine asked anew, on the largest board that both ended; 95 % intervals."
_MB = megabytes(1)
_MOVE = "The median move of a game that is followed, on the largest board where it ended."


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A configuration on the records of a game, with the suite and how it stands to the same one asked anew."""

    suite: SuiteRecords
    series: ReplaySeries
    against: tuple[Relation, int] | None

    @property
    def last(self) -> ConfigurationStats:
        """The game on the largest board that ended, or the first that did not."""
        size = self.series.largest_s[0] if self.series.largest_s else min(self.series.games)
        return self.series.games[size][0]

    @property
    def repeat(self) -> str:
        """The command that plays these games again."""
        return repeat(self.suite.session, *(one for group in self.series.games.values() for one in group))


def played_games(material: Material) -> list[ReplayedGame]:
    """The replayed games, followed and anew."""
    return [
        ReplayedGame(suite, series, against_anew(series, every))
        for suite in material.suites
        for every in [find_replays(suite.configurations)]
        for series in every
    ]


def _answer(material: Material) -> PageAnswer | None:
    found = played_games(material)
    if not found:
        return None
    ratios = [dot for one in found if one.against is not None and (dot := _ratio(one)) is not None]
    moves = [dot for one in found if one.series.mode == "followed" and (dot := _move(one)) is not None]
    told = {f"{one.series.rule_set} on {one.series.engine}": one.against[0] for one in found if one.against is not None}
    most = max(ratios, key=lambda dot: dot.value, default=None)
    finding = "No game was both followed and asked anew."
    blocks: list[Block] = []
    if most is not None:
        finding = followed(most.row, {most.series: told[f"{most.row} on {most.series}"]})
        title = f"Followed, {most.row} on {most.series}: {most.shown}"
        blocks.append(dots("game-followed", title, _RATIO, ratios, "times as fast as asked anew"))
    if moves:
        least = min(moves, key=lambda dot: dot.value)
        title = f"A move takes {least.shown} with {least.row} on {least.series}"
        blocks.append(dots("game-move", title, _MOVE, moves, "time of a move, median", "seconds"))
    return PageAnswer(finding, [*blocks, make_table("game", "Whole games", _COLUMNS, found)])


def _ratio(one: ReplayedGame) -> Dot | None:
    if one.against is None:
        return None
    own = one.series.games[one.against[1]]
    dot = factor_dot(one.series.rule_set, one.series.engine, one.against[0], one.suite.session, own)
    return None if dot is None else replace(dot, repeat=one.repeat.replace("--modes followed", "--modes anew,followed"))


def _move(one: ReplayedGame) -> Dot | None:
    if one.series.largest_s is None:
        return None
    size = one.series.largest_s[0]
    value, runs = one.series.ply_s(size), sum(config.counted for config in one.series.games[size])
    if not value:
        return None
    return Dot(
        row=one.series.rule_set,
        series=one.series.engine,
        value=value,
        shown=f"{duration(value)}, n = {size}",
        runs=runs,
        repeat=one.repeat,
    )


def _ply(one: ReplayedGame) -> Entry:
    return number(one.series.ply_s(one.series.largest_s[0]) if one.series.largest_s else None, milliseconds)


_COLUMNS: Sequence[Column[ReplayedGame]] = (
    Column("rule_set", "reformulation", lambda one: one.series.rule_set),
    Column("engine", "engine", lambda one: one.series.engine),
    Column("pipeline", "passes", lambda one: pipeline_entry(one.series.pipeline)),
    Column("mode", "mode", lambda one: one.series.mode),
    Column("size", "n", lambda one: one.last.task.rpartition("@")[2], numeric=True),
    Column("time_s", "game", lambda one: outcome(one.last, one.suite.session.limits), numeric=True),
    Column("ply_s", "move (ms)", _ply, numeric=True),
    Column(
        "factor", "against anew [95 %]", lambda one: factor_entry(one.against[0]) if one.against else "", numeric=True
    ),
    Column(
        "grown",
        "grown (MB)",
        lambda one: number(one.last.replay.grown_bytes if one.last.replay else None, _MB),
        numeric=True,
    ),
    Column("repeat", "repeat", lambda one: copied(one.repeat)),
)

QUESTION = PageQuestion(
    name="game",
    title="Inside a game",
    text="What does a whole game cost, move by move?",
    order=40,
    answer=_answer,
    how="hexlogic bench --suite games",
)

"""Whole games: what a recorded game costs, followed from move to move and asked anew after each move."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hexlogic.games import family_of
from hexlogic.laboratory.records.types import Mode, Session, grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.relations import Relation, relate_pairs
from hexlogic.laboratory.report.claims.sentences import followed
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, make_table, number
from hexlogic.laboratory.report.entries import (
    copied,
    factor_dot,
    factor_entry,
    megabytes,
    outcome,
    pipeline_entry,
    repeat,
)
from hexlogic.laboratory.report.formatting import (
    duration,
    game_of,
    game_title,
    limits_text,
    listed,
    milliseconds,
    pipeline_name,
)
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, Section, SuiteRecords
from hexlogic.laboratory.report.statistics import ConfigurationStats


@dataclass(frozen=True, slots=True)
class ReplaySeries:
    """One configuration and mode on all records of a `game` in a suite; `games` are its configurations by size.

    `against` is how games that are followed stand to the same configuration asked anew, on the largest size that both
    came to, and that size; None where there is nothing to compare.
    """

    rule_set: str
    pipeline: str
    engine: str
    mode: Mode
    game: str
    games: dict[int, tuple[ConfigurationStats, ...]]
    against: tuple[Relation, int] | None = None

    @property
    def times_s(self) -> dict[int, float]:
        """Seconds of a game, the mean over the games, on the sizes where all of them ended."""
        return {
            size: statistics.mean(times)
            for size, configs in self.games.items()
            if len(times := [config.time_s for config in configs if config.time_s is not None]) == len(configs)
        }

    @property
    def largest(self) -> int | None:
        """The largest size where all games ended."""
        return max(self.times_s, default=None)

    @property
    def last(self) -> ConfigurationStats:
        """A game of the largest size that ended, or of the first that did not."""
        return self.games[self.largest or min(self.games)][0]

    @property
    def ply_s(self) -> float | None:
        """The median move on the largest size where all games ended."""
        if self.largest is None:
            return None
        return statistics.median(
            s for config in self.games[self.largest] if config.replay for s in config.replay.plies_s
        )

    @property
    def stopped(self) -> ConfigurationStats | None:
        """The first configuration without a time; None when all games ended."""
        return next((config for configs in self.games.values() for config in configs if config.time_s is None), None)

    @property
    def repeat(self) -> str:
        """The command that plays these games again."""
        return repeat(*(config for configs in self.games.values() for config in configs))


def find_replays(configs: Sequence[ConfigurationStats]) -> list[ReplaySeries]:
    """The replayed games among configurations of a suite, in the order of their first ones; other configurations are
    passed over."""
    games: dict[tuple[str, str, str, Mode, str], dict[int, list[ConfigurationStats]]] = {}
    for config in configs:
        if config.mode is not None and (member := family_of(config.task)) is not None:
            key = (config.rule_set, config.pipeline, config.engine, config.mode, game_of(config.task))
            games.setdefault(key, {}).setdefault(member[1], []).append(config)
    every = {
        key: ReplaySeries(
            *key, {size: tuple(sorted(by_size[size], key=lambda config: config.task)) for size in sorted(by_size)}
        )
        for key, by_size in games.items()
    }
    anew = {key: every.get((*key[:3], "anew", key[4])) for key in every}
    return [replace(series, against=_against(series, anew[key])) for key, series in every.items()]


def _against(series: ReplaySeries, anew: ReplaySeries | None) -> tuple[Relation, int] | None:
    if series is anew or anew is None or not (both := series.times_s.keys() & anew.times_s.keys()):
        return None
    size = max(both)
    theirs = {_record(config): config.timing for config in anew.games[size]}
    mine = [config for config in series.games[size] if _record(config) in theirs]
    relation = relate_pairs([(theirs[_record(config)], config.timing) for config in mine])
    return None if not relation.is_known else (relation, size)


def _record(config: ConfigurationStats) -> str:
    """`random-1@9` of `followed random-1@9`."""
    return config.task.partition(" ")[2]


def played_games(results: Results) -> list[ReplaySeries]:
    """The replayed games, followed and anew."""
    return [series for suite in results.suites for series in find_replays(suite.configurations)]


_RATIO = "How many times as fast as the same engine asked anew, on the largest board that both ended; 95 % intervals."
_MOVE = "The median move of a game that is followed, on the largest board where it ended."


def _answer(results: Results, every: list[ReplaySeries]) -> PageAnswer:
    ratios = [dot for series in every if (dot := _ratio(series)) is not None]
    moves = [dot for series in every if series.mode == "followed" and (dot := _move(series)) is not None]
    relations = {(series.rule_set, series.engine): series.against[0] for series in every if series.against is not None}
    finding = "No game was both followed and asked anew."
    blocks: list[Block] = []
    if ratios:
        most = max(ratios, key=lambda dot: dot.value)
        finding = followed(most.row, {most.series: relations[most.row, most.series]})
        title = f"Followed, {most.row} on {most.series}: {most.shown}"
        blocks.append(dots("game-followed", title, _RATIO, ratios, "times as fast as asked anew"))
    if moves:
        least = min(moves, key=lambda dot: dot.value)
        title = f"A move takes {least.shown} with {least.row} on {least.series}"
        blocks.append(dots("game-move", title, _MOVE, moves, "time of a move, median", "seconds"))
    return PageAnswer(finding, [*blocks, make_table("game", "Whole games", _COLUMNS, every)])


def _ratio(series: ReplaySeries) -> Dot | None:
    if series.against is None:
        return None
    relation, size = series.against
    dot = factor_dot(series.rule_set, series.engine, relation, series.games[size])
    modes = series.repeat.replace("--modes followed", "--modes anew,followed")
    return None if dot is None else replace(dot, repeat=modes)


def _move(series: ReplaySeries) -> Dot | None:
    if series.largest is None or not series.ply_s:
        return None
    return Dot(
        row=series.rule_set,
        series=series.engine,
        value=series.ply_s,
        shown=f"{duration(series.ply_s)}, n = {series.largest}",
        runs=sum(config.counted for config in series.games[series.largest]),
        repeat=series.repeat,
    )


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On a terminal the same table for each rule set and pipeline, and what following saves."""
    blocks: list[Block] = []
    groups = grouped(find_replays(suite.configurations), lambda series: (series.rule_set, series.pipeline, series.game))
    for (rule_set, pipeline, game), group in groups.items():
        passes = "" if pipeline == "none" else f", {pipeline_name(pipeline)}"
        saved = {
            f"{series.engine} (n = {series.against[1]})": series.against[0]
            for series in group
            if series.against is not None
        }
        why = {
            series.engine: series.stopped.message
            for series in group
            if series.stopped is not None and series.largest is None
        }
        texts = [followed(rule_set, saved)] if saved else []
        texts += [f"{listed(engines)}: {message}." for message, engines in grouped(why, why.__getitem__).items()]
        title = f"{rule_set}{passes} (whole games of {game_title(game)})"
        blocks += [make_table("game", title, [_COLUMNS[1], *_COLUMNS[3:-1]], group), Bullets(tuple(texts))]
    return blocks


def _legend(session: Session) -> str:
    runs = "one run" if session.repeats == 1 else f"median of {session.repeats} runs (fewer of slow ones)"
    return (
        f"game: all moves of a game and who has won after each, on the largest board n where the games ended, {runs}; "
        "move: the median one; grown: by how much memory was larger than before the first move. followed: the engine "
        "keeps what it has from move to move; anew: it is asked about both players with all stones after each. Limits "
        f"per run, loading included: {limits_text(session.limits)}."
    )


def _grown(series: ReplaySeries) -> Entry:
    """By how much the memory grew in the last game."""
    replay = series.last.replay
    return number(None if replay is None else replay.grown_bytes, megabytes(1))


_COLUMNS: Sequence[Column[ReplaySeries]] = (
    Column("rule_set", "reformulation"),
    Column("engine", "engine", group=True),
    Column("pipeline", "passes", lambda series: pipeline_entry(series.pipeline)),
    Column("mode", "mode"),
    Column("size", "n", lambda series: series.last.task.rpartition("@")[2], numeric=True),
    Column("time_s", "game", lambda series: outcome(series.last), numeric=True),
    Column("ply_s", "move (ms)", lambda series: number(series.ply_s, milliseconds), numeric=True),
    Column(
        "factor", "against anew [95 %]", lambda series: factor_entry(series.against and series.against[0]), numeric=True
    ),
    Column("grown", "grown (MB)", _grown, numeric=True),
    Column("repeat", "repeat", lambda series: copied(series.repeat)),
)

SECTION = Section(name="games", order=60, blocks=_blocks, legend=_legend)

QUESTION = PageQuestion(
    name="game",
    title="Inside a game",
    text="What does a whole game cost, move by move?",
    order=40,
    find=played_games,
    answer=_answer,
    how="hexlogic bench --suite games",
)

"""Whole games: what a recorded game costs, followed from move to move and asked anew after each move."""

import statistics
from collections.abc import Sequence
from dataclasses import replace

from hexlogic.laboratory.records.types import grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.relations import Relation, relate_pairs
from hexlogic.laboratory.report.claims.sentences import followed
from hexlogic.laboratory.report.document import Block, Bullets, Column, make_table, number
from hexlogic.laboratory.report.entries import copied, factor_dot, megabytes, outcome, pipeline_entry, repeat
from hexlogic.laboratory.report.formatting import duration, game_title, listed, milliseconds, pipeline_name
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords
from hexlogic.laboratory.report.statistics import ConfigurationStats, median


class ReplaySeries:
    """One configuration and mode on all records of a `game` in a suite; `games` are its configurations by size.

    `times_s` are the seconds of a game, the mean over the games, on the sizes where all of them ended, and `largest`
    is the largest such size; `ply_s` is the median move there. `last` is a game of that size, or of the first that did
    not end; `stopped` is the first configuration without a time. `against` is how games that are followed stand to the
    same configuration asked anew, on the largest size that both came to, and that size; None where there is nothing to
    compare.
    """

    def __init__(self, configs: Sequence[ConfigurationStats]) -> None:
        first = configs[0]
        self.game, self.mode = first.game, first.mode
        self.rule_set, self.pipeline, self.engine = first.rule_set, first.pipeline, first.engine
        self.configurations = sorted(configs, key=lambda config: (config.size, config.task))
        self.games = grouped(self.configurations, lambda config: config.size)
        self.times_s = {
            size: statistics.mean(times)
            for size, of_size in self.games.items()
            if len(times := [config.time_s for config in of_size if config.time_s is not None]) == len(of_size)
        }
        self.largest = max(self.times_s, default=None)
        self.last = self.games[self.largest or min(self.games)][0]
        self.grown_bytes = None if self.last.replay is None else self.last.replay.grown_bytes
        replays = [] if self.largest is None else [config.replay for config in self.games[self.largest]]
        self.ply_s = median(ply_s for replay in replays if replay is not None for ply_s in replay.plies_s)
        self.stopped = next((config for config in self.configurations if config.time_s is None), None)
        self.against: tuple[Relation, int] | None = None

    @property
    def repeat(self) -> str:
        """The command that plays these games again."""
        return repeat(*self.configurations)


def find_replays(configs: Sequence[ConfigurationStats]) -> list[ReplaySeries]:
    """The replayed games among configurations of a suite, in the order of their first ones; other configurations are
    passed over."""
    members = [config for config in configs if config.mode is not None and config.family]
    groups = grouped(members, lambda c: (c.rule_set, c.pipeline, c.engine, c.mode, c.game))
    every = {key: ReplaySeries(group) for key, group in groups.items()}
    for (rule_set, pipeline, engine, mode, game), series in every.items():
        anew = every.get((rule_set, pipeline, engine, "anew", game))
        if anew is None or mode == "anew" or not (both := series.times_s.keys() & anew.times_s.keys()):
            continue
        size = max(both)
        # `random-1@9` of `followed random-1@9`
        theirs = {config.task.partition(" ")[2]: config.timing for config in anew.games[size]}
        mine = {config.task.partition(" ")[2]: config.timing for config in series.games[size]}
        relation = relate_pairs([(theirs[record], timing) for record, timing in mine.items() if record in theirs])
        series.against = (relation, size) if relation.is_known else None
    return list(every.values())


def played_games(results: Results) -> list[ReplaySeries]:
    """The replayed games, followed and anew."""
    return [series for suite in results.suites for series in find_replays(suite.configurations)]


_RATIO = "How many times as fast as the same engine asked anew, on the largest board that both ended; 95 % intervals."
_MOVE = "The median move of a game that is followed, on the largest board where it ended."


def _answer(results: Results, every: list[ReplaySeries]) -> PageAnswer:
    ratios = [dot for series in every if (dot := _ratio(series)) is not None]
    moves = [_move(series) for series in every if series.mode == "followed" and series.ply_s]
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


def _move(series: ReplaySeries) -> Dot:
    value = series.ply_s or 0.0
    shown = f"{duration(value)}, n = {series.largest}"
    runs = sum(config.counted for config in series.games[series.largest or 0])
    return Dot(series.rule_set, series.engine, value, shown=shown, runs=runs, repeat=series.repeat)


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On a terminal the same table for each rule set and pipeline, and what following saves."""
    blocks: list[Block] = []
    groups = grouped(find_replays(suite.configurations), lambda series: (series.rule_set, series.pipeline, series.game))
    for (rule_set, pipeline, game), group in groups.items():
        passes = "" if pipeline == "none" else f", {pipeline_name(pipeline)}"
        known = [(series.engine, *series.against) for series in group if series.against is not None]
        saved = {f"{engine} (n = {size})": relation for engine, relation, size in known}
        late = [(series.engine, series.stopped) for series in group if series.largest is None]
        why = {engine: stopped.message for engine, stopped in late if stopped is not None}
        texts = [followed(rule_set, saved)] if saved else []
        texts += [f"{listed(engines)}: {message}." for message, engines in grouped(why, why.__getitem__).items()]
        title = f"{rule_set}{passes} (whole games of {game_title(game)})"
        blocks += [make_table("game", title, [_COLUMNS[1], *_COLUMNS[3:-1]], group), Bullets(tuple(texts))]
    return blocks


_COLUMNS: Sequence[Column[ReplaySeries]] = (
    Column("rule_set", "reformulation"),
    Column("engine", "engine", group=True),
    Column("pipeline", "passes", lambda series: pipeline_entry(series.pipeline)),
    Column("mode", "mode"),
    Column("size", "n", lambda series: series.last.task.rpartition("@")[2], numeric=True),
    Column("time_s", "game", lambda series: outcome(series.last), numeric=True),
    Column("ply_s", "move (ms)", lambda series: number(series.ply_s, milliseconds), numeric=True),
    Column("factor", "against anew [95 %]", lambda series: series.against and series.against[0], numeric=True),
    Column("grown", "grown (MB)", lambda series: number(series.grown_bytes, megabytes(1)), numeric=True),
    Column("repeat", "repeat", lambda series: copied(series.repeat)),
)

QUESTION = PageQuestion(
    name="game",
    title="Inside a game",
    text="What does a whole game cost, move by move?",
    order=40,
    find=played_games,
    answer=_answer,
    how="hexlogic bench --suite games",
    blocks=_blocks,
    legend="game: all moves of a game and who has won after each, on the largest board n where the games ended, "
    "{runs}; move: the median one; grown: by how much memory was larger than before the first move. followed: the "
    "engine keeps what it has from move to move; anew: it is asked about both players with all stones after each. "
    "Limits per run, loading included: {limits}.",
)

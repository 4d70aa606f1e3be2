"""Whole games: what a recorded game costs, followed from move to move and asked anew after each move, and how large
the state grows that is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hexlogic.process.limits import Limits
from hexlogic.report.charts import Dot, dots
from hexlogic.report.claims.relations import Relation
from hexlogic.report.claims.sentences import followed
from hexlogic.report.document import Block, Bullets, Column, Entry, Notes, Table, make_table, number
from hexlogic.report.dots import factor_dot, outcome
from hexlogic.report.entries import factor_entry, megabytes, pipeline_entry
from hexlogic.report.formatting import duration, limits_text, listed, milliseconds, pipeline_name
from hexlogic.report.growth import fit_growth
from hexlogic.report.material import Material, SuiteRecords
from hexlogic.report.repeat import copied, repeat
from hexlogic.report.replays import ReplaySeries, against_anew, by_rules, find_replays, record_of, replay_findings
from hexlogic.report.series import ended_by
from hexlogic.report.statistics import ConfigurationStats, ReplayStats, question
from hexlogic.report.topic import PageAnswer, PageQuestion, Section
from hexlogic.runs.records import Session

__all__ = ["QUESTION", "SECTION", "ReplayedGame", "played_games"]

_WIDEST = 4
"""Sizes that have a column in a table of 100 letters."""


def _blocks(suite: SuiteRecords) -> list[Block]:
    """A table for each rule set and pipeline, and one of the facts that are kept."""
    all_series = find_replays(suite.configurations)
    blocks: list[Block] = []
    for kind, own in by_rules(all_series).items():
        sizes = _shown_sizes(sorted({size for series in all_series if series.game == kind[2] for size in series.games}))
        blocks += [_by_size(own, sizes, suite.session.limits), Bullets(tuple(replay_findings(own)))]
    kept = _kept(all_series)
    return [*blocks, kept] if kept.rows else blocks


def _of_replay(
    key: str,
    head: str,
    value: Callable[[ReplayStats], float | None],
    text: Callable[[float], str] | str = ",",
) -> Column[ConfigurationStats]:
    """A column of a number that is known of games that ended."""

    def entry(one: ConfigurationStats) -> Entry:
        return number(None if one.replay is None else value(one.replay), text)

    return Column(key, head, entry, numeric=True)


_KEPT = (
    _of_replay("facts", "facts", lambda replay: replay.facts),
    _of_replay("fact_bytes", "as text (kB)", lambda replay: replay.fact_bytes, lambda size: f"{size / 1000:,.1f}"),
    _of_replay("grown_bytes", "grown (MB)", lambda replay: replay.grown_bytes, megabytes(1)),
    _of_replay("peak_bytes", "process (MB)", lambda replay: replay.peak_bytes, megabytes(1)),
)
"""What is kept after the last move, and the memory that it takes."""


def _by_size(all_series: Sequence[ReplaySeries], sizes: Sequence[int], limits: Limits) -> Table:
    """One rule set and pipeline: a row for each engine and mode, the sizes side by side."""
    notes = Notes()
    engines = list(dict.fromkeys(series.engine for series in all_series))

    def at_largest(
        key: str, head: str, value: Callable[[ReplaySeries, int], float], text: Callable[[float], str]
    ) -> Column[ReplaySeries]:
        def entry(one: ReplaySeries) -> Entry:
            return number(value(one, one.largest_s[0]) if one.largest_s else None, text)

        return Column(key, head, entry, numeric=True)

    def game(size: int) -> Column[ReplaySeries]:
        return Column(
            f"time_s_{size}", f"n = {size} (ms)", lambda series: _game_text(series, size, limits, notes), numeric=True
        )

    columns: list[Column[ReplaySeries]] = [
        Column("engine", "engine", group=True),
        Column("mode", "mode"),
        *map(game, sizes),
        Column("growth", "grows", lambda series: series.growth.short() if series.growth else "", numeric=True),
        at_largest("ply_s", "a move (ms)", ReplaySeries.ply_s, milliseconds),
        at_largest("load_s", "loaded (ms)", ReplaySeries.load_s, milliseconds),
        at_largest("grown_bytes", "grown (MB)", ReplaySeries.grown_bytes, megabytes(1)),
    ]
    games = sorted(
        {record_of(one).partition("@")[0] for series in all_series for one in series.games[min(series.games)]}
    )
    first = all_series[0]
    passes = "" if first.pipeline == "none" else f", {pipeline_name(first.pipeline)}"
    title = f"{first.rule_set}{passes} (whole games: {listed(games)})"
    rows = sorted(all_series, key=lambda series: (engines.index(series.engine), series.mode == "anew"))
    return make_table("replays", title, columns, rows, notes)


def _shown_sizes(sizes: Sequence[int]) -> list[int]:
    """The sizes that have a column: all of a few, else some from the smallest to the largest.

    >>> _shown_sizes([5, 9, 13]), _shown_sizes([3, 4, 5, 6, 7, 8, 9])
    ([5, 9, 13], [3, 5, 7, 9])
    """
    if len(sizes) <= _WIDEST:
        return list(sizes)
    return [sizes[round(place * (len(sizes) - 1) / (_WIDEST - 1))] for place in range(_WIDEST)]


def _game_text(series: ReplaySeries, size: int, limits: Limits, notes: Notes) -> str:
    """The time of a game on this size, or why there is none; on a size that was not tried, what it would take."""
    if size in series.times_s:
        return milliseconds(series.times_s[size])
    config = next((config for config in series.games.get(size, ()) if config.time_s is None), None)
    if config is None:
        found = series.estimate(size)
        return "" if found is None else f"~ {duration(found.value)}"
    if config.category == "wrong":
        return "WRONG" + notes.mark(config.message)
    match config.status:
        case "unsupported":
            return "no" + notes.mark(config.message)
        case "out-of-memory":
            return "memory"
        case "timeout":
            return ended_by(config, limits) if config.floor_s else "load"
        case _:
            return ended_by(config, limits) + notes.mark(config.message)


def _kept(all_series: Sequence[ReplaySeries]) -> Table:
    """How the facts that are kept grow with the board, for configurations that tell them."""
    told = [series for series in all_series if series.keeps and not _said_again(series, all_series)]
    rows = {
        question(config): (size, fit_growth([(size, float(count)) for size, count in series.facts.items()]))
        for series in told
        for size, configs in series.games.items()
        for config in configs
        if config.replay is not None and config.replay.facts is not None
    }

    def growth(one: ConfigurationStats) -> str:
        found = rows[question(one)][1]
        return "" if found is None else found.short()

    columns: list[Column[ConfigurationStats]] = [
        Column("rule_set", "reformulation", group=True),
        Column("engine", "engine", group=True),
        Column("size", "n", lambda one: rows[question(one)][0], numeric=True),
        _of_replay("plies", "moves", lambda replay: len(replay.plies_s)),
        _KEPT[0],
        Column("growth", "grow", growth, numeric=True, group=True),
        *_KEPT[1:],
    ]
    own = [one for series in told for group in series.games.values() for one in group if question(one) in rows]
    return make_table("facts", "the facts that are kept, after the last move", columns, own)


def _said_again(series: ReplaySeries, all_series: Sequence[ReplaySeries]) -> bool:
    """Whether the same rules keep the same facts on another engine that came further: a state is a state."""
    others = [one.facts for one in by_rules(all_series)[series.rule_set, series.pipeline, series.game]]
    return any(len(facts) > len(series.facts) and series.facts.items() <= facts.items() for facts in others)


def _legend(session: Session) -> str:
    runs = "one run" if session.repeats == 1 else f"median of {session.repeats} runs (fewer of slow ones)"
    return (
        f"n = ...: all moves of a game and who has won after each, {runs} and mean of the games; ~: not measured, "
        "estimated from the growth; load: the time was over before the first move; memory: it took too much; empty: a "
        "smaller board had no time, or this one is not in the suite. On the largest board where the games ended: a "
        "move, the median one; loaded: making and loading the program, which is in no other time; grown: by how much "
        "memory was larger than before the first move. followed: the engine keeps what it has from move to move; anew: "
        "it is asked about both players with all stones after each. facts: what follows from the stones and is kept; "
        "process: its memory at most. "
        f"Limits per run, loading included: {limits_text(session.limits)}."
    )


SECTION = Section(name="games", order=60, blocks=_blocks, legend=_legend)


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


def _answer(material: Material, found: list[ReplayedGame]) -> PageAnswer:
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
    find=played_games,
    answer=_answer,
    how="hexlogic bench --suite games",
)

"""Whole games: what they cost move by move, followed and anew, and how large the state grows that is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import mean, median

from hexlogic.process.limits import Limits
from hexlogic.report.boards import game_title, size_axis, size_name
from hexlogic.report.document import Block, Bullets, Column, Entry, Figure, Notes, Table, Value, make_table, number
from hexlogic.report.figures.scale import count_tick
from hexlogic.report.formatting import duration, limits_text, listed, milliseconds, pipeline_name
from hexlogic.report.growth import fit_growth
from hexlogic.report.lines import Line, line_plot
from hexlogic.report.material import SuiteRecords
from hexlogic.report.replays import ReplaySeries, by_rules, find_replays, record_of, replay_findings
from hexlogic.report.section import Section, by_suite
from hexlogic.report.sections.common import ENGINE, PIPELINE, RULE_SET, megabytes, passes_text, slug, time_text, tone_of
from hexlogic.report.series import ended_by
from hexlogic.report.statistics import ConfigurationStats, ReplayStats, question
from hexlogic.runs.records import Session

__all__ = ["SECTION"]

_TEN = 10
"""Moves to a point of a curve, and the first and the last ones in a table."""

_DATA = ("rule_set", "pipeline", "engine", "mode", "game", "ply", "time_s")
_FACTS = ("rule_set", "pipeline", "engine", "game", "size", "ply", "facts")
_TICKS = (1, 5, 10, 20, 50, 100, 200)
"""Moves that have a tick."""

_WIDEST = 4
"""Sizes that have a column in a table of 100 letters."""

_LEAD = (
    "Recorded games, replayed move by move; after each move the engine says who has won, and a run counts only if "
    "it is right after every move. *Followed*, the engine keeps what it has from move to move; *anew*, it is asked "
    "about both players with all stones after each move. Loading the program is in neither time. How the time of a "
    "whole game grows with the board stands in the chapter on growth. A point of the curves of times is the median "
    "of ten moves. *Facts* are what follows from the stones and is kept: the state of transition rules, all that "
    "egglog has derived (of clusters that are united, one for each stone), or what `compiled` has derived, which "
    "is only what the queries depend on."
)


def _page(suite: SuiteRecords) -> list[Block]:
    all_series = find_replays(suite.configurations)
    told = [text for own in by_rules(all_series).values() for text in replay_findings(own)]
    blocks: list[Block] = [Bullets(tuple(told))] if told else []
    for own in by_rules(all_series).values():
        if (size := _size(own)) is not None:
            blocks.append(_figure(suite, own, size))
    for game in dict.fromkeys(series.game for series in all_series):
        blocks += _facts(suite, game, [series for series in all_series if series.keeps and series.game == game])
    return [*blocks, _games(suite, all_series)] if all_series else []


def _terminal(suite: SuiteRecords) -> list[Block]:
    """A table for each rule set and pipeline, and one of the facts that are kept."""
    all_series = find_replays(suite.configurations)
    blocks: list[Block] = []
    for kind, own in by_rules(all_series).items():
        sizes = _shown_sizes(sorted({size for series in all_series if series.game == kind[2] for size in series.games}))
        blocks += [_by_size(own, sizes, suite.session.limits), Bullets(tuple(replay_findings(own)))]
    kept = _kept(all_series)
    return [*blocks, kept] if kept.rows else blocks


def _size(all_series: Sequence[ReplaySeries]) -> int | None:
    """The largest board on which most of the configurations ended their games."""
    sizes = sorted({size for series in all_series for size in series.times_s})
    ended = {size: sum(size in series.times_s for series in all_series) for size in sizes}
    return max(sizes, key=lambda size: (2 * ended[size] > len(all_series), size), default=None)


def _figure(suite: SuiteRecords, all_series: Sequence[ReplaySeries], size: int) -> Figure:
    """The time of each move, as medians of ten."""
    engines = list(dict.fromkeys(series.engine for series in all_series))
    lines: list[Line] = []
    rows: list[tuple[Value, ...]] = []
    for series in (series for series in all_series if size in series.times_s):
        config = series.games[size][0]
        if config.replay is None:
            continue
        plies = config.replay.plies_s
        tens = [range(start, min(start + _TEN, len(plies))) for start in range(0, len(plies), _TEN)]
        points = [((ten[0] + ten[-1]) // 2 + 1, median(plies[ply] for ply in ten)) for ten in tens]
        lines.append(
            Line(f"{series.engine}, {series.mode}", points, engines.index(series.engine), int(series.mode == "anew"))
        )
        key = (series.rule_set, series.pipeline, series.engine, series.mode, record_of(config))
        rows += [(*key, ply, time_s) for ply, time_s in enumerate(plies, start=1)]
    first = all_series[0]
    longest = max(place for line in lines for place, _ in line.points)
    ticks = [tick for tick in _TICKS[1:] if tick < 0.75 * longest] or [1]
    name = f"{first.rule_set}, {passes_text(first.pipeline)}"
    title = f"each move on {size_name(first.game, size)}"
    svg = line_plot(f"{first.rule_set}: {title}", lines, [*ticks, longest], "move")
    return Figure(f"moves-{slug(suite.suite)}-{slug(name)}", f"{name}: {title}", svg, _DATA, tuple(rows))


def _facts(suite: SuiteRecords, game: str, all_series: Sequence[ReplaySeries]) -> list[Block]:
    """How the facts that follow from the stones grow, move by move and with the board.

    Of the engines that tell of a rule set, that one speaks which keeps the most on the smallest board (all facts, and
    not only those that the queries depend on), or comes furthest.
    """
    names = dict.fromkeys(series.rule_set for series in all_series)
    told = {name: [series for series in all_series if series.rule_set == name] for name in names}
    all_series = [
        max(some, key=lambda series: (series.facts[min(series.facts)], len(series.facts))) for some in told.values()
    ]
    by_ply: list[Line] = []
    by_size: list[Line] = []
    rows: list[tuple[Value, ...]] = []
    shown = _size(all_series)
    for place, series in enumerate(all_series):
        words = f"{series.rule_set} ({series.engine})"
        by_size.append(Line.numbered(words, [(size, count) for size, count in series.facts.items() if count], place))
        for size, configs in series.games.items():
            for config in (config for config in configs if config.replay is not None):
                counts = config.replay.facts_by_ply or () if config.replay else ()
                key = (series.rule_set, series.pipeline, series.engine, record_of(config), size)
                rows += [(*key, ply, count) for ply, count in enumerate(counts, start=1)]
                if size == shown and config is configs[0]:
                    numbered = [(ply, count) for ply, count in enumerate(counts, start=1) if count]
                    by_ply.append(Line.numbered(words, _thinned(numbered), place))
    where = "" if game == "hex" else f" ({game_title(game)})"
    after_each = f"Facts that are kept, after each move on {size_name(game, shown or 0)}{where}"
    after_all = f"Facts that are kept after the last move{where}"
    return [
        *_counts(slug(f"facts-{suite.suite}{where}-moves"), after_each, "move", by_ply, tuple(rows)),
        *_counts(slug(f"facts-{suite.suite}{where}-boards"), after_all, size_axis(game), by_size, tuple(rows)),
    ]


def _thinned(points: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The first points, then one in ten, and the last."""
    return [point for place, point in enumerate(points) if place < 4 or place % _TEN == _TEN - 1 or point == points[-1]]


def _counts(
    name: str, title: str, axis: str, lines: Sequence[Line], rows: tuple[tuple[Value, ...], ...]
) -> list[Block]:
    """A plot of facts; none without points."""
    drawn = [line for line in lines if line.points]
    if not drawn:
        return []
    sizes = sorted({place for line in drawn for place, _ in line.points})
    ticks = sizes if axis != "move" else [*(tick for tick in _TICKS if tick < 0.75 * sizes[-1]), sizes[-1]]
    return [Figure(name, title, line_plot(title, drawn, ticks, axis, count_tick), _FACTS, rows)]


def _games(suite: SuiteRecords, all_series: Sequence[ReplaySeries]) -> Table:
    """Every game, as a whole and at its beginning and end."""
    notes, limits = Notes(), suite.session.limits

    def time(one: ConfigurationStats) -> Entry:
        return Entry(time_text(one, limits, notes), one.time_s, tone_of(one))

    columns: list[Column[ConfigurationStats]] = [
        RULE_SET,
        PIPELINE,
        ENGINE,
        Column("mode", "mode", lambda one: one.mode or "", choices=True),
        Column("game", "game", lambda one: record_of(one), choices=True),
        _MOVES,
        _of_replay("load_s", "loaded (ms)", lambda replay: replay.load_s, milliseconds),
        Column("time_s", "game (ms)", time, numeric=True),
        _of_replay("first_s", "first ten (ms a move)", lambda replay: mean(replay.plies_s[:_TEN]), milliseconds),
        _of_replay("last_s", "last ten (ms a move)", lambda replay: mean(replay.plies_s[-_TEN:]), milliseconds),
        *_KEPT,
    ]
    own = [one for series in all_series for group in series.games.values() for one in group]
    return make_table(f"games-{slug(suite.suite)}", f"Games of the suite {suite.suite}", columns, own, notes)


def _of_replay(
    key: str,
    head: str,
    value: Callable[[ReplayStats], float | None],
    text: Callable[[float], str] | str = ",",
    brief: str | None = None,
) -> Column[ConfigurationStats]:
    """A column of a number that is known of games that ended."""

    def entry(one: ConfigurationStats) -> Entry:
        return number(None if one.replay is None else value(one.replay), text)

    return Column(key, head, entry, numeric=True, brief=brief)


_MOVES = _of_replay("plies", "moves", lambda replay: len(replay.plies_s))
_KEPT = (
    _of_replay("facts", "facts kept", lambda replay: replay.facts, brief="facts"),
    _of_replay("fact_bytes", "as text (kB)", lambda replay: replay.fact_bytes, lambda size: f"{size / 1000:,.1f}"),
    _of_replay("grown_bytes", "grown (MB)", lambda replay: replay.grown_bytes, megabytes(1)),
    _of_replay(
        "peak_bytes", "whole process (MB)", lambda replay: replay.peak_bytes, megabytes(1), brief="process\n(MB)"
    ),
)
"""What is kept after the last move, and the memory that it takes."""


def _by_size(all_series: Sequence[ReplaySeries], sizes: Sequence[int], limits: Limits) -> Table:
    """One rule set and pipeline: a row for each engine and mode, the sizes side by side."""
    notes = Notes()
    engines = list(dict.fromkeys(series.engine for series in all_series))

    def at_largest(
        key: str, head: str, value: Callable[[ReplaySeries, int], float], text: Callable[[float], str]
    ) -> Column[ReplaySeries]:
        return Column(
            key,
            head,
            lambda series: number(None if series.largest_s is None else value(series, series.largest_s[0]), text),
            numeric=True,
        )

    def game(size: int) -> Column[ReplaySeries]:
        def time(series: ReplaySeries) -> Entry:
            return Entry(_game_text(series, size, limits, notes), series.times_s.get(size))

        return Column(f"time_s_{size}", f"n = {size} (ms)", time, numeric=True)

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
        replace(RULE_SET, group=True),
        replace(ENGINE, group=True),
        Column("size", "n", lambda one: rows[question(one)][0], numeric=True),
        _MOVES,
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


SECTION = Section(
    name="games", title="Whole games", order=60, lead=_LEAD, blocks=by_suite(_page), terminal=_terminal, legend=_legend
)

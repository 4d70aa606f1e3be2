"""Whole games: what they cost move by move, followed and anew, and how large the state grows that is kept."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from hexlogic.process.limits import MEGABYTE
from hexlogic.report.boards import game_title, size_axis, size_words
from hexlogic.report.chapters.common import passes_text, slug, tone_of
from hexlogic.report.document import Block, Bullets, Chapter, Column, Figure, Grid, Item, Text, Value, item
from hexlogic.report.figures import Curve, CurvePoint, growth_plot
from hexlogic.report.figures.frame import Entry
from hexlogic.report.figures.scale import count_tick, decades
from hexlogic.report.gather import Material, SuiteRecords
from hexlogic.report.replays import Way, by_rules, find_ways, replay_tables
from hexlogic.report.stats import CellStats
from hexlogic.report.table import Notes
from hexlogic.report.tables import time_text
from hexlogic.report.words import milliseconds, pipeline_words

__all__ = ["games_chapter"]

_TEN = 10
"""Moves to a point of a curve, and the first and the last ones in a table."""

_DATA = ("rule_set", "pipeline", "engine", "mode", "game", "ply", "time_s")
_FACTS = ("rule_set", "pipeline", "engine", "game", "size", "ply", "facts")
_DASHES = 6
"""Series with a colour of their own; further ones take other lines."""

_TICKS = (1, 5, 10, 20, 50, 100, 200)
"""Moves that have a tick."""

_COLUMNS = (
    Column("rule_set", "reformulation", choices=True),
    Column("pipeline", "passes", choices=True),
    Column("engine", "engine", choices=True),
    Column("mode", "mode", choices=True),
    Column("game", "game", choices=True),
    Column("plies", "moves", numeric=True),
    Column("load_s", "loaded (ms)", numeric=True),
    Column("time_s", "game (ms)", numeric=True),
    Column("first_s", "first ten (ms a move)", numeric=True),
    Column("last_s", "last ten (ms a move)", numeric=True),
    Column("facts", "facts kept", numeric=True),
    Column("fact_bytes", "as text (kB)", numeric=True),
    Column("grown_bytes", "grown (MB)", numeric=True),
    Column("peak_bytes", "whole process (MB)", numeric=True),
)


def games_chapter(material: Material) -> Chapter | None:
    """The chapter; None when no suite has replayed a game."""
    blocks: list[Block] = []
    for suite in material.suites:
        if ways := find_ways(suite.cells):
            blocks += _suite(suite, ways)
    if not blocks:
        return None
    lead = Text(
        "Recorded games, replayed move by move; after each move the engine says who has won, and a run counts only if "
        "it is right after every move. *Followed*, the engine keeps what it has from move to move; *anew*, it is asked "
        "about both players with all stones after each move. Loading the program is in neither time. How the time of a "
        "whole game grows with the board stands in the chapter on growth. A point of the curves of times is the median "
        "of ten moves. *Facts* are what follows from the stones and is kept: the state of transition rules, all that "
        "egglog has derived (of clusters that are united, one for each stone), or what `compiled` has derived, which "
        "is only what the queries depend on."
    )
    return Chapter("games", "Whole games", (lead, *blocks))


def _suite(suite: SuiteRecords, ways: Sequence[Way]) -> list[Block]:
    told = [text for table in replay_tables(suite.cells, suite.session.limits) for text in table.findings]
    blocks: list[Block] = [Bullets(tuple(told))] if told else []
    for own in by_rules(ways).values():
        if (size := _size(own)) is not None:
            blocks.append(_figure(suite, own, size))
    for game in dict.fromkeys(way.game for way in ways):
        blocks += _facts(suite, game, [way for way in ways if way.keeps and way.game == game])
    return [*blocks, _grid(suite, ways)]


def _size(ways: Sequence[Way]) -> int | None:
    """The largest board on which most of the configurations ended their games."""
    sizes = sorted({size for way in ways for size in way.times_s})
    ended = {size: sum(size in way.times_s for way in ways) for size in sizes}
    return max(sizes, key=lambda size: (2 * ended[size] > len(ways), size), default=None)


def _figure(suite: SuiteRecords, ways: Sequence[Way], size: int) -> Figure:
    engines = list(dict.fromkeys(way.engine for way in ways))
    curves: list[Curve] = []
    entries: list[Entry] = []
    rows: list[tuple[Value, ...]] = []
    for way in (way for way in ways if size in way.times_s):
        cell = way.games[size][0]
        if cell.replay is None:
            continue
        plies = cell.replay.plies_s
        series, dash = engines.index(way.engine), int(way.mode == "anew")
        blocks = [range(start, min(start + _TEN, len(plies))) for start in range(0, len(plies), _TEN)]
        points = [
            CurvePoint((block[0] + block[-1]) // 2 + 1, statistics.median(plies[ply] for ply in block), True)
            for block in blocks
        ]
        curves.append(Curve(tuple(points), series, dash))
        entries.append(Entry(f"{way.engine}, {way.mode}", series, dash))
        key = (way.rule_set, way.pipeline, way.engine, way.mode, _game(cell))
        rows += [(*key, ply, time_s) for ply, time_s in enumerate(plies, start=1)]
    first = ways[0]
    longest = max(point.size for curve in curves for point in curve.points)
    ticks = [tick for tick in _TICKS[1:] if tick < 0.75 * longest] or [1]
    name = f"{first.rule_set}, {passes_text(first.pipeline)}"
    title = f"{name}: each move on {size_words(first.game, size)}"
    times = [point.time_s for curve in curves for point in curve.points]
    svg = growth_plot(
        f"{first.rule_set}: each move on {size_words(first.game, size)}",
        curves,
        [*ticks, longest],
        decades(times, max(times)),
        [],
        entries,
        axis="move",
    )
    return Figure(f"moves-{slug(suite.suite)}-{slug(name)}", title, svg, _DATA, tuple(rows))


def _facts(suite: SuiteRecords, game: str, ways: Sequence[Way]) -> list[Block]:
    """How the facts that follow from the stones grow, move by move and with the board.

    Of the engines that tell of a rule set, that one speaks which keeps the most on the smallest board (all facts, and
    not only those that the queries depend on), or comes furthest.
    """
    names = dict.fromkeys(way.rule_set for way in ways)
    told = {name: [way for way in ways if way.rule_set == name] for name in names}
    ways = [max(some, key=lambda way: (way.facts[min(way.facts)], len(way.facts))) for some in told.values()]
    entries = [Entry(f"{way.rule_set} ({way.engine})", i % _DASHES, i // _DASHES) for i, way in enumerate(ways)]
    by_ply: dict[str, list[CurvePoint]] = {}
    by_size: dict[str, list[CurvePoint]] = {}
    rows: list[tuple[Value, ...]] = []
    shown = _size(ways)
    for way in ways:
        by_size[way.rule_set] = [CurvePoint(size, count, True) for size, count in way.facts.items() if count]
        for size, cells in way.games.items():
            for cell in (cell for cell in cells if cell.replay is not None):
                counts = cell.replay.facts_by_ply or () if cell.replay else ()
                key = (way.rule_set, way.pipeline, way.engine, _game(cell), size)
                rows += [(*key, ply, count) for ply, count in enumerate(counts, start=1)]
                if size == shown and cell is cells[0]:
                    numbered = [(ply, count) for ply, count in enumerate(counts, start=1) if count]
                    by_ply[way.rule_set] = [CurvePoint(ply, count, True) for ply, count in _thinned(numbered)]
    where = "" if game == "hex" else f" ({game_title(game)})"
    at = size_words(game, shown or 0)
    return [
        _counts(slug(f"facts-{suite.suite}{where}-{name}"), title + where, axis, ways, points, entries, tuple(rows))
        for name, title, axis, points in (
            ("moves", f"Facts that are kept, after each move on {at}", "move", by_ply),
            ("boards", "Facts that are kept after the last move", size_axis(game), by_size),
        )
        if any(points.values())
    ]


def _thinned(points: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """The first points, then one in ten, and the last."""
    return [point for place, point in enumerate(points) if place < 4 or place % _TEN == _TEN - 1 or point == points[-1]]


def _counts(
    name: str,
    title: str,
    axis: str,
    ways: Sequence[Way],
    points: dict[str, list[CurvePoint]],
    entries: Sequence[Entry],
    rows: tuple[tuple[Value, ...], ...],
) -> Figure:
    drawn = [(way, entry) for way, entry in zip(ways, entries, strict=True) if points.get(way.rule_set)]
    curves = [Curve(tuple(points[way.rule_set]), entry.series or 0, entry.dash) for way, entry in drawn]
    every = [point for curve in curves for point in curve.points]
    counts = [point.time_s for point in every]
    sizes = sorted({point.size for point in every})
    ticks = sizes if axis != "move" else [*(tick for tick in _TICKS if tick < 0.75 * sizes[-1]), sizes[-1]]
    bounds = decades(counts, max(counts))
    svg = growth_plot(title, curves, ticks, bounds, [], [entry for _, entry in drawn], axis=axis, tick=count_tick)
    return Figure(name, title, svg, _FACTS, rows)


def _grid(suite: SuiteRecords, ways: Sequence[Way]) -> Grid:
    notes, limits = Notes(), suite.session.limits
    rows = []
    for way in ways:
        for cell in (cell for cells in way.games.values() for cell in cells):
            replay = cell.replay
            first = None if replay is None else statistics.mean(replay.plies_s[:_TEN])
            last = None if replay is None else statistics.mean(replay.plies_s[-_TEN:])
            rows.append(
                (
                    item(way.rule_set),
                    Item(pipeline_words(way.pipeline), way.pipeline),
                    item(way.engine),
                    item(way.mode),
                    item(_game(cell)),
                    _number(None if replay is None else len(replay.plies_s)),
                    Item(
                        "" if replay is None else milliseconds(replay.load_s), None if replay is None else replay.load_s
                    ),
                    Item(time_text(cell, limits, notes), cell.time_s, tone_of(cell)),
                    *(Item("" if value is None else milliseconds(value), value) for value in (first, last)),
                    _number(None if replay is None else replay.facts),
                    _bytes(None if replay is None else replay.fact_bytes, 1000),
                    _bytes(None if replay is None else replay.grown_bytes, MEGABYTE),
                    _bytes(None if replay is None else replay.peak_bytes, MEGABYTE),
                )
            )
    return Grid(
        f"games-{slug(suite.suite)}", f"Games of the suite {suite.suite}", _COLUMNS, tuple(rows), tuple(notes.texts)
    )


def _game(cell: CellStats) -> str:
    """`random-1@9` of `followed random-1@9`."""
    return cell.task.partition(" ")[2]


def _number(value: int | None) -> Item:
    return Item("" if value is None else f"{value:,}", value)


def _bytes(value: int | None, unit: int) -> Item:
    return Item("" if value is None else f"{value / unit:,.1f}", value)

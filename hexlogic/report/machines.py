"""Playouts: how fast each reasoner plays each sheet at random, what starting it takes, and who agrees with whom."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from hexlogic.gdl.machines import reasoner_names
from hexlogic.process.limits import MEGABYTE, Limits
from hexlogic.report.table import Notes, Table
from hexlogic.report.words import listed, seconds
from hexlogic.runs.agreement import FAR, Estimate, disagreements, estimates, place_of
from hexlogic.runs.peers import OPEN_SPIEL, REFEREE, peer_names
from hexlogic.runs.records import Playing, Status

__all__ = [
    "PlayStats",
    "agreement_texts",
    "play_data",
    "play_tables",
    "play_text",
    "rate_text",
    "summarise_plays",
]


@dataclass(frozen=True, slots=True)
class PlayStats:
    """A reasoner on a sheet, all its runs together. Rates are by CPU time, None unless every run ended."""

    sheet: str
    reasoner: str
    place: str
    game: str
    size: int | None
    """Rows of the board; None for a file."""
    status: Status
    termination: str
    message: str | None
    runs: int
    games: int
    playouts_per_s: float | None
    steps_per_s: float | None
    start_s: float | None
    """CPU seconds to the end of the first playout, the median."""
    make_s: float | None
    """Wall seconds to export the sheet, or to read it."""
    rules: int | None
    atoms: int | None
    literals: int | None
    """Body literals of the sheet as written."""
    peak_bytes: int | None
    analysis: str | None
    means: dict[str, Estimate]
    """The mean `length` and the mean goal of each role."""


def summarise_plays(playings: Iterable[Playing]) -> tuple[PlayStats, ...]:
    """The playings by sheet and reasoner, in the order of places, sheets and reasoners as they come first."""
    every = [run for run in playings if run.counted]
    places: dict[str, list[Playing]] = {}
    for run in sorted(every, key=lambda run: (run.game, run.rows or 0)):
        places.setdefault(place_of(run), []).append(run)
    found = []
    for among in places.values():
        cells: dict[tuple[str, str], list[Playing]] = {}
        for run in among:
            cells.setdefault((run.sheet, run.reasoner), []).append(run)
        found += [_stats(runs, among) for runs in cells.values()]
    return tuple(sorted(found, key=lambda one: (one.game, one.size or 0, one.reasoner in peer_names(), one.sheet)))


def _stats(runs: Sequence[Playing], among: Sequence[Playing]) -> PlayStats:
    first = runs[0]
    worst = next((run for run in runs if run.status != "answered"), first)
    batches = [batch for run in runs if run.played is not None for batch in run.played.batches]
    games, steps = sum(batch.games for batch in batches), [batch.steps for batch in batches if batch.steps is not None]
    # Loading code at its first use is on the bill of starting, and so is the first playout.
    cpu_s = sum(batch.cpu_s for batch in batches)
    told = worst.status == "answered" and cpu_s > 0
    starts = [run.started for run in runs if run.started is not None]
    sizes = next((run.sizes for run in runs if run.sizes is not None), None)
    return PlayStats(
        sheet=first.sheet,
        reasoner=first.reasoner,
        place=place_of(first),
        game=first.game,
        size=first.rows,
        status=worst.status,
        termination=worst.termination,
        message=worst.message,
        runs=len(runs),
        games=games,
        playouts_per_s=games / cpu_s if told else None,
        steps_per_s=sum(steps) / cpu_s if told and steps else None,
        start_s=statistics.median(one.cpu_s for one in starts) if starts else None,
        make_s=_median([run.phases.transform_s for run in runs]),
        rules=next((one.rules for one in starts), None),
        atoms=next((one.atoms for one in starts), None),
        literals=None if sizes is None else sizes.literals,
        peak_bytes=max((run.usage.peak_bytes for run in runs if run.usage.peak_bytes is not None), default=None),
        analysis=next((one.analysis for one in starts), None),
        means=estimates(runs, among),
    )


def _median(values: Iterable[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return statistics.median(there) if there else None


def play_tables(playings: Sequence[Playing], limits: Limits) -> list[Table]:
    """A table for each board, reformulation x reasoner, and one for all files."""
    stats = summarise_plays(playings)
    boards = dict.fromkeys(one.place for one in stats if one.size is not None)
    groups = [[one for one in stats if one.place == place] for place in boards]
    if files := [one for one in stats if one.size is None]:
        groups.append(files)
    tables = [table for group in groups for table in (_rates(group, limits), _steps(group))]
    tables[-1].findings += agreement_texts(playings)
    return tables


def reasoners_of(stats: Sequence[PlayStats]) -> list[str]:
    """The reasoners among them, peers left out, in the order of their registry."""
    there = {one.reasoner for one in stats}
    return [name for name in reasoner_names() if name in there]


def _rates(stats: Sequence[PlayStats], limits: Limits) -> Table:
    """Playouts a second, ground rules and starts."""
    notes, names = Notes(), reasoners_of(stats)
    columns = ["reformulation" if stats[0].size is not None else "sheet", "ground\nrules"]
    columns += [f"{name}\n(1/s)" for name in names] + [f"start (s)\n{name}" for name in names]
    rows = []
    for sheet, own in _by_sheet(stats, names):
        rules = next((one.rules for one in own if one is not None and one.rules is not None), None)
        row = [sheet, "" if rules is None else f"{rules:,}"]
        row += ["" if one is None else play_text(one, limits, notes) for one in own]
        rows.append([*row, *("" if one is None or one.start_s is None else f"{one.start_s:.2f}" for one in own)])
    for one in (one for one in stats if one.reasoner == OPEN_SPIEL):
        rows.append([one.sheet, "", play_text(one, limits, notes), *[""] * (len(columns) - 3)])
    return Table(f"{_title(stats)}: random playouts a second", columns, rows, [], notes.texts, _findings(stats))


def _steps(stats: Sequence[PlayStats]) -> Table:
    """State updates a second, atoms and memory."""
    names = reasoners_of(stats)
    columns = ["reformulation" if stats[0].size is not None else "sheet", "atoms"]
    columns += [f"{name}\n(1/s)" for name in names] + [f"(MB)\n{name}" for name in names]
    rows = []
    for sheet, own in _by_sheet(stats, names):
        atoms = next((one.atoms for one in own if one is not None and one.atoms is not None), None)
        row = [sheet, "" if atoms is None else f"{atoms:,}"]
        row += ["" if one is None or one.steps_per_s is None else rate_text(one.steps_per_s) for one in own]
        row += ["" if one is None else _megabytes(one) for one in own]
        rows.append(row)
    return Table(f"{_title(stats)}: state updates a second, and memory", columns, rows)


def _megabytes(one: PlayStats) -> str:
    """The memory of what was tried."""
    return "" if one.peak_bytes is None or one.status == "unsupported" else f"{one.peak_bytes / MEGABYTE:,.0f}"


def _title(stats: Sequence[PlayStats]) -> str:
    return stats[0].place if stats[0].size is not None else "sheets"


def _by_sheet(stats: Sequence[PlayStats], names: Sequence[str]) -> Iterable[tuple[str, list[PlayStats | None]]]:
    """Each sheet with what was measured on each reasoner."""
    by = {(one.place, one.sheet, one.reasoner): one for one in stats}
    for place, sheet in dict.fromkeys((one.place, one.sheet) for one in stats if one.reasoner not in peer_names()):
        yield sheet, [by.get((place, sheet, name)) for name in names]


def play_text(one: PlayStats, limits: Limits, notes: Notes) -> str:
    """Playouts a second, or why there are none."""
    match one.status:
        case "answered":
            if one.playouts_per_s is None:
                return "?" + notes.mark("too few games for the clock")
            return rate_text(one.playouts_per_s)
        case "timeout":
            limit = limits.wall_s if one.termination == "wall-limit" else limits.cpu_s
            return f"> {seconds(limit)}" + ("" if one.start_s is None else notes.mark("started, and played no game"))
        case "out-of-memory":
            return f"> {limits.memory_bytes / MEGABYTE:,.0f} MB"
        case "unsupported":
            return "no" + notes.mark(one.message)
        case "crashed" | "error":
            return one.status + notes.mark(one.message)


def rate_text(rate: float) -> str:
    """A rate with three digits at most where it is small.

    >>> rate_text(0.1234), rate_text(12.34), rate_text(123456.7)
    ('0.12', '12.3', '123,457')
    """
    return f"{rate:.2f}" if rate < 1 else f"{rate:.1f}" if rate < 100 else f"{rate:,.0f}"


def _findings(stats: Sequence[PlayStats]) -> list[str]:
    played = [one for one in stats if one.playouts_per_s and one.reasoner not in peer_names()]
    if not played or stats[0].size is None:
        return []
    best = max(played, key=lambda one: one.playouts_per_s or 0)
    text = f"fastest: {best.sheet} on {best.reasoner}, {rate_text(best.playouts_per_s or 0)} playouts/s"
    peer = next((one for one in stats if one.reasoner == OPEN_SPIEL and one.playouts_per_s), None)
    if peer is not None and peer.playouts_per_s and best.playouts_per_s:
        text += f", {best.playouts_per_s / peer.playouts_per_s:.2g} times OpenSpiel's C++"
    return [f"{text}."]


def agreement_texts(playings: Sequence[Playing]) -> list[str]:
    """For each place, whether all who played there saw the same game."""
    wrong = disagreements(playings)
    told = [f"WRONG: {found}." for found in wrong]
    stats = summarise_plays(playings)
    for place in dict.fromkeys(one.place for one in stats):
        own = [one for one in stats if one.place == place and one.means]
        if len(own) < 2 or any(place_of(found.playing) == place for found in wrong):
            continue
        judge = next((one for one in own if one.reasoner == REFEREE), max(own, key=lambda one: one.games))
        who = "the referee's" if judge.reasoner == REFEREE else f"{judge.sheet} on {judge.reasoner}:"
        means = [_mean_text(what, mean) for what, mean in judge.means.items()]
        told.append(
            f"{place}: {len(own)} players of {sum(one.games for one in own):,} games agree within {FAR:g} standard "
            f"errors; {who} {listed(means)}."
        )
    return told


def _mean_text(what: str, mean: Estimate) -> str:
    error = "" if mean.error is None else f" ± {mean.error:.2f}"
    return f"{mean.mean:.1f}{error} steps a game" if what == "length" else f"{mean.mean:.1f}{error} for {what}"


def play_data(playings: Sequence[Playing]) -> dict[str, object]:
    """For JSON: the cells, and what is wrong."""
    wrong = [str(found) for found in disagreements(playings)]
    return {"playouts": [asdict(one) for one in summarise_plays(playings)], "wrong": wrong}

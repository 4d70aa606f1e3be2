"""Playouts: how fast each reasoner plays each sheet at random, what starting it takes, and who agrees with whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from hexlogic.report.claims.noise import pooled_variances
from hexlogic.report.claims.phrases import adjective
from hexlogic.report.claims.sentences import leader
from hexlogic.report.claims.timing import Missing, Timed, Timing, relate
from hexlogic.report.formatting import listed
from hexlogic.report.grouping import grouped
from hexlogic.report.statistics import median
from hexlogic.runs.agreement import FAR, MeanOfGames, disagreements, estimates, place_of
from hexlogic.runs.baselines import OPEN_SPIEL, REFEREE, baseline_names
from hexlogic.runs.records import Playing, Status

__all__ = ["PlayStats", "agreement_texts", "play_data", "rate_findings", "rate_text", "summarise_plays"]


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
    means: dict[str, MeanOfGames]
    """The mean `length` and the mean goal of each role."""
    playout_s: tuple[float, ...] = ()
    """CPU seconds of a playout in each run; empty unless every run ended."""
    noise: float | None = None
    """The variance of their logarithms, pooled over all sheets of the reasoner; None without repeats."""

    @property
    def timing(self) -> Timing:
        """The time of a playout as what relations are made from: a run is one repeat, whatever its batches."""
        return Timed(self.playout_s, self.noise) if self.playout_s else Missing("no playouts")


def summarise_plays(playings: Iterable[Playing]) -> tuple[PlayStats, ...]:
    """The playings by sheet and reasoner, in the order of places, sheets and reasoners as they come first."""
    every = sorted((run for run in playings if run.counted), key=lambda run: (run.game, run.rows or 0))
    found = [
        _stats(runs, among)
        for among in grouped(every, place_of).values()
        for runs in grouped(among, lambda run: (run.sheet, run.reasoner)).values()
    ]
    noises = pooled_variances((one.reasoner, one.playout_s) for one in found)
    found = [replace(one, noise=noises[one.reasoner]) for one in found]
    return tuple(sorted(found, key=lambda one: (one.game, one.size or 0, one.reasoner in baseline_names(), one.sheet)))


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
        start_s=median(one.cpu_s for one in starts),
        make_s=median(run.phases.transform_s for run in runs),
        rules=next((one.rules for one in starts), None),
        atoms=next((one.atoms for one in starts), None),
        literals=None if sizes is None else sizes.literals,
        peak_bytes=max((run.usage.peak_bytes for run in runs if run.usage.peak_bytes is not None), default=None),
        analysis=next((one.analysis for one in starts), None),
        means=estimates(runs, among),
        playout_s=_playout_s(runs) if told else (),
    )


def _playout_s(runs: Sequence[Playing]) -> tuple[float, ...]:
    """CPU seconds of a playout in each run; empty when the clock showed none."""
    every = [run.played.batches for run in runs if run.played is not None and run.played.batches]
    found = tuple(sum(one.cpu_s for one in own) / sum(one.games for one in own) for own in every)
    return found if all(found) else ()


def rate_text(rate: float) -> str:
    """A rate with three digits at most where it is small.

    >>> rate_text(0.1234), rate_text(12.34), rate_text(123456.7)
    ('0.12', '12.3', '123,457')
    """
    return f"{rate:.2f}" if rate < 1 else f"{rate:.1f}" if rate < 100 else f"{rate:,.0f}"


def rate_findings(stats: Sequence[PlayStats]) -> list[str]:
    """Which sheet is played fastest on a board, in one sentence; nothing of files."""
    played = [one for one in stats if one.playouts_per_s and one.reasoner not in baseline_names()]
    if not played or stats[0].size is None:
        return []
    best = max(played, key=lambda one: one.playouts_per_s or 0)
    others = {f"{one.sheet} on {one.reasoner}": relate(one.timing, best.timing) for one in played if one is not best}
    rate = f"{rate_text(best.playouts_per_s or 0)} playouts/s"
    told = [f"{leader(f'{best.sheet} on {best.reasoner}', rate, others)}."]
    peer = next((one for one in stats if one.reasoner == OPEN_SPIEL and one.playouts_per_s), None)
    if peer is not None:
        told.append(f"Against OpenSpiel's C++, {adjective(relate(peer.timing, best.timing))}.")
    return [" ".join(told)]


def agreement_texts(playings: Sequence[Playing]) -> list[str]:
    """For each place, whether all who played there saw the same game."""
    wrong = disagreements(playings)
    told = [f"WRONG: {found}." for found in wrong]
    stats = summarise_plays(playings)
    for place, own in grouped((one for one in stats if one.means), lambda one: one.place).items():
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


def _mean_text(what: str, mean: MeanOfGames) -> str:
    error = "" if mean.error is None else f" ± {mean.error:.2f}"
    return f"{mean.mean:.1f}{error} {'steps a game' if what == 'length' else f'for {what}'}"


def play_data(playings: Sequence[Playing]) -> dict[str, object]:
    """For JSON: the configurations, and what is wrong."""
    wrong = [str(found) for found in disagreements(playings)]
    return {"playouts": [asdict(one) for one in summarise_plays(playings)], "wrong": wrong}

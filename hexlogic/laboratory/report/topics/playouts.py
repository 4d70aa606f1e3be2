"""Game descriptions: how fast each reasoner plays each sheet at random, what starting it takes, and whether all players
agree."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from hexlogic.laboratory.records.agreement import FAR, MeanOfGames, disagreements, estimates, place_of
from hexlogic.laboratory.records.types import BASELINES, OPEN_SPIEL, REFEREE, Playing, Session, Status, grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.noise import pooled_variances
from hexlogic.laboratory.report.claims.relations import Missing, Relation, Timed, Timing, relate
from hexlogic.laboratory.report.claims.sentences import adjective, leader
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, Figure, Heading, make_table, number
from hexlogic.laboratory.report.entries import copied, factor_entry, megabytes, options_text, status_tone, with_interval
from hexlogic.laboratory.report.formatting import duration, limits_text, listed
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, Section, SuiteRecords
from hexlogic.laboratory.report.statistics import median
from hexlogic.process.limits import MEGABYTE

_RATES = "Random games a second of CPU time on one core, once started; bars are the lowest and the highest run."
_STARTS = "What a player waits for: grounding, analysis and compilation, to the end of the first game."


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
    session: Session | None = None
    """The first session of the suite that measured it."""
    factor: Relation | None = None
    """Against the slowest sheet that the same reasoner played on the same board; None for that one."""

    @property
    def timing(self) -> Timing:
        """The time of a playout as what relations are made from: a run is one repeat, whatever its batches."""
        return Timed(self.playout_s, self.noise) if self.playout_s else Missing("no playouts")

    @property
    def repeat(self) -> str:
        """The command that plays it again; of a file its name."""
        session = self.session
        assert session is not None
        sheet = [("hex", [str(self.size)]), ("rules", [self.sheet])] if self.size is not None else [("", [self.sheet])]
        limits = [("limit", [f"{session.limits.cpu_s:g}"]), ("memory", [f"{session.limits.memory_bytes / MEGABYTE:g}"])]
        parts = [*sheet, ("reasoners", [self.reasoner]), *limits, ("repeats", [str(session.repeats)])]
        return f"hexlogic gdl bench {options_text(parts)}"


def summarise_plays(playings: Iterable[Playing], session: Session | None = None) -> tuple[PlayStats, ...]:
    """The runs of random games by sheet and reasoner, sorted by board."""
    every = sorted((run for run in playings if run.counted), key=lambda run: (run.game, run.rows or 0))
    stats = [
        _stats(runs, among)
        for among in grouped(every, place_of).values()
        for runs in grouped(among, lambda run: (run.sheet, run.reasoner)).values()
    ]
    noises = pooled_variances((play.reasoner, play.playout_s) for play in stats)
    stats = [replace(play, noise=noises[play.reasoner], session=session) for play in stats]
    played = grouped((play for play in stats if play.playout_s), lambda play: (play.reasoner, play.place))
    slowest = {key: max(group, key=lambda play: statistics.median(play.playout_s)) for key, group in played.items()}
    for place, play in enumerate(stats):
        base = slowest.get((play.reasoner, play.place))
        if base is not None and play.playout_s and play.sheet != base.sheet:
            stats[place] = replace(play, factor=relate(base.timing, play.timing))
    return tuple(sorted(stats, key=lambda play: (play.game, play.size or 0, play.reasoner in BASELINES, play.sheet)))


def _stats(runs: Sequence[Playing], among: Sequence[Playing]) -> PlayStats:
    first = runs[0]
    worst = next((run for run in runs if run.status != "answered"), first)
    batches = [batch for run in runs if run.played is not None for batch in run.played.batches]
    games, steps = sum(batch.games for batch in batches), [batch.steps for batch in batches if batch.steps is not None]
    # Loading code at its first use is on the bill of starting, and so is the first playout.
    cpu_s = sum(batch.cpu_s for batch in batches)
    ended = worst.status == "answered" and cpu_s > 0
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
        playouts_per_s=games / cpu_s if ended else None,
        steps_per_s=sum(steps) / cpu_s if ended and steps else None,
        start_s=median(start.cpu_s for start in starts),
        make_s=median(run.phases.transform_s for run in runs),
        rules=next((start.rules for start in starts), None),
        atoms=next((start.atoms for start in starts), None),
        literals=None if sizes is None else sizes.literals,
        peak_bytes=max((run.usage.peak_bytes for run in runs if run.usage.peak_bytes is not None), default=None),
        analysis=next((start.analysis for start in starts), None),
        means=estimates(runs, among),
        playout_s=_playout_s(runs) if ended else (),
    )


def _playout_s(runs: Sequence[Playing]) -> tuple[float, ...]:
    """CPU seconds of a playout in each run; empty when the clock showed none."""
    played = [run.played.playout_s for run in runs if run.played is not None]
    times = tuple(time_s for time_s in played if time_s is not None)
    return times if all(times) else ()


def rate_text(rate: float) -> str:
    """A rate with three digits at most where it is small.

    >>> rate_text(0.1234), rate_text(12.34), rate_text(123456.7)
    ('0.12', '12.3', '123,457')
    """
    return f"{rate:.2f}" if rate < 1 else f"{rate:.1f}" if rate < 100 else f"{rate:,.0f}"


def rate_findings(stats: Sequence[PlayStats]) -> list[str]:
    """Which sheet is played fastest on a board, in one sentence; nothing of files."""
    played = [play for play in stats if play.playouts_per_s and play.reasoner not in BASELINES]
    if not played or stats[0].size is None:
        return []
    best = max(played, key=lambda play: play.playouts_per_s or 0)
    others = {
        f"{play.sheet} on {play.reasoner}": relate(play.timing, best.timing) for play in played if play is not best
    }
    rate = f"{rate_text(best.playouts_per_s or 0)} playouts/s"
    clauses = [f"{leader(f'{best.sheet} on {best.reasoner}', rate, others)}."]
    peer = next((play for play in stats if play.reasoner == OPEN_SPIEL and play.playouts_per_s), None)
    if peer is not None:
        clauses.append(f"Against OpenSpiel's C++, {adjective(relate(peer.timing, best.timing))}.")
    return [" ".join(clauses)]


def agreement_texts(playings: Sequence[Playing]) -> list[str]:
    """For each game and board, whether all players played by the same rules."""
    wrong = disagreements(playings)
    sentences = [f"WRONG: {disagreement}." for disagreement in wrong]
    stats = summarise_plays(playings)
    for place, players in grouped((play for play in stats if play.means), lambda play: play.place).items():
        if len(players) < 2 or any(place_of(disagreement.playing) == place for disagreement in wrong):
            continue
        judge = next(
            (player for player in players if player.reasoner == REFEREE), max(players, key=lambda player: player.games)
        )
        who = "the referee's" if judge.reasoner == REFEREE else f"{judge.sheet} on {judge.reasoner}:"
        means = [_mean_text(what, mean) for what, mean in judge.means.items()]
        sentences.append(
            f"{place}: {len(players)} players of {sum(player.games for player in players):,} games agree within "
            f"{FAR:g} standard errors; {who} {listed(means)}."
        )
    return sentences


def _mean_text(what: str, mean: MeanOfGames) -> str:
    error = "" if mean.error is None else f" ± {mean.error:.2f}"
    return f"{mean.mean:.1f}{error} {'steps a game' if what == 'length' else f'for {what}'}"


def play_data(playings: Sequence[Playing]) -> dict[str, object]:
    """For JSON: the configurations, and what is wrong."""
    rows = [asdict(play) for play in summarise_plays(playings)]
    for row in rows:
        del row["session"], row["factor"]
    return {"playouts": rows, "wrong": [str(disagreement) for disagreement in disagreements(playings)]}


def sheets(results: Results) -> list[PlayStats]:
    """All sheets on all reasoners."""
    return [play for suite in results.playouts for play in summarise_plays(suite.playings, suite.session)]


def playout_figure(every: Sequence[PlayStats]) -> Figure | None:
    """Playouts a second on the largest board; its title says which is played most often."""
    played = _largest([play for play in every if play.playouts_per_s])
    marks = [_rate_dot(play) for play in played]
    if not marks:
        return None
    title = rate_findings(played) or [f"Playouts of {played[0].place}"]
    order = {dot.row: max(other.value for other in marks if other.row == dot.row) for dot in marks}
    marks.sort(key=lambda dot: -order[dot.row])
    text = f"{played[0].place}: {title[0].partition('. ')[0].rstrip('.')}"
    return dots("playouts", text, _RATES, marks, "playouts a second", "rate")


def _largest(every: Sequence[PlayStats]) -> list[PlayStats]:
    """The players on the largest board; all of them where files alone were played."""
    sizes = [play.size for play in every if play.size is not None]
    return [play for play in every if not sizes or play.size == max(sizes)]


def _dot(play: PlayStats, value: float, shown: str, low: float | None = None, high: float | None = None) -> Dot:
    by_hand = play.reasoner in BASELINES
    return Dot(
        row=f"{play.reasoner} (no sheet)" if by_hand else play.sheet,
        series="by hand" if by_hand else play.reasoner,
        value=value,
        low=low,
        high=high,
        shown=shown,
        runs=play.runs,
        repeat=play.repeat,
    )


def _rate_dot(play: PlayStats) -> Dot:
    rates = [1 / time_s for time_s in play.playout_s]
    value, low, high = play.playouts_per_s or 0.0, min(rates, default=None), max(rates, default=None)
    return _dot(play, value, f"{with_interval(rate_text, value, low, high)} playouts/s", low, high)


def _answer(results: Results, every: list[PlayStats]) -> PageAnswer:
    blocks: list[Block] = []
    if (figure := playout_figure(every)) is not None:
        blocks.append(figure)
    starts = [
        _dot(play, play.start_s, duration(play.start_s))
        for play in _largest([play for play in every if play.start_s])
        if play.start_s
    ]
    if starts:
        slowest = max(starts, key=lambda dot: dot.value)
        title = f"Starting takes up to {slowest.shown} ({slowest.row} on {slowest.series})"
        blocks.append(dots("starts", title, _STARTS, starts, "time to the first game", "seconds"))
    agreed = [text for suite in results.playouts for text in agreement_texts(suite.playings)]
    finding = f"{figure.title}." if figure is not None else "No sheet was played to the end."
    if any(text.startswith("WRONG") for text in agreed):
        finding = f"WRONG: players disagree about the same game, see below. {finding}"
    blocks.append(make_table("descriptions", "Every sheet on every reasoner", _COLUMNS, every))
    if agreed:
        blocks += [Heading("Do they play the same game?"), Bullets(tuple(agreed))]
    return PageAnswer(finding, blocks)


def _blocks(suite: SuiteRecords) -> list[Block]:
    """On a terminal a table for each board, the fastest first, and why something failed."""
    blocks: list[Block] = []
    every = summarise_plays(suite.playings, suite.session)
    for place, group in grouped(every, lambda play: "sheets" if play.size is None else play.place).items():
        group.sort(key=lambda play: (play.reasoner in BASELINES, play.sheet, -(play.playouts_per_s or 0.0)))
        late = [play for play in group if play.playouts_per_s is None]
        why = [f"{play.sheet} on {play.reasoner}: {play.message or 'too few games for the clock'}." for play in late]
        blocks.append(make_table("playouts", f"{place}: random playouts", _ON_TERMINAL, group))
        blocks.append(Bullets((*rate_findings(group), *why)))
    return [*blocks, Bullets(tuple(agreement_texts(suite.playings)))] if blocks else []


def _legend(session: Session) -> str:
    return (
        "playouts/s, steps/s: random games, or steps in them, a second of CPU time, once started; start: CPU seconds "
        "from the sheet as a program to the end of the first playout (grounding, analysis, compilation, with numba's "
        "cache warm); memory: the largest resident memory of all processes; ground rules: those with a body that not "
        "every state fulfils; OpenSpiel: Hex written by hand in C++, which knows no rules. Limits per run, everything "
        f"included: {limits_text(session.limits)}."
    )


def _rate(play: PlayStats) -> Entry:
    if play.playouts_per_s is None:
        return Entry(play.status, None, status_tone(play.status))
    return number(play.playouts_per_s, rate_text)


_COLUMNS: tuple[Column[PlayStats], ...] = (
    Column("place", "game"),
    Column("sheet", "sheet", group=True),
    Column("reasoner", "reasoner"),
    Column("playouts_per_s", "playouts/s", _rate, numeric=True),
    Column("factor", "against the slowest sheet [95 %]", lambda play: factor_entry(play.factor), numeric=True),
    Column("start_s", "start", lambda play: number(play.start_s, duration), numeric=True),
    Column("rules", "ground rules", numeric=True),
    Column("peak_bytes", "memory (MB)", lambda play: number(play.peak_bytes, megabytes()), numeric=True),
    Column("repeat", "repeat", lambda play: copied(play.repeat)),
)
_ON_TERMINAL: tuple[Column[PlayStats], ...] = (
    *(column for column in _COLUMNS if column.key not in ("place", "factor", "repeat")),
    Column("steps_per_s", "steps/s", lambda play: number(play.steps_per_s, rate_text), numeric=True),
)

SECTION = Section(name="playouts", order=70, blocks=_blocks, legend=_legend)

QUESTION = PageQuestion(
    name="descriptions",
    title="Game descriptions",
    text="Which game description is played fastest, by which reasoner?",
    order=50,
    find=sheets,
    answer=_answer,
    how="hexlogic gdl bench --hex 5,9",
)

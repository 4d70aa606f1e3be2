"""Game descriptions: how fast each reasoner plays each sheet at random, what starting it takes, and whether all players
agree."""

import shlex
import statistics
from collections.abc import Iterable, Sequence

import msgspec

from hexlogic.laboratory.records.agreement import FAR, disagreements, estimates, place_of
from hexlogic.laboratory.records.types import BASELINES, OPEN_SPIEL, REFEREE, Playing, Session, grouped
from hexlogic.laboratory.report.charts import Dot, dots
from hexlogic.laboratory.report.claims.noise import pooled_variances
from hexlogic.laboratory.report.claims.relations import Counter, Missing, Relation, Timed, Timing, relate
from hexlogic.laboratory.report.claims.sentences import adjective, leader
from hexlogic.laboratory.report.document import Block, Bullets, Column, Entry, Figure, Heading, make_table, number
from hexlogic.laboratory.report.entries import Sample, copied, megabytes, options_text, status_entry, with_interval
from hexlogic.laboratory.report.formatting import duration, listed
from hexlogic.laboratory.report.results import PageAnswer, PageQuestion, Results, SuiteRecords
from hexlogic.laboratory.report.statistics import median
from hexlogic.process.limits import MEGABYTE

_RATES = "Random games a second of CPU time on one core, once started; bars are the lowest and the highest run."
_STARTS = "What a player waits for: grounding, analysis and compilation, to the end of the first game."


class PlayStats:
    """A reasoner on a sheet, all its runs together, of all runs `among` players of the same game.

    Rates are by CPU time, None unless every run ended, and so is `playout_s`, the CPU seconds of a playout in each run,
    empty. `size` are the rows of the board, None for a file; `start_s` is the median of CPU seconds to the end of the
    first playout, `make_s` of wall seconds to export the sheet or to read it; `literals` are those of the bodies of the
    sheet as written; `means` are the mean `length` and the mean goal of each role. `factor` is how it stands to the
    slowest sheet that the same reasoner played on the same board; None for that one.
    """

    def __init__(self, runs: Sequence[Playing], among: Sequence[Playing], session: Session | None) -> None:
        first = runs[0]
        worst = next((run for run in runs if run.status != "answered"), first)
        played = [run.played for run in runs if run.played is not None]
        batches = [batch for part in played for batch in part.batches]
        steps = [batch.steps for batch in batches if batch.steps is not None]
        # Loading code at its first use is on the bill of starting, and so is the first playout.
        cpu_s = sum(batch.cpu_s for batch in batches)
        ended = worst.status == "answered" and cpu_s > 0
        times = tuple(part.playout_s for part in played if part.playout_s is not None) if ended else ()
        starts = [run.started for run in runs if run.started is not None]
        sizes = next((run.sizes for run in runs if run.sizes is not None), None)
        self.session = session
        self.sheet, self.reasoner = first.sheet, first.reasoner
        self.place, self.game, self.size = place_of(first), first.game, first.rows
        self.status, self.termination, self.message = worst.status, worst.termination, worst.message
        self.runs = len(runs)
        self.games = sum(batch.games for batch in batches)
        self.playouts_per_s = self.games / cpu_s if ended else None
        self.steps_per_s = sum(steps) / cpu_s if ended and steps else None
        self.start_s = median(start.cpu_s for start in starts)
        self.make_s = median(run.phases.transform_s for run in runs)
        self.rules = next((start.rules for start in starts), None)
        self.atoms = next((start.atoms for start in starts), None)
        self.literals = None if sizes is None else sizes.literals
        self.peak_bytes = max((run.usage.peak_bytes for run in runs if run.usage.peak_bytes is not None), default=None)
        self.analysis = next((start.analysis for start in starts), None)
        self.means = estimates(runs, among)
        self.playout_s = times if all(times) else ()
        self.noise: float | None = None
        """The variance of their logarithms, pooled over all sheets of the reasoner; None without repeats."""
        self.factor: Relation | None = None

    @property
    def timing(self) -> Timing:
        """The time of a playout as what relations are made from: a run is one repeat, whatever its batches."""
        return Timed(self.playout_s, self.noise) if self.playout_s else Missing("no playouts")

    @property
    def sample(self) -> Sample:
        """The same for a table of evidence: the time of a playout."""
        return Sample(
            rule_set=self.sheet,
            pipeline="",
            engine=self.reasoner,
            place=self.place,
            size=self.size or 0,
            timing=self.timing,
            shown=number(median(self.playout_s), duration) if self.playout_s else status_entry(self.status),
            limit="" if self.playout_s else self.status,
            work=None if self.rules is None else Counter("ground_rules", self.rules),
            runs=self.runs,
            repeat=self.repeat,
        )

    @property
    def repeat(self) -> str:
        """The command that plays it again; of a file its name."""
        session = self.session
        assert session is not None
        sheet = shlex.quote(self.sheet) if self.size is None else options_text(hex=[self.size], rules=[self.sheet])
        cpu_s, memory_mb = [session.limits.cpu_s], [session.limits.memory_bytes / MEGABYTE]
        bounds = options_text(reasoners=[self.reasoner], limit=cpu_s, memory=memory_mb, repeats=[session.repeats])
        return f"hexlogic gdl bench {sheet} {bounds}"


def summarise_plays(playings: Iterable[Playing], session: Session | None = None) -> list[PlayStats]:
    """The runs of random games by sheet and reasoner, sorted by board."""
    every = sorted((run for run in playings if run.counted), key=lambda run: (run.game, run.rows or 0))
    stats = [
        PlayStats(runs, among, session)
        for among in grouped(every, place_of).values()
        for runs in grouped(among, lambda run: (run.sheet, run.reasoner)).values()
    ]
    noises = pooled_variances((play.reasoner, play.playout_s) for play in stats)
    for play in stats:
        play.noise = noises[play.reasoner]
    for group in grouped((play for play in stats if play.playout_s), lambda play: (play.reasoner, play.place)).values():
        slowest = max(group, key=lambda play: statistics.median(play.playout_s))
        for play in group:
            if play is not slowest:
                play.factor = relate(slowest.timing, play.timing)
    return sorted(stats, key=lambda play: (play.game, play.size or 0, play.reasoner in BASELINES, play.sheet))


def rate_text(rate: float) -> str:
    """A rate with three digits at most where it is small.

    >>> rate_text(0.1234), rate_text(12.34), rate_text(123456.7)
    ('0.12', '12.3', '123,457')
    """
    return f"{rate:.2f}" if rate < 1 else f"{rate:.1f}" if rate < 100 else f"{rate:,.0f}"


def rate_finding(stats: Sequence[PlayStats]) -> str:
    """Which sheet is played fastest on a board; nothing of files."""
    played = [play for play in stats if play.playouts_per_s and play.reasoner not in BASELINES]
    if not played or stats[0].size is None:
        return ""
    best = max(played, key=lambda play: play.playouts_per_s or 0)
    rest = (play for play in played if play is not best)
    others = {f"{play.sheet} on {play.reasoner}": relate(play.timing, best.timing) for play in rest}
    rate = f"{rate_text(best.playouts_per_s or 0)} playouts/s"
    finding = f"{leader(f'{best.sheet} on {best.reasoner}', rate, others)}."
    peer = next((play for play in stats if play.reasoner == OPEN_SPIEL and play.playouts_per_s), None)
    if peer is not None:
        finding += f" Against OpenSpiel's C++, {adjective(relate(peer.timing, best.timing))}."
    return finding


def agreement_texts(playings: Sequence[Playing]) -> list[str]:
    """For each game and board, whether all players played by the same rules."""
    wrong = disagreements(playings)
    sentences = [f"WRONG: {disagreement}." for disagreement in wrong]
    stats = summarise_plays(playings)
    for place, players in grouped((play for play in stats if play.means), lambda play: play.place).items():
        if len(players) < 2 or any(place_of(disagreement.playing) == place for disagreement in wrong):
            continue
        referee = next((player for player in players if player.reasoner == REFEREE), None)
        judge = referee or max(players, key=lambda player: player.games)
        who = "the referee's" if referee is not None else f"{judge.sheet} on {judge.reasoner}:"
        means = []
        for what, mean in judge.means.items():
            error = "" if mean.error is None else f" ± {mean.error:.2f}"
            means.append(f"{mean.mean:.1f}{error} {'steps a game' if what == 'length' else f'for {what}'}")
        sentences.append(
            f"{place}: {len(players)} players of {sum(player.games for player in players):,} games agree within "
            f"{FAR:g} standard errors; {who} {listed(means)}."
        )
    return sentences


def play_data(playings: Sequence[Playing]) -> dict[str, object]:
    """For JSON: the configurations, and what is wrong."""
    rows = [dict(vars(play)) for play in summarise_plays(playings)]
    for row in rows:
        del row["session"], row["factor"]
    wrong = [str(disagreement) for disagreement in disagreements(playings)]
    return {"playouts": msgspec.to_builtins(rows), "wrong": wrong}


def sheets(results: Results) -> list[PlayStats]:
    """All sheets on all reasoners."""
    return [play for suite in results.suites for play in summarise_plays(suite.playings, suite.session)]


def playout_figure(every: Sequence[PlayStats]) -> Figure | None:
    """Playouts a second on the largest board; its title says which is played most often."""
    played = _largest([play for play in every if play.playouts_per_s])
    marks = [_rate_dot(play) for play in played]
    if not marks:
        return None
    title = rate_finding(played) or f"Playouts of {played[0].place}"
    most = {row: max(dot.value for dot in same) for row, same in grouped(marks, lambda dot: dot.row).items()}
    marks.sort(key=lambda dot: -most[dot.row])
    text = f"{played[0].place}: {title.partition('. ')[0].rstrip('.')}"
    return dots("playouts", text, _RATES, marks, "playouts a second", "rate")


def _largest(every: Sequence[PlayStats]) -> list[PlayStats]:
    """The players on the largest board; all of them where files alone were played."""
    sizes = [play.size for play in every if play.size is not None]
    return [play for play in every if not sizes or play.size == max(sizes)]


def _dot(play: PlayStats, value: float, shown: str, low: float | None = None, high: float | None = None) -> Dot:
    row, series = play.sheet, play.reasoner
    if play.reasoner in BASELINES:
        row, series = f"{play.reasoner} (no sheet)", "by hand"
    return Dot(row, series, value, low=low, high=high, shown=shown, runs=play.runs, repeat=play.repeat)


def _rate_dot(play: PlayStats) -> Dot:
    rates = [1 / time_s for time_s in play.playout_s]
    value, low, high = play.playouts_per_s or 0.0, min(rates, default=None), max(rates, default=None)
    return _dot(play, value, f"{with_interval(rate_text, value, low, high)} playouts/s", low, high)


def _answer(results: Results, every: list[PlayStats]) -> PageAnswer:
    figure = playout_figure(every)
    blocks: list[Block | None] = [figure]
    started = _largest([play for play in every if play.start_s])
    if starts := [_dot(play, play.start_s, duration(play.start_s)) for play in started if play.start_s]:
        slowest = max(starts, key=lambda dot: dot.value)
        title = f"Starting takes up to {slowest.shown} ({slowest.row} on {slowest.series})"
        blocks.append(dots("starts", title, _STARTS, starts, "time to the first game", "seconds"))
    agreed = [text for suite in results.suites for text in agreement_texts(suite.playings)]
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
        blocks.append(Bullets(tuple(filter(None, (rate_finding(group), *why)))))
    return [*blocks, Bullets(tuple(agreement_texts(suite.playings)))] if blocks else []


def _rate(play: PlayStats) -> Entry:
    return number(play.playouts_per_s, rate_text) if play.playouts_per_s else status_entry(play.status)


_COLUMNS: tuple[Column[PlayStats], ...] = (
    Column("place", "game"),
    Column("sheet", "sheet", group=True),
    Column("reasoner", "reasoner"),
    Column("playouts_per_s", "playouts/s", _rate, numeric=True),
    Column("factor", "against the slowest sheet [95 %]", numeric=True),
    Column("start_s", "start", lambda play: number(play.start_s, duration), numeric=True),
    Column("rules", "ground rules", numeric=True),
    Column("peak_bytes", "memory (MB)", lambda play: number(play.peak_bytes, megabytes()), numeric=True),
    Column("repeat", "repeat", lambda play: copied(play.repeat)),
)
_ON_TERMINAL: tuple[Column[PlayStats], ...] = (
    *(column for column in _COLUMNS if column.key not in ("place", "factor", "repeat")),
    Column("steps_per_s", "steps/s", lambda play: number(play.steps_per_s, rate_text), numeric=True),
)

QUESTION = PageQuestion(
    name="descriptions",
    title="Game descriptions",
    text="Which game description is played fastest, by which reasoner?",
    order=50,
    find=sheets,
    answer=_answer,
    how="hexlogic gdl bench --hex 5,9",
    blocks=_blocks,
    legend="playouts/s, steps/s: random games, or steps in them, a second of CPU time, once started; start: CPU "
    "seconds from the sheet as a program to the end of the first playout (grounding, analysis, compilation, with "
    "numba's cache warm); memory: the largest resident memory of all processes; ground rules: those with a body that "
    "not every state fulfils; OpenSpiel: Hex written by hand in C++, which knows no rules. Limits per run, everything "
    "included: {limits}.",
)

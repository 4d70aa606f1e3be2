"""Playouts: make a sheet, start a reasoner, play random games, count.

The time that the sheet takes is apart from that of starting: what is ground, analysed and compiled, and the first
playout, so that code which is loaded at its first use is on the bill. Then batches of random games are played until
they have taken the time that the job gives them. CPU seconds are those of this process and of the engine's.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from hexlogic.errors import EngineError, HexlogicError
from hexlogic.games import Game, load_game
from hexlogic.games.rulesets import RuleSet
from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.propnet.many_games import MANY
from hexlogic.laboratory.records.types import BASELINES, REFEREE, Batch, Phases, Played, Playing, Session, Started
from hexlogic.laboratory.runs.baselines import RandomGames, load_baseline
from hexlogic.laboratory.runs.classify import classify
from hexlogic.laboratory.runs.kind import Configuration, Job, Kind, Tell, require_hash
from hexlogic.laboratory.runs.protocol import Asked, Built, Reply
from hexlogic.language import Program
from hexlogic.language.analysis.checks import check
from hexlogic.language.dialects.gdl import write_term
from hexlogic.process.cpu_clock import TreeClock, tree_cpu_s
from hexlogic.process.isolate import Outcome

_JUDGE_S = 1.0
"""CPU seconds that the referee plays at least: the others are judged by its means."""

BATCHES = 20
"""Of a run, at least, where games are short."""

_SEEDS = 1_000_003
"""Between the seeds of one batch and the next."""

SMALL_GAMES = (
    "(role r) (init (p 0)) (<= (legal r (go ?x)) (at ?x) (not (true (p ?x)))) (at 1) (at 2) (at 3)"
    "(<= (next (p ?x)) (does r (go ?x))) (<= (next (p ?x)) (true (p ?x)))"
    "(<= terminal (true (p 1)) (true (p 2))) (<= (goal r 100) (true (p 1))) (<= (goal r 0) (not (true (p 1))))",
    "(role r) (role s) (init (p 0)) (init (q 0)) (legal r on) (legal r off) (legal s on) (legal s off)"
    "(<= (next (p 1)) (does r on)) (<= (next (p 0)) (does r off)) (<= (next (q 1)) (does s on))"
    "(<= (next (q 0)) (does s off)) (<= terminal (true (p 1)) (true (q 1))) (goal r 100) (goal s 0)",
    "(role r) (role s) (at 1) (at 2) (init (to r)) (<= (legal ?p (go ?x)) (true (to ?p)) (at ?x) (not (taken ?x)))"
    "(<= (legal ?p rest) (role ?p) (not (true (to ?p)))) (<= (taken ?x) (true (p ?x ?p)))"
    "(<= (next (p ?x ?p)) (does ?p (go ?x))) (<= (next (p ?x ?p)) (true (p ?x ?p)))"
    "(<= (next (to r)) (true (to s))) (<= (next (to s)) (true (to r))) (<= (won ?p) (true (p 1 ?p)))"
    "(<= terminal (won ?p)) (<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (won ?p)))",
)
"""One on latches, one under forward chaining and one of filled boards: who plays `MANY` of each at once has numba
compile what is needed, or load it from its cache."""

_COMPILED = ("compiled", "forward")
"""Reasoners that numba compiles."""


class PlayoutsJob(Job, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="playouts"):
    """Random games: until so many are played, or until they have taken so long."""

    text: str | None
    """The sheet, as KIF; None for that of `rule_set` on the board, and for a baseline player."""
    rule_set: str | None
    rule_set_hash: str | None
    game: str
    rows: int | None
    columns: int | None
    reasoner: str
    seed: int
    games: int | None
    seconds: float
    longest: int


@dataclass(frozen=True, slots=True)
class SheetSource:
    """A sheet: of a rule set on a board, or the text of a file. A baseline player plays a board without any."""

    name: str
    hash: str
    game: str
    board: Game | None
    text: str | None = None

    @property
    def place(self) -> str:
        """What is played: all who play it must agree.

        >>> SheetSource("nim", "", "nim.kif", None, "").place
        'nim.kif'
        """
        return self.game if self.board is None else f"{self.game} {self.board.size_text}"


@dataclass(frozen=True, slots=True)
class Amount:
    """How much a run plays: so many games, or where that is None for so many CPU seconds; none longer than this."""

    games: int | None
    seconds: float
    longest: int
    seed: int


@dataclass(frozen=True, slots=True)
class SheetOnReasoner(Configuration):
    """A reasoner, or a baseline player, on a sheet. There are no warm-ups: each run starts its reasoner, and a first
    playout is part of that."""

    floors = False
    code = ("ggp",)

    sheet: SheetSource
    reasoner: str
    amount: Amount

    def __str__(self) -> str:
        return f"{self.sheet.name} on {self.reasoner}, {self.sheet.place}"

    @property
    def series(self) -> object | None:
        """A rule set on a reasoner goes up the boards."""
        return None if self.sheet.board is None else (self.sheet.name, self.reasoner, self.sheet.game)

    @property
    def size(self) -> int:
        """The cells of the board."""
        return 0 if self.sheet.board is None else len(self.sheet.board.cells)

    def first_jobs(self) -> tuple[PlayoutsJob, ...]:
        """Small games, where the reasoner is made of compiled kernels."""
        if self.reasoner not in _COMPILED:
            return ()
        sheets = [SheetSource("small", "", "small", None, text) for text in SMALL_GAMES]
        amount = Amount(games=BATCHES * MANY, seconds=0, longest=100, seed=0)
        return tuple(SheetOnReasoner(sheet, self.reasoner, amount).job(0) for sheet in sheets)

    def job(self, repeat: int) -> PlayoutsJob:
        """What the worker is told."""
        board, amount = self.sheet.board, self.amount
        plays_rules = self.sheet.text is None and self.reasoner not in BASELINES
        return PlayoutsJob(
            text=self.sheet.text,
            rule_set=self.sheet.name if plays_rules else None,
            rule_set_hash=self.sheet.hash,
            game=self.sheet.game,
            rows=None if board is None else board.rows,
            columns=None if board is None else board.columns,
            reasoner=self.reasoner,
            seed=amount.seed + repeat,
            games=amount.games,
            seconds=max(amount.seconds, _JUDGE_S) if self.reasoner == REFEREE else amount.seconds,
            longest=amount.longest,
        )

    def identity(self, session: Session) -> tuple[object, ...]:
        """The sheet, the reasoner and its version, the amount."""
        amount = self.amount
        return (
            (self.sheet.name, self.sheet.hash, self.sheet.place),
            (self.reasoner, session.engines[self.reasoner].version),
            (amount.games, amount.seconds, amount.longest, amount.seed),
        )

    def record(self, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Playing:
        """The record of a run that played. No answer of it is wrong by itself (see `agreement`)."""
        verdict, job = classify(outcome, expected=True), self.job(repeat)
        reply, asked, built = verdict.reply, verdict.asked, verdict.built
        return Playing(
            sheet=self.sheet.name,
            sheet_hash=self.sheet.hash,
            game=job.game,
            rows=job.rows,
            columns=job.columns,
            reasoner=self.reasoner,
            seed=job.seed,
            longest=job.longest,
            program_hash=None if built is None else built.program_hash,
            sizes=None if built is None else built.sizes,
            started=None if asked is None else asked.started,
            played=None if reply is None else reply.played,
            **self.measured(session, outcome, verdict, warmup=warmup, repeat=repeat) | {"category": "unknown"},
        )


def execute(job: PlayoutsJob, tell: Tell) -> Reply:
    """Play; `tell` gets the message before the first batch.

    Raises HexlogicError for a sheet that cannot be made; that the reasoner cannot take it, or cannot play a game to its
    end, is a reply.
    """
    if job.reasoner in BASELINES:
        return _play_baseline(job, tell)
    begin = time.perf_counter()
    sheet = _sheet(job)
    phases = Phases(transform_s=time.perf_counter() - begin)
    built = Built.of(sheet, "gdl")
    gc.freeze()
    gc.enable()
    begin, before_s = time.perf_counter(), tree_cpu_s()
    try:
        with StateMachine.from_sheet(sheet, job.reasoner) as machine:
            machine.playouts(1, job.seed, longest=job.longest)
            rules, atoms = machine.ground_size or (None, None)
            spent_s = tree_cpu_s()
            started = Started(cpu_s=spent_s - before_s, rules=rules, atoms=atoms, analysis=machine.analysis)
            phases = msgspec.structs.replace(phases, load_s=time.perf_counter() - begin)
            tell(Asked(built=built, phases=phases, cpu_s=spent_s, started=started))

            def play(games: int, seed: int) -> RandomGames:
                found = machine.playouts(games, seed, longest=job.longest)
                return RandomGames(games, found.steps, tuple(map(float, found.goals)))

            return _played(job, play, list(map(write_term, machine.roles)), built, phases, started)
    except EngineError as error:
        return Reply(status="unsupported", built=built, phases=phases, text=str(error))
    except HexlogicError as error:
        return Reply(status="error", built=built, phases=phases, text=str(error))


def _play_baseline(job: PlayoutsJob, tell: Tell) -> Reply:
    begin = time.perf_counter()
    play = load_baseline(job.reasoner, _board(job))
    phases = Phases(load_s=time.perf_counter() - begin)
    built = Built.of(Program(()), "none")
    tell(Asked(built=built, phases=phases, cpu_s=tree_cpu_s()))
    return _played(job, play, ["red", "blue"], built, phases, None)


def _played(
    job: PlayoutsJob,
    play: Callable[[int, int], RandomGames],
    roles: list[str],
    built: Built,
    phases: Phases,
    started: Started | None,
) -> Reply:
    """The batches: of one game at first, then of as many as a twentieth of the time, or of the games, allows; of
    `MANY`, which a machine may play at once, where they take a quarter of the time at most."""
    clock, begin = TreeClock(), time.perf_counter()
    batches: list[Batch] = []
    size, spent_s, total = 1, 0.0, 0
    while (spent_s < job.seconds) if job.games is None else (total < job.games):
        if job.games is not None:
            size = min(max(1, job.games // BATCHES), job.games - total)
        before_s = clock.cpu_s()
        found = play(size, job.seed + _SEEDS * (1 + len(batches)))
        taken_s = clock.cpu_s() - before_s
        batches.append(Batch(games=found.games, steps=found.steps, goals=list(found.goals), cpu_s=taken_s))
        spent_s, total = spent_s + taken_s, total + found.games
        if job.games is None and taken_s < job.seconds / BATCHES / 2:
            size *= 2
        if job.games is None and size < MANY and taken_s / found.games * MANY < job.seconds / 4:
            size = MANY
    played_s = time.perf_counter() - begin
    phases = msgspec.structs.replace(phases, solve_s=played_s, query_cpu_s=spent_s)
    played = Played(roles=roles, batches=batches)
    return Reply(status="answered", built=built, phases=phases, answer=True, started=started, played=played)


def _sheet(job: PlayoutsJob) -> Program:
    if job.text is not None:
        return check(read_kif(job.text, job.game))
    assert job.rule_set is not None
    rules = find_rules(job.rule_set, job.game)
    require_hash(rules if isinstance(rules, RuleSet) else rules.rules, job.rule_set, job.rule_set_hash)
    return export_sheet(rules, _board(job)).program


def _board(job: PlayoutsJob) -> Game:
    assert job.rows is not None
    assert job.columns is not None
    return load_game(job.game).of_extent(job.rows, job.columns)


KIND = Kind(PlayoutsJob, Playing, execute)

"""The work of a measured process that plays random games: make the sheet, start a reasoner, play, count.

The time that the sheet takes is apart from that of starting: what is ground, analysed and compiled, and the first
playout, so that code which is loaded at its first use is on the bill. Then batches of random games are played until
they have taken the time that the job gives them. CPU seconds are those of this process and of the engine's.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import msgspec
import psutil

from hexlogic.errors import EngineError, HexlogicError, SizeError
from hexlogic.games import Game, load_game
from hexlogic.gdl import StateMachine, read_kif
from hexlogic.gdl.export import export_sheet, find_rules
from hexlogic.logic import Program
from hexlogic.logic.analysis.checks import check
from hexlogic.logic.dialects.gdl import write_term
from hexlogic.rulesets import RuleSet
from hexlogic.runs.peers import Games, load_peer, peer_names
from hexlogic.runs.protocol import Asked, Built, Message, PlayJob, Reply
from hexlogic.runs.records import Batch, Phases, Played, Started
from hexlogic.runs.work import describe, require_hash

__all__ = ["BATCHES", "SMALL_GAMES", "play_sheet"]

BATCHES = 20
"""Of a run, at least, where games are short."""

_SEEDS = 1_000_003
"""Between the seeds of one batch and the next."""

SMALL_GAMES = (
    "(role r) (init (p 0)) (<= (legal r (go ?x)) (at ?x) (not (true (p ?x)))) (at 1) (at 2) (at 3)"
    "(<= (next (p ?x)) (does r (go ?x))) (<= (next (p ?x)) (true (p ?x)))"
    "(<= terminal (true (p 1)) (true (p 2))) (<= (goal r 100) (true (p 1))) (<= (goal r 0) (not (true (p 1))))",
    "(role r) (at 1) (at 2) (init (p 0)) (<= (legal r (go ?x)) (at ?x)) (<= (next (p 0)) (true (p 0)))"
    "(<= (next (p ?x)) (does r (go ?x)) (not (true (p ?x)))) (<= terminal (true (p 1)) (true (p 2)))"
    "(<= (next (p ?x)) (true (p ?x)) (not (does r (go ?x)))) (goal r 100)",
    "(role r) (at 1) (at 2) (init first) (init (p 1)) (<= (legal r (go ?x)) (at ?x)) (<= (next later) (true first))"
    "(<= (next later) (true later)) (<= (next (p ?x)) (does r (go ?x)) (true later)) (<= (next (p ?x)) (true (p ?x))"
    "(true later)) (<= (next (p ?x)) (true (p ?x)) (true first) (not (does r (go ?x)))) (goal r 100)"
    "(<= terminal (true (p 1)) (true (p 2)))",
    "(role r) (role s) (init (p 0)) (init (q 0)) (legal r on) (legal r off) (legal s on) (legal s off)"
    "(<= (next (p 1)) (does r on)) (<= (next (p 0)) (does r off)) (<= (next (q 1)) (does s on))"
    "(<= (next (q 0)) (does s off)) (<= terminal (true (p 1)) (true (q 1))) (goal r 100) (goal s 0)",
)
"""One for each kernel of the compiled machine, and one that hands over from one to another: who plays them has numba
compile what is needed, or load it from its cache."""


def play_sheet(job: PlayJob, tell: Callable[[Message], None]) -> Reply:
    """Play; `tell` gets the message before the first batch.

    Raises HexlogicError for a sheet that cannot be made or started; that a rule set cannot take the size, or the
    reasoner the sheet, is a reply of its own, and so is a game that cannot be played to its end.
    """
    if job.reasoner in peer_names():
        return _play_peer(job, tell)
    begin = time.perf_counter()
    try:
        sheet = _sheet(job)
    except SizeError as error:
        return Reply(status="unsupported", text=str(error))
    phases = Phases(transform_s=time.perf_counter() - begin)
    built = describe(sheet, "gdl")
    gc.freeze()
    gc.enable()
    begin, clock = time.perf_counter(), _Clock()
    try:
        with StateMachine.from_sheet(sheet, job.reasoner) as machine:
            clock.look()
            machine.playouts(1, job.seed, longest=job.longest)
            rules, atoms = machine.ground_size or (None, None)
            started = Started(cpu_s=clock.cpu_s(), rules=rules, atoms=atoms, analysis=machine.analysis)
            phases = msgspec.structs.replace(phases, load_s=time.perf_counter() - begin)
            tell(Asked(built=built, phases=phases, cpu_s=clock.since_start(), started=started))

            def play(games: int, seed: int) -> Games:
                found = machine.playouts(games, seed, longest=job.longest)
                return Games(games, found.steps, tuple(map(float, found.goals)))

            return _played(job, play, list(map(write_term, machine.roles)), built, phases, started)
    except EngineError as error:
        return Reply(status="unsupported", built=built, phases=phases, text=str(error))
    except HexlogicError as error:
        return Reply(status="error", built=built, phases=phases, text=str(error))


def _play_peer(job: PlayJob, tell: Callable[[Message], None]) -> Reply:
    begin = time.perf_counter()
    play = load_peer(job.reasoner, _board(job))
    phases = Phases(load_s=time.perf_counter() - begin)
    built = describe(Program(()), "none")
    tell(Asked(built=built, phases=phases, cpu_s=time.process_time()))
    return _played(job, play, ["red", "blue"], built, phases, None)


def _played(
    job: PlayJob,
    play: Callable[[int, int], Games],
    roles: list[str],
    built: Built,
    phases: Phases,
    started: Started | None,
) -> Reply:
    """The batches: of one game at first, then of as many as a twentieth of the time, or of the games, allows."""
    clock, begin = _Clock(), time.perf_counter()
    batches: list[Batch] = []
    size, spent_s, total = 1, 0.0, 0
    while (spent_s < job.seconds) if job.games is None else (total < job.games):
        if job.games is not None:
            size = min(max(1, job.games // BATCHES), job.games - total)
        found = play(size, job.seed + _SEEDS * (1 + len(batches)))
        taken_s = clock.cpu_s()
        batches.append(Batch(games=found.games, steps=found.steps, goals=list(found.goals), cpu_s=taken_s))
        spent_s, total = spent_s + taken_s, total + found.games
        if job.games is None and taken_s < job.seconds / BATCHES / 2:
            size *= 2
    played_s = time.perf_counter() - begin
    phases = msgspec.structs.replace(phases, solve_s=played_s, query_cpu_s=spent_s)
    played = Played(roles=roles, batches=batches)
    return Reply(status="answered", built=built, phases=phases, answer=True, started=started, played=played)


def _sheet(job: PlayJob) -> Program:
    if job.text is not None:
        return check(read_kif(job.text, job.game))
    assert job.rule_set is not None
    rules = find_rules(job.rule_set, job.game)
    require_hash(rules if isinstance(rules, RuleSet) else rules.rules, job)
    return export_sheet(rules, _board(job)).program


def _board(job: PlayJob) -> Game:
    assert job.rows is not None
    assert job.columns is not None
    return load_game(job.game).of_extent(job.rows, job.columns)


class _Clock:
    """CPU seconds of this process and of its children, since the last look."""

    def __init__(self) -> None:
        self._children: list[psutil.Process] = []
        self.look()
        self._from = self._now()

    def look(self) -> None:
        """See which children there are."""
        self._children = psutil.Process().children(recursive=True)

    def cpu_s(self) -> float:
        """Seconds since the clock was made, or since this was last asked."""
        now = self._now()
        spent, self._from = now - self._from, now
        return spent

    def since_start(self) -> float:
        """Seconds since the process began."""
        return self._now()

    def _now(self) -> float:
        return time.process_time() + sum(
            times.user + times.system for times in (child.cpu_times() for child in self._children)
        )

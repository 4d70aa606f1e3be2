"""A replay: make each move of a recorded game, see who has won, take the time.

*Followed*, the engine keeps what it has from move to move (`Engine.follow`, or transition rules). *Anew*, it is given
the same program once and asked about both players with all stones after each move.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import psutil

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, load_game
from hexlogic.games.detect.states import TransitionsFollower, cannot_follow, follow_transitions
from hexlogic.games.rulesets import find_rule_set, win_query
from hexlogic.games.rulesets.transitions import load_transitions, transition_names
from hexlogic.laboratory.records.types import Mode, Phases, Replayed, Run
from hexlogic.laboratory.runs.kind import Job, Kind, Tell, require_hash
from hexlogic.laboratory.runs.kinds.question import Question
from hexlogic.laboratory.runs.protocol import Asked, Built, Reply
from hexlogic.language import Atom, Integer, Program, Symbol
from hexlogic.language.engines import Follower, load_engine
from hexlogic.language.engines.incremental import AskingFollower
from hexlogic.language.passes import Pipeline
from hexlogic.process.cpu_clock import TreeClock, tree_cpu_s

LETTERS = ".rbx"
"""Who has won, by the bits of wins(red) and wins(blue)."""


class ReplayJob(Job, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="replay"):
    """Which program to build, which engine follows which game."""

    rule_set: str
    rule_set_hash: str
    game: str
    rows: int
    columns: int
    moves: list[tuple[Literal["red", "blue"], int]]
    mode: Mode
    pipeline: str
    engine: str


class Replay(Question):
    """A rule set through a pipeline on an engine, asked after each move of a recorded game."""

    __slots__ = ()

    def job(self, repeat: int = 0) -> Job:
        """What the measured process is told, the same in every repeat."""
        board, game = self.task.position.game, self.task.game
        assert game is not None
        return ReplayJob(
            rule_set=self.rule_set.reference,
            rule_set_hash=self.rule_set.hash,
            game=board.name,
            rows=board.rows,
            columns=board.columns,
            moves=list(game.moves),
            mode=game.mode,
            pipeline=self.pipeline,
            engine=self.engine,
        )


def execute(job: ReplayJob, tell: Tell) -> Reply:
    """Replay the game to its end, whatever is answered on the way; `tell` gets the message before the first move.

    The first move is made and taken back once before the clock runs, so that code which is loaded at its first use is
    on the bill of loading. Raises HexlogicError for rules, a pipeline or an engine that fails.
    """
    engine = load_engine(job.engine)
    begin = time.perf_counter()
    prepared = _prepare(job)
    phases = Phases(transform_s=time.perf_counter() - begin)
    built = Built.of(prepared.program, engine.dialect)
    if (reason := prepared.refused or engine.supports(prepared.program)) is not None:
        return Reply(status="unsupported", built=built, phases=phases, text=reason)
    gc.freeze()
    gc.enable()
    try:
        begin = time.perf_counter()
        with prepared.follow() as follower:
            follower.add(prepared.moves[0])
            follower.undo()
            phases = msgspec.structs.replace(phases, load_s=time.perf_counter() - begin)
            tell(Asked(built=built, phases=phases, cpu_s=tree_cpu_s()))
            replayed, spent_s = _play(follower, prepared.moves)
    except EngineError as error:
        return Reply(status="error", built=built, phases=phases, text=str(error))
    return Reply(
        status="answered",
        built=built,
        phases=msgspec.structs.replace(phases, solve_s=sum(replayed.plies_s), query_cpu_s=spent_s),
        answer=replayed.winners[-1] != LETTERS[0],
        replayed=replayed,
    )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """The program, the way to follow a game with it, and the inputs that are the moves."""

    program: Program
    follow: Callable[[], Follower]
    moves: Sequence[int]
    refused: str | None = None
    """Why the engine cannot follow it."""


def _prepare(job: ReplayJob) -> _Prepared:
    board = load_game(job.game).of_extent(job.rows, job.columns)
    cells = list(board.cells)
    inputs = [Atom("owns", (Symbol(player), Integer(cell))) for player in PLAYERS for cell in cells]
    queries = [win_query(player) for player in PLAYERS]
    number = {(player, cell): place for place, (player, cell) in enumerate((p, c) for p in PLAYERS for c in cells)}
    moves = [number[player, cell] for player, cell in job.moves]
    if job.rule_set in transition_names():
        transitions = load_transitions(job.rule_set)
        require_hash(transitions.rules, job.rule_set, job.rule_set_hash)
        program = transitions.instantiate(board).program
        return _Prepared(
            program,
            lambda: follow_transitions(job.rule_set, board, job.engine, inputs, queries),
            moves,
            cannot_follow(job.rule_set, job.engine),
        )
    rule_set, engine = find_rule_set(job.rule_set), load_engine(job.engine)
    require_hash(rule_set, job.rule_set, job.rule_set_hash)
    program = Pipeline.parse(job.pipeline).apply(rule_set.instantiate(board))
    if job.mode == "followed":
        return _Prepared(program, lambda: engine.follow(program, inputs, queries), moves)
    return _Prepared(program, lambda: AskingFollower(lambda: engine.open(program), inputs, queries), moves)


def _play(follower: Follower, moves: Sequence[int]) -> tuple[Replayed, float]:
    """What the game showed, and the CPU seconds of its moves."""
    clock, spent_s = TreeClock(), 0.0
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]

    def resident() -> int:
        return sum(process.memory_info().rss for process in processes)

    start = most = resident()
    winners: list[str] = []
    plies_s: list[float] = []
    kept: list[int] = []
    for move in moves:
        before_s, begin = clock.cpu_s(), time.perf_counter()
        found = follower.add(move)
        plies_s.append(time.perf_counter() - begin)
        spent_s += clock.cpu_s() - before_s
        winners.append(LETTERS[found])
        most = max(most, resident())
        if (facts := follower.kept()) is not None:
            kept.append(facts)
    state = None
    if isinstance(follower, TransitionsFollower):
        state, kept = follower.facts(), follower.counts()
    replayed = Replayed(
        winners="".join(winners),
        plies_s=plies_s,
        grown_bytes=most - start,
        facts=kept[-1] if kept else None,
        fact_bytes=None if state is None else sum(len(f"{fact}.\n") for fact in state),
        facts_by_ply=kept or None,
    )
    return replayed, spent_s


KIND = Kind(ReplayJob, Run, execute)

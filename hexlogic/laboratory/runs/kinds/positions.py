"""Many positions: who has won in each of thousands of random positions, and what one of them costs.

Three methods: `packed` evaluates boards that are packed into machine words already, `batch` packs arrays of bytes
first, and `asked` puts one position after the other to the engine of compiled rules, for both players. The referee
judges some positions of each run.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Hex, Position, has_won
from hexlogic.games.rulesets import RuleSet, find_rule_set, position_facts, win_query
from hexlogic.laboratory.records.types import Method, Phases, PositionsRun, Session
from hexlogic.laboratory.runs.classify import classify
from hexlogic.laboratory.runs.kind import Configuration, Job, Kind, Tell, require_hash
from hexlogic.laboratory.runs.protocol import Asked, Built, Reply
from hexlogic.language import Atom
from hexlogic.language.engines import load_engine
from hexlogic.process.cpu_clock import TreeClock, tree_cpu_s
from hexlogic.process.isolate import Outcome

_SECONDS = 0.5
"""CPU seconds that a run judges positions, at least."""

_ROUND = {"packed": 1 << 16, "batch": 1 << 16, "asked": 1 << 8}
"""Positions that are drawn, and then judged again and again."""

_JUDGED = 256
"""Positions that the referee looks at."""


class PositionsJob(Job, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="positions"):
    """Which rule set judges random positions of which board, and how."""

    rule_set: str
    """A name, or a file of rules."""
    rule_set_hash: str
    size: int
    method: Method
    seed: int


@dataclass(frozen=True, slots=True)
class ManyPositions(Configuration):
    """A rule set on random positions of a board, by one method."""

    floors = False

    rule_set: RuleSet
    board: int
    method: Method
    seed: int

    def __str__(self) -> str:
        return f"{self.rule_set.name}, many positions of {self.board}x{self.board}, {self.method}"

    @property
    def series(self) -> object:
        """A rule set by one method goes up the boards."""
        return ("positions", self.rule_set.name, self.method)

    @property
    def size(self) -> int:
        """The cells of the board."""
        return self.board**2

    def first_jobs(self) -> tuple[PositionsJob, ...]:
        """The same on a small board."""
        return (replace(self, board=3, seed=0).job(0),)

    def job(self, repeat: int) -> PositionsJob:
        """What the worker is told: each repeat has positions of its own."""
        return PositionsJob(
            rule_set=self.rule_set.reference,
            rule_set_hash=self.rule_set.hash,
            size=self.board,
            method=self.method,
            seed=self.seed + repeat,
        )

    def identity(self, session: Session) -> tuple[object, ...]:
        """The rules, the board, the method, the seed."""
        return ("positions", self.rule_set.name, self.rule_set.hash, self.board, self.method, self.seed)

    def record(self, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> PositionsRun:
        """The record of a run: wrong where the referee disagrees."""
        verdict, job = classify(outcome, expected=True, complete=self.rule_set.complete), self.job(repeat)
        measured = self.measured(session, outcome, verdict, warmup=warmup, repeat=repeat)
        if verdict.category == "wrong":
            measured["message"] = "the referee says otherwise"
        told = msgspec.structs.asdict(job) | {"rule_set": self.rule_set.name}
        return PositionsRun(
            positions=None if verdict.reply is None else verdict.reply.counters.get("positions"),
            **told,
            **measured,
        )


def random_boards(count: int, cells: int, seed: int) -> NDArray[np.uint8]:
    """uint8[count, cells]: 0 empty, 1 red, 2 blue. Each board holds the stones of a random game that nobody ended, by
    turns, after a number of moves that is drawn from 0 to `cells`."""
    draw = np.random.default_rng(seed)
    turn = draw.random((count, cells), dtype=np.float32).argsort(axis=1).astype(np.int16)
    moves = draw.integers(0, cells + 1, size=(count, 1))
    return np.where(turn < moves, 1 + turn % len(PLAYERS), 0).astype(np.uint8)


def execute(job: PositionsJob, tell: Tell) -> Reply:
    """Judge random positions again and again until that has taken half a second of CPU time; drawing is not timed.

    Raises HexlogicError for a rule set that fails; that the rules cannot be ground is a reply.
    """
    begin = time.perf_counter()
    rule_set, board = find_rule_set(job.rule_set), Hex.square(job.size)
    require_hash(rule_set, job.rule_set, job.rule_set_hash)
    program = rule_set.instantiate(board)
    phases = Phases(transform_s=time.perf_counter() - begin)
    built = Built.of(program, "none")
    gc.freeze()
    gc.enable()
    begin = time.perf_counter()
    try:
        prepare = _prepare(job, rule_set, board)
        first = random_boards(_JUDGED, len(board.cells), job.seed)
        right = bool((_codes(prepare(first)(), job.method) == _referee(first, board)).all())
    except EngineError as error:
        return Reply(status="unsupported", built=built, phases=phases, text=str(error))
    phases = msgspec.structs.replace(phases, load_s=time.perf_counter() - begin)
    tell(Asked(built=built, phases=phases, cpu_s=tree_cpu_s()))
    judge = prepare(random_boards(_ROUND[job.method], len(board.cells), job.seed))
    clock, begin, spent_s, count = TreeClock(), time.perf_counter(), 0.0, 0
    while spent_s < _SECONDS:
        before_s = clock.cpu_s()
        judge()
        spent_s, count = spent_s + clock.cpu_s() - before_s, count + _ROUND[job.method]
    phases = msgspec.structs.replace(phases, solve_s=time.perf_counter() - begin, query_cpu_s=spent_s)
    return Reply(status="answered", built=built, phases=phases, answer=right, counters={"positions": count})


Judged: TypeAlias = NDArray[np.uint8] | NDArray[np.uint64]
Prepare: TypeAlias = Callable[[NDArray[np.uint8]], Callable[[], Judged]]
"""Takes boards, and gives what judges them: only that is timed."""


def _prepare(job: PositionsJob, rule_set: RuleSet, board: Hex) -> Prepare:
    if job.method == "asked":
        return _one_by_one(rule_set, board)
    from hexlogic.games.detect.batch import Batch  # numba, which who only plans does not wait for

    batch = Batch(job.rule_set, size=job.size)
    if job.method == "batch":
        return lambda boards: partial(batch.winners, boards)
    return lambda boards: partial(batch.won, batch.pack(boards))


def _one_by_one(rule_set: RuleSet, board: Hex) -> Prepare:
    engine = load_engine("compiled")
    program = rule_set.instantiate(board)
    if reason := engine.supports(program):
        raise EngineError(reason)
    session = engine.open(program)

    def ask(positions: Sequence[list[Atom]]) -> NDArray[np.uint8]:
        found = np.zeros(len(positions), dtype=np.uint8)
        for place, facts in enumerate(positions):
            for bit, player in enumerate(PLAYERS):
                found[place] |= session.ask(facts, win_query(player)).holds << bit
        return found

    return lambda boards: partial(ask, [list(position_facts(_position(row, board))) for row in boards])


def _codes(found: Judged, method: Method) -> NDArray[np.uint8]:
    """uint8[positions]: 0 nobody, 1 red, 2 blue."""
    if method != "packed":
        return found.astype(np.uint8)
    octets = found.view(np.uint8).transpose(0, 2, 1)
    bits = np.unpackbits(np.ascontiguousarray(octets), axis=1, bitorder="little").reshape(-1, len(PLAYERS))[:_JUDGED]
    codes: NDArray[np.uint8] = bits[:, 0] + 2 * bits[:, 1]
    return codes


def _referee(boards: NDArray[np.uint8], board: Hex) -> NDArray[np.uint8]:
    truth = [
        sum(has_won(position, player) << bit for bit, player in enumerate(PLAYERS))
        for position in (_position(row, board) for row in boards)
    ]
    return np.array(truth, dtype=np.uint8)


def _position(row: NDArray[np.uint8], board: Hex) -> Position:
    red, blue = (frozenset(board.cells[place] for place in np.flatnonzero(row == 1 + bit)) for bit in (0, 1))
    return Position(board, red, blue)


KIND = Kind(PositionsJob, PositionsRun, execute)

"""Many positions: who has won in each of thousands of random positions, and what one of them costs.

Three methods: `packed` evaluates boards that are packed into machine words already, `batch` packs arrays of bytes
first, and `asked` puts one position after the other to the engine of compiled rules, for both players. The referee
judges some positions of each run.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Self, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Hex, Position, has_won
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.laboratory.records.types import Method, PositionsRun, Session
from hexlogic.laboratory.runs.kind import (
    Classification,
    Configuration,
    Measuring,
    Message,
    Rules,
    Unsupported,
    classify,
)
from hexlogic.language import Atom, Program
from hexlogic.language.engines import load_engine
from hexlogic.process.isolate import Outcome
from hexlogic.process.process_tree import TreeClock

_SECONDS = 0.5  # CPU seconds that a run judges positions, at least

_ROUND = {"packed": 1 << 16, "batch": 1 << 16, "asked": 1 << 8}
"""Positions that are drawn, and then judged again and again."""

_JUDGED = 256  # Positions that the referee looks at


class ManyPositions(Configuration, frozen=True, forbid_unknown_fields=True, tag="positions"):
    """A rule set on random positions of a board with so many rows, by one method; each repeat draws others."""

    record_type = PositionsRun
    floors = False

    rule_set: Rules
    board: int
    method: Method
    seed: int

    def __str__(self) -> str:
        return f"{self.rule_set.name}, many positions of {self.board}x{self.board}, {self.method}"

    @property
    def series(self) -> tuple[object, int]:
        """The rule set and the method; the boards grow."""
        return ("positions", self.rule_set.name, self.method), self.board

    def first_jobs(self) -> tuple[Configuration, ...]:
        """The same on a small board."""
        return (msgspec.structs.replace(self, board=3, seed=0),)

    def in_repeat(self, number: int) -> Self:
        """Each repeat has positions of its own."""
        return msgspec.structs.replace(self, seed=self.seed + number)

    def execute(self, measuring: Measuring) -> Message:
        """Judge random positions again and again until that has taken half a second of CPU time; drawing is not timed.
        Raises HexlogicError for a rule set that fails, and Unsupported when the rules cannot be ground."""
        rule_set, board = self.rule_set.load(), Hex.square(self.board)
        program = measuring.build(lambda: rule_set.instantiate(board), "none")
        with measuring.phase("load_s"):
            try:
                winners, prepare = _judges(self, program, board)
                first = random_boards(_JUDGED, len(board.cells), self.seed)
                truth = [[has_won(position, player) for player in PLAYERS] for position in _positions(first, board)]
                right = bool((winners(first) == np.array(truth) @ (1, 2)).all())
            except EngineError as error:
                raise Unsupported(str(error)) from None
        measuring.ask()
        judge = prepare(random_boards(_ROUND[self.method], len(board.cells), self.seed))
        clock, begin, spent_s, count = TreeClock(), time.perf_counter(), 0.0, 0
        while spent_s < _SECONDS:
            before_s = clock.cpu_s()
            judge()
            spent_s, count = spent_s + clock.cpu_s() - before_s, count + _ROUND[self.method]
        measuring.took(solve_s=time.perf_counter() - begin, query_cpu_s=spent_s)
        return measuring.answered(right, counters={"positions": count})

    def judge(self, outcome: Outcome) -> Classification:
        """What became of a run: rules that may miss wins are not wrong where they do."""
        return classify(outcome, expected=True, complete=self.rule_set.complete)

    def fields(self, session: Session, verdict: Classification) -> dict[str, object]:
        """What was judged; a run is wrong where the referee disagrees."""
        wrong = {"message": "the referee says otherwise"} if verdict.category == "wrong" else {}
        return wrong | {
            "rule_set": self.rule_set.name,
            "rule_set_hash": self.rule_set.hash,
            "size": self.board,
            "positions": None if verdict.said is None else verdict.said.counters.get("positions"),
        }


def random_boards(count: int, cells: int, seed: int) -> NDArray[np.uint8]:
    """uint8[count, cells]: 0 empty, 1 red, 2 blue. Each board holds the stones of a random game that nobody ended, by
    turns, after a number of moves that is drawn from 0 to `cells`."""
    draw = np.random.default_rng(seed)
    turn = draw.random((count, cells), dtype=np.float32).argsort(axis=1).astype(np.int16)
    moves = draw.integers(0, cells + 1, size=(count, 1))
    return np.where(turn < moves, 1 + turn % len(PLAYERS), 0).astype(np.uint8)


Boards: TypeAlias = NDArray[np.uint8]
Winners: TypeAlias = Callable[[Boards], NDArray[np.uint8]]
"""Of each board who has won: 0 nobody, 1 red, 2 blue."""
Prepare: TypeAlias = Callable[[Boards], Callable[[], object]]
"""Takes boards, and gives what judges them: only that is timed."""


def _judges(asked: ManyPositions, program: Program, board: Hex) -> tuple[Winners, Prepare]:
    if asked.method == "asked":
        one_by_one = _one_by_one(program, board)
        return lambda boards: one_by_one(boards)(), one_by_one
    from hexlogic.games.detect.batch import Batch  # numba, which who only plans does not wait for

    batch = Batch(asked.rule_set.reference, size=asked.board)
    if asked.method == "batch":
        return batch.winners, lambda boards: partial(batch.winners, boards)
    return batch.winners, lambda boards: partial(batch.words, batch.pack(boards))


def _one_by_one(program: Program, board: Hex) -> Callable[[Boards], Callable[[], NDArray[np.uint8]]]:
    engine = load_engine("compiled")
    if reason := engine.supports(program):
        raise EngineError(reason)
    session = engine.open(program)

    def ask(positions: Sequence[list[Atom]]) -> NDArray[np.uint8]:
        codes = np.zeros(len(positions), dtype=np.uint8)
        for place, facts in enumerate(positions):
            for bit, player in enumerate(PLAYERS):
                codes[place] |= session.ask(facts, win_query(player)).holds << bit
        return codes

    return lambda boards: partial(ask, [list(position_facts(position)) for position in _positions(boards, board)])


def _positions(boards: NDArray[np.uint8], board: Hex) -> Iterator[Position]:
    for row in boards:
        red, blue = (frozenset(board.cells[place] for place in np.flatnonzero(row == 1 + bit)) for bit in (0, 1))
        yield Position(board, red, blue)


KIND = ManyPositions

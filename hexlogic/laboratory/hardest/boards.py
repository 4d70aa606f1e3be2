"""The hardest board of a size with so many stones: most partial chains, or most work for SWI-Prolog.

Work is maximised by local search: move one stone at a time, and ask the engine what the board costs. From each start
the search moves to the first neighbour found that costs more, until none of the stones * empty cells neighbours does.
Then it goes on from the best board with some stones moved at random, and gives up after a number of such rounds without
a better board. Inferences repeat exactly, so the same starts and seed give the same boards.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

import msgspec

from hexlogic.errors import EngineError, UnknownNameError
from hexlogic.games import RED, Hex, Position, has_won
from hexlogic.games.game import Stones
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.laboratory.hardest.chains import (
    BetterBoard,
    ChainBound,
    ChainSearch,
    check_stones,
    count_chains,
    maximise_chains,
)
from hexlogic.language.engines import Session, load_engine
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import Stopped
from hexlogic.proofs.jobs import run_job

Result = TypeVar("Result")

CHAINS: Final = "chains"
INFERENCES: Final = "inferences"
OBJECTIVES: Final = (CHAINS, INFERENCES)

STEPWISE: Final = ("reorder", "unfold,reorder")
"""The stepwise power-set in both its forms: as the paper's two rules, and as one that checks each stone when chosen."""

_INTERRUPTED = "interrupted"
_STARTS = 4  # of clingo's best boards, from which the local search starts
_CHAINS_SHARE = 0.25  # of the time goes to clingo where a local search follows

RULES: Final = "power-set"
"""The rule set whose work is measured."""

PATIENCE: Final = 8
"""Rounds without a better board after which a search ends."""

_KICK: Final = (2, 6)  # stones moved at random between rounds, at least and at most


@dataclass(frozen=True, slots=True)
class Hardest:
    """The best board found. `figure` is what the objective counts on it, None when it could not be measured.

    `chains` are its partial chains by length, `bound` is what no board with as many stones can exceed (partial chains
    only; None when there was no time for it). `proof` says why no board has a larger figure, and is empty when that
    is not known; `search` says what was searched and how that ended. `work` holds the inferences by pipeline.
    """

    position: Position
    objective: str
    figure: int | None
    chains: tuple[int, ...]
    bound: int | None
    proof: str
    search: tuple[str, ...]
    work: Mapping[str, int] = field(default_factory=dict)
    interrupted: bool = False


@dataclass
class _Phase(Generic[Result]):
    """The messages of one child process: better boards, the best last, and how it ended."""

    noun: str
    report: Callable[[str], None]
    boards: list[BetterBoard] = field(default_factory=list)
    bound: int | None = None
    result: Result | None = None
    reason: str = ""

    def hear(self, message: ChainBound | BetterBoard) -> None:
        if isinstance(message, ChainBound):
            self.bound = message.total
        else:
            self.boards.append(message)
            self.report(f"{message.figure:,} {self.noun}")

    def run(self, function: Callable[..., Result], task: dict[str, object], time_s: float | None) -> None:
        try:
            self.result = run_job(function, task, time_s=time_s, report=self.hear)
        except Stopped as stopped:
            self.reason = str(stopped)
        except KeyboardInterrupt:
            self.reason = _INTERRUPTED


def hardest_board(
    game: Hex,
    stones: int,
    *,
    objective: str = CHAINS,
    pipelines: Sequence[str] = STEPWISE,
    seed: int = 0,
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Hardest:
    """The hardest board of `game` with so many red stones and no win for red that is found in `time_s` wall seconds.

    `chains`: the most partial chains (see `hardest.chains`), by clingo. `inferences`: the most SWI-Prolog
    inferences of the power-set rules, summed over `pipelines`, by local search from clingo's best boards. An interrupt
    ends the search, not the function. `report` is told about better boards.

    Raises SizeError when there is no such board, EngineError when swipl is needed and missing.

    >>> hardest = hardest_board(Hex.square(3), 4)
    >>> hardest.figure, hardest.proof
    (5, 'no 4 stones make more than 5 partial chains on any board of 3 columns that red has not won')
    """
    if objective not in OBJECTIVES:
        raise UnknownNameError.among("objective", objective, list(OBJECTIVES))
    check_stones(game, stones)
    names = tuple(str(Pipeline.parse(text)) for text in dict.fromkeys(pipelines))
    if objective == INFERENCES and (missing := load_engine("swipl").missing()) is not None:
        raise EngineError(f"--objective {INFERENCES} needs SWI-Prolog", hint=missing)
    begin = time.monotonic()
    board = {"rows": game.rows, "columns": game.columns}

    chains = _Phase[ChainSearch]("partial chains", report)
    share = 1.0 if objective == CHAINS else _CHAINS_SHARE
    chains.run(maximise_chains, {**board, "stones": stones}, None if time_s is None else time_s * share)
    # The first columns full: a board that red has not won, for when there was no time to look for one.
    filled = sorted(sorted(game.cells, key=lambda cell: (game.column(cell), cell))[:stones])
    starts = [*[each.red for each in reversed(chains.boards)][:_STARTS], filled]
    search = _Phase[LocalSearch]("inferences", report)
    words = [_clingo_words(chains)]
    if objective == INFERENCES and chains.reason != _INTERRUPTED:
        left = None if time_s is None else max(0.1, time_s - (time.monotonic() - begin))
        search.run(maximise_inferences, {**board, "starts": starts, "pipelines": names, "seed": seed}, left)
        words.append(f"local search: {_search_words(search)}")

    best = search.boards[-1] if search.boards else None
    position = Position(game, frozenset(starts[0] if best is None else best.red))
    counts, proof = count_chains(position), ""
    figure = sum(counts) if objective == CHAINS else None if best is None else best.figure
    if objective == CHAINS and chains.bound is not None and sum(counts) >= chains.bound:
        most = f"{chains.bound:,} partial chain{'' if chains.bound == 1 else 's'}"
        proof = f"no {stones} stones make more than {most} on any board of {game.columns} columns that red has not won"
    elif objective == CHAINS and chains.result is not None and chains.result.exhausted:
        proof = f"clingo found nothing better on the whole board, {chains.result.conflicts:,} conflicts"
    work = {} if best is None else dict(zip(names, best.work, strict=True))
    interrupted = _INTERRUPTED in (chains.reason, search.reason)
    return Hardest(position, objective, figure, counts, chains.bound, proof, tuple(words), work, interrupted)


def _clingo_words(chains: _Phase[ChainSearch]) -> str:
    if not chains.boards:
        return f"clingo: {chains.reason or 'stopped'} before the first board, so the first columns are filled"
    if chains.result is None:
        return f"clingo: {chains.reason}"
    met = chains.boards[-1].figure == chains.bound
    ended = "nothing better left" if chains.result.exhausted else "the bound is met" if met else "out of time"
    return f"clingo: {ended} after {chains.result.conflicts:,} conflicts"


def _search_words(search: _Phase[LocalSearch]) -> str:
    if search.result is not None:
        ended = "no better board in the last rounds" if search.result.ended else "out of time"
        return f"{search.result.measured:,} boards measured in {search.result.rounds:,} rounds; {ended}"
    return search.reason if search.boards else f"{search.reason} before SWI-Prolog had answered for one board"


class LocalSearch(msgspec.Struct, frozen=True):
    """How a local search ended: the boards measured, the rounds, and whether it `ended` before its time was over."""

    measured: int
    rounds: int
    ended: bool


class _Late(Exception):  # noqa: N818
    """The deadline has passed."""


def maximise_inferences(
    *,
    rows: int,
    columns: int,
    starts: Sequence[Sequence[int]],
    pipelines: Sequence[str],
    seed: int = 0,
    patience: int = PATIENCE,
    time_s: float | None = None,
    report: Callable[[BetterBoard], None] = lambda _: None,
) -> LocalSearch:
    """Search from `starts` (red cells of boards that red has not won) until `patience` rounds or the time are over;
    reports each better board."""
    deadline = math.inf if time_s is None else time.monotonic() + time_s
    with ExitStack() as stack:
        game, engine = Hex(rows, columns), load_engine("swipl")
        rules = load_rule_set(RULES).instantiate(game)
        sessions = [stack.enter_context(engine.open(Pipeline.parse(text).apply(rules))) for text in pipelines]
        search = _Search(game, sessions, random.Random(seed), deadline, report)
        ended = search.run([frozenset(start) for start in starts], patience)
        return LocalSearch(len(search.work), search.rounds, ended)


@dataclass
class _Search:
    game: Hex
    sessions: Sequence[Session]
    rng: random.Random
    deadline: float
    report: Callable[[BetterBoard], None]
    work: dict[Stones, list[int]] = field(default_factory=dict)
    """The inferences of each board that was measured, by pipeline."""
    rounds: int = 0
    best: Stones = frozenset()
    figure: int = -1

    def run(self, starts: Sequence[Stones], patience: int) -> bool:
        """Climb from each start, then around the best board; False when the time ended it."""
        try:
            for start in starts:
                self._measure(start)
            for start in starts:
                self._climb(start)
            fruitless = 0
            while fruitless < patience:
                before = self.figure
                self._climb(self._kicked(self.best))
                fruitless = 0 if self.figure > before else fruitless + 1
        except _Late:
            return False
        return True

    def _climb(self, red: Stones) -> None:
        """Move to the first neighbour, in random order, that costs more, until none does."""
        self.rounds += 1
        better: Stones | None = red
        while better is not None:
            red, figure = better, self._measure(better)
            swaps = [(stone, cell) for stone in sorted(red) for cell in self.game.cells if cell not in red]
            self.rng.shuffle(swaps)
            neighbours = (red - {stone} | {cell} for stone, cell in swaps)
            better = next((other for other in neighbours if self._measure(other) > figure), None)

    def _measure(self, red: Stones) -> int:
        """The inferences that asking whether red has won takes, -1 for a board that red has won; the best one so far is
        reported. Raises EngineError."""
        if time.monotonic() > self.deadline:
            raise _Late
        position = Position(self.game, red)
        if has_won(position, RED):
            return -1
        if red not in self.work:
            facts, query = position_facts(position), win_query(RED)
            self.work[red] = [session.ask(facts, query).counters["inferences"] for session in self.sessions]
        figure = sum(self.work[red])
        if figure > self.figure:
            self.best, self.figure = red, figure
            self.report(BetterBoard(sorted(red), figure, self.work[red]))
        return figure

    def _kicked(self, red: Stones) -> Stones:
        """The board with a few stones moved anywhere, and still not won."""
        for _ in range(self.rng.randint(*_KICK)):
            stone = self.rng.choice(sorted(red))
            cell = self.rng.choice([cell for cell in self.game.cells if cell not in red])
            moved = red - {stone} | {cell}
            if not has_won(Position(self.game, moved), RED):
                red = moved
        return red

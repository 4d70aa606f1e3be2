"""Searches for the hardest board of a size with so many stones: most partial chains, or most work for SWI-Prolog."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from hexlogic.errors import EngineError, UnknownNameError
from hexlogic.games import Hex, Position
from hexlogic.laboratory.hardest.chains import (
    BetterBoard,
    ChainLimit,
    ChainSearch,
    check_stones,
    count_chains,
    maximise_chains,
)
from hexlogic.laboratory.hardest.search import LocalSearch, maximise_inferences
from hexlogic.language.engines import load_engine
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

    def hear(self, message: ChainLimit | BetterBoard) -> None:
        if isinstance(message, ChainLimit):
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
    if objective == CHAINS or chains.reason == _INTERRUPTED:
        return _most_chains(game, stones, objective, chains)

    best = [board.red for board in reversed(chains.boards)][:_STARTS]
    starts = [*best, sorted(_filled(game, stones).red)]
    search = _Phase[LocalSearch]("inferences", report)
    left = None if time_s is None else max(0.1, time_s - (time.monotonic() - begin))
    task = {**board, "starts": starts, "pipelines": names, "seed": seed}
    search.run(maximise_inferences, task, left)
    return _most_inferences(game, starts[0], names, chains, search)


def _filled(game: Hex, stones: int) -> Position:
    """The first columns full: a board that red has not won, for when there was no time to look for one."""
    order = sorted(game.cells, key=lambda cell: (game.column(cell), cell))
    return Position(game, frozenset(order[:stones]))


def _most_chains(game: Hex, stones: int, objective: str, chains: _Phase[ChainSearch]) -> Hardest:
    position = Position(game, frozenset(chains.boards[-1].red)) if chains.boards else _filled(game, stones)
    counts = count_chains(position)
    figure, proof = sum(counts), ""
    if chains.bound is not None and figure >= chains.bound:
        most = f"{chains.bound:,} partial chain{'' if chains.bound == 1 else 's'}"
        proof = f"no {stones} stones make more than {most} on any board of {game.columns} columns that red has not won"
    elif chains.result is not None and chains.result.exhausted:
        proof = f"clingo found nothing better on the whole board, {chains.result.conflicts:,} conflicts"
    # An interrupt before the local search leaves a board that nobody has measured.
    shown = figure if objective == CHAINS else None
    search = (_clingo_words(chains),)
    return Hardest(position, objective, shown, counts, chains.bound, proof, search, {}, chains.reason == _INTERRUPTED)


def _clingo_words(chains: _Phase[ChainSearch]) -> str:
    if not chains.boards:
        return f"clingo: {chains.reason or 'stopped'} before the first board, so the first columns are filled"
    if chains.result is None:
        return f"clingo: {chains.reason}"
    met = chains.boards[-1].figure == chains.bound
    ended = "nothing better left" if chains.result.exhausted else "the bound is met" if met else "out of time"
    return f"clingo: {ended} after {chains.result.conflicts:,} conflicts"


def _most_inferences(
    game: Hex, first: list[int], names: Sequence[str], chains: _Phase[ChainSearch], search: _Phase[LocalSearch]
) -> Hardest:
    best = search.boards[-1] if search.boards else None
    position = Position(game, frozenset(first if best is None else best.red))
    if search.result is not None:
        ended = "no better board in the last rounds" if search.result.ended else "out of time"
        words = f"{search.result.measured:,} boards measured in {search.result.rounds:,} rounds; {ended}"
    elif search.boards:
        words = search.reason
    else:
        words = f"{search.reason} before SWI-Prolog had answered for one board"
    return Hardest(
        position,
        INFERENCES,
        None if best is None else best.figure,
        count_chains(position),
        chains.bound,
        "",
        (_clingo_words(chains), f"local search: {words}"),
        {} if best is None else dict(zip(names, best.work, strict=True)),
        search.reason == _INTERRUPTED,
    )

"""The hardest board of a size with so many stones: most partial chains, found by clingo in a child process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from hexlogic.games import Hex, Position
from hexlogic.laboratory.hardest.chains import (
    BetterBoard,
    ChainBound,
    ChainSearch,
    check_stones,
    count_chains,
    maximise_chains,
)
from hexlogic.process.call import Stopped
from hexlogic.proofs.jobs import run_job


@dataclass(frozen=True, slots=True)
class Hardest:
    """The best board found, and its partial chains by length.

    `bound` is what no board with as many stones can exceed; None when there was no time for it. `proof` says why no
    board has more, and is empty when that is not known; `search` says how the search ended.
    """

    position: Position
    chains: tuple[int, ...]
    bound: int | None
    proof: str
    search: str
    interrupted: bool

    @property
    def figure(self) -> int:
        """The number of partial chains."""
        return sum(self.chains)


def hardest_board(
    game: Hex, stones: int, *, time_s: float | None = None, report: Callable[[str], None] = lambda _: None
) -> Hardest:
    """The board of `game` with so many red stones, no win for red and the most partial chains (see `hardest.chains`)
    that is found in `time_s` wall seconds.

    An interrupt ends the search, not the function. `report` is told about better boards. Raises SizeError when there is
    no such board.

    >>> hardest = hardest_board(Hex.square(3), 4)
    >>> hardest.figure, hardest.proof
    (5, 'no 4 stones make more than 5 partial chains on any board of 3 columns that red has not won')
    """
    check_stones(game, stones)
    bounds, boards = list[ChainBound](), list[BetterBoard]()
    done: ChainSearch | None = None
    reason = "stopped"

    def hear(message: ChainBound | BetterBoard) -> None:
        if isinstance(message, ChainBound):
            bounds.append(message)
        else:
            boards.append(message)
            report(f"{message.figure:,} partial chains")

    task = {"rows": game.rows, "columns": game.columns, "stones": stones}
    try:
        done = run_job(maximise_chains, task, time_s=time_s, report=hear)
    except Stopped as stopped:
        reason = str(stopped)
    except KeyboardInterrupt:
        reason = "interrupted"
    # The first columns full: a board that red has not won, for when there was no time to look for one.
    filled = sorted(game.cells, key=lambda cell: (game.column(cell), cell))[:stones]
    position = Position(game, frozenset(boards[-1].red if boards else filled))
    counts, bound = count_chains(position), bounds[0].total if bounds else None
    found = partial(Hardest, position, counts, bound, interrupted=reason == "interrupted")
    if not boards:
        return found("", f"clingo: {reason} before the first board, so the first columns are filled")
    proof, met = "", bound is not None and sum(counts) >= bound
    if met:
        most = f"{bound:,} partial chain{'' if bound == 1 else 's'}"
        proof = f"no {stones} stones make more than {most} on any board of {game.columns} columns that red has not won"
    if done is None:
        return found(proof, f"clingo: {reason}")
    if done.exhausted and not met:
        proof = f"clingo found nothing better on the whole board, {done.conflicts:,} conflicts"
    ended = "nothing better left" if done.exhausted else "the bound is met" if met else "out of time"
    return found(proof, f"clingo: {ended} after {done.conflicts:,} conflicts")

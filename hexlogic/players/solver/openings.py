"""The winner for each first move of red: half of them are searched, since a half turn maps the game to itself."""

import functools
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass

from hexlogic.games import Hex, Player, Position
from hexlogic.players.solver.solver import Solver, check_solvable


@dataclass(frozen=True, slots=True)
class SearchedOpening:
    """The result of the search of one opening: `winner` is None when the limit or the memory did not suffice.
    `positions` is how many were expanded beyond those that earlier openings had expanded, `cpu_s` the processor
    time."""

    cell: int
    winner: Player | None
    positions: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Openings:
    """The openings that were searched, and the winner for each first move of red that is solved."""

    board: Hex
    searched: tuple[SearchedOpening, ...]
    winners: dict[int, Player]

    @property
    def positions(self) -> int:
        """The positions expanded for all of them."""
        return sum(opening.positions for opening in self.searched)

    @property
    def is_complete(self) -> bool:
        """Whether all first moves are solved."""
        return len(self.winners) == self.board.rows * self.board.columns


class _Searcher:
    """Searches openings one after the other with one memory. A memory that an opening fills is replaced by an empty
    one, and the opening searched once more."""

    def __init__(self, board: Hex, rows: int | None, most: int | None) -> None:
        self._board, self._rows, self._most = board, rows, most
        self._solver = Solver(board, rows)

    def search(self, cell: int) -> SearchedOpening:
        begin, before, spent = time.process_time(), self._solver.visited, 0
        position = Position(self._board, frozenset([cell]))
        winner = self._solver.winner(position, most=self._most)
        if winner is None and self._solver.is_full:
            spent = self._solver.visited - before
            self._solver, before = Solver(self._board, self._rows), 0
            left = None if self._most is None else max(0, self._most - spent)
            winner = self._solver.winner(position, most=left)
        spent += self._solver.visited - before
        return SearchedOpening(cell, winner, spent, time.process_time() - begin)


_searcher = functools.cache(_Searcher)
"""The searcher of a worker process."""


def _search(board: Hex, rows: int | None, most: int | None, cell: int) -> SearchedOpening:
    return _searcher(board, rows, most).search(cell)


def solve_openings(
    board: Hex,
    jobs: int = 1,
    *,
    most: int | None = None,
    rows: int | None = None,
    report: Callable[[SearchedOpening], None] = lambda opening: None,
) -> Openings:
    """The winner of each first move of red, each after expanding at most `most` positions.

    With more than one job, that many processes share the openings in a fixed manner, so that counts of positions can be
    repeated. `rows` is how many positions each can remember, as for a `Solver`. `report` hears of each opening as it
    ends. Raises SizeError for a board that is too large to solve.
    """
    check_solvable(board)
    last = board.rows * board.columns
    half = [cell for cell in board.cells if cell <= last + 1 - cell]
    # The hardest openings lie between the centre and the corners: the centre first, for its memory.
    half.sort(
        key=lambda cell: abs(2 * board.row(cell) - board.rows - 1) + abs(2 * board.column(cell) - board.columns - 1)
    )
    searched: dict[int, SearchedOpening] = {}

    def take(opening: SearchedOpening) -> None:
        searched[opening.cell] = opening
        report(opening)

    if jobs == 1:
        searcher = _Searcher(board, rows, most)
        for cell in half:
            take(searcher.search(cell))
    else:
        with ExitStack() as stack:
            waiting: list[Future[SearchedOpening]] = []
            for start in range(jobs):
                worker = stack.enter_context(ProcessPoolExecutor(1))
                waiting += [worker.submit(_search, board, rows, most, cell) for cell in half[start::jobs]]
            for ended in as_completed(waiting):
                take(ended.result())
    winners = {opening.cell: opening.winner for opening in searched.values() if opening.winner is not None}
    winners |= {last + 1 - cell: winner for cell, winner in winners.items()}
    return Openings(board, tuple(searched[cell] for cell in half), dict(sorted(winners.items())))

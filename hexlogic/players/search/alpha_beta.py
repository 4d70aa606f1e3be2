"""Alpha-beta to a fixed depth on any evaluation, in compiled code; the moves of the root are shared by threads.

The threads take root moves one after the other and share the best value so far as their bound. A move as good as the
best is searched exactly as well, and of equal moves the first is taken, so that the answer is the same with any number
of threads. A stone that wins ends the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.games.game import RED
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation.kernels import evaluate, joins
from hexlogic.players.geometry import BLUE_SIGN, EMPTY, RED_SIGN, Geometry, flat_cells, geometry_of
from hexlogic.process.kernels import kernel
from hexlogic.process.threads import in_thread

WIN: Final = 1e6
"""The value of a win at once; one that takes k more stones is worth k less."""
_INFINITE: Final = 1e9


@dataclass(frozen=True, slots=True)
class BestMove:
    """The best move, its value for the player to move, and how many positions were evaluated or found won. `complete`
    is False when the search was stopped."""

    cell: int
    value: float
    positions: int
    complete: bool


class _Search(NamedTuple):
    """The constants of a search, for compiled code."""

    neighbours: NDArray[np.int32]
    bridges: NDArray[np.int32]
    rows: int
    columns: int
    kind: int
    """The number of the evaluation."""
    order: NDArray[np.int64]
    """The cells, from 0, in the order in which they are tried."""
    prune: bool
    """Without it the bounds are not used."""
    stop: NDArray[np.int64]


@kernel(nogil=True)
def _value(search: Any, moves: Any, cells: Any, mover: Any, depth: Any, alpha: Any, beta: Any, count: Any) -> Any:
    """The value for `mover`, who plays one of `moves`; exact where it lies between alpha and beta."""
    if depth == 0:
        count[0] += 1
        value = evaluate(search.kind, cells, search.neighbours, search.bridges, search.rows, search.columns)
        return value if mover == RED_SIGN else -value
    best = -_INFINITE
    for cell in moves:
        if cells[cell] != EMPTY:
            continue
        if search.stop[0]:
            return best
        cells[cell] = mover
        if joins(cells, search.neighbours, cell):
            count[0] += 1
            value = WIN + depth
        else:
            value = -_value(search, search.order, cells, 3 - mover, depth - 1, -beta, -alpha, count)
        cells[cell] = EMPTY
        best = max(best, value)
        if search.prune:
            alpha = max(alpha, best)
            if alpha >= beta:
                return best
    return best


def alpha_beta(
    state: GameState,
    depth: int,
    evaluation: int,
    *,
    threads: int = 1,
    prune: bool = True,
    stop: NDArray[np.int64] | None = None,
    first: int | None = None,
) -> BestMove:
    """The best move of the player to move, by a search of `depth` stones. `stop[0]` may be set from another thread:
    then the answer is the best of the moves that were finished. `first` is searched before the others."""
    board = geometry_of(state.board.rows, state.board.columns)
    cells = flat_cells(state)
    mover = RED_SIGN if state.to_move == RED else BLUE_SIGN
    stop = np.zeros(1, np.int64) if stop is None else stop
    order = _ordered(cells, board, mover, evaluation if depth > 1 else None, first)
    values = np.full(len(order), -_INFINITE)
    search = _Search(board.neighbours, board.bridges, board.rows, board.columns, evaluation, order, prune, stop)
    indices = iter(range(len(order)))

    def work() -> int:
        """Search root moves until none is left, in one thread; the number of positions."""
        own, count = cells.copy(), np.zeros(1, np.int64)
        for index in indices:
            # Just below the best, so that an equal move is exact too. Another thread may find a better one meanwhile:
            # then this is a weaker bound, never a wrong one.
            alpha = values.max() - 1e-9 if prune else -_INFINITE
            value = _value(search, order[index : index + 1], own, mover, depth, alpha, _INFINITE, count)
            if stop[0]:
                break
            values[index] = value
        return int(count[0])

    others = [in_thread(work) for _ in range(1, threads)]
    positions = work() + sum(other.result() for other in others)
    index = int(np.argmax(values))
    return BestMove(int(order[index]) + 1, float(values[index]), positions, not stop[0])


def _ordered(
    cells: NDArray[np.int8], board: Geometry, mover: int, evaluation: int | None, first: int | None
) -> NDArray[np.int64]:
    """The empty cells: the middle of the board first; for deeper searches by the evaluation after the move."""
    empty = np.flatnonzero(cells == EMPTY)
    row, column = empty // board.columns, empty % board.columns
    key = np.abs(row - (board.rows - 1) / 2) + np.abs(column - (board.columns - 1) / 2)
    scores = np.zeros(len(empty))
    if evaluation is not None:
        for index, cell in enumerate(empty):
            cells[cell] = mover
            value = evaluate(evaluation, cells, board.neighbours, board.bridges, board.rows, board.columns)
            scores[index] = -value if mover == RED_SIGN else value
            cells[cell] = EMPTY
    chosen = empty[np.lexsort((key, scores))]
    if first is not None:
        chosen = np.concatenate(([first - 1], chosen[chosen != first - 1]))
    return np.asarray(chosen, np.int64)

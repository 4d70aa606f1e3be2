"""`alpha-beta[:DEPTH][:EVALUATION]`: alpha-beta on an evaluation, `resistance` unless another is named.

With a depth, always to that depth; without one, as deep as the seconds of a move allow (2 without a limit). The threads
take root moves one after the other and share the best value so far as their bound. A move as good as the best is
searched exactly as well, and of equal moves the first is taken: the answer is the same with any number of threads.
"""

from concurrent.futures import wait
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import UnknownNameError
from hexlogic.games.game import RED
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.kernels import EVALUATIONS, evaluate, joins
from hexlogic.players.geometry import BLUE_SIGN, EMPTY, RED_SIGN, Geometry, flat_cells, geometry_of
from hexlogic.players.strategy import Budget, Strategy, positive_number
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


_DEEPEST: Final = 20


class AlphaBetaStrategy(Strategy):
    """Alpha-beta to `depth`, or as deep as time allows, unless the option says another one. The option may name the
    evaluation too where no `evaluation` is given here."""

    def __init__(
        self, option: str | None = None, seed: int = 0, *, evaluation: str | None = None, depth: int | None = None
    ) -> None:
        """Raises UnknownNameError for an evaluation that there is not."""
        super().__init__(None, seed)
        self.depth, name = depth, evaluation or "resistance"
        for part in () if option is None else option.split(":") if evaluation is None else (option,):
            if evaluation is not None or part[:1].isdigit():
                self.depth = positive_number(part, 2, "depth", _DEEPEST)
            else:
                name = part
        if name not in EVALUATIONS:
            raise UnknownNameError.among("evaluation", name, list(EVALUATIONS))
        self.evaluation = EVALUATIONS.index(name)

    def prepare(self, board: Hex) -> None:
        """Compile, on a board of four cells."""
        alpha_beta(GameState(Hex(2, 2)), 2, self.evaluation)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The best move of the deepest search that was finished."""
        if self.depth is not None or budget.seconds is None:
            depth = self.depth or 2
            line = alpha_beta(state, min(depth, len(state.empty)), self.evaluation, threads=budget.threads)
        else:
            line, depth = self._deepen(state, budget)
        self.note = f"value {line.value:.3f} at depth {depth}, {line.positions} positions"
        return line.cell

    def _deepen(self, state: GameState, budget: Budget) -> tuple[BestMove, int]:
        stop, until = np.zeros(1, np.int64), budget.deadline() or 0.0
        best, reached = alpha_beta(state, 1, self.evaluation), 1
        deeper = partial(alpha_beta, state, evaluation=self.evaluation, threads=budget.threads, stop=stop)
        for depth in range(2, min(_DEEPEST, len(state.empty)) + 1):
            search = in_thread(partial(deeper, depth, first=best.cell))
            while not search.done():
                # No clock that counts runs faster than the wall's, so this much must pass at least.
                wait([search], max(until - budget.now(), 0.001))
                stop[0] = budget.now() >= until
            line = search.result()
            # An unfinished search has looked at the last best move first, so what it prefers to that is better.
            if line.complete or line.value > -WIN:
                best, reached = line, depth
            if not line.complete or abs(line.value) >= WIN:
                break
        return best, reached


STRATEGY = AlphaBetaStrategy

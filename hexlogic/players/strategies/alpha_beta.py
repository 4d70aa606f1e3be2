"""`alpha-beta[:DEPTH][:EVALUATION]`: alpha-beta on an evaluation, `resistance` unless another is named.

With a depth, always to that depth; without one, as deep as the seconds of a move allow (2 without a limit).
"""

from __future__ import annotations

from concurrent.futures import wait
from functools import partial
from typing import Final

import numpy as np

from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.kernels import evaluation_number
from hexlogic.players.search.alpha_beta import WIN, BestMove, alpha_beta
from hexlogic.players.strategy import Budget, Strategy, positive_number
from hexlogic.process.threads import in_thread

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
        self.evaluation = evaluation_number(name)

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

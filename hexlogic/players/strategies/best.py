"""`best[:LEVEL]` or `best:net=FILE.onnx`: as strong as it goes, or a level from 1 (weak in a human way) to 9 (as strong
as without a number).

Levels 1 to 4 look one move ahead with the resistance of the board and choose at random among what looks nearly as
good; the lower the level, the more that is, and the more cells away from stones they overlook.
Levels 5 to 7 are `mcts-vc` with few playouts, 5 without the policy; level 8 is `policy-vc` with few visits. Level 9 is
`solver`, which is `policy-vc` where it knows no winner; it resigns when a virtual connection of the opponent wins. A
network takes the place of its policy (`hexlogic.players.evaluation.policy`).
"""

import math
from pathlib import Path
from typing import Final

from hexlogic.games.game import RED
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.kernels import joins, resistance
from hexlogic.players.evaluation.policy import OnnxPolicy
from hexlogic.players.geometry import BLUE_SIGN, RED_SIGN, flat_cells, geometry_of
from hexlogic.players.strategies import mcts_vc, policy_vc, solver
from hexlogic.players.strategy import Budget, Strategy, positive_number

_TEMPERATURE: Final = {1: 2.0, 2: 0.6, 3: 0.25, 4: 0.1}
"""By level: how far below the best the value of a move (log of resistances) may be and still be likely."""
_PLAYOUTS: Final = {5: 60, 6: 300, 7: 1500, 8: 600}
_OVERLOOKED: Final = {1: 0.5, 2: 0.25, 3: 0.1, 4: 0.0}
"""By level: the share of moves that a player does not see because they are far from the last stones."""


class BestStrategy(Strategy):
    """The level's strategy."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(None, seed)
        key, _, file = (option or "").partition("=")
        policy = OnnxPolicy(Path(file)) if key == "net" else None
        self.level = positive_number(option if policy is None else None, 9, "level", 9)
        self._strong: Strategy | None = None
        if self.level in (5, 6, 7):
            self._strong = search = mcts_vc.MctsVcStrategy(None, seed)
            search.settings = search.settings._replace(prior_at=0) if self.level == 5 else search.settings
        if self.level == 8:
            self._strong = policy_vc.PolicyVcStrategy(None, seed)
        if self.level == 9:
            self._strong = strongest = solver.SolverStrategy(None, seed, policy)
            strongest.resigns = True

    def prepare(self, board: Hex) -> None:
        """Compile."""
        if self._strong is not None:
            self._strong.prepare(board)
        else:
            self.choose(GameState(Hex(2, 2)), Budget())

    def reset(self, seed: int) -> None:
        """Forget the last game."""
        super().reset(seed)
        if self._strong is not None:
            self._strong.reset(seed)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The move of the level."""
        if self._strong is None:
            return self._choose_by_eye(state)
        if self.level in _PLAYOUTS:
            budget = Budget(None, _PLAYOUTS[self.level], budget.threads)
        chosen = self._strong.choose(state, budget)
        self.note = self._strong.note
        return chosen

    def _choose_by_eye(self, state: GameState) -> Action:
        """A move drawn by its value: a difference of a temperature makes it e times less likely."""
        board = geometry_of(state.board.rows, state.board.columns)
        cells = flat_cells(state)
        sign = RED_SIGN if state.to_move == RED else BLUE_SIGN
        # Attention is with the stones: a cell without any near is overlooked now and then.
        seen = [
            cell
            for cell in state.empty
            if any(state.cells[other - 1] for other in state.board.neighbours(cell))
            or self.draw.random() >= _OVERLOOKED[self.level]
        ] or state.empty
        values: list[float] = []
        for cell in seen:
            cells[cell - 1] = sign
            if joins(cells, board.neighbours, cell - 1):
                return cell
            value = float(resistance(cells, board.neighbours, board.bridges, board.rows, board.columns))
            values.append(value if sign == RED_SIGN else -value)
            cells[cell - 1] = 0
        best = max(values)
        weights = [math.exp((value - best) / _TEMPERATURE[self.level]) for value in values]
        self.note = f"level {self.level}"
        return self.draw.choices(seen, weights)[0]


STRATEGY = BestStrategy

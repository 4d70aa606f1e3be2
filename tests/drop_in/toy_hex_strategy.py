"""The first empty cell."""

from __future__ import annotations

from hexlogic.games.game_state import Action, GameState
from hexlogic.players.strategy import Budget, Strategy


class ToyStrategy(Strategy):
    """Takes the first empty cell."""

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The empty cell with the smallest number."""
        return state.empty[0]


STRATEGY = ToyStrategy

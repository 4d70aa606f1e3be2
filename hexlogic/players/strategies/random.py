"""`random`: any empty cell, each as likely as the others."""

from hexlogic.games.game_state import Action, GameState
from hexlogic.players.strategy import Budget, Strategy


class RandomStrategy(Strategy):
    """Random moves, and a random answer to the swap rule."""

    def choose(self, state: GameState, budget: Budget) -> Action:
        """Any empty cell."""
        return self.draw.choice(state.empty)

    def swaps(self, state: GameState, budget: Budget) -> bool:
        """One time in two."""
        return self.draw.random() < 0.5


STRATEGY = RandomStrategy

"""Every legal move is equally likely."""

from __future__ import annotations

from hexlogic.gdl.machines import State
from hexlogic.ggp.clock import Clock
from hexlogic.ggp.strategy import Strategy
from hexlogic.logic.syntax import Term

__all__ = ["STRATEGY", "RandomStrategy"]


class RandomStrategy(Strategy):
    """Draws a legal move."""

    def choose(self, state: State, clock: Clock) -> Term:
        """A move drawn evenly from the sorted moves, so that a seed gives the same game on every reasoner."""
        return self.draw.choice(self.legal_moves(state))


STRATEGY = RandomStrategy

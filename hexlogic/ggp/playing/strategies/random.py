"""Every legal move is equally likely."""

from hexlogic.ggp.machines import State
from hexlogic.ggp.playing.strategy import Clock, Strategy
from hexlogic.language.syntax import Term


class RandomStrategy(Strategy):
    """Draws a legal move."""

    def choose(self, state: State, clock: Clock) -> Term:
        """A move drawn evenly from the sorted moves, so that a seed gives the same game on every reasoner."""
        return self.draw.choice(self.legal_moves(state))


STRATEGY = RandomStrategy

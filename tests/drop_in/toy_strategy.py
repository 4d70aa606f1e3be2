"""The first legal move, by its text."""

from __future__ import annotations

from hexlogic.ggp.machines import State
from hexlogic.ggp.playing.strategy import Clock, Strategy
from hexlogic.language.syntax import Term


class ToyStrategy(Strategy):
    """Takes the first move."""

    def choose(self, state: State, clock: Clock) -> Term:
        """The first of the sorted moves."""
        return self.legal_moves(state)[0]


STRATEGY = ToyStrategy

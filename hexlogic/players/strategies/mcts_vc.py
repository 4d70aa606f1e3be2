"""`mcts-vc[:PLAYOUTS]`: Monte Carlo tree search with RAVE that virtual connections prune.

At the root a connection that wins is played, and only moves of the must-play region are searched; nodes with visits
enough get the same knowledge while the search runs.
"""

from __future__ import annotations

from typing import Final

from hexlogic.games.game import Player, opponent
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.policy import log_odds
from hexlogic.players.search.monte_carlo import RAVE, MonteCarlo
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.strategies.mcts import PlayoutStrategy
from hexlogic.players.strategy import Budget

_PRIOR_AT: Final = 30
_WANTED_AT: Final = 150
_WEIGHT: Final = 2.5
"""How much the policy's probability of a move counts."""
_LIMITS: Final = (6, 16)
"""Full and semi-connections kept for a pair of ends."""


class MctsVcStrategy(PlayoutStrategy):
    """RAVE with connections."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(option, seed)
        self.settings = RAVE._replace(prior_at=_PRIOR_AT, wanted_at=_WANTED_AT)
        self._tracker = Tracker(*_LIMITS)
        self.weight = _WEIGHT

    def prepare(self, board: Hex) -> None:
        """Compile, on a board of nine cells."""
        state = GameState(Hex(3, 3))
        state.play("red", 1)
        self.choose(state, Budget(playouts=400))

    def reset(self, seed: int) -> None:
        """Forget the last game."""
        super().reset(seed)
        self._tracker = Tracker(*_LIMITS)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The winning move that is known, or the move with most playouts."""
        begin, tracker, mover = budget.now(), self._tracker, state.to_move
        tracker.follow(state)
        if (winning := tracker.winning_move(mover)) is not None:
            self.note = "wins by a virtual connection"
            return winning
        tree = MonteCarlo(state, self.settings, self.draw.getrandbits(32))
        allowed = tracker.connections.must_play(mover)
        if len(allowed) == 1:
            self.note = "the only move that is not known to lose"
            return allowed.pop()
        if allowed:
            tree.close(0, allowed)

        if self.settings.prior_at:
            tree.set_priors(0, log_odds(state), self.weight)

        # The deductions took their part of the time.
        tree.run(self.within(budget.since(begin)), lambda node: self._look(tree, node, mover))
        tracker.enter(())
        cell, share = tree.best()
        self.note = f"{share:.1%} of {tree.playouts} playouts"
        return cell

    def _look(self, tree: MonteCarlo, node: int, mover: Player) -> None:
        """Ask the policy at a node; or, when that was done, deduce its connections, and write down who wins there or
        which moves may still win."""
        cells = tree.path(node)
        if self.settings.prior_at and not tree.has_priors(node):
            state = tree.state.copy()
            for cell in cells:
                state.play(state.to_move, cell)
            if state.winner is None:
                tree.set_priors(node, log_odds(state), self.weight)
            else:  # nothing below it is looked at
                tree.set_known(node, wins=(state.winner == mover) == (len(cells) % 2 == 1))
            return
        sides = [mover if ply % 2 == 0 else opponent(mover) for ply in range(len(cells) + 1)]
        tracker = self._tracker
        tracker.enter(list(zip(cells, sides, strict=False)))
        side = sides[-1]
        if tracker.wins_to_move(side):
            tree.set_known(node, wins=False)
        elif tracker.wins_as_second(opponent(side)):
            tree.set_known(node, wins=True)
        elif keep := tracker.connections.must_play(side):
            tree.close(node, keep)
        else:
            tree.set_known(node, wins=True)


STRATEGY = MctsVcStrategy

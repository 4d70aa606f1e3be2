"""`policy-vc[:VISITS]`: a tree search that the policy leads and virtual connections prune.

At the root a connection that wins is played, and only moves of the must-play region are searched; nodes with visits
enough get the same knowledge while the search runs.
"""

from abc import abstractmethod
from typing import Final

from hexlogic.games.game import opponent
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.policy import Policy, log_odds
from hexlogic.players.search.policy_tree import Node, PolicyTree
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.strategies.mcts import PlayoutStrategy
from hexlogic.players.strategy import Budget

_LOOK_AT: Final = 60  # Visits at which the connections of a node are deduced
_LIMITS: Final = (6, 16)  # Full and semi-connections kept for a pair of ends


class ConnectionsStrategy(PlayoutStrategy):
    """A search with a policy, where connections do not name the move."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(option, seed)
        self.tracker = Tracker(*_LIMITS)
        self.policy: Policy | None = None
        """The one that comes with the package where there is none."""

    def prepare(self, board: Hex) -> None:
        """Compile, on a board of nine cells. Raises SizeError for a board that the policy does not take."""
        log_odds(GameState(board), self.policy)
        policy, self.policy = self.policy, None
        state = GameState(Hex(3, 3))
        state.play("red", 1)
        self.choose(state, Budget(playouts=400))
        self.policy = policy

    def reset(self, seed: int) -> None:
        """Forget the last game."""
        super().reset(seed)
        self.tracker = Tracker(*_LIMITS)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The winning move that is known, or what the search finds."""
        begin = budget.now()
        if isinstance(winning := self.tracker.decided(state), int):
            self.note = "wins by a virtual connection"
            return winning
        allowed = self.tracker.connections.must_play(state.to_move)
        if len(allowed) == 1:
            self.note = "the only move that is not known to lose"
            return allowed.pop()
        # The deductions took their part of the time.
        cell = self.search(state, allowed, self.within(budget.since(begin)))
        self.tracker.enter(())
        return cell

    @abstractmethod
    def search(self, state: GameState, allowed: set[int], budget: Budget) -> int:
        """The best of the cells that may win, or of all where none is known to."""


class PolicyVcStrategy(ConnectionsStrategy):
    """The search that the policy leads."""

    default_playouts = 1000
    _tree: PolicyTree | None = None

    def reset(self, seed: int) -> None:
        """Forget the last game."""
        super().reset(seed)
        self._tree = None

    def search(self, state: GameState, allowed: set[int], budget: Budget) -> int:
        """The move with most visits."""
        tree = self._tree = PolicyTree(state, self.policy, self._tree)
        if allowed:
            tree.keep(tree.root, allowed)

        def look(node: Node) -> None:
            self.tracker.enter(tree.path(node))
            if self.tracker.wins_to_move(node.mover):
                node.prove(wins=True)
            elif self.tracker.wins_as_second(opponent(node.mover)):
                node.prove(wins=False)
            else:
                tree.keep(node, self.tracker.connections.must_play(node.mover))

        tree.run(budget, look, _LOOK_AT)
        cell, share = tree.best()
        self.note = f"{share:.1%} of {tree.visits} visits"
        return cell


STRATEGY = PolicyVcStrategy

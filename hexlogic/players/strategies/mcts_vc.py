"""`mcts-vc[:PLAYOUTS]`: Monte Carlo tree search with RAVE that virtual connections prune, as in `policy-vc`."""

from typing import Final

from hexlogic.games.game import Player, opponent
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation.policy import log_odds
from hexlogic.players.search.monte_carlo import RAVE, MonteCarlo
from hexlogic.players.strategies.policy_vc import ConnectionsStrategy
from hexlogic.players.strategy import Budget

_PRIOR_AT: Final = 30
_WANTED_AT: Final = 150
_WEIGHT: Final = 2.5  # How much the policy's probability of a move counts


class MctsVcStrategy(ConnectionsStrategy):
    """RAVE with connections."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(option, seed)
        self.settings = RAVE._replace(prior_at=_PRIOR_AT, wanted_at=_WANTED_AT)
        self.weight = _WEIGHT

    def search(self, state: GameState, allowed: set[int], budget: Budget) -> int:
        """The move with most playouts."""
        tree = MonteCarlo(state, self.settings, self.draw.getrandbits(32))
        if allowed:
            tree.close(0, allowed)
        if self.settings.prior_at:
            tree.set_priors(0, log_odds(state, self.policy), self.weight)
        tree.run(budget, lambda node: self._look(tree, node, state.to_move))
        cell, share = tree.best()
        self.note = f"{share:.1%} of {tree.playouts} playouts"
        return cell

    def _look(self, tree: MonteCarlo, node: int, mover: Player) -> None:
        """Ask the policy; or, when that was done, deduce who wins there or which moves may still win."""
        if self.settings.prior_at and not tree.has_priors(node):
            state = tree.state.copy()
            for above in tree.nodes_to(node):
                state.play(state.to_move, tree.cell(above))
                if state.winner is not None:  # nothing below it is looked at
                    tree.set_known(above, wins=True)
                    return
            tree.set_priors(node, log_odds(state, self.policy), self.weight)
            return
        cells = tree.path(node)
        sides = [mover if ply % 2 == 0 else opponent(mover) for ply in range(len(cells) + 1)]
        self.tracker.enter(list(zip(cells, sides, strict=False)))
        side = sides[-1]
        if self.tracker.wins_to_move(side):
            tree.set_known(node, wins=False)
        elif self.tracker.wins_as_second(opponent(side)):
            tree.set_known(node, wins=True)
        elif keep := self.tracker.connections.must_play(side):
            tree.close(node, keep)
        else:
            tree.set_known(node, wins=True)


STRATEGY = MctsVcStrategy

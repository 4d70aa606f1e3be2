"""`mcts[:PLAYOUTS]`: Monte Carlo tree search, UCT with uniform playouts. Without a number, what the budget allows."""

from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.search.monte_carlo import PLAIN, MonteCarlo
from hexlogic.players.strategy import Budget, Strategy, positive_number


class PlayoutStrategy(Strategy):
    """A search whose option is the number of its playouts."""

    default_playouts = 10_000
    """Playouts of a move that has neither a time nor a number."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(None, seed)
        self.playouts = None if option is None else positive_number(option, 0, "number of playouts")

    def within(self, budget: Budget) -> Budget:
        """The budget of a move: the playouts of the option, and some limit in any case."""
        if self.playouts is not None:
            return Budget(None, self.playouts, budget.threads)
        if budget.seconds is None and budget.playouts is None:
            return Budget(None, self.default_playouts, budget.threads)
        return budget


class MctsStrategy(PlayoutStrategy):
    """UCT."""

    def prepare(self, board: Hex) -> None:
        """Compile, on a board of four cells."""
        MonteCarlo(GameState(Hex(2, 2)), PLAIN, 0).run(Budget(playouts=10))

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The move with most playouts."""
        tree = MonteCarlo(state, PLAIN, self.draw.getrandbits(32))
        tree.run(self.within(budget))
        cell, share = tree.best()
        self.note = f"{share:.1%} of {tree.playouts} playouts"
        return cell


STRATEGY = MctsStrategy

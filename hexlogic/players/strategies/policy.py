"""`policy[:FILE.onnx]`: the move that a policy likes best, without any search; the policy that comes with the package,
or a network that others have trained (`hexlogic.players.evaluation.policy`)."""

from pathlib import Path

from hexlogic.games.game_state import Action, GameState
from hexlogic.players.evaluation.policy import OnnxPolicy, log_odds
from hexlogic.players.strategy import Budget, Strategy


class PolicyStrategy(Strategy):
    """The policy."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(None, seed)
        self.policy = None if option is None else OnnxPolicy(Path(option))

    def choose(self, state: GameState, budget: Budget) -> Action:
        """The empty cell with the highest log-odds."""
        values = log_odds(state, self.policy)
        return max(state.empty, key=lambda cell: (float(values[cell - 1]), -cell))


STRATEGY = PolicyStrategy

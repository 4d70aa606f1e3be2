"""`resistance[:DEPTH]`: alpha-beta on the resistance of the board as a circuit (depth 2)."""

from functools import partial

from hexlogic.players.strategies.alpha_beta import AlphaBetaStrategy

STRATEGY = partial(AlphaBetaStrategy, evaluation="resistance", depth=2)

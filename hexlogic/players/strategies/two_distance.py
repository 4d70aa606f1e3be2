"""`two-distance[:DEPTH]`: alpha-beta on two-distance (depth 1)."""

from functools import partial

from hexlogic.players.strategies.alpha_beta import AlphaBetaStrategy

STRATEGY = partial(AlphaBetaStrategy, evaluation="two-distance", depth=1)

"""`count-connected[:DEPTH]`: parallel minimax on the number of stones that touch another own stone (depth 2).

As in Feng and Ramos Medina 2020, with what their report misses: a chain that joins the sides ends the game, alpha-beta,
and a second thread that helps."""

from functools import partial

from hexlogic.players.strategies.alpha_beta import AlphaBetaStrategy

STRATEGY = partial(AlphaBetaStrategy, evaluation="count-connected", depth=2)

"""`count-connected[:DEPTH]`: parallel minimax on the number of stones that touch another own stone (depth 2).

As in Feng and Ramos Medina 2020, with what their report misses: a chain that joins the sides ends the game, alpha-beta,
and a second thread that helps."""

from __future__ import annotations

from hexlogic.players.strategies.alpha_beta import DepthSearch
from hexlogic.players.strategy import positive_number

__all__ = ["STRATEGY", "CountConnectedStrategy"]


class CountConnectedStrategy(DepthSearch):
    """The strategy with its depth."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__("count-connected", positive_number(option, 2, "depth", 20), seed)


STRATEGY = CountConnectedStrategy

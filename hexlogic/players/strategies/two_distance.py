"""`two-distance[:DEPTH]`: alpha-beta on two-distance (depth 1)."""

from __future__ import annotations

from hexlogic.players.strategies.alpha_beta import DepthSearch
from hexlogic.players.strategy import positive_number

__all__ = ["STRATEGY", "TwoDistanceStrategy"]


class TwoDistanceStrategy(DepthSearch):
    """The strategy with its depth."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__("two-distance", positive_number(option, 1, "depth", 20), seed)


STRATEGY = TwoDistanceStrategy

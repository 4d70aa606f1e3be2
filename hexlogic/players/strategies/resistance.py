"""`resistance[:DEPTH]`: alpha-beta on the resistance of the board as a circuit (depth 2)."""

from __future__ import annotations

from hexlogic.players.strategies.alpha_beta import DepthSearch
from hexlogic.players.strategy import positive_number

__all__ = ["STRATEGY", "ResistanceStrategy"]


class ResistanceStrategy(DepthSearch):
    """The strategy with its depth."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__("resistance", positive_number(option, 2, "depth", 20), seed)


STRATEGY = ResistanceStrategy

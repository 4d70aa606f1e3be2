"""`occupancy`: who has a stone where, 2 n^2 symbols."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import PLAYERS
from hexlogic.predict.part import Part

__all__ = ["PART", "Occupancy"]


class Occupancy(Part):
    """The stones."""

    @property
    def names(self) -> tuple[str, ...]:
        """`owns(P,X)`."""
        return tuple(f"owns({player},{cell})" for player in PLAYERS for cell in self.board.cells)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Red stones, then blue ones."""
        owned: NDArray[np.uint8] = np.concatenate([boards == 1, boards == 2], axis=1).astype(np.uint8)
        return owned


PART = Occupancy

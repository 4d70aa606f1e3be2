"""`to-move`: whether red is to move, one symbol."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexlogic.predict.part import Part

__all__ = ["PART", "ToMove"]


class ToMove(Part):
    """The player to move."""

    names = ("to_move(red)",)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """1 where red is to move."""
        red: NDArray[np.uint8] = (to_move == 1).astype(np.uint8)
        return red[:, None]


PART = ToMove

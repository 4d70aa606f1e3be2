"""`won`: a symbol for each player, true when the player has won: two in the place of n^2 pairs each (study, 2.6)."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.detect.batch import Batch
from hexlogic.games import PLAYERS
from hexlogic.predict.part import Part

__all__ = ["PART", "Won"]


class Won(Part):
    """The two winning symbols."""

    names = tuple(f"won({player})" for player in PLAYERS)

    @cached_property
    def _batch(self) -> Batch:
        assert self.board.size is not None
        return Batch(size=self.board.size)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """By the batch detector."""
        winners = self._batch.winners(boards)
        return np.stack([winners & 1, winners >> 1], axis=1)


PART = Won

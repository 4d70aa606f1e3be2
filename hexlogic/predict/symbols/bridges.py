"""`bridges`: two stones of a player a bridge apart with both cells between them empty."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import PLAYERS
from hexlogic.players.geometry import geometry_of
from hexlogic.predict.part import Part

__all__ = ["PART", "Bridges"]


class Bridges(Part):
    """The bridges of both players."""

    @cached_property
    def _places(self) -> NDArray[np.int32]:
        """One row for each bridge: its two ends and the two cells between, cells from 0."""
        bridges = geometry_of(self.board.rows, self.board.columns).bridges
        rows = [
            (cell, *bridges[cell, way])
            for cell in range(len(bridges))
            for way in range(6)
            if bridges[cell, way, 0] > cell
        ]
        return np.array(rows, dtype=np.int32).reshape(-1, 4)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """`bridge(P,X,Y)` with X < Y."""
        return tuple(f"bridge({player},{row[0] + 1},{row[1] + 1})" for player in PLAYERS for row in self._places)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """By their four cells."""
        one, other, left, right = self._places.T
        free = (boards[:, left] == 0) & (boards[:, right] == 0)
        found = [free & (boards[:, one] == sign) & (boards[:, other] == sign) for sign in (1, 2)]
        bridges: NDArray[np.uint8] = np.concatenate(found, axis=1).astype(np.uint8)
        return bridges


PART = Bridges

"""`sides`: stones in a cluster that reaches a side of their player: `touches(P,E,X)`, 4 n^2 symbols.

E is 1 for the first side of P and 2 for the last. On large boards these stand for the n^2 (n^2 - 1) `pairs`: P has won
when one stone touches both. The rule set `clusters` computes them: X is in one cluster with some cell of the side.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.detect.atoms import AtomBatch
from hexlogic.games import PLAYERS
from hexlogic.logic.parser import parse_atom
from hexlogic.predict.part import Part

__all__ = ["PART", "Sides"]


class Sides(Part):
    """Both sides of both players."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """`touches(P,E,X)`."""
        return tuple(f"touches({player},{e},{x})" for player in PLAYERS for e in (1, 2) for x in self.board.cells)

    @cached_property
    def _batch(self) -> AtomBatch:
        texts = [
            f"owns({player},{cell})" if cell == edge else f"same_cluster({player},{edge},{cell})"
            for player in PLAYERS
            for side in self.board.sides(player)
            for cell in self.board.cells
            for edge in sorted(side)
        ]
        return AtomBatch("clusters", self.board, [parse_atom(text) for text in texts])

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """By the batch detector, and any of the cells of a side."""
        pairs = self._batch.truths(boards)
        edge = len(self.board.sides(PLAYERS[0])[0])
        found: NDArray[np.uint8] = pairs.reshape(len(pairs), -1, edge).max(axis=2)
        return found


PART = Sides

"""`pairs`: two stones of a player in the same cluster, for all pairs of cells: n^2 (n^2 - 1) symbols (study, 2.6).

The rule set `clusters` computes them, `connected(P,X,Y)` being its `same_cluster(P,X,Y)` for X < Y.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.detect.atoms import AtomBatch
from hexlogic.games import PLAYERS, Player
from hexlogic.logic.parser import parse_atom
from hexlogic.predict.part import Part

__all__ = ["PART", "Pairs"]


class Pairs(Part):
    """All pairs."""

    def _pairs(self) -> Iterator[tuple[Player, int, int]]:
        for player in PLAYERS:
            for one in self.board.cells:
                for other in self.board.cells[one:]:
                    if self._wanted(player, one, other):
                        yield player, one, other

    def _wanted(self, player: Player, one: int, other: int) -> bool:
        return True

    @cached_property
    def names(self) -> tuple[str, ...]:
        """`connected(P,X,Y)`."""
        return tuple(f"connected({player},{one},{other})" for player, one, other in self._pairs())

    @cached_property
    def _batch(self) -> AtomBatch:
        atoms = [parse_atom(f"same_cluster({player},{one},{other})") for player, one, other in self._pairs()]
        return AtomBatch("clusters", self.board, atoms)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """By the batch detector."""
        return self._batch.truths(boards)


PART = Pairs

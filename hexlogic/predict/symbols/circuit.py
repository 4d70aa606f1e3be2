"""`circuit`: the resistance evaluation of the board against thresholds: `circuit_above(T)`, T in hundredths.

The evaluation is the logarithm of red's conductance over blue's (`hexlogic.players.evaluation.resistance`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import Hex
from hexlogic.players.evaluation.resistance import resistance
from hexlogic.players.geometry import geometry_of
from hexlogic.predict.part import Part

__all__ = ["PART", "THRESHOLDS", "CircuitSymbols", "circuit_values"]

THRESHOLDS: Final = (-400, -200, -100, -50, -25, -10, 0, 10, 25, 50, 100, 200, 400)
"""In hundredths."""


def circuit_values(board: Hex, boards: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The evaluation of each row of `boards` (positions x cells), positive where red stands better."""
    geometry = geometry_of(board.rows, board.columns)
    value: Any = resistance
    cells = np.ascontiguousarray(boards, dtype=np.int8)
    return np.array([value(row, geometry.neighbours, geometry.bridges, board.rows, board.columns) for row in cells])


class CircuitSymbols(Part):
    """The thresholds."""

    names = tuple(f"circuit_above({threshold})" for threshold in THRESHOLDS)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """1 where the evaluation is above a threshold."""
        return (circuit_values(self.board, boards)[:, None] > np.array(THRESHOLDS) / 100).astype(np.uint8)


PART = CircuitSymbols

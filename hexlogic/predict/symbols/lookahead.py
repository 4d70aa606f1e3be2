"""`lookahead`: the resistance evaluation after the best move of the player to move, against thresholds.

`next_above(T)`, T in hundredths: the largest evaluation that red can move to, or the smallest that blue can.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import Hex
from hexlogic.players.evaluation.resistance import resistance
from hexlogic.players.geometry import geometry_of
from hexlogic.predict.part import Part
from hexlogic.predict.symbols.circuit import THRESHOLDS

__all__ = ["PART", "Lookahead", "values_after_best"]

_REMEMBERED: Final = 8
"""Sets of positions whose values are kept: the splits of a set, and some of them mirrored."""


def values_after_best(board: Hex, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.float64]:
    """For each row of `boards` (positions x cells) the evaluation after the best move, of a full board as it is;
    positive where red stands better. `to_move[positions]` is 1 for red and 2 for blue."""
    return _values(board, np.ascontiguousarray(boards).tobytes(), to_move.tobytes())


@lru_cache(maxsize=_REMEMBERED)
def _values(board: Hex, stones: bytes, movers: bytes) -> NDArray[np.float64]:
    """A sweep asks for the same positions again and again."""
    geometry = geometry_of(board.rows, board.columns)
    value: Any = resistance
    rows = np.frombuffer(stones, np.int8).reshape(-1, len(board.cells)).copy()
    to_move = np.frombuffer(movers, np.uint8)
    found = np.zeros(len(rows))
    for number, (row, mover) in enumerate(zip(rows, to_move, strict=True)):
        after = []
        for cell in np.flatnonzero(row == 0):
            row[cell] = mover
            after.append(value(row, geometry.neighbours, geometry.bridges, board.rows, board.columns))
            row[cell] = 0
        if not after:
            after.append(value(row, geometry.neighbours, geometry.bridges, board.rows, board.columns))
        found[number] = max(after) if mover == 1 else min(after)
    return found


class Lookahead(Part):
    """The thresholds."""

    names = tuple(f"next_above({threshold})" for threshold in THRESHOLDS)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """1 where the evaluation after the best move is above a threshold."""
        values = values_after_best(self.board, boards, to_move)
        return (values[:, None] > np.array(THRESHOLDS) / 100).astype(np.uint8)


PART = Lookahead

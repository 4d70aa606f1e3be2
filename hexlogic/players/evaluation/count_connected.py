"""Stones that touch a stone of their own colour: how many of red minus how many of blue.

The heuristic of the Swarthmore AI course. It sees no side of the board and no empty cell.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from hexlogic.players.geometry import EMPTY, RED_SIGN


@njit(cache=True, nogil=True)
def count_connected(cells: Any, neighbours: Any) -> Any:
    """The difference, for flat cells."""
    total = 0.0
    for cell in range(len(cells)):
        sign = cells[cell]
        if sign == EMPTY:
            continue
        for way in range(6):
            other = neighbours[cell, way]
            if other >= 0 and cells[other] == sign:
                total += 1.0 if sign == RED_SIGN else -1.0
                break
    return total

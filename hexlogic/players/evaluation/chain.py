"""Whether the stone just placed wins, on flat cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.players.geometry import RED_SIGN

__all__ = ["joins"]


@njit(cache=True, nogil=True)
def joins(cells: Any, neighbours: Any, cell: Any) -> Any:
    """Whether the group of the stone on `cell` (from 0) touches both sides of its player."""
    sign = cells[cell]
    low, high = (-1, -2) if sign == RED_SIGN else (-3, -4)
    seen = np.zeros(len(cells), np.int8)
    stack = np.empty(len(cells), np.int32)
    stack[0], top = cell, 1
    seen[cell] = 1
    at_low = at_high = False
    while top:
        top -= 1
        current = stack[top]
        for way in range(6):
            other = neighbours[current, way]
            if other >= 0:
                if cells[other] == sign and not seen[other]:
                    seen[other] = 1
                    stack[top] = other
                    top += 1
            elif other == low:
                at_low = True
            elif other == high:
                at_high = True
        if at_low and at_high:
            return True
    return False

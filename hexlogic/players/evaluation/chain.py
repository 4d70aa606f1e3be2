"""Whether the stone just placed wins, on flat cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.players.geometry import RED_SIGN


@njit(cache=True, nogil=True)
def label_group(cells: Any, neighbours: Any, start: Any, label: Any, stack: Any) -> Any:
    """Whether the group of the stone on `start` (from 0) touches both sides of its player.

    `start` is written into `label` (-1 before) for each cell of the group; `stack` is scratch. Both are as long as the
    board.
    """
    low, high = (-1, -2) if cells[start] == RED_SIGN else (-3, -4)
    at_low = at_high = False
    stack[0], top = start, 1
    label[start] = start
    while top:
        top -= 1
        current = stack[top]
        for way in range(6):
            other = neighbours[current, way]
            if other >= 0:
                if cells[other] == cells[start] and label[other] < 0:
                    label[other] = start
                    stack[top] = other
                    top += 1
            elif other == low:
                at_low = True
            elif other == high:
                at_high = True
    return at_low and at_high


@njit(cache=True, nogil=True)
def joins(cells: Any, neighbours: Any, cell: Any) -> Any:
    """Whether the group of the stone on `cell` (from 0) touches both sides of its player."""
    label = np.full(len(cells), -1, np.int32)
    return label_group(cells, neighbours, cell, label, np.empty(len(cells), np.int32))

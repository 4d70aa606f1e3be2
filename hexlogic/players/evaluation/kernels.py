"""Whether a stone wins, and all evaluations behind one number, so that compiled search can take any of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from hexlogic.errors import UnknownNameError
from hexlogic.players.evaluation.resistance import resistance
from hexlogic.players.evaluation.two_distance import two_distance
from hexlogic.players.geometry import EMPTY, RED_SIGN

EVALUATIONS: Final = ("count-connected", "two-distance", "resistance")
"""The names; their places are the numbers that `evaluate` takes."""


def evaluation_number(name: str) -> int:
    """The number of an evaluation. Raises UnknownNameError.

    >>> evaluation_number("resistance")
    2
    """
    if name not in EVALUATIONS:
        raise UnknownNameError.among("evaluation", name, list(EVALUATIONS))
    return EVALUATIONS.index(name)


@njit(cache=True, nogil=True)
def joins(cells: Any, neighbours: Any, cell: Any) -> Any:
    """Whether the group of the stone on `cell` (from 0) touches both sides of its player."""
    low, high = (-1, -2) if cells[cell] == RED_SIGN else (-3, -4)
    at_low = at_high = False
    seen = np.zeros(len(cells), np.bool_)
    stack = np.empty(len(cells), np.int32)
    stack[0], top = cell, 1
    seen[cell] = True
    while top:
        top -= 1
        current = stack[top]
        for way in range(6):
            other = neighbours[current, way]
            if other >= 0:
                if cells[other] == cells[cell] and not seen[other]:
                    seen[other] = True
                    stack[top] = other
                    top += 1
            elif other == low:
                at_low = True
            elif other == high:
                at_high = True
    return at_low and at_high


@njit(cache=True, nogil=True)
def count_connected(cells: Any, neighbours: Any) -> Any:
    """Stones that touch a stone of their own colour: how many of red minus how many of blue, for flat cells.

    The heuristic of the Swarthmore AI course. It sees no side of the board and no empty cell.
    """
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


@njit(cache=True, nogil=True)
def evaluate(kind: Any, cells: Any, neighbours: Any, bridges: Any, rows: Any, columns: Any) -> Any:
    """The evaluation of flat cells, positive where red stands better."""
    if kind == 0:
        return count_connected(cells, neighbours)
    if kind == 1:
        return two_distance(cells, neighbours)
    return resistance(cells, neighbours, bridges, rows, columns)

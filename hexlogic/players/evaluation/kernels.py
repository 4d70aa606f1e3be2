"""Whether a stone wins, and all evaluations behind one number, so that compiled search can take any of them."""

from typing import Any, Final

import numpy as np

from hexlogic.errors import UnknownNameError
from hexlogic.players.evaluation.resistance import resistance
from hexlogic.players.geometry import BLUE_SIGN, EMPTY, RED_SIGN
from hexlogic.process.kernels import kernel

EVALUATIONS: Final = ("count-connected", "two-distance", "resistance")
"""The names; their places are the numbers that `evaluate` takes."""

FAR: Final = 999
"""The distance of a cell that cannot be reached."""


def evaluation_number(name: str) -> int:
    """The number of an evaluation. Raises UnknownNameError.

    >>> evaluation_number("resistance")
    2
    """
    if name not in EVALUATIONS:
        raise UnknownNameError.among("evaluation", name, list(EVALUATIONS))
    return EVALUATIONS.index(name)


@kernel(nogil=True)
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


@kernel(nogil=True)
def count_connected(cells: Any, neighbours: Any) -> Any:
    """Stones that touch a stone of their own colour: how many of red minus how many of blue, for flat cells. The
    heuristic of the Swarthmore AI course. It sees no side of the board and no empty cell."""
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


@kernel(nogil=True)
def _links(cells: Any, neighbours: Any, sign: Any, low: Any, high: Any) -> Any:
    """By empty cell: its neighbours through own stones, how many, and whether it touches each side."""
    count = len(cells)
    linked = np.empty((count, count), np.int16)
    degree = np.zeros(count, np.int32)
    at_low, at_high = np.zeros(count, np.int8), np.zeros(count, np.int8)
    mark = np.full(count, -1, np.int32)
    stack = np.empty(count, np.int32)
    for cell in range(count):
        if cells[cell] != EMPTY:
            continue
        stack[0], top = cell, 1
        mark[cell] = cell
        while top:
            top -= 1
            current = stack[top]
            for way in range(6):
                other = neighbours[current, way]
                if other == low:
                    at_low[cell] = 1
                elif other == high:
                    at_high[cell] = 1
                elif other >= 0 and mark[other] != cell:
                    if cells[other] == EMPTY:
                        mark[other] = cell
                        linked[cell, degree[cell]] = other
                        degree[cell] += 1
                    elif cells[other] == sign:
                        mark[other] = cell
                        stack[top] = other
                        top += 1
    return linked, degree, at_low, at_high


@kernel(nogil=True)
def _distances(cells: Any, linked: Any, degree: Any, beside: Any) -> Any:
    """The two-distances from the side that the cells of `beside` touch."""
    count = len(cells)
    distance = np.full(count, FAR, np.int32)
    for cell in range(count):
        if cells[cell] == EMPTY and beside[cell]:
            distance[cell] = 1
    changed = True
    while changed:
        changed = False
        for cell in range(count):
            if cells[cell] != EMPTY or distance[cell] == 1:
                continue
            least, second = FAR, FAR
            for index in range(degree[cell]):
                other = distance[linked[cell, index]]
                if other < least:
                    least, second = other, least
                elif other < second:
                    second = other
            if second + 1 < distance[cell]:
                distance[cell] = second + 1
                changed = True
    return distance


@kernel(nogil=True)
def potentials(cells: Any, neighbours: Any, sign: Any) -> Any:
    """By flat cell, the potential for the player of that sign; 2 * FAR or more where it is not reached.

    Two-distance (van Rijswijck 2002) is the distance of a cell from a side when the opponent may block one neighbour: 1
    next to the side, else one more than the second smallest distance among the neighbours, where cells that are joined
    by own stones are neighbours. The potential of a cell is the sum of its distances from both sides.
    """
    low, high = (-1, -2) if sign == RED_SIGN else (-3, -4)
    linked, degree, at_low, at_high = _links(cells, neighbours, sign, low, high)
    one = _distances(cells, linked, degree, at_low)
    other = _distances(cells, linked, degree, at_high)
    return one + other


@kernel(nogil=True)
def _least(values: Any) -> Any:
    least, how_many = 2 * FAR, 0
    for value in values:
        if value < least:
            least, how_many = value, 1
        elif value == least:
            how_many += 1
    return min(least, 100), how_many


@kernel(nogil=True)
def two_distance(cells: Any, neighbours: Any) -> Any:
    """The evaluation: blue's least potential minus red's, and a hundredth of the difference of their cells."""
    red, red_cells = _least(potentials(cells, neighbours, np.int64(RED_SIGN)))
    blue, blue_cells = _least(potentials(cells, neighbours, np.int64(BLUE_SIGN)))
    return (blue - red) + 0.01 * (red_cells - blue_cells)


@kernel(nogil=True)
def evaluate(kind: Any, cells: Any, neighbours: Any, bridges: Any, rows: Any, columns: Any) -> Any:
    """The evaluation of flat cells, positive where red stands better."""
    if kind == 0:
        return count_connected(cells, neighbours)
    if kind == 1:
        return two_distance(cells, neighbours)
    return resistance(cells, neighbours, bridges, rows, columns)

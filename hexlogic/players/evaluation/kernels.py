"""Whether a stone wins, and all evaluations behind one number, so that compiled search can take any of them.

Electric resistance (Anshelevich 2002) sees a board as a circuit between the two sides of a player. A cell has
resistance 1 when it is empty, almost 0 under an own stone, and no current passes the opponent's. Neighbours are linked,
and so are cells a bridge apart whose two cells between are empty (a circuit of second order). Potentials solve
Kirchhoff's equations: a symmetric matrix of narrow band, by Cholesky decomposition. The value is the logarithm of red's
conductance over blue's.
"""

from math import log, sqrt
from typing import Any, Final

import numpy as np

from hexlogic.players.geometry import BLUE_SIGN, EMPTY, RED_SIGN
from hexlogic.process.kernels import kernel

_STONES: Final = 1e4
"""The conductance between two own stones."""
_LEAST: Final = 1e-9


@kernel(nogil=True, inline="always")
def _between(mine: Any, yours: Any) -> Any:
    """The conductance of a link, by whether its ends are own stones."""
    if mine and yours:
        return _STONES
    return 1.0 if mine or yours else 0.5


@kernel(nogil=True, error_model="numpy")
def potential(cells: Any, neighbours: Any, bridges: Any, rows: Any, columns: Any, sign: Any) -> Any:
    """The potentials of all cells with 1 on the low side of the player and 0 on the high side, and the conductance of
    the whole circuit."""
    count = len(cells)
    # The farthest of the cells with smaller numbers: two rows up and one column on.
    band = min(max(2 * columns - 1, 2), count - 1)
    low, high = (-1, -2) if sign == RED_SIGN else (-3, -4)
    other_sign = 3 - sign
    lower = np.zeros((count, band + 1))
    source = np.zeros(count)
    to_low = np.zeros(count)
    for cell in range(count):
        if cells[cell] == other_sign:
            lower[cell, band] = 1.0
            continue
        mine = cells[cell] == sign
        lower[cell, band] += 1e-12
        low_link = high_link = 0.0
        for way in range(6):
            other = neighbours[cell, way]
            if other >= 0:
                if other < cell and cells[other] != other_sign:
                    value = _between(mine, cells[other] == sign)
                    lower[cell, band] += value
                    lower[other, band] += value
                    lower[cell, band + other - cell] -= value
            elif other == low:
                low_link += _between(mine, True)
            elif other == high:
                high_link += _between(mine, True)
            far = bridges[cell, way, 0]
            if (
                0 <= far < cell
                and cells[far] != other_sign
                and cells[bridges[cell, way, 1]] == EMPTY
                and cells[bridges[cell, way, 2]] == EMPTY
            ):
                # Two own stones a bridge apart are as good as joined, but the opponent can still win a move by it.
                value = min(_between(mine, cells[far] == sign), 10.0)
                lower[cell, band] += value
                lower[far, band] += value
                lower[cell, band + far - cell] -= value
        side_row, side_column = cell // columns, cell % columns
        depth = side_column if sign == RED_SIGN else side_row
        length = columns if sign == RED_SIGN else rows
        if depth == 1 and length > 2 and _free_edge(cells, neighbours, cell, low):
            low_link += _between(mine, True) if not mine else 10.0
        if depth == length - 2 and length > 2 and _free_edge(cells, neighbours, cell, high):
            high_link += _between(mine, True) if not mine else 10.0
        lower[cell, band] += low_link + high_link
        source[cell] = low_link
        to_low[cell] = low_link
    # Cholesky: lower[i, band - (i - j)] holds L[i, j].
    for row in range(count):
        begin = max(0, row - band)
        for column in range(begin, row + 1):
            value = lower[row, band + column - row]
            start = max(begin, column - band)
            for inner in range(start, column):
                value -= lower[row, band + inner - row] * lower[column, band + inner - column]
            if column == row:
                lower[row, band] = sqrt(max(value, 1e-12))
            else:
                lower[row, band + column - row] = value / lower[column, band]
    for row in range(count):
        value = source[row]
        for inner in range(max(0, row - band), row):
            value -= lower[row, band + inner - row] * source[inner]
        source[row] = value / lower[row, band]
    for row in range(count - 1, -1, -1):
        value = source[row] / lower[row, band]
        source[row] = value
        for inner in range(max(0, row - band), row):
            source[inner] -= lower[row, band + inner - row] * value
    current = 0.0
    for cell in range(count):
        if to_low[cell] > 0.0:
            current += to_low[cell] * (1.0 - source[cell])
    return source, current


@kernel(nogil=True)
def _free_edge(cells: Any, neighbours: Any, cell: Any, side: Any) -> Any:
    """Whether two empty neighbours of a cell in the second line touch the side: a bridge to it."""
    empty = 0
    for way in range(6):
        other = neighbours[cell, way]
        if other >= 0 and cells[other] == EMPTY:
            for second in range(6):
                if neighbours[other, second] == side:
                    empty += 1
                    break
    return empty >= 2


@kernel(nogil=True)
def resistance(cells: Any, neighbours: Any, bridges: Any, rows: Any, columns: Any) -> Any:
    """The evaluation of flat cells."""
    red = potential(cells, neighbours, bridges, rows, columns, np.int64(RED_SIGN))[1]
    blue = potential(cells, neighbours, bridges, rows, columns, np.int64(BLUE_SIGN))[1]
    return log(max(red, _LEAST)) - log(max(blue, _LEAST))


EVALUATIONS: Final = ("count-connected", "two-distance", "resistance")
"""The names; their places are the numbers that `evaluate` takes."""

FAR: Final = 999
"""The distance of a cell that cannot be reached."""


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

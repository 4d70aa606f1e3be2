"""All evaluations behind one number, so that compiled search can take any of them."""

from __future__ import annotations

from typing import Any, Final

from numba import njit

from hexlogic.errors import UnknownNameError
from hexlogic.players.evaluation.count_connected import count_connected
from hexlogic.players.evaluation.resistance import resistance
from hexlogic.players.evaluation.two_distance import two_distance

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
def evaluate(kind: Any, cells: Any, neighbours: Any, bridges: Any, rows: Any, columns: Any) -> Any:
    """The evaluation of flat cells, positive where red stands better."""
    if kind == 0:
        return count_connected(cells, neighbours)
    if kind == 1:
        return two_distance(cells, neighbours)
    return resistance(cells, neighbours, bridges, rows, columns)

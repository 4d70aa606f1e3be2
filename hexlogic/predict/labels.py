"""Labels by perfect play: who wins a position when nobody errs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.players.solver import Solver

__all__ = ["exact_winners", "position_of"]

_ROWS = 1 << 19


def position_of(board: Hex, cells: NDArray[np.uint8]) -> Position:
    """A row of a `boards` array as a position."""
    red, blue = (frozenset((np.flatnonzero(cells == sign) + 1).tolist()) for sign in (1, 2))
    return Position(board, red, blue)


def exact_winners(
    board: Hex,
    boards: NDArray[np.uint8],
    to_move: NDArray[np.uint8],
    most: int | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> NDArray[np.uint8]:
    """The winner of each position with perfect play (1 red, 2 blue), 0 where `most` expanded positions do not suffice.

    One solver remembers what it has solved for the positions that follow. Raises SizeError for a board that is too
    large to solve.
    """
    solver = Solver(board, _ROWS)
    found = np.zeros(len(boards), np.uint8)
    for number, (cells, mover) in enumerate(zip(boards, to_move, strict=True)):
        if solver.table.counts[0] > _ROWS * 3 // 4:
            solver = Solver(board, _ROWS)
        solution = solver.solve(position_of(board, cells), PLAYERS[int(mover) - 1], most)
        if solution is not None:
            found[number] = PLAYERS.index(solution.winner) + 1
        report(number + 1)
    return found

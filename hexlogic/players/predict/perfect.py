"""The winner with perfect play of every position of a board of up to 4x4, in one table.

A position is a number to base 3, the digit of cell c (from 0) being 0 empty, 1 red, 2 blue. A stone makes the number
larger, so that one pass from the largest number down finds every winner:

    red wins p, red to move, if red has won p or some red stone on p gives a position that red wins, blue to move
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.errors import SizeError
from hexlogic.games import BLUE, RED, Hex, Player, Position, as_hex
from hexlogic.players.geometry import geometry_of

LARGEST: Final = 4
"""The longest side: 43 million positions of 4x4, a byte each."""


@njit(cache=True)
def _sweep(table: Any, neighbours: Any, left: Any, right: Any, powers: Any) -> None:
    """Bits of an entry: 1 red wins with red to move, 2 red wins with blue to move."""
    cells = len(powers)
    owners = np.zeros(cells, np.int8)
    for number in range(len(table) - 1, -1, -1):
        rest, red, empty = number, 0, 0
        for cell in range(cells):
            owners[cell] = rest % 3
            rest //= 3
            if owners[cell] == 1:
                red |= 1 << cell
            elif owners[cell] == 0:
                empty += 1
        # Grow the red group of the left side to a fixed point.
        group, grown = red & left, -1
        while group != grown:
            grown = group
            for cell in range(cells):
                if grown >> cell & 1:
                    group |= neighbours[cell] & red
        if group & right:
            table[number] = 3
            continue
        if empty == 0:
            continue
        # A won position of blue stays won whatever is played, down to the full board: no check of its own is needed.
        red_moves, blue_moves = 0, 1
        for cell in range(cells):
            if owners[cell] == 0:
                if table[number + powers[cell]] & 2:
                    red_moves = 1
                if not table[number + 2 * powers[cell]] & 1:
                    blue_moves = 0
        table[number] = red_moves | 2 * blue_moves


@lru_cache(maxsize=LARGEST)
def perfect_table(size: int) -> NDArray[np.uint8]:
    """By position: bit 1 when red wins with red to move, bit 2 when red wins with blue to move. Raises SizeError."""
    if size > LARGEST:
        raise SizeError(f"a {size}x{size} board is too large for a table", hint=f"at most {LARGEST}x{LARGEST}")
    board = Hex.square(size)
    cells = len(board.cells)
    geometry = geometry_of(size, size)
    near = np.zeros(cells, np.int64)
    for cell, row in enumerate(geometry.neighbours):
        near[cell] = sum(1 << int(other) for other in row if other >= 0)
    left, right = (sum(1 << (cell - 1) for cell in side) for side in board.sides(RED))
    table = np.zeros(3**cells, np.uint8)
    sweep: Any = _sweep
    sweep(table, near, left, right, 3 ** np.arange(cells, dtype=np.int64))
    return table


def perfect_winner(position: Position, to_move: Player) -> Player:
    """Who wins with perfect play. Raises SizeError for a board beyond 4x4.

    >>> perfect_winner(Position(Hex.square(3)), "red")
    'red'
    """
    board = as_hex(position.game)
    if board.size is None:
        raise SizeError(f"{board} is not square", hint="a square board of up to 4x4")
    number = sum(3 ** (cell - 1) for cell in position.red) + sum(2 * 3 ** (cell - 1) for cell in position.blue)
    return RED if perfect_table(board.size)[number] & (1 if to_move == RED else 2) else BLUE

"""Playouts: fill a padded board to the end and say who has won. A full board of Hex has exactly one winner."""

from __future__ import annotations

from typing import Any, Final

from numba import njit

from hexlogic.ggp.propnet.random_games import draw_below
from hexlogic.players.geometry import BLUE_SIGN, EMPTY, RED_SIGN

UNIFORM: Final = 0
"""Every way to fill the empty cells is as likely as the others."""
BRIDGES: Final = 1
"""The same, but a player whose bridge is intruded by the last stone fills its other cell."""


@njit(cache=True, nogil=True)
def red_has_won(board: Any, width: Any, stack: Any, seen: Any) -> Any:
    """Whether red stones join left and right of a padded board. `stack` and `seen` are as long as the board."""
    seen[:] = 0
    last = len(board) - width
    top = 0
    for cell in range(width + 1, last, width):
        if board[cell] == RED_SIGN:
            seen[cell] = 1
            stack[top] = cell
            top += 1
    while top:
        top -= 1
        cell = stack[top]
        if cell % width == width - 2:
            return True
        # The way to the right first: it is looked at last-in, first-out.
        for step in (-1, -width, width - 1, width, 1 - width, 1):
            other = cell + step
            if board[other] == RED_SIGN and not seen[other]:
                column = other % width
                if 0 < column < width - 1 and width <= other < last:
                    seen[other] = 1
                    stack[top] = other
                    top += 1
    return False


@njit(cache=True, nogil=True)
def fill(board: Any, width: Any, mover: Any, last: Any, policy: Any, empties: Any, place: Any, random: Any) -> None:
    """Fill a padded board, `mover` first. `last` is the last stone, 0 for none. `empties` and `place` are scratch, as
    long as the board."""
    count = 0
    for cell in range(width + 1, len(board) - width - 1):
        if board[cell] == EMPTY:
            empties[count] = cell
            place[cell] = count
            count += 1
    if policy == UNIFORM:
        mine = (count + 1) // 2
        other = 3 - mover
        for index in range(mine):
            chosen = index + draw_below(random, count - index)
            cell = empties[chosen]
            empties[chosen] = empties[index]
            board[cell] = mover
        for index in range(mine, count):
            board[empties[index]] = other
        return
    player = mover
    while count:
        cell = _answer(board, width, player, last) if last else 0
        if not cell:
            cell = empties[draw_below(random, count)]
        count -= 1
        moved = empties[count]
        hole = place[cell]
        empties[hole], place[moved] = moved, hole
        board[cell] = player
        last = cell
        player = 3 - player


@njit(cache=True, inline="always")
def _answer(board: Any, width: Any, player: Any, last: Any) -> Any:
    """The empty cell that saves a bridge of `player` which the stone on `last` intrudes; 0 when there is none.

    Around `last`: a stone or side of the player, an empty cell, another stone or side of the player.
    """
    a, b, c = board[last - width], board[last - width + 1], board[last + 1]
    d, e, f = board[last + width], board[last + width - 1], board[last - 1]
    if b == EMPTY and a == player and c == player:
        return last - width + 1
    if c == EMPTY and b == player and d == player:
        return last + 1
    if d == EMPTY and c == player and e == player:
        return last + width
    if e == EMPTY and d == player and f == player:
        return last + width - 1
    if f == EMPTY and e == player and a == player:
        return last - 1
    if a == EMPTY and f == player and b == player:
        return last - width
    return 0


assert (RED_SIGN, BLUE_SIGN) == (1, 2), "the other player is 3 - player"

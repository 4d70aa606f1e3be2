"""Small boards by brute force: who wins, and the value of plain minimax. Shares no code with the players."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from hexlogic.games import Hex, Player, Position, has_won, opponent


@cache
def winner(board: Hex, red: frozenset[int], blue: frozenset[int], mover: Player) -> Player:
    """Who wins a position with best play."""
    for player, stones in (("red", red), ("blue", blue)):
        if board.has_won(stones, player):
            return player
    other = opponent(mover)
    for cell in board.cells:
        if cell not in red and cell not in blue:
            after = (red | {cell}, blue) if mover == "red" else (red, blue | {cell})
            if winner(board, *after, other) == mover:
                return mover
    return other


def minimax(position: Position, mover: Player, depth: int, evaluate: Callable[[Position], float]) -> float:
    """The value for the mover; a win counts 1,000,000 and more the earlier it comes."""
    if depth == 0 or not position.empty:
        value = evaluate(position)
        return value if mover == "red" else -value
    best = -1e9
    for cell in position.empty:
        after = position.play(mover, cell)
        if has_won(after, mover):  # noqa: SIM108
            value = 1e6 + depth
        else:
            value = -minimax(after, opponent(mover), depth - 1, evaluate)
        best = max(best, value)
    return best

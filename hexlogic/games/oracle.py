"""The referee: who has won, by union-find, and the winning chain, by breadth-first search.

Neither uses the rules or the modular numbering: adjacency comes from offsets in rows and columns, so that an
error in either cannot hide in both. The two functions share no search and check each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.games.hex import BLUE, PLAYERS, RED, Hex, Player
from hexlogic.games.position import Position

__all__ = ["groups", "has_won", "winner", "winning_chain"]

# Rows lean to the right going down, so the two cells below (r, c) are (r + 1, c - 1) and (r + 1, c).
_OFFSETS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def _touching(game: Hex, cell: int) -> Iterator[int]:
    row, column = divmod(cell - 1, game.columns)
    for down, right in _OFFSETS:
        if 0 <= row + down < game.rows and 0 <= column + right < game.columns:
            yield (row + down) * game.columns + column + right + 1


def groups(position: Position, player: Player) -> tuple[tuple[int, ...], ...]:
    """The connected groups of a player's stones, each in ascending order, ordered by their smallest cell.

    >>> from hexlogic.games import Hex, Position
    >>> groups(Position.of(Hex.square(3), red=["a1", "a2", "c1", "b3"]), "red")
    ((1, 4), (3,), (8,))
    """
    stones = position.stones(player)
    parent = {cell: cell for cell in stones}

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    for cell in stones:
        for other in _touching(position.game, cell):
            if other in parent:
                parent[root(cell)] = root(other)
    members: dict[int, list[int]] = {}
    for cell in sorted(stones):
        members.setdefault(root(cell), []).append(cell)
    return tuple(tuple(group) for group in members.values())


def has_won(position: Position, player: Player) -> bool:
    """Whether one group of the player's stones touches both of the player's sides."""
    m = position.game.columns
    for group in groups(position, player):
        lines = {(cell - 1) % m if player == RED else (cell - 1) // m for cell in group}
        if {0, (m if player == RED else position.game.rows) - 1} <= lines:
            return True
    return False


def winner(position: Position) -> Player | None:
    """The player who has joined the own two sides, `None` when nobody has. Both cannot have.

    >>> from hexlogic.games import parse_position
    >>> winner(parse_position("R R .\\n. B R")) is None
    True
    >>> winner(parse_position("R R R\\n. B B"))
    'red'
    """
    return next((player for player in PLAYERS if has_won(position, player)), None)


def winning_chain(position: Position, player: Player) -> tuple[int, ...] | None:
    """A shortest winning chain of `player`, from the first side to the last; `None` when there is none.

    Being shortest it has no chord and one stone on each side, so it is a minimal winning set. Of equally short
    chains the same one is always chosen.

    >>> from hexlogic.games import Hex, Position
    >>> winning_chain(Position.of(Hex.square(3), red=["a2", "b2", "b1", "c1", "a1"]), "red")
    (1, 2, 3)
    """
    game, stones = position.game, position.stones(player)
    if player == BLUE:
        starts, goals = range(1, game.columns + 1), range((game.rows - 1) * game.columns + 1, len(game.cells) + 1)
    else:
        starts = range(1, len(game.cells) + 1, game.columns)
        goals = range(game.columns, len(game.cells) + 1, game.columns)
    frontier = [cell for cell in starts if cell in stones]
    came_from: dict[int, int | None] = dict.fromkeys(frontier)
    while frontier:
        for cell in frontier:
            if cell in goals:
                chain, back = [cell], came_from[cell]
                while back is not None:
                    chain.append(back)
                    back = came_from[back]
                return tuple(reversed(chain))
        following = []
        for cell in frontier:
            for other in _touching(game, cell):
                if other in stones and other not in came_from:
                    came_from[other] = cell
                    following.append(other)
        frontier = following
    return None

"""The referee of Hex: union-find for who has won, breadth-first search for the winning chain.

Neither uses the rules or the modular numbering: adjacency comes from offsets in rows and columns, so that an
error in either cannot hide in both. The two functions share no search and check each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.games.players import BLUE, RED, Player

# Rows lean to the right going down, so the two cells below (r, c) are (r + 1, c - 1) and (r + 1, c).
_OFFSETS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


def _touching(rows: int, columns: int, cell: int) -> Iterator[int]:
    row, column = divmod(cell - 1, columns)
    for down, right in _OFFSETS:
        if 0 <= row + down < rows and 0 <= column + right < columns:
            yield (row + down) * columns + column + right + 1


def groups_of(rows: int, columns: int, stones: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """The connected groups of stones, each in ascending order, ordered by their smallest cell."""
    parent = {cell: cell for cell in stones}

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    for cell in stones:
        for other in _touching(rows, columns, cell):
            if other in parent:
                parent[root(cell)] = root(other)
    members: dict[int, list[int]] = {}
    for cell in sorted(stones):
        members.setdefault(root(cell), []).append(cell)
    return tuple(tuple(group) for group in members.values())


def joins_sides(rows: int, columns: int, stones: frozenset[int], player: Player) -> bool:
    """Whether one group of the stones touches both of the player's sides."""
    for group in groups_of(rows, columns, stones):
        lines = {(cell - 1) % columns if player == RED else (cell - 1) // columns for cell in group}
        if {0, (columns if player == RED else rows) - 1} <= lines:
            return True
    return False


def shortest_chain(rows: int, columns: int, stones: frozenset[int], player: Player) -> tuple[int, ...] | None:
    """A shortest chain from the player's first side to the last; `None` when there is none."""
    last = rows * columns
    if player == BLUE:
        starts, goals = range(1, columns + 1), range(last - columns + 1, last + 1)
    else:
        starts, goals = range(1, last + 1, columns), range(columns, last + 1, columns)
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
            for other in _touching(rows, columns, cell):
                if other in stones and other not in came_from:
                    came_from[other] = cell
                    following.append(other)
        frontier = following
    return None

"""Havannah: a hexagon of hexagons. A fork, a bridge or a ring wins, for either player.

- bridge: a group that touches two corners;
- fork: a group that touches three sides (a corner belongs to no side);
- ring: a loop of stones around one or more cells, whoever owns these.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from hexlogic.games.game import Coordinates, Player, SizedBoard, Stones


class Havannah(SizedBoard):
    """The hexagon with `size` cells on each side; 2*size - 1 rows, numbered row by row.

    >>> board = Havannah(2)
    >>> [board.cell_name(cell) for cell in board.cells], board.neighbours(4)
    (['a1', 'b1', 'a2', 'b2', 'c2', 'b3', 'c3'], (1, 2, 3, 5, 6, 7))
    """

    __slots__ = ()
    name: ClassVar[str] = "havannah"
    title: ClassVar[str] = "Havannah"
    reference: ClassVar[str] = "havannah/follow-line"
    sizes: ClassVar[range] = range(2, 16)
    aim_words: ClassVar[str] = "a ring, a bridge between two corners, or a fork of three sides wins"
    swap_rules: ClassVar[str | None] = "mirror-nothing"

    def places(self) -> Sequence[Coordinates]:
        """Row by row; in every row the columns of the rhombus around the hexagon."""
        side = range(1, 2 * self.size)
        return [(row, column) for row in side for column in side if abs(row - column) < self.size]

    def borders(self, place: Coordinates) -> frozenset[int]:
        """The border lines that a cell lies on, numbered 0 to 5 around the board: two for a corner."""
        row, column = place
        last = 2 * self.size - 1
        limits = (row == 1, column - row == self.size - 1, column == last, row == last, row - column == self.size - 1)
        return frozenset(number for number, there in enumerate((*limits, column == 1)) if there)

    def has_won(self, stones: Stones, player: Player) -> bool:
        """Whether the stones hold a bridge, a fork or a ring.

        >>> ring = {1, 2, 3, 5, 6, 7}
        >>> [Havannah(2).has_won(frozenset(stones), "red") for stones in (ring, {1, 2}, {1, 4})]
        [True, True, False]
        """
        return any(self.bridges_or_forks(group) for group in self.groups(stones)) or self.rings(stones)

    def bridges_or_forks(self, group: Sequence[int]) -> bool:
        """Whether a connected group touches two corners or three sides."""
        lines = [self.borders(self.place(cell)) for cell in group]
        corners = sum(len(touched) == 2 for touched in lines)
        sides = frozenset().union(*(touched for touched in lines if len(touched) == 1))
        return corners >= 2 or len(sides) >= 3

    def rings(self, stones: Stones) -> bool:
        """Whether the stones hold a ring: an enclosed cell without a stone, or a stone with six neighbours.

        If a ring encloses a cell without the player's stone, that cell cannot reach the border over such cells. If it
        encloses stones only, then one of them is a stone whose six neighbours are stones. And the other way round.
        """
        free = set(self.cells) - stones
        waiting = [cell for cell in free if self.borders(self.place(cell))]
        outside = set(waiting)
        while waiting:
            reached = {other for other in self.neighbours(waiting.pop()) if other in free} - outside
            outside |= reached
            waiting += reached
        inside = (cell for cell in stones if len(self.neighbours(cell)) == 6)
        return free != outside or any(stones.issuperset(self.neighbours(cell)) for cell in inside)


GAME: Final = Havannah

"""Y: a triangle of hexagons. A group that touches all three sides wins, for either player.

Row r has r cells, numbered row by row from the tip. On a full board exactly one player has won, as in Hex.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from hexlogic.games.game import Coordinates, Player, SizedBoard, Stones


class Y(SizedBoard):
    """The triangle of `size` rows.

    >>> board = Y(3)
    >>> [board.cell_name(cell) for cell in board.cells], board.neighbours(5)
    (['a1', 'a2', 'b2', 'a3', 'b3', 'c3'], (2, 3, 4, 6))
    """

    __slots__ = ()
    name: ClassVar[str] = "y"
    title: ClassVar[str] = "Y"
    reference: ClassVar[str] = "y/follow-line"
    sizes: ClassVar[range] = range(1, 41)
    always_won: ClassVar[bool] = True
    aim_words: ClassVar[str] = "a group of stones that touches all three sides wins"
    swap_rules: ClassVar[str | None] = "mirror-nothing"

    def places(self) -> Sequence[Coordinates]:
        """Row by row."""
        return [(row, column) for row in range(1, self.size + 1) for column in range(1, row + 1)]

    def has_won(self, stones: Stones, player: Player) -> bool:
        """Whether one group touches the left side, the right side and the bottom; a corner touches two.

        >>> Y(2).has_won(frozenset({1, 2}), "red"), Y(2).has_won(frozenset({1}), "red")
        (True, False)
        """
        for group in self.groups(stones):
            places = [self.place(cell) for cell in group]
            left = any(column == 1 for _, column in places)
            right = any(column == row for row, column in places)
            bottom = any(row == self.size for row, _ in places)
            if left and right and bottom:
                return True
        return False

    def sweeps(self) -> int:
        """Sweeps, away from a side and back by turns, that follow any chain without a chord from that side to a cell.

        Proved: Let the chain have one cell on the side, as a shortest one has. Of the six directions two lead away from
        the side, and forward are these and the one along it that is next to them on one hand; back are the other three.
        Two steps in a row differ by one place in the circle of directions at the most, so a change is between the two
        directions at one end of the forward ones. Such two steps cross the line that goes through the changing cell in
        the middle one of the forward directions, so the cell's neighbours on that line are not on the chain. Of a line
        with k cells off the side at most ceil(k / 2) are changes. There are such lines with 1 to n - 2 of them, beside
        those at the border, which cannot be crossed. The first step leads away. So there are at most
        floor((n - 1)^2 / 4) changes, the sum of these.

        >>> [Y(size).sweeps() for size in (1, 2, 3, 5, 8)]
        [1, 1, 2, 5, 13]
        """
        return (self.size - 1) ** 2 // 4 + 1


GAME: Final = Y

"""Toy, a game that is dropped in: Hex on squares, where a stone touches four others.

Red joins the left side with the right one, blue the top with the bottom. Unlike in Hex, nobody need win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from hexlogic.games.game import RED, Coordinates, Player, Point, SizedBoard, Stones


class Toy(SizedBoard):
    """The square of `size` x `size` squares."""

    __slots__ = ()
    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    reference: ClassVar[str] = "follow-line-tabled"
    sizes: ClassVar[range] = range(1, 20)
    cell_sides: ClassVar[int] = 4
    offsets: ClassVar[frozenset[Coordinates]] = frozenset({(0, 1), (0, -1), (1, 0), (-1, 0)})

    def places(self) -> Sequence[Coordinates]:
        """Row by row."""
        side = range(1, self.size + 1)
        return [(row, column) for row in side for column in side]

    def centre_of(self, place: Coordinates) -> Point:
        """Squares do not lean."""
        return place[1], place[0]

    def has_won(self, stones: Stones, player: Player) -> bool:
        """Whether one group touches both sides of the player."""
        along = 1 if player == RED else 0
        lines = ({self.place(cell)[along] for cell in group} for group in self.groups(stones))
        return any({1, self.size} <= touched for touched in lines)


GAME = Toy

"""Tic-tac-toe in three dimensions: n stones in a straight line through an n x n x n cube win.

(n + 2)^3 - n^3 over 2 lines: 49 at n = 3, 76 at n = 4. Guru and Weng 2019, section 4.1, name it as the next game for
their formalisation: clusters, one family for each direction.
"""

import functools
import itertools
from collections.abc import Sequence
from typing import ClassVar, Final

from hexlogic.games.game import Coordinates, Player, Point, SizedBoard, Stones, column_name


class TicTacToe3D(SizedBoard):
    """The cube of side `size`. Coordinates are (column, row, layer); `b31` is column 2, row 3, layer 1.

    >>> board = TicTacToe3D(3)
    >>> board.cell_name(14), len(board.neighbours(14)), len(board.lines())
    ('b22', 26, 49)
    """

    __slots__ = ()
    name: ClassVar[str] = "tic-tac-toe-3d"
    title: ClassVar[str] = "3D tic-tac-toe"
    reference: ClassVar[str] = "tic-tac-toe-3d/follow-line"
    sizes: ClassVar[range] = range(2, 10)
    axes: ClassVar[str] = "column, row, layer"
    swap_rules: ClassVar[str | None] = "mirror-nothing"
    size_hint: ClassVar[str] = "such as 3"
    cell_sides: ClassVar[int] = 4
    aim_words: ClassVar[str] = "{size} stones in a straight line win"
    offsets: ClassVar[frozenset[Coordinates]] = frozenset(itertools.product((-1, 0, 1), repeat=3)) - {(0, 0, 0)}

    def places(self) -> Sequence[Coordinates]:
        """Layer by layer, row by row."""
        side = range(1, self.size + 1)
        return [(column, row, layer) for layer in side for row in side for column in side]

    def line_of(self, place: Coordinates) -> Coordinates:
        """Row and layer."""
        return place[1:]

    def name_of(self, place: Coordinates) -> str:
        """The column's letter, the row's digit, the layer's digit."""
        column, row, layer = place
        return f"{column_name(column)}{row}{layer}"

    def centre_of(self, place: Coordinates) -> Point:
        """The layers side by side."""
        column, row, layer = place
        return column + (layer - 1) * (self.size + 2), row

    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every winning line, ascending; along it each coordinate is constant, rises 1 to n or falls n to 1."""
        return _lines(self)

    def has_won(self, stones: Stones, player: Player) -> bool:
        """Whether some line is full of the player's stones."""
        return any(stones.issuperset(line) for line in self.lines())


@functools.lru_cache(maxsize=8)
def _lines(board: TicTacToe3D) -> tuple[tuple[int, ...], ...]:
    courses = [(value,) * board.size for value in range(1, board.size + 1)]
    courses += [tuple(range(1, board.size + 1)), tuple(range(board.size, 0, -1))]
    numbers = {place: cell for cell, place in enumerate(board.places(), start=1)}
    lines = (
        tuple(sorted(numbers[place] for place in zip(*chosen, strict=True)))
        for chosen in itertools.product(courses, repeat=3)
    )
    return tuple(sorted({line for line in lines if len(set(line)) == board.size}))


GAME: Final = TicTacToe3D

"""Hex on n x m boards.

Cells are numbered 1 to n*m row by row (n rows, m columns; Guru and Weng 2019, section 1.1). On paper the board is a
rhombus: every row is shifted half a cell to the right of the one above it.

The referee uses neither the rules nor the modular numbering c +- 1, c +- m, c +- (m - 1) of the paper: adjacency comes
from offsets in rows and columns, so that an error in either cannot hide in both. Who has won and the winning chain
share no search and check each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import ClassVar, Final

from hexlogic.errors import PositionError, SizeError
from hexlogic.games.game import RED, Coordinates, Game, Player, Point, Stones, check_player

MAX_SIDE: Final = 64
"""The longest side of a board, in cells; a larger number is a typing mistake."""


@dataclass(frozen=True, slots=True, order=True)
class Hex(Game):
    """A Hex board of `rows` x `columns` cells. Red joins the first column with the last, blue the first row
    with the last. Raises `SizeError` unless both sides are integers from 1 to `MAX_SIDE`.

    >>> board = Hex(2, 3)
    >>> list(board.cells), board.neighbours(2), board.cell_name(6)
    ([1, 2, 3, 4, 5, 6], (1, 3, 4, 5), 'c2')
    """

    rows: int = field()
    columns: int = field()

    name: ClassVar[str] = "hex"
    title: ClassVar[str] = "Hex"
    reference: ClassVar[str] = "follow-line-tabled"
    size_hint: ClassVar[str] = "such as 9, or 9x11 for rows x columns"
    cell_hint: ClassVar[str] = "a cell is column letters and a row, like f6"
    always_won: ClassVar[bool] = True
    aim_words: ClassVar[str] = "red joins column a with column {last}, blue joins row 1 with row {rows}"
    swap_rules: ClassVar[str | None] = "mirror-sides"
    swap_words: ClassVar[str] = (
        "blue may answer the first stone by swap: it becomes blue's, on the mirror cell (column and row exchanged)"
    )
    # Rows lean to the right going down, so the two cells below (r, c) are (r + 1, c - 1) and (r + 1, c).
    offsets: ClassVar[frozenset[Coordinates]] = frozenset({(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)})

    def __post_init__(self) -> None:
        for side, length in (("rows", self.rows), ("columns", self.columns)):
            if not isinstance(length, int) or isinstance(length, bool) or not 1 <= length <= MAX_SIDE:
                hint = f"each side has 1 to {MAX_SIDE} cells"
                raise SizeError(f"a Hex board cannot have {length!r} {side}", hint=hint)

    @classmethod
    def square(cls, size: int) -> Hex:
        """The usual board with as many rows as columns."""
        return cls(size, size)

    @classmethod
    def of_size(cls, *lengths: int) -> Hex:
        """The board of one side, or of rows and columns. Raises SizeError."""
        if not 1 <= len(lengths) <= 2:
            raise SizeError(f"a Hex board has one or two sizes, not {len(lengths)}", hint=cls.size_hint)
        return cls(lengths[0], lengths[-1])

    @classmethod
    def of_extent(cls, rows: int, columns: int) -> Hex:
        """The board of so many rows and columns. Raises SizeError."""
        return cls(rows, columns)

    def __str__(self) -> str:
        return f"{self.size_text} Hex"

    @property
    def size_text(self) -> str:
        """Rows and columns as people write them: `9x9`."""
        return f"{self.rows}x{self.columns}"

    def check_swap(self) -> None:
        """Raise SizeError unless the board is square: the swap rule mirrors a stone."""
        if self.size is None:
            raise SizeError(f"the swap rule mirrors a stone, and {self} has no mirror image", hint="a square board has")

    @property
    def called(self) -> str:
        """The board in error messages."""
        return f"{self.size_text} board"

    @property
    def cells(self) -> range:
        """All cell numbers, 1 to rows * columns."""
        return range(1, self.rows * self.columns + 1)

    @property
    def size(self) -> int | None:
        """The side of a square board, `None` for any other."""
        return self.rows if self.rows == self.columns else None

    def cell(self, row: int, column: int) -> int:
        """The number of the cell at `row` and `column`, both counted from 1."""
        if not (1 <= row <= self.rows and 1 <= column <= self.columns):
            raise PositionError(f"row {row}, column {column} is off the {self.called}")
        return (row - 1) * self.columns + column

    def column(self, cell: int) -> int:
        """The column of a cell, 1 to columns."""
        return (self.check_cell(cell) - 1) % self.columns + 1

    def row(self, cell: int) -> int:
        """The row of a cell, 1 to rows."""
        return (self.check_cell(cell) - 1) // self.columns + 1

    def check_cell(self, cell: int) -> int:
        """`cell` itself when it is on the board; raises PositionError otherwise."""
        is_here = type(cell) is int and 0 < cell <= self.rows * self.columns  # twice as fast as for any board
        return cell if is_here else Game.check_cell(self, cell)

    def sides(self, player: Player) -> tuple[frozenset[int], frozenset[int]]:
        """The first and the last side of `player`: red columns 1 and m, blue rows 1 and n.

        >>> [sorted(side) for side in Hex(2, 3).sides("red")]
        [[1, 4], [3, 6]]
        """
        last = self.rows * self.columns
        if check_player(player) == RED:
            first_column = range(1, last + 1, self.columns)
            last_column = range(self.columns, last + 1, self.columns)
            return frozenset(first_column), frozenset(last_column)
        return frozenset(range(1, self.columns + 1)), frozenset(range(last - self.columns + 1, last + 1))

    def places(self) -> Sequence[Coordinates]:
        """Row by row."""
        return [(row, column) for row in range(1, self.rows + 1) for column in range(1, self.columns + 1)]

    def centre_of(self, place: Coordinates) -> Point:
        """Rows lean to the right going down."""
        row, column = place
        return column + row / 2, row * sqrt(3) / 2

    def has_won(self, stones: Stones, player: Player) -> bool:
        """Whether one group of the stones touches both of the player's sides."""
        first, last = self.sides(player)
        return any(not first.isdisjoint(group) and not last.isdisjoint(group) for group in self.groups(stones))

    def winning_stones(self, stones: Stones, player: Player) -> tuple[int, ...] | None:
        """A shortest winning chain, from the player's first side to the last; None when there is none."""
        first, last = self.sides(player)
        frontier = sorted(first & stones)
        came_from: dict[int, int | None] = dict.fromkeys(frontier)
        for cell in frontier:
            if cell in last:
                chain, back = [cell], came_from[cell]
                while back is not None:
                    chain.append(back)
                    back = came_from[back]
                return tuple(reversed(chain))
            for other in self.neighbours(cell):
                if other in stones and other not in came_from:
                    came_from[other] = cell
                    frontier.append(other)
        return None

    @property
    def transposed(self) -> Hex:
        """The board with rows and columns exchanged, on which red and blue change roles."""
        return Hex(self.columns, self.rows)

    def transpose(self, cell: int) -> int:
        """The number, on the transposed board, of the cell with row and column exchanged.

        >>> Hex(2, 3).transpose(2), Hex(2, 3).transpose(4)
        (3, 2)
        """
        return (self.column(cell) - 1) * self.rows + self.row(cell)


def as_hex(game: object) -> Hex:
    """`game` itself when it is a Hex board; raises `PositionError` otherwise."""
    if isinstance(game, Hex):
        return game
    raise PositionError(f"this is for Hex boards, not for {game}")


GAME: Final = Hex

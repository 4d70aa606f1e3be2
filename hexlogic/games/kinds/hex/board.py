"""The geometry of Hex on n x m boards: cells, columns, rows, sides and neighbours.

Cells are numbered 1 to n*m row by row (n rows, m columns), so the neighbours of `c` are `c +- 1`, `c +- m` and
`c +- (m - 1)`, cut at the borders (Guru and Weng 2019, section 1.1). On paper the board is a rhombus: every row
is shifted half a cell to the right of the one above it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import ClassVar, Final

from hexlogic.errors import PositionError, SizeError
from hexlogic.games.game import column_name
from hexlogic.games.kinds.hex.referee import groups_of, joins_sides, shortest_chain
from hexlogic.games.players import RED, Player, check_player

MAX_SIDE: Final = 64
"""The longest side of a board, in cells; a larger number is a slip of the keyboard."""

_CELL = re.compile(r"([a-z]+)([0-9]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class Hex:
    """A Hex board of `rows` x `columns` cells. Red joins the first column with the last, blue the first row
    with the last. Raises `SizeError` unless both sides are integers from 1 to `MAX_SIDE`.

    >>> board = Hex(2, 3)
    >>> list(board.cells), board.neighbours(2), board.cell_name(6)
    ([1, 2, 3, 4, 5, 6], (1, 3, 4, 5), 'c2')
    """

    rows: int
    columns: int

    name: ClassVar[str] = "hex"
    title: ClassVar[str] = "Hex"
    reference: ClassVar[str] = "follow-line-tabled"
    size_hint: ClassVar[str] = "such as 9, or 9x11 for rows x columns"
    cell_sides: ClassVar[int] = 6
    axes: ClassVar[str] = "column, row"
    always_won: ClassVar[bool] = True
    swap_rules: ClassVar[str | None] = "mirror-sides"
    swap_words: ClassVar[str] = (
        "blue may answer the first stone by swap: it becomes blue's, on the mirror cell (column and row exchanged)"
    )

    def __post_init__(self) -> None:
        for side, length in (("rows", self.rows), ("columns", self.columns)):
            if not isinstance(length, int) or isinstance(length, bool) or not 1 <= length <= MAX_SIDE:
                raise SizeError(
                    f"a Hex board cannot have {length!r} {side}",
                    hint=f"each side has 1 to {MAX_SIDE} cells",
                )

    @classmethod
    def square(cls, size: int) -> Hex:
        """The usual board with as many rows as columns.

        >>> Hex.square(9)
        Hex(rows=9, columns=9)
        """
        return cls(size, size)

    @classmethod
    def of_size(cls, *lengths: int) -> Hex:
        """The board of one side, or of rows and columns. Raises SizeError.

        >>> Hex.of_size(9) == Hex.of_size(9, 9)
        True
        """
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

    @property
    def aim(self) -> str:
        """The sides that each player joins."""
        return f"red joins column a with column {column_name(self.columns)}, blue joins row 1 with row {self.rows}"

    def check_swap(self) -> None:
        """Raise SizeError unless the board is square: the swap rule mirrors a stone."""
        if self.size is None:
            raise SizeError(f"the swap rule mirrors a stone, and {self} has no mirror image", hint="a square board has")

    @property
    def cells(self) -> range:
        """All cell numbers, 1 to rows * columns."""
        return range(1, self.rows * self.columns + 1)

    @property
    def size(self) -> int | None:
        """The side of a square board, `None` for any other."""
        return self.rows if self.rows == self.columns else None

    @property
    def lines_of_text(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each row."""
        m = self.columns
        return tuple(tuple(range(row * m + 1, (row + 1) * m + 1)) for row in range(self.rows))

    def cell(self, row: int, column: int) -> int:
        """The number of the cell at `row` and `column`, both counted from 1.

        >>> Hex(9, 9).cell(row=6, column=6)
        51
        """
        if not (1 <= row <= self.rows and 1 <= column <= self.columns):
            raise PositionError(f"row {row}, column {column} is off the {self.rows}x{self.columns} board")
        return (row - 1) * self.columns + column

    def column(self, cell: int) -> int:
        """The column of a cell, 1 to columns."""
        return (self.check_cell(cell) - 1) % self.columns + 1

    def row(self, cell: int) -> int:
        """The row of a cell, 1 to rows."""
        return (self.check_cell(cell) - 1) // self.columns + 1

    def check_cell(self, cell: int) -> int:
        """`cell` itself when it is on the board; raises `PositionError` otherwise."""
        if isinstance(cell, int) and not isinstance(cell, bool) and 1 <= cell <= self.rows * self.columns:
            return cell
        raise PositionError(
            f"cell {cell!r} is off the {self.rows}x{self.columns} board",
            hint=f"cells are numbered 1 to {self.rows * self.columns}",
        )

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The two to six cells that touch `cell` (none on the 1x1 board), in ascending order.

        >>> Hex(3, 3).neighbours(5)
        (2, 3, 4, 6, 7, 8)
        """
        return _neighbour_table(self)[self.check_cell(cell)]

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

    def cell_name(self, cell: int) -> str:
        """The name of a cell: column letters, then the row.

        >>> Hex(9, 9).cell_name(51)
        'f6'
        """
        return f"{column_name(self.column(cell))}{self.row(cell)}"

    def parse_cell(self, name: str) -> int:
        """The cell with the given name, in small or capital letters; raises `PositionError`.

        >>> Hex(9, 9).parse_cell("f6")
        51
        """
        match = _CELL.fullmatch(name)
        if match is None:
            raise PositionError(f"{name!r} is not a cell", hint="a cell is column letters and a row, like f6")
        letters, digits = match.groups()
        column = 0
        for letter in letters.lower()[:6]:
            column = column * 26 + ord(letter) - ord("a") + 1
        # Six places are far beyond any board; more would only feed int() with digits it refuses.
        row = int(digits[:6]) if len(digits) <= 6 else 10**6
        if not (1 <= row <= self.rows and column <= self.columns):
            raise PositionError(
                f"cell {name} is off the {self.rows}x{self.columns} board",
                hint=f"cells run from a1 to {column_name(self.columns)}{self.rows}",
            )
        return self.cell(row, column)

    def centre(self, cell: int) -> tuple[float, float]:
        """Where the cell is drawn, in units of a cell's width: rows lean to the right going down."""
        row, column = self.row(cell), self.column(cell)
        return column + row / 2, row * sqrt(3) / 2

    def groups(self, stones: frozenset[int]) -> tuple[tuple[int, ...], ...]:
        """The connected groups of stones, each in ascending order, ordered by their smallest cell."""
        return groups_of(self.rows, self.columns, stones)

    def has_won(self, stones: frozenset[int], player: Player) -> bool:
        """Whether one group of the stones touches both of the player's sides."""
        return joins_sides(self.rows, self.columns, stones, player)

    def winning_stones(self, stones: frozenset[int], player: Player) -> tuple[int, ...] | None:
        """A shortest winning chain, from the player's first side to the last; None when there is none."""
        return shortest_chain(self.rows, self.columns, stones, player)

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


@lru_cache(maxsize=64)
def _neighbour_table(game: Hex) -> tuple[tuple[int, ...], ...]:
    """Neighbours by cell number; entry 0 is empty. The cuts are what the bare formulas leave out: without them
    c + 1 would wrap to the next row, and on one column c +- (m - 1) would be the cell itself."""
    m = game.columns
    table: list[tuple[int, ...]] = [()]
    for cell in game.cells:
        at_left, at_right = game.column(cell) == 1, game.column(cell) == m
        at_top, at_bottom = game.row(cell) == 1, game.row(cell) == game.rows
        steps = (
            (-m, at_top),
            (-(m - 1), at_top or at_right),
            (-1, at_left),
            (1, at_right),
            (m - 1, at_bottom or at_left),
            (m, at_bottom),
        )
        table.append(tuple(sorted(cell + step for step, cut in steps if not cut)))
    return tuple(table)

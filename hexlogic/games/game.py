"""What the rest of the house asks of a game: a board of one size, its cells, and who has won on it.

A game is a class; a board of it is a value. Its integer fields are the sizes that the constants of the same names in
its board file (`rules/games/NAME.lp`) are set to. Registration: `hexlogic.games.registry`.
"""

from __future__ import annotations

from typing import ClassVar, Protocol, Self, TypeAlias

from hexlogic.games.players import Player

Point: TypeAlias = tuple[float, float]
"""A place in a picture; the centres of neighbouring cells are one unit apart, the second number grows downward."""

Stones: TypeAlias = frozenset[int]
"""The cells of one player's stones."""


class Game(Protocol):
    """A board. Cells are numbered from 1 without a gap. `str` names it for people: `9x9 Hex`.

    `rows` and `columns` are the extent of its text: so many lines, at most so many cells in each. Together with the
    name they determine the board.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    """Its name for people."""
    reference: ClassVar[str]
    """The rule set that proofs compare others with."""
    size_hint: ClassVar[str]
    """How its sizes are written, for people: `such as 9, or 9x11 for rows x columns`."""

    cell_sides: ClassVar[int]
    """How cells are drawn: 6 for hexagons, 4 for squares."""

    axes: ClassVar[str]
    """What the parts of a cell's name are: `column, row`."""
    always_won: ClassVar[bool]
    """Whether each full board has a winner."""
    swap_rules: ClassVar[str | None]
    """The rule text in `rules/gdl/` that says which cell the stone of a swap lies on; None where there is no swap."""
    swap_words: ClassVar[str]
    """What the swap rule does, for people."""

    def __hash__(self) -> int: ...

    @property
    def aim(self) -> str:
        """What wins on this board, for people."""

    def check_swap(self) -> None:
        """Raise SizeError when the swap rule cannot be played on this board."""

    @classmethod
    def of_size(cls, *lengths: int) -> Self:
        """The board that a size of one or more numbers names. Raises SizeError."""

    @classmethod
    def of_extent(cls, rows: int, columns: int) -> Self:
        """The board of that extent. Raises SizeError."""

    @property
    def rows(self) -> int:
        """The lines of its text."""

    @property
    def columns(self) -> int:
        """The cells of the longest line of its text."""

    @property
    def size_text(self) -> str:
        """Its size as people write it: `9x9`, `5`."""

    @property
    def cells(self) -> range:
        """All cell numbers, from 1."""

    @property
    def lines_of_text(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each line of board text."""

    def check_cell(self, cell: int) -> int:
        """`cell` itself when it is on the board; raises PositionError otherwise."""

    def cell_name(self, cell: int) -> str:
        """The name of a cell: letters, then digits."""

    def parse_cell(self, name: str) -> int:
        """The cell with that name; raises PositionError."""

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The cells that touch `cell`, in ascending order."""

    def centre(self, cell: int) -> Point:
        """Where the cell is drawn."""

    def groups(self, stones: Stones) -> tuple[tuple[int, ...], ...]:
        """The connected groups of stones, each in ascending order, ordered by their smallest cell."""

    def has_won(self, stones: Stones, player: Player) -> bool:
        """Whether a player with these stones has won. Shares no code with the rules."""

    def winning_stones(self, stones: Stones, player: Player) -> tuple[int, ...] | None:
        """Stones that win and none of which can be spared; None when there is no win."""


Kind: TypeAlias = type[Game]


class Placed(Protocol):
    """Stones on a board as a `Position` has them, so that drawings need not import positions, which draw themselves."""

    @property
    def game(self) -> Game:
        """The board."""

    @property
    def name(self) -> str | None:
        """What a drawing calls it."""

    def stones(self, player: Player) -> Stones:
        """The cells of one player's stones."""

    def owner(self, cell: int) -> Player | None:
        """The player whose stone is on a cell."""


def column_name(column: int) -> str:
    """The letters of a column, counted from 1 as spreadsheets do.

    >>> [column_name(i) for i in (1, 26, 27, 52, 53)]
    ['a', 'z', 'aa', 'az', 'ba']
    """
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters

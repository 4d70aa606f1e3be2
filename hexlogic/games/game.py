"""Games: a board of one size, its cells by coordinates, and who has won on it."""

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, Final, Literal, Protocol, Self, TypeAlias

from hexlogic.errors import PositionError, SizeError, UnknownNameError

Player: TypeAlias = Literal["red", "blue"]

RED: Final = "red"
BLUE: Final = "blue"
PLAYERS: Final[tuple[Player, Player]] = (RED, BLUE)


def opponent(player: Player) -> Player:
    """The other player."""
    return BLUE if check_player(player) == RED else RED


def check_player(player: str) -> Player:
    """`player` itself when it is "red" or "blue"; raises `UnknownNameError` otherwise."""
    if player == RED:
        return RED
    if player == BLUE:
        return BLUE
    raise UnknownNameError.among("player", str(player), list(PLAYERS))


Point: TypeAlias = tuple[float, float]
"""A place in a picture; the centres of neighbouring cells are one unit apart, the second number grows downward."""
Stones: TypeAlias = frozenset[int]
"""The cells of one player's stones."""
Coordinates: TypeAlias = tuple[int, ...]
"""The place of a cell; on a board of hexagons (row, column), both from 1."""

_TALL = sqrt(3) / 2
_CELL = re.compile(r"[a-z]+[0-9]+", re.IGNORECASE)
_SIZE = re.compile(r"\s*([0-9]{1,6})\s*(?:x\s*([0-9]{1,6})\s*)?", re.IGNORECASE)


class Game(ABC):
    """A board of one size: its cells, numbered from 1 without a gap, and who has won on it.

    A game is a class that says which coordinates there are, which touch, and who has won; a board of it is a value, a
    dataclass whose integer fields are the sizes that the constants of the same names in its board file
    (`rules/games/NAME.lp`) are set to. `str` names it for people: `9x9 Hex`. Registration: `hexlogic.games.kinds`.

    The defaults are for hexagons: coordinates (row, column), six neighbours, names like Hex's.
    """

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    """Its name for people."""
    reference: ClassVar[str]
    """The rule set that proofs compare others with."""
    size_hint: ClassVar[str] = "such as 5"
    """How its sizes are written, for people: `such as 9, or 9x11 for rows x columns`."""
    cell_hint: ClassVar[str] = "a cell is letters and digits, like {}"
    """How its cells are written; `{}` is the first one."""
    cell_sides: ClassVar[int] = 6
    """How cells are drawn: 6 for hexagons, 4 for squares."""
    axes: ClassVar[str] = "column, row"
    """What the parts of a cell's name are."""
    always_won: ClassVar[bool] = False
    """Whether each full board has a winner."""
    aim_words: ClassVar[str] = "see the rules for wins"
    """What wins, for people, where `{size}`, `{rows}` and `{last}` are the board's and the name of its last column."""
    swap_rules: ClassVar[str | None] = None
    """The rule text in `rules/gdl/` that says which cell the stone of a swap lies on; None where there is no swap."""
    swap_words: ClassVar[str] = "blue may answer the first stone by swap: it becomes blue's where it is"
    """What the swap rule does, for people."""
    offsets: ClassVar[frozenset[Coordinates]] = frozenset({(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)})
    """From a cell to its neighbours."""

    @classmethod
    @abstractmethod
    def of_size(cls, *lengths: int) -> Self:
        """The board that a size of one or more numbers names. Raises SizeError."""

    @classmethod
    def of_text(cls, text: str) -> Self:
        """The board of a size as people write it, `9` or `9x11` (rows x columns). Raises SizeError.

        >>> from hexlogic.games import Hex
        >>> Hex.of_text("9"), Hex.of_text("2x3")
        (Hex(rows=9, columns=9), Hex(rows=2, columns=3))
        """
        match = _SIZE.fullmatch(text)
        if match is None:
            raise SizeError(f"{text[:20]!r} is not a size", hint=cls.size_hint)
        return cls.of_size(*(int(side) for side in match.groups() if side))

    @classmethod
    @abstractmethod
    def of_extent(cls, rows: int, columns: int) -> Self:
        """The board whose text has so many lines, of at most so many cells. Raises SizeError."""

    @property
    @abstractmethod
    def size_text(self) -> str:
        """Its size as people write it: `9x9`, `5`."""

    @abstractmethod
    def places(self) -> Sequence[Coordinates]:
        """The coordinates of all cells, in the order of their numbers; cells of one line of text stand together."""

    @abstractmethod
    def has_won(self, stones: Stones, player: Player) -> bool:
        """Whether a player with these stones has won."""

    def line_of(self, place: Coordinates) -> Coordinates:
        """What the cells of one line of text have in common: here the row."""
        return place[:1]

    def name_of(self, place: Coordinates) -> str:
        """The name of the cell at a place: here its column's letters and its row's number."""
        return f"{column_name(place[1])}{place[0]}"

    def centre_of(self, place: Coordinates) -> Point:
        """Where the cell is drawn: here on a lattice of hexagons, each row half a cell to the left of the last."""
        row, column = place
        return column - row / 2, row * _TALL

    @property
    def called(self) -> str:
        """The board in error messages."""
        return f"board of {self}"

    @property
    def cells(self) -> range:
        """All cell numbers, from 1."""
        return range(1, len(_table(self)) + 1)

    @property
    def lines_of_text(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each line of board text."""
        return _lines(self)

    @property
    def rows(self) -> int:
        """The lines of its text."""
        return len(self.lines_of_text)

    @property
    def columns(self) -> int:
        """The cells of the longest line of its text."""
        return max(map(len, self.lines_of_text))

    def place(self, cell: int) -> Coordinates:
        """The coordinates of a cell."""
        return _table(self)[self.check_cell(cell) - 1]

    def check_cell(self, cell: int) -> int:
        """`cell` itself when it is on the board; raises PositionError otherwise."""
        if isinstance(cell, int) and not isinstance(cell, bool) and cell in self.cells:
            return cell
        hint = f"cells are numbered 1 to {len(self.cells)}"
        raise PositionError(f"cell {cell!r} is off the {self.called}", hint=hint)

    @property
    def aim(self) -> str:
        """What wins, for people."""
        return self.aim_words.format(size=self.size_text, rows=self.rows, last=column_name(self.columns))

    def check_swap(self) -> None:
        """Return: the swap rule can be played on boards of every size."""
        return

    def cell_name(self, cell: int) -> str:
        """The name of a cell."""
        return self.name_of(self.place(cell))

    def cell_names(self, cells: Iterable[int]) -> list[str]:
        """The names of cells, sorted by their numbers."""
        return [self.cell_name(cell) for cell in sorted(cells)]

    def parse_cell(self, name: str) -> int:
        """The cell with that name, in small or capital letters; raises PositionError."""
        cell = _names(self).get(name.lower())
        if cell is None:
            first, last = self.cell_name(1), self.cell_name(len(self.cells))
            if not _CELL.fullmatch(name):
                raise PositionError(f"{name[:20]!r} is not a cell", hint=self.cell_hint.format(first))
            raise PositionError(f"cell {name} is off the {self.called}", hint=f"cells run from {first} to {last}")
        return cell

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The cells that touch `cell`, in ascending order."""
        return _neighbours(self)[self.check_cell(cell) - 1]

    def centre(self, cell: int) -> Point:
        """Where the cell is drawn."""
        return self.centre_of(self.place(cell))

    def groups(self, stones: Stones) -> tuple[tuple[int, ...], ...]:
        """The connected groups of stones, each in ascending order, ordered by their smallest cell."""
        groups: list[tuple[int, ...]] = []
        touching, left = _neighbours(self), set(stones)
        for first in sorted(stones):
            if first not in left:
                continue
            left.discard(first)
            group = [first]
            for cell in group:
                reached = left.intersection(touching[cell - 1])
                left -= reached
                group += reached
            groups.append(tuple(sorted(group)))
        return tuple(groups)

    def winning_stones(self, stones: Stones, player: Player) -> tuple[int, ...] | None:
        """Stones that win and none of which can be spared, in ascending order; None when there is no win. Asks
        `has_won` once for each stone: right for every game in which more stones never undo a win."""
        if not self.has_won(stones, player):
            return None
        for cell in sorted(stones, reverse=True):
            if self.has_won(stones - {cell}, player):
                stones -= {cell}
        return tuple(sorted(stones))


Kind: TypeAlias = type[Game]


@dataclass(frozen=True, slots=True, order=True)
class SizedBoard(Game):
    """A board of a game whose size is one number. Raises SizeError for a size outside `sizes`."""

    size: int

    sizes: ClassVar[range]
    """The sizes it can have."""

    def __post_init__(self) -> None:
        if not isinstance(self.size, int) or isinstance(self.size, bool) or self.size not in self.sizes:
            hint = f"sizes run from {self.sizes.start} to {self.sizes.stop - 1}"
            raise SizeError(f"there is no {self.title} board of size {self.size!r}", hint=hint)

    @classmethod
    def of_size(cls, *lengths: int) -> Self:
        """The board of that size. Raises SizeError for more than one number."""
        if len(lengths) != 1:
            raise SizeError(f"a {cls.title} board has one size, not {len(lengths)}", hint=cls.size_hint)
        return cls(lengths[0])

    @classmethod
    def of_extent(cls, rows: int, columns: int) -> Self:
        """The board whose text has so many lines, of at most so many cells. Raises SizeError."""
        for size in cls.sizes:
            board = cls(size)
            if (board.rows, board.columns) == (rows, columns):
                return board
            if board.rows > rows:
                break
        raise SizeError(f"no {cls.title} board has {rows} rows of up to {columns} cells", hint=cls.size_hint)

    def __str__(self) -> str:
        return f"size {self.size} {self.title}"

    @property
    def size_text(self) -> str:
        """Its size as people write it."""
        return str(self.size)


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


@functools.lru_cache(maxsize=64)
def _table(board: Game) -> tuple[Coordinates, ...]:
    return tuple(board.places())


@functools.lru_cache(maxsize=64)
def _lines(board: Game) -> tuple[tuple[int, ...], ...]:
    lines: dict[Coordinates, list[int]] = {}
    for cell, place in enumerate(_table(board), start=1):
        lines.setdefault(board.line_of(place), []).append(cell)
    return tuple(map(tuple, lines.values()))


@functools.lru_cache(maxsize=64)
def _names(board: Game) -> dict[str, int]:
    return {board.name_of(place): cell for cell, place in enumerate(_table(board), start=1)}


@functools.lru_cache(maxsize=64)
def _neighbours(board: Game) -> tuple[tuple[int, ...], ...]:
    numbers = {place: cell for cell, place in enumerate(_table(board), start=1)}
    around = (
        [tuple(a + b for a, b in zip(place, offset, strict=True)) for offset in board.offsets]
        for place in _table(board)
    )
    return tuple(tuple(sorted(numbers[place] for place in places if place in numbers)) for places in around)

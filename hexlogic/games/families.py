"""Families of boards: the idea of one named board on every size, as `NAME@SIZE`, to see how work grows.

A list of sizes names a series: `difficult-1@3..5,9` is `difficult-1@3`, `@4`, `@5` and `@9`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from hexlogic.errors import PositionError, UnknownNameError
from hexlogic.games.kinds.hex.board import Hex
from hexlogic.games.position import Position

_SIZE_LIST = re.compile(r"\d+(\.\.\d+)?(,\d+(\.\.\d+)?)*")


def _full_band(size: int) -> Position:
    """`difficult-1` on size x size: two full neighbouring rows without the last column, and one stone far away in it.

    2 * size - 1 red stones; on boards too small for a distance the stone moves to the other end of its column.

    >>> print(_full_band(4).to_text(), end="")
    . . . .
    R R R .
    R R R .
    . . . R
    """
    board = Hex(size, size)
    upper = max(1, min((size + 1) // 2, size - 2))
    band = {board.cell(row, column) for row in (upper, upper + 1) for column in range(1, size)}
    return Position(board, frozenset({*band, board.cell(1 if upper > 2 else size, size)}), frozenset())


FAMILIES: Final[dict[str, tuple[int, Callable[[int], Position]]]] = {"difficult-1": (3, _full_band)}
"""By name: the smallest size that the idea fits, and the board of a size."""


def family_of(name: str) -> tuple[str, int] | None:
    """The family and the size in a board's name; None for a name that is no member of a series.

    >>> family_of("difficult-1@5"), family_of("difficult-1")
    (('difficult-1', 5), None)
    """
    family, at, size = name.partition("@")
    return (family, int(size)) if at and size.isdecimal() else None


def expand_series(name: str) -> tuple[str, ...]:
    """The boards that a name with a list of sizes stands for; any other name stands for itself.

    >>> expand_series("difficult-1@3..5,9"), expand_series("snake")
    (('difficult-1@3', 'difficult-1@4', 'difficult-1@5', 'difficult-1@9'), ('snake',))

    Raises PositionError for sizes that are none.
    """
    family, at, sizes = name.partition("@")
    if not at:
        return (name,)
    error = PositionError(f"sizes {sizes!r} of the series {family}", hint=f"write {family}@3..9 or {family}@3,5,9")
    if not _SIZE_LIST.fullmatch(sizes):
        raise error
    found: dict[int, None] = {}
    for part in sizes.split(","):
        low, _, high = part.partition("..")
        some = range(int(low), int(high or low) + 1)
        if not some:  # 9..3
            raise error
        found.update(dict.fromkeys(some))
    return tuple(f"{family}@{size}" for size in sorted(found))


def family_position(name: str) -> Position:
    """The position that `NAME@SIZE` names. Raises UnknownNameError, PositionError and, for a size, SizeError."""
    members = expand_series(name)
    member = family_of(members[0]) if len(members) == 1 else None
    if member is None:
        raise PositionError(f"{name} names {len(members)} boards", hint="give one size")
    family, size = member
    if family not in FAMILIES:
        raise UnknownNameError.among("family of boards", family, list(FAMILIES))
    least, make = FAMILIES[family]
    if size < least:
        raise PositionError(f"{family} begins at size {least}", hint=f"{family}@{least}")
    return make(size)

"""Symbol sets by name: parts joined by `+`, and short names for the sets of the study."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex
from hexlogic.predict.part import Part
from hexlogic.registry import Registry

__all__ = ["SHORT_NAMES", "SymbolSet", "part_names"]

_PARTS: Registry[type[Part]] = Registry("hexlogic.predict.symbols", "PART", "part of a symbol set", on_demand=True)

SHORT_NAMES: Final = {"study": "pairs+occupancy", "two-wins": "inner-pairs+won+occupancy"}
"""The symbols of the study (table 2.1), and its untried idea."""


def part_names() -> tuple[str, ...]:
    """The names of all parts, sorted.

    >>> "pairs" in part_names()
    True
    """
    return _PARTS.names()


class SymbolSet:
    """The symbols that a text such as `pairs+occupancy+to-move` names, on one board.

    Raises UnknownNameError for a part that there is not, and HexlogicError for a part named twice.

    >>> len(SymbolSet("study", Hex.square(7)).names)
    2450
    """

    def __init__(self, text: str, board: Hex) -> None:
        names = SHORT_NAMES.get(text, text).split("+")
        if repeated := [name for name in names if names.count(name) > 1]:
            raise HexlogicError(f"the part {repeated[0]} of {text!r} is named twice", hint="once is enough")
        self.text, self.board = text, board
        self._parts = [_PARTS.load(name)(board) for name in names]
        self.names: tuple[str, ...] = tuple(symbol for part in self._parts for symbol in part.names)

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """`[positions, symbols]`, 1 where a symbol holds. `boards` is `[positions, cells]` with 0 empty, 1 red, 2 blue,
        and `to_move[positions]` is 1 for red and 2 for blue."""
        parts = [part.truths(boards, to_move) for part in self._parts]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)

"""What a part of a symbol set is: named truths about a position."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import Hex

__all__ = ["Part"]


class Part(ABC):
    """One kind of symbol on one board."""

    def __init__(self, board: Hex) -> None:
        self.board = board

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The symbols as atoms of the rule language, cells by number: `connected(red,1,9)`, `owns(blue,3)`."""

    @abstractmethod
    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """`[positions, symbols]`, 1 where a symbol holds. `boards` is `[positions, cells]` with 0 empty, 1 red, 2 blue,
        and `to_move[positions]` is 1 for red and 2 for blue."""

"""Hex, on boards of any two sides."""

from typing import Final

from hexlogic.games.kinds.hex.board import Hex

__all__ = ["GAME"]

GAME: Final = Hex

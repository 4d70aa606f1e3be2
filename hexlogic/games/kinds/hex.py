"""Hex, on boards of any two sides."""

from typing import Final

from hexlogic.games.hex import Hex

__all__ = ["GAME"]

GAME: Final = Hex

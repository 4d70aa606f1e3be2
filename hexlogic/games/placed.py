"""Stones on a board, as much of a position as a drawing needs."""

from __future__ import annotations

from typing import Protocol

from hexlogic.games.game import Game, Stones
from hexlogic.games.players import Player


class Placed(Protocol):
    """Stones as a `Position` has them, so that drawings need not import positions, which draw themselves."""

    @property
    def game(self) -> Game:
        """The board."""

    @property
    def red(self) -> Stones:
        """The cells of red's stones."""

    @property
    def blue(self) -> Stones:
        """The cells of blue's stones."""

    @property
    def name(self) -> str | None:
        """What a drawing calls it."""

    def stones(self, player: Player) -> Stones:
        """The cells of one player's stones."""

    def owner(self, cell: int) -> Player | None:
        """The player whose stone is on a cell."""

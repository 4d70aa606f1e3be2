"""`inner-pairs`: `pairs` without those that join the two sides of their player, which `won` stands for (study, 2.6)."""

from __future__ import annotations

from hexlogic.games import Player
from hexlogic.predict.symbols.pairs import Pairs

__all__ = ["PART", "InnerPairs"]


class InnerPairs(Pairs):
    """Pairs that do not decide the game by themselves."""

    def _wanted(self, player: Player, one: int, other: int) -> bool:
        first, last = self.board.sides(player)
        return not ((one in first and other in last) or (one in last and other in first))


PART = InnerPairs

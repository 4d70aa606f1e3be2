"""A virtual connection: two ends, a carrier, and who may move first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hexlogic.games import RED, Hex, Player, check_player

Kind = Literal["full", "semi"]


@dataclass(frozen=True, slots=True)
class Connection:
    """Two ends that a player can join inside a carrier: as second mover (`full`) or when moving first (`semi`).

    Ends are nodes: 0 and rows * columns + 1 are the player's first and last edge, other numbers cells; a group of
    stones is its smallest cell. `depth` is the largest number of own moves needed.
    """

    player: Player
    ends: tuple[int, int]
    kind: Kind
    carrier: frozenset[int]
    depth: int = 0

    def to_json(self, board: Hex) -> dict[str, object]:
        """All but the depth, with names in the place of numbers."""
        return {
            "player": self.player,
            "ends": [edge_name(board, self.player, node) for node in self.ends],
            "kind": self.kind,
            "carrier": [board.cell_name(cell) for cell in sorted(self.carrier)],
        }


def edge_name(board: Hex, player: Player, node: int) -> str:
    """The name of an end: a cell, or the edge `left`, `right`, `top` or `bottom`.

    >>> [edge_name(Hex(2, 2), "red", node) for node in (0, 3, 5)]
    ['left', 'a2', 'right']
    """
    if node in (0, board.rows * board.columns + 1):
        names = ("left", "right") if check_player(player) == RED else ("top", "bottom")
        return names[0 if node == 0 else 1]
    return board.cell_name(node)

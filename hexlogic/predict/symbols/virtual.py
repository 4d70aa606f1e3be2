"""`virtual`: virtual connections: from the sides to stones, between the sides, and how many cells must be played.

`edge_connected(P,E,X)`: the stone of P on X has a full connection to side E, 1 the first and 2 the last; `joined(P)`: a
full connection joins both sides of P; `joined_next(P)`: one does when P moves next; `must_play_at_most(K)`: the player
to move must play one of at most K cells. A position takes milliseconds.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from hexlogic.games import PLAYERS, Position
from hexlogic.players.connections import Connections
from hexlogic.predict.part import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PART", "Virtual"]

_COUNTS: Final = (0, 1, 2, 4, 8)


class Virtual(Part):
    """Symbols from the deduction of connections, for both players."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Edge connections, joined sides, must-play sizes."""
        edges = [f"edge_connected({p},{e},{x})" for p in PLAYERS for e in (1, 2) for x in self.board.cells]
        joined = [f"{kind}({player})" for kind in ("joined", "joined_next") for player in PLAYERS]
        return (*edges, *joined, *(f"must_play_at_most({count})" for count in _COUNTS))

    def truths(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """One deduction for each position."""
        found = np.zeros((len(boards), len(self.names)), dtype=np.uint8)
        place = {name: number for number, name in enumerate(self.names)}
        for row, board, mover in zip(found, boards, to_move, strict=True):
            for name in self._true(board, int(mover)):
                row[place[name]] = 1
        return found

    def _true(self, cells: NDArray[np.uint8], mover: int) -> list[str]:
        red, blue = (frozenset((np.flatnonzero(cells == sign) + 1).tolist()) for sign in (1, 2))
        connections = Connections.of(Position(self.board, red, blue))
        true: list[str] = []
        for player, stones in zip(PLAYERS, (red, blue), strict=True):
            groups: dict[int, list[int]] = {}
            for cell in sorted(stones):
                groups.setdefault(connections.node(cell), []).append(cell)
            last = len(self.board.cells) + 1
            for connection in connections.full(player):
                for edge, number in ((0, 1), (last, 2)):
                    if edge in connection.ends:
                        node = connection.ends[0] if connection.ends[1] == edge else connection.ends[1]
                        if node in groups:
                            true += [f"edge_connected({player},{number},{cell})" for cell in groups[node]]
            joined = connections.edge_to_edge(player)
            if any(each.kind == "full" for each in joined):
                true.append(f"joined({player})")
            if joined:
                true.append(f"joined_next({player})")
        must = len(connections.must_play(PLAYERS[mover - 1]))
        return [*true, *(f"must_play_at_most({count})" for count in _COUNTS if must <= count)]


PART = Virtual

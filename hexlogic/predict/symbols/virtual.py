"""`virtual`: virtual connections: from the sides to stones, between the sides, and how many cells must be played.

`edge_connected(P,E,X)`: the stone of P on X has a full connection to side E, 1 the first and 2 the last; `joined(P)`: a
full connection joins both sides of P; `joined_next(P)`: one does when P moves next; `must_play_at_most(K)`: the player
to move must play one of at most K cells. Boards of up to 62 cells use the deduction of the solver, with its limits.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import PLAYERS, Hex, Player, Position
from hexlogic.players.connections import Connections
from hexlogic.players.connections.store import DEAD, FULL
from hexlogic.players.solver import MOST_CELLS, Solver
from hexlogic.predict.part import Part

__all__ = ["PART", "Virtual"]

_COUNTS: Final = (0, 1, 2, 4, 8)
_REMEMBERED: Final = 8
"""Sets of positions whose symbols are kept: the splits of a set, and some of them mirrored."""


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
        return _truths(self.board, np.ascontiguousarray(boards).tobytes(), to_move.tobytes())

    def found(self, boards: NDArray[np.uint8], to_move: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The same, deduced anew."""
        found = np.zeros((len(boards), len(self.names)), dtype=np.uint8)
        place = {name: number for number, name in enumerate(self.names)}
        for row, board, mover in zip(found, boards, to_move, strict=True):
            for name in self._true(board, int(mover)):
                row[place[name]] = 1
        return found

    @cached_property
    def _solver(self) -> Solver | None:
        return Solver(self.board, 1) if len(self.board.cells) <= MOST_CELLS else None

    def _store(self, stones: tuple[frozenset[int], frozenset[int]], player: Player) -> Any:
        """The memory of the deduction for one player."""
        if self._solver is None:
            return Connections.of(Position(self.board, *stones), players=[player]).store(player)
        masks = [sum(1 << cell for cell in cells) for cells in stones]
        own = PLAYERS.index(player)
        return self._solver.connections(masks[own], masks[1 - own], player)

    def _true(self, cells: NDArray[np.uint8], mover: int) -> list[str]:
        red, blue = (frozenset((np.flatnonzero(cells == sign) + 1).tolist()) for sign in (1, 2))
        last = len(self.board.cells) + 1
        true: list[str] = []
        must = int(np.count_nonzero(cells == 0))
        for player, stones in zip(PLAYERS, (red, blue), strict=True):
            store = self._store((red, blue), player)
            rows = int(store.counts[0])
            alive, ends = store.state[:rows] != DEAD, store.ends[:rows]
            full = alive & (store.kind[:rows] == FULL)
            both = alive & (ends[:, 0] == 0) & (ends[:, 1] == last)
            for number, side, node in ((1, ends[:, 0] == 0, ends[:, 1]), (2, ends[:, 1] == last, ends[:, 0])):
                joined = set(node[full & side].tolist())
                true += [
                    f"edge_connected({player},{number},{cell})"
                    for cell in sorted(stones)
                    if int(store.group[cell]) in joined
                ]
            if np.any(both & full):
                true.append(f"joined({player})")
            if np.any(both):
                true.append(f"joined_next({player})")
                if player != PLAYERS[mover - 1]:
                    common = np.bitwise_and.reduce(store.carrier[:rows][both], axis=0)
                    must = 0 if np.any(both & full) else sum(int(word).bit_count() for word in common)
        return [*true, *(f"must_play_at_most({count})" for count in _COUNTS if must <= count)]


@lru_cache(maxsize=_REMEMBERED)
def _truths(board: Hex, stones: bytes, movers: bytes) -> NDArray[np.uint8]:
    """A sweep asks for the same positions again and again."""
    boards = np.frombuffer(stones, np.uint8).reshape(-1, len(board.cells))
    return Virtual(board).found(boards, np.frombuffer(movers, np.uint8))


PART = Virtual

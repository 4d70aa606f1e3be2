"""Memory of the deduction for one player: connections in flat arrays, lists by pair of ends, a queue by carrier size.

A connection is a row number. Ends are *nodes*: 0 and `cells + 1` are the player's first and last edge, 1 to `cells` are
cells; a group of stones is the node of its smallest cell. A carrier is a row of 64-bit words; cell `c` is bit `c`.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import RED, Hex, Player
from hexlogic.players.connections import codes
from hexlogic.players.geometry import geometry_of

CAPTURED_MOST: Final = 24
"""Captured pairs kept for one node."""


class Store(NamedTuple):
    """All that one player's deduction remembers. Rows up to `counts[ROWS]` are in use. Few arrays: numba passes each of
    them anew in every call, which takes time to compile."""

    carrier: NDArray[np.uint64]  # [capacity, words]
    rows: NDArray[np.int32]  # [capacity, 13], see `codes.X`
    lists: NDArray[np.int32]  # [2, nodes * nodes, 2]: by kind and pair, see `codes.HEAD`
    nodes: NDArray[np.int32]  # [nodes + 1, 5], see `codes.OWNER`; the last entry is for what is captured already
    near: NDArray[np.int16]  # [nodes, nodes + 6]: nodes with a full connection; the ring, see `ring_of`
    captured: NDArray[np.int16]  # [nodes + 1, CAPTURED_MOST, 2]: pairs captured once the node is own
    captured_cells: NDArray[np.uint64]  # [nodes + 1, words]
    scratch: NDArray[np.uint64]  # [200, words]: carriers while a rule is tried
    stack: NDArray[np.int32]  # [200, 3]: on each level a row, where to go on in the list, the cell to avoid
    counts: NDArray[np.int64]  # [9], see `codes.ROWS`


@lru_cache(maxsize=64)
def ring_of(board: Hex, player: Player) -> NDArray[np.int16]:
    """The neighbours of each node, row by row: int16[nodes, 6]; off the board an edge of the player, or -1. Red joins
    column 1 with the last, blue row 1 with the last."""
    neighbours = geometry_of(board.rows, board.columns).neighbours[:, _BY_ROW]
    around = np.full((len(board.cells) + 2, 6), -1, np.int16)
    first, last = (neighbours == side for side in ((-1, -2) if player == RED else (-3, -4)))
    around[1:-1] = np.select([neighbours >= 0, first, last], [neighbours + 1, 0, len(around) - 1], -1)
    return around


_BY_ROW: Final = (0, 1, 5, 2, 4, 3)
"""The places of a ring that goes round, row by row."""


def new_store(board: Hex, player: Player, capacity: int = 4096, order: Sequence[int] | None = None) -> Store:
    """An empty memory for one player on a board, with room for so many connections; `order` gives the cells of nodes 1
    on, where these are not numbered as the board's."""
    ring = ring_of(board, player)
    nodes = len(ring)
    if order is not None:
        cell_of = np.array([0, *order, nodes - 1])
        ring = np.where(ring < 0, ring, np.argsort(cell_of)[ring])[cell_of].astype(np.int16)
    words = (nodes + 63) // 64
    store = Store(
        carrier=np.zeros((capacity, words), np.uint64),
        rows=np.zeros((capacity, codes.PREMISE + 1), np.int32),
        lists=np.zeros((2, nodes * nodes, 2), np.int32),
        nodes=np.zeros((nodes + 1, codes.QUEUE + 1), np.int32),
        near=np.hstack((np.zeros((nodes, nodes), np.int16), ring)),
        captured=np.zeros((nodes + 1, CAPTURED_MOST, 2), np.int16),
        captured_cells=np.zeros((nodes + 1, words), np.uint64),
        scratch=np.zeros((200, words), np.uint64),
        stack=np.zeros((200, 3), np.int32),
        counts=np.array([0] * codes.FULL_MOST + [-1] * 4),
    )
    store.lists[:, :, codes.HEAD] = -1
    store.nodes[[0, nodes - 1], codes.OWNER] = codes.OWN
    store.nodes[:, codes.GROUP] = range(nodes + 1)
    store.nodes[:, codes.QUEUE] = -1
    return store


def copy_store(store: Store, capacity: int) -> Store:
    """A copy with room for so many rows, at least for those in use; limits included."""
    used = max(int(store.counts[codes.ROWS]), int(store.counts[codes.SHARED]))
    copied = {}
    for name, old in store._asdict().items():
        if name not in ("carrier", "rows"):
            copied[name] = old.copy()
            continue
        copied[name] = np.zeros((max(used, capacity), *old.shape[1:]), old.dtype)
        copied[name][:used] = old[:used]
    return Store(**copied)


def cells_of(words: Iterable[int]) -> list[int]:
    """The cells of a carrier in words of 64 bits, ascending."""
    number = sum(int(word) << (64 * place) for place, word in enumerate(words))
    return [cell for cell in range(number.bit_length()) if number >> cell & 1]

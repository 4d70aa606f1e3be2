"""Memory of the deduction for one player: connections in flat arrays, lists by pair of ends, a queue by carrier size.

A connection is a row number. Ends are *nodes*: 0 and `cells + 1` are the player's first and last edge, 1 to `cells` are
cells; a group of stones is the node of its smallest cell. A carrier is a row of 64-bit words; cell `c` is bit `c`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import RED, Hex, Player
from hexlogic.players.geometry import geometry_of

FULL: Final = 0
SEMI: Final = 1

QUEUED: Final = 0
DONE: Final = 1
DEAD: Final = 2

EMPTY: Final = 0
OWN: Final = 1
OTHER: Final = 2
USELESS: Final = 3
"""An empty cell that can never matter to the player: its neighbours that are not the opponent's are joined anyway."""

ADJACENT: Final = 0
SERIES: Final = 1
PARALLEL: Final = 2
KEPT: Final = 3
"""A connection of the position before a move, without the cells that the move has settled."""

ZERO: Final = np.int64(0)
ONE: Final = np.int64(1)
NONE: Final = np.int64(-1)
"""Numbers as arguments of compiled functions: for a literal such as 0, numba would compile the function once more."""

ROWS, SHARED, FIRST, DROPPED, STOP = range(5)
"""Places in `counts`: rows in use, entries of `shared` in use, the first queue to look at, connections dropped at a
limit, whether to stop."""

FULL_MOST, SEMI_MOST, STEPS_MOST, CAPTURES = range(4)
"""Places in `limits`: full and semi-connections of a pair; steps of one parallel rule; captured pairs (0: not used, 1:
and useless cells left out, 2: but useless cells kept)."""

CAPTURED_MOST: Final = 24
"""Captured pairs kept for one node."""


class Store(NamedTuple):
    """All that one player's deduction remembers. Rows up to `counts[ROWS]` are in use."""

    carrier: NDArray[np.uint64]  # [capacity, words]
    size: NDArray[np.int16]  # [capacity]: cells in the carrier
    depth: NDArray[np.int16]  # [capacity]: most own moves needed to realise the connection
    ends: NDArray[np.int16]  # [capacity, 2]: smaller node first
    kind: NDArray[np.uint8]  # [capacity]: FULL or SEMI
    state: NDArray[np.uint8]  # [capacity]: QUEUED, DONE or DEAD
    after: NDArray[np.int32]  # [capacity]: next row of the same pair and kind, -1 at the end
    queue_after: NDArray[np.int32]  # [capacity]: next row of the same size in the queue
    rule: NDArray[np.uint8]  # [capacity]
    middle: NDArray[np.int16]  # [capacity]: the node of the series rule
    premises: NDArray[np.int32]  # [capacity, 2]: two rows (series), or begin and length in `shared` (parallel)
    shared: NDArray[np.int32]  # [..]: rows that parallel rules used
    head: NDArray[np.int32]  # [2, nodes * nodes]: first row of a kind and a pair
    many: NDArray[np.int32]  # [2, nodes * nodes]: rows of a kind and a pair that are not dead
    queue: NDArray[np.int32]  # [cells + 2]: first queued row of each size
    near: NDArray[np.int16]  # [nodes, nodes]: nodes with a full connection
    near_many: NDArray[np.int32]  # [nodes]
    owner: NDArray[np.uint8]  # [nodes]: EMPTY, OWN, OTHER or USELESS
    group: NDArray[np.int16]  # [nodes]: the node that a cell belongs to
    captured: NDArray[
        np.int16
    ]  # [nodes + 1, CAPTURED_MOST, 2]: pairs captured once the node is own; last: captured already
    captured_many: NDArray[np.int32]  # [nodes + 1]
    captured_cells: NDArray[np.uint64]  # [nodes + 1, words]
    scratch: NDArray[np.uint64]  # [200, words]: carriers while a rule is tried
    stack: NDArray[np.int32]  # [200, 3]: on each level a row, where to go on in the list, the cell to avoid
    counts: NDArray[np.int64]  # [8], see `ROWS`
    limits: NDArray[np.int64]  # [4], -1 for none; see `FULL_MOST`
    around: NDArray[np.int16]  # [nodes, 6]: the neighbours of a cell that are cells, -1 beyond the last one
    ring: NDArray[np.int16]  # [nodes, 6]: the six neighbours clockwise; off the board an edge of the player, or -1
    edge: NDArray[np.uint8]  # [nodes]: 1 on the player's first line, 2 on the last, 3 on both


@lru_cache(maxsize=64)
def _layout_of(board: Hex, player: Player) -> tuple[NDArray[np.int16], NDArray[np.int16], NDArray[np.uint8]]:
    """The arrays `around`, `ring` and `edge`: red joins column 1 with the last, blue row 1 with the last."""
    nodes = len(board.cells) + 2
    around = np.full((nodes, 6), -1, np.int16)
    ring = np.full((nodes, 6), -1, np.int16)
    edge = np.zeros(nodes, np.uint8)
    neighbours = geometry_of(board.rows, board.columns).neighbours
    first, last = (neighbours == side for side in ((-1, -2) if player == RED else (-3, -4)))
    edge[1:-1] = first.any(axis=1) + 2 * last.any(axis=1)
    ring[1:-1] = np.select([neighbours >= 0, first, last], [neighbours + 1, 0, nodes - 1], -1)
    for cell in board.cells:
        touching = board.neighbours(cell)
        around[cell, : len(touching)] = touching
    return around, ring, edge


def new_store(board: Hex, player: Player, capacity: int = 4096) -> Store:
    """An empty memory for one player on a board, with room for so many connections."""
    around, ring, edge = _layout_of(board, player)
    nodes = len(edge)
    words = (nodes + 63) // 64
    return Store(
        carrier=np.zeros((capacity, words), np.uint64),
        size=np.zeros(capacity, np.int16),
        depth=np.zeros(capacity, np.int16),
        ends=np.zeros((capacity, 2), np.int16),
        kind=np.zeros(capacity, np.uint8),
        state=np.zeros(capacity, np.uint8),
        after=np.zeros(capacity, np.int32),
        queue_after=np.zeros(capacity, np.int32),
        rule=np.zeros(capacity, np.uint8),
        middle=np.zeros(capacity, np.int16),
        premises=np.zeros((capacity, 2), np.int32),
        shared=np.zeros(capacity, np.int32),
        head=np.full((2, nodes * nodes), -1, np.int32),
        many=np.zeros((2, nodes * nodes), np.int32),
        queue=np.full(nodes + 1, -1, np.int32),
        near=np.zeros((nodes, nodes), np.int16),
        near_many=np.zeros(nodes, np.int32),
        owner=np.zeros(nodes, np.uint8),
        group=np.arange(nodes, dtype=np.int16),
        captured=np.zeros((nodes + 1, CAPTURED_MOST, 2), np.int16),
        captured_many=np.zeros(nodes + 1, np.int32),
        captured_cells=np.zeros((nodes + 1, words), np.uint64),
        scratch=np.zeros((200, words), np.uint64),
        stack=np.zeros((200, 3), np.int32),
        counts=np.zeros(8, np.int64),
        limits=np.full(4, -1, np.int64),
        around=around,
        ring=ring,
        edge=edge,
    )


_BY_ROW: Final = Store._fields[: Store._fields.index("head")]
"""The arrays whose length is the capacity."""
_COMMON: Final = Store._fields[Store._fields.index("limits") :]
"""The arrays that no deduction changes."""


def grow_store(store: Store) -> Store:
    """The same memory with room for twice as many rows."""
    grown = {}
    for name in _BY_ROW:
        old = getattr(store, name)
        new = np.zeros((2 * old.shape[0], *old.shape[1:]), old.dtype)
        new[: old.shape[0]] = old
        grown[name] = new
    return store._replace(**grown)


def copy_store(store: Store) -> Store:
    """A copy that shares only limits and layout; rows in use are copied, with room for half as many again."""
    rows, shared = int(store.counts[ROWS]), int(store.counts[SHARED])
    capacity = max(1024, rows + rows // 2, shared + shared // 2)
    copied = {}
    for name in Store._fields:
        old = getattr(store, name)
        if name in _BY_ROW:
            used = shared if name == "shared" else rows
            new = np.zeros((capacity, *old.shape[1:]), old.dtype)
            new[:used] = old[:used]
            copied[name] = new
        else:
            copied[name] = old if name in _COMMON else old.copy()
    return Store(**copied)


def roomy(store: Store, rows: int) -> Store:
    """The same memory with room for at least so many rows."""
    while store.size.shape[0] < rows:
        store = grow_store(store)
    return store


def cells_of(words: Iterable[int]) -> list[int]:
    """The cells of a carrier in words of 64 bits, ascending."""
    number = sum(int(word) << (64 * place) for place, word in enumerate(words))
    return [cell for cell in range(number.bit_length()) if number >> cell & 1]

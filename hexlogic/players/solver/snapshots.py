"""Connections of the positions on the way down, so that a position is deduced from the one above it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.players.connections.insert import pair_of
from hexlogic.players.connections.store import CAPTURED_MOST, DEAD, DONE, FIRST, ROWS

_SNAPSHOT_ROWS: Final = 4000
"""Connections of one player that a snapshot holds."""


class Snapshots(NamedTuple):
    """For each player and level: the connections that are not dead, and what else a move needs. `row` says of which
    position of the table they are, -1 for none."""

    row: NDArray[np.int64]  # [2, levels]
    many: NDArray[np.int32]  # [2, levels]
    carrier: NDArray[np.uint64]  # [2, levels, rows]
    size: NDArray[np.int16]  # [2, levels, rows]
    depth: NDArray[np.int16]  # [2, levels, rows]
    ends: NDArray[np.int16]  # [2, levels, rows, 2]
    kind: NDArray[np.uint8]  # [2, levels, rows]
    near: NDArray[np.int16]  # [2, levels, nodes, nodes]
    near_many: NDArray[np.int32]  # [2, levels, nodes]
    owner: NDArray[np.uint8]  # [2, levels, nodes]
    group: NDArray[np.int16]  # [2, levels, nodes]
    captured: NDArray[np.int16]  # [2, levels, nodes + 1, CAPTURED_MOST, 2]
    captured_many: NDArray[np.int32]  # [2, levels, nodes + 1]
    captured_cells: NDArray[np.uint64]  # [2, levels, nodes + 1, 1]


def new_snapshots(nodes: int) -> Snapshots:
    """Empty snapshots for a board; a game has no more levels than nodes."""
    each = (2, nodes)
    return Snapshots(
        row=np.full(each, -1, np.int64),
        many=np.zeros(each, np.int32),
        carrier=np.zeros((*each, _SNAPSHOT_ROWS), np.uint64),
        size=np.zeros((*each, _SNAPSHOT_ROWS), np.int16),
        depth=np.zeros((*each, _SNAPSHOT_ROWS), np.int16),
        ends=np.zeros((*each, _SNAPSHOT_ROWS, 2), np.int16),
        kind=np.zeros((*each, _SNAPSHOT_ROWS), np.uint8),
        near=np.zeros((*each, nodes, nodes), np.int16),
        near_many=np.zeros((*each, nodes), np.int32),
        owner=np.zeros((*each, nodes), np.uint8),
        group=np.zeros((*each, nodes), np.int16),
        captured=np.zeros((*each, nodes + 1, CAPTURED_MOST, 2), np.int16),
        captured_many=np.zeros((*each, nodes + 1), np.int32),
        captured_cells=np.zeros((*each, nodes + 1, 1), np.uint64),
    )


@njit(cache=True)
def save(snaps: Any, who: Any, level: Any, row: Any, store: Any) -> None:
    """Remember the connections of a player on a level, unless there are too many of them."""
    snaps.row[who, level] = -1
    many = 0
    for place in range(store.counts[ROWS]):
        if store.state[place] == DEAD:
            continue
        if many == snaps.size.shape[2]:
            return
        snaps.carrier[who, level, many] = store.carrier[place, 0]
        snaps.size[who, level, many] = store.size[place]
        snaps.depth[who, level, many] = store.depth[place]
        snaps.ends[who, level, many, 0] = store.ends[place, 0]
        snaps.ends[who, level, many, 1] = store.ends[place, 1]
        snaps.kind[who, level, many] = store.kind[place]
        many += 1
    snaps.many[who, level] = many
    snaps.near[who, level] = store.near
    snaps.near_many[who, level] = store.near_many
    snaps.owner[who, level] = store.owner
    snaps.group[who, level] = store.group
    snaps.captured[who, level] = store.captured
    snaps.captured_many[who, level] = store.captured_many
    snaps.captured_cells[who, level] = store.captured_cells
    snaps.row[who, level] = row


@njit(cache=True)
def load(snaps: Any, who: Any, level: Any, store: Any) -> None:
    """Put what is remembered into a player's memory of the deduction."""
    nodes = store.owner.shape[0]
    store.counts[:] = 0
    store.head[:] = -1
    store.many[:] = 0
    store.queue[:] = -1
    many = snaps.many[who, level]
    store.counts[ROWS] = many
    store.counts[FIRST] = store.queue.shape[0]
    for place in range(many):
        store.carrier[place, 0] = snaps.carrier[who, level, place]
        store.size[place] = snaps.size[who, level, place]
        store.depth[place] = snaps.depth[who, level, place]
        x, y = np.int64(snaps.ends[who, level, place, 0]), np.int64(snaps.ends[who, level, place, 1])
        kind = np.int64(snaps.kind[who, level, place])
        store.ends[place, 0] = x
        store.ends[place, 1] = y
        store.kind[place] = kind
        store.state[place] = DONE
        pair = pair_of(nodes, x, y)
        store.after[place] = store.head[kind, pair]
        store.head[kind, pair] = place
        store.many[kind, pair] += 1
    store.near[:] = snaps.near[who, level]
    store.near_many[:] = snaps.near_many[who, level]
    store.owner[:] = snaps.owner[who, level]
    store.group[:] = snaps.group[who, level]
    store.captured[:] = snaps.captured[who, level]
    store.captured_many[:] = snaps.captured_many[who, level]
    store.captured_cells[:] = snaps.captured_cells[who, level]

"""Connections of the positions on the way down, so that a position is deduced from the one above it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.players.connections.insert import pair_of
from hexlogic.players.connections.store import (
    AFTER,
    CAPTURED_MOST,
    DEAD,
    DONE,
    FIRST,
    HEAD,
    KIND,
    MANY,
    ROWS,
    STATE,
    X,
    Y,
)

_SNAPSHOT_ROWS: Final = 4000
"""Connections of one player that a snapshot holds."""


class Snapshots(NamedTuple):
    """For each player and level: the connections that are not dead, and what else a move needs. `row` says of which
    position of the table they are, -1 for none."""

    row: NDArray[np.int64]  # [2, levels]
    many: NDArray[np.int32]  # [2, levels]
    carrier: NDArray[np.uint64]  # [2, levels, rows]
    rows: NDArray[np.int32]  # [2, levels, rows, 5]: the columns up to KIND
    near: NDArray[np.int16]  # [2, levels, nodes, nodes]
    nodes: NDArray[np.int32]  # [2, levels, nodes + 1, 4]
    captured: NDArray[np.int16]  # [2, levels, nodes + 1, CAPTURED_MOST, 2]
    captured_cells: NDArray[np.uint64]  # [2, levels, nodes + 1, 1]


def new_snapshots(nodes: int) -> Snapshots:
    """Empty snapshots for a board; a game has no more levels than nodes."""
    each = (2, nodes)
    return Snapshots(
        row=np.full(each, -1, np.int64),
        many=np.zeros(each, np.int32),
        carrier=np.zeros((*each, _SNAPSHOT_ROWS), np.uint64),
        rows=np.zeros((*each, _SNAPSHOT_ROWS, KIND + 1), np.int32),
        near=np.zeros((*each, nodes, nodes), np.int16),
        nodes=np.zeros((*each, nodes + 1, 4), np.int32),
        captured=np.zeros((*each, nodes + 1, CAPTURED_MOST, 2), np.int16),
        captured_cells=np.zeros((*each, nodes + 1, 1), np.uint64),
    )


@njit(cache=True)
def save(snaps: Any, who: Any, level: Any, row: Any, store: Any) -> None:
    """Remember the connections of a player on a level, unless there are too many of them."""
    snaps.row[who, level] = -1
    many = 0
    for place in range(store.counts[ROWS]):
        if store.rows[place, STATE] == DEAD:
            continue
        if many == snaps.rows.shape[2]:
            return
        snaps.carrier[who, level, many] = store.carrier[place, 0]
        for column in range(KIND + 1):
            snaps.rows[who, level, many, column] = store.rows[place, column]
        many += 1
    snaps.many[who, level] = many
    snaps.near[who, level] = store.near
    snaps.nodes[who, level] = store.nodes
    snaps.captured[who, level] = store.captured
    snaps.captured_cells[who, level] = store.captured_cells
    snaps.row[who, level] = row


@njit(cache=True)
def load(snaps: Any, who: Any, level: Any, store: Any) -> None:
    """Put what is remembered into a player's memory of the deduction."""
    nodes = store.near.shape[0]
    store.counts[:] = 0
    store.lists[:, :, HEAD] = -1
    store.lists[:, :, MANY] = 0
    store.queue[:] = -1
    many = snaps.many[who, level]
    store.counts[ROWS] = many
    store.counts[FIRST] = store.queue.shape[0]
    for place in range(many):
        store.carrier[place, 0] = snaps.carrier[who, level, place]
        for column in range(KIND + 1):
            store.rows[place, column] = snaps.rows[who, level, place, column]
        store.rows[place, STATE] = DONE
        kind = store.rows[place, KIND]
        pair = pair_of(nodes, np.int64(store.rows[place, X]), np.int64(store.rows[place, Y]))
        store.rows[place, AFTER] = store.lists[kind, pair, HEAD]
        store.lists[kind, pair, HEAD] = place
        store.lists[kind, pair, MANY] += 1
    store.near[:] = snaps.near[who, level]
    store.nodes[:] = snaps.nodes[who, level]
    store.captured[:] = snaps.captured[who, level]
    store.captured_cells[:] = snaps.captured_cells[who, level]

"""Adding a connection: only when no smaller one is known, within the limits of its pair, into the queue by size."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.players.connections.bits import cells_in, within
from hexlogic.players.connections.store import (
    ADJACENT,
    DEAD,
    DROPPED,
    FIRST,
    FULL,
    NONE,
    QUEUED,
    ROWS,
    SEMI,
    STOP,
    ZERO,
)


@njit(cache=True, inline="always")
def pair_of(nodes: Any, x: Any, y: Any) -> Any:
    """The number of an unordered pair of nodes."""
    return x * nodes + y if x < y else y * nodes + x


@njit(cache=True, inline="always")
def enqueue(store: Any, row: Any) -> None:
    """Put a row into the queue of its size."""
    size = store.size[row]
    store.state[row] = QUEUED
    store.queue_after[row] = store.queue[size]
    store.queue[size] = row
    if size < store.counts[FIRST]:
        store.counts[FIRST] = size


@njit(cache=True)
def list_covers(carriers: Any, state: Any, after: Any, first: Any, scratch: Any, place: Any) -> Any:
    """Whether a connection of a list lies within the carrier in a row of `scratch`. (The hot spot: few arguments.)"""
    row = first
    while row >= 0:
        if state[row] != DEAD:
            inside = True
            for word in range(carriers.shape[1]):
                if carriers[row, word] & ~scratch[place, word]:
                    inside = False
                    break
            if inside:
                return True
        row = after[row]
    return False


@njit(cache=True)
def _drop_larger(store: Any, kind: Any, pair: Any, carrier: Any) -> None:
    """Remove the connections of a pair and a kind whose carriers hold this one, and unlink what is dead."""
    before = -1
    row = store.head[kind, pair]
    while row >= 0:
        after = store.after[row]
        if store.state[row] != DEAD and within(carrier, store.carrier[row]):
            store.state[row] = DEAD
            store.many[kind, pair] -= 1
        if store.state[row] == DEAD:
            if before < 0:
                store.head[kind, pair] = after
            else:
                store.after[before] = after
        else:
            before = row
        row = after


@njit(cache=True, inline="always")
def _make_room(store: Any, kind: Any, pair: Any, size: Any) -> Any:
    """Whether one more fits the limit of the pair, at the cost of a larger one that still waits in the queue."""
    limit = store.limits[kind]
    if limit < 0 or store.many[kind, pair] < limit:
        return True
    store.counts[DROPPED] += 1
    largest = -1
    row = store.head[kind, pair]
    while row >= 0:
        larger = store.size[row] > (size if largest < 0 else store.size[largest])
        if store.state[row] == QUEUED and larger:
            largest = row
        row = store.after[row]
    if largest < 0:
        return False
    store.state[largest] = DEAD
    store.many[kind, pair] -= 1
    return True


@njit(cache=True)
def insert(
    store: Any, kind: Any, x: Any, y: Any, carrier: Any, depth: Any, rule: Any, middle: Any, left: Any, right: Any
) -> Any:
    """Add a connection unless a smaller one is known; its row, or -1. Asks for more memory by `counts[STOP]`."""
    pair = pair_of(store.owner.shape[0], x, y)
    scratch = store.scratch
    place = scratch.shape[0] - 2
    scratch[place, :] = carrier
    if list_covers(store.carrier, store.state, store.after, store.head[FULL, pair], scratch, place):
        return -1
    if kind == SEMI and list_covers(store.carrier, store.state, store.after, store.head[SEMI, pair], scratch, place):
        return -1
    row = store.counts[ROWS]
    if row >= store.size.shape[0]:
        store.counts[STOP] = 1
        return -1
    _drop_larger(store, kind, pair, carrier)
    if kind == FULL:
        _drop_larger(store, np.int64(SEMI), pair, carrier)
    size = cells_in(carrier)
    if not _make_room(store, kind, pair, size):
        return -1
    store.counts[ROWS] += 1
    store.carrier[row, :] = carrier
    store.size[row] = size
    store.depth[row] = depth
    store.ends[row, 0] = min(x, y)
    store.ends[row, 1] = max(x, y)
    store.kind[row] = kind
    store.rule[row] = rule
    store.middle[row] = middle
    store.premises[row, 0] = left
    store.premises[row, 1] = right
    store.after[row] = store.head[kind, pair]
    store.head[kind, pair] = row
    store.many[kind, pair] += 1
    enqueue(store, row)
    return row


@njit(cache=True)
def add_adjacent(store: Any, x: Any, y: Any) -> None:
    """full(X,Y,{}) :- adjacent(X,Y)."""
    nothing = np.zeros(store.carrier.shape[1], np.uint64)
    insert(store, np.int64(FULL), x, y, nothing, ZERO, np.int64(ADJACENT), NONE, NONE, NONE)

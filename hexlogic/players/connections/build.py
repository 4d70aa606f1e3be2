"""The starting facts of a position, and what a move changes in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.players.connections.capture import find_captured, find_useless
from hexlogic.players.connections.insert import add_adjacent, enqueue, holds, insert, lowest, overlap, pair_of, put
from hexlogic.players.connections.store import (
    CAPTURES,
    DEAD,
    DONE,
    EMPTY,
    FULL,
    KEPT,
    NONE,
    OTHER,
    OWN,
    ROWS,
    USELESS,
    ZERO,
)


@njit(cache=True)
def _join_groups(store: Any) -> None:
    """Give every own stone the smallest cell of its group as its node."""
    last = store.owner.shape[0] - 1
    for cell in range(store.group.shape[0]):
        store.group[cell] = cell
    waiting = np.empty(last + 1, np.int64)
    seen = np.zeros(last + 1, np.uint8)
    for start in range(1, last):
        if store.owner[start] != OWN or seen[start]:
            continue
        many = 1
        waiting[0] = start
        seen[start] = 1
        while many:
            many -= 1
            cell = waiting[many]
            store.group[cell] = start
            for place in range(6):
                other = store.around[cell, place]
                if other >= 0 and store.owner[other] == OWN and not seen[other]:
                    seen[other] = 1
                    waiting[many] = other
                    many += 1


@njit(cache=True)
def _add_adjacent_of(store: Any, cell: Any) -> None:
    """full(X,Y,{}) :- adjacent(X,Y), for the node of one cell."""
    last = store.owner.shape[0] - 1
    x = np.int64(store.group[cell])
    if store.edge[cell] & 1:
        add_adjacent(store, ZERO, x)
    if store.edge[cell] & 2:
        add_adjacent(store, x, last)
    for place in range(6):
        other = store.around[cell, place]
        if other >= 0 and (store.owner[other] == EMPTY or store.owner[other] == OWN):
            y = np.int64(store.group[other])
            if x != y:
                add_adjacent(store, x, y)


@njit(cache=True)
def begin(store: Any) -> None:
    """Forget all connections and enter the facts of the position in `owner`."""
    last = store.owner.shape[0] - 1
    store.owner[0] = OWN
    store.owner[last] = OWN
    store.counts[:] = 0
    store.head[:] = -1
    store.many[:] = 0
    store.queue[:] = -1
    store.near_many[:] = 0
    store.captured_many[:] = 0
    store.captured_cells[:] = 0
    if store.limits[CAPTURES] == 1:
        find_useless(store)
    if store.limits[CAPTURES] != 0:
        find_captured(store)
    _join_groups(store)
    for cell in range(1, last):
        if store.owner[cell] == EMPTY or store.owner[cell] == OWN:
            _add_adjacent_of(store, cell)


@njit(cache=True, inline="always")
def _kill(store: Any, row: Any) -> None:
    nodes = store.owner.shape[0]
    store.state[row] = DEAD
    store.many[store.kind[row], pair_of(nodes, np.int64(store.ends[row, 0]), np.int64(store.ends[row, 1]))] -= 1


@njit(cache=True, inline="always")
def _kill_through(store: Any, cells: Any) -> None:
    """Remove the connections through or to the cells of a carrier."""
    for row in range(store.counts[ROWS]):
        if store.state[row] != DEAD:
            x, y = np.int64(store.ends[row, 0]), np.int64(store.ends[row, 1])
            if overlap(store.carrier[row], cells) or holds(cells, x) or holds(cells, y):
                _kill(store, row)


@njit(cache=True, inline="always")
def _mark_useless(store: Any, cells: Any) -> None:
    """Add the cells that a move has made useless to a carrier."""
    if store.limits[CAPTURES] == 1:
        was = store.owner.copy()
        find_useless(store)
        for cell in range(1, store.owner.shape[0] - 1):
            if store.owner[cell] == USELESS and was[cell] == EMPTY:
                put(cells, cell)


@njit(cache=True)
def _requeue_captured(store: Any) -> None:
    """Find the captured pairs again, and work again on full connections through a pair that is new."""
    if store.limits[CAPTURES] == 0:
        return
    before, before_many = store.captured.copy(), store.captured_many.copy()
    find_captured(store)
    cells = np.zeros(store.carrier.shape[1], np.uint64)
    for who in range(store.captured_many.shape[0]):
        for place in range(store.captured_many[who]):
            a, b = store.captured[who, place, 0], store.captured[who, place, 1]
            new = True
            for old in range(before_many[who]):
                new = new and not (before[who, old, 0] == a and before[who, old, 1] == b)
            if new:
                put(cells, np.int64(a))
                put(cells, np.int64(b))
    for row in range(store.counts[ROWS]):
        if store.state[row] == DONE and store.kind[row] == FULL and overlap(store.carrier[row], cells):
            enqueue(store, row)


@njit(cache=True)
def _revise(store: Any, moved: Any) -> None:
    """Enter the connections that own stones change once more: without their cells, between groups as they are now."""
    carrier = np.empty(store.carrier.shape[1], np.uint64)
    grown = np.zeros(store.owner.shape[0], np.uint8)
    for cell in range(1, store.owner.shape[0] - 1):
        if holds(moved, cell):
            grown[store.group[cell]] = 1
    for row in range(store.counts[ROWS]):
        if store.state[row] == DEAD:
            continue
        x, y = np.int64(store.ends[row, 0]), np.int64(store.ends[row, 1])
        now_x, now_y = np.int64(store.group[x]), np.int64(store.group[y])
        if now_x != x or now_y != y or grown[now_x] or grown[now_y] or overlap(store.carrier[row], moved):
            _kill(store, row)
            if now_x != now_y:
                for word in range(carrier.shape[0]):
                    carrier[word] = store.carrier[row, word] & ~moved[word]
                kind, depth = np.int64(store.kind[row]), np.int64(store.depth[row])
                insert(store, kind, now_x, now_y, carrier, depth, np.int64(KEPT), NONE, row, NONE)


@njit(cache=True)
def change(store: Any, own: Any, other: Any) -> None:
    """New stones on the cells of two carriers: the player's own and the opponent's. Needs room for as many rows again.

    What uses a cell of the opponent is gone, and nothing else; own cells leave the carriers and join groups.
    """
    gone = other.copy()
    for cell in range(1, store.owner.shape[0] - 1):
        if holds(own, cell):
            store.owner[cell] = OWN
        elif holds(other, cell):
            store.owner[cell] = OTHER
    _mark_useless(store, gone)
    _kill_through(store, gone)
    if lowest(own) >= 0:
        _join_groups(store)
        _revise(store, own)
        for cell in range(1, store.owner.shape[0] - 1):
            if holds(own, cell):
                _add_adjacent_of(store, cell)
    _requeue_captured(store)

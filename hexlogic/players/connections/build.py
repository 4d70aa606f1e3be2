"""The starting facts of a position, and what a move changes in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.players.connections.capture import find_captured, find_useless
from hexlogic.players.connections.insert import add_adjacent, enqueue, holds, insert, lowest, overlap, pair_of, put
from hexlogic.players.connections.store import (
    CAPTURED_MANY,
    CAPTURES,
    DEAD,
    DEPTH,
    DONE,
    EMPTY,
    FULL,
    GROUP,
    HEAD,
    KEPT,
    KIND,
    MANY,
    NEAR_MANY,
    NONE,
    OTHER,
    OWN,
    OWNER,
    ROWS,
    STATE,
    USELESS,
    ZERO,
    X,
    Y,
)


@njit(cache=True)
def _join_groups(store: Any) -> None:
    """Give every own stone the smallest cell of its group as its node."""
    last = store.near.shape[0] - 1
    for cell in range(last + 1):
        store.nodes[cell, GROUP] = cell
    waiting = np.empty(last + 1, np.int64)
    seen = np.zeros(last + 1, np.uint8)
    for start in range(1, last):
        if store.nodes[start, OWNER] != OWN or seen[start]:
            continue
        many = 1
        waiting[0] = start
        seen[start] = 1
        while many:
            many -= 1
            cell = waiting[many]
            store.nodes[cell, GROUP] = start
            for place in range(6):
                other = store.around[cell, place]
                if 0 < other < last and store.nodes[other, OWNER] == OWN and not seen[other]:
                    seen[other] = 1
                    waiting[many] = other
                    many += 1


@njit(cache=True)
def _add_adjacent_of(store: Any, cell: Any) -> None:
    """full(X,Y,{}) :- adjacent(X,Y), for the node of one cell."""
    last = store.near.shape[0] - 1
    x = np.int64(store.nodes[cell, GROUP])
    around = store.around[cell]
    if 0 in around:
        add_adjacent(store, ZERO, x)
    if last in around:
        add_adjacent(store, x, last)
    for other in around:
        if 0 < other < last and (store.nodes[other, OWNER] == EMPTY or store.nodes[other, OWNER] == OWN):
            y = np.int64(store.nodes[other, GROUP])
            if x != y:
                add_adjacent(store, x, y)


@njit(cache=True)
def begin(store: Any) -> None:
    """Forget all connections and enter the facts of the position in `owner`."""
    last = store.near.shape[0] - 1
    store.nodes[0, OWNER] = OWN
    store.nodes[last, OWNER] = OWN
    store.counts[:] = 0
    store.lists[:, :, HEAD] = -1
    store.lists[:, :, MANY] = 0
    store.queue[:] = -1
    store.nodes[:, NEAR_MANY] = 0
    store.nodes[:, CAPTURED_MANY] = 0
    store.captured_cells[:] = 0
    if store.limits[CAPTURES] == 1:
        find_useless(store)
    if store.limits[CAPTURES] != 0:
        find_captured(store)
    _join_groups(store)
    for cell in range(1, last):
        if store.nodes[cell, OWNER] == EMPTY or store.nodes[cell, OWNER] == OWN:
            _add_adjacent_of(store, cell)


@njit(cache=True, inline="always")
def _kill(store: Any, row: Any) -> None:
    x, y = np.int64(store.rows[row, X]), np.int64(store.rows[row, Y])
    store.rows[row, STATE] = DEAD
    store.lists[store.rows[row, KIND], pair_of(store.near.shape[0], x, y), MANY] -= 1


@njit(cache=True, inline="always")
def _kill_through(store: Any, cells: Any) -> None:
    """Remove the connections through or to the cells of a carrier."""
    for row in range(store.counts[ROWS]):
        if store.rows[row, STATE] != DEAD:
            x, y = np.int64(store.rows[row, X]), np.int64(store.rows[row, Y])
            if overlap(store.carrier[row], cells) or holds(cells, x) or holds(cells, y):
                _kill(store, row)


@njit(cache=True, inline="always")
def _mark_useless(store: Any, cells: Any) -> None:
    """Add the cells that a move has made useless to a carrier."""
    if store.limits[CAPTURES] == 1:
        was = store.nodes.copy()
        find_useless(store)
        for cell in range(1, store.near.shape[0] - 1):
            if store.nodes[cell, OWNER] == USELESS and was[cell, OWNER] == EMPTY:
                put(cells, cell)


@njit(cache=True)
def _requeue_captured(store: Any) -> None:
    """Find the captured pairs again, and work again on full connections through a pair that is new."""
    if store.limits[CAPTURES] == 0:
        return
    before, nodes_before = store.captured.copy(), store.nodes.copy()
    find_captured(store)
    cells = np.zeros(store.carrier.shape[1], np.uint64)
    for who in range(store.nodes.shape[0]):
        for place in range(store.nodes[who, CAPTURED_MANY]):
            a, b = store.captured[who, place, 0], store.captured[who, place, 1]
            new = True
            for old in range(nodes_before[who, CAPTURED_MANY]):
                new = new and not (before[who, old, 0] == a and before[who, old, 1] == b)
            if new:
                put(cells, np.int64(a))
                put(cells, np.int64(b))
    for row in range(store.counts[ROWS]):
        if store.rows[row, STATE] == DONE and store.rows[row, KIND] == FULL and overlap(store.carrier[row], cells):
            enqueue(store, row)


@njit(cache=True)
def _revise(store: Any, moved: Any) -> None:
    """Enter the connections that own stones change once more: without their cells, between groups as they are now."""
    carrier = np.empty(store.carrier.shape[1], np.uint64)
    grown = np.zeros(store.near.shape[0], np.uint8)
    for cell in range(1, store.near.shape[0] - 1):
        if holds(moved, cell):
            grown[store.nodes[cell, GROUP]] = 1
    for row in range(store.counts[ROWS]):
        if store.rows[row, STATE] == DEAD:
            continue
        x, y = np.int64(store.rows[row, X]), np.int64(store.rows[row, Y])
        now_x, now_y = np.int64(store.nodes[x, GROUP]), np.int64(store.nodes[y, GROUP])
        if now_x != x or now_y != y or grown[now_x] or grown[now_y] or overlap(store.carrier[row], moved):
            _kill(store, row)
            if now_x != now_y:
                for word in range(carrier.shape[0]):
                    carrier[word] = store.carrier[row, word] & ~moved[word]
                kind, depth = np.int64(store.rows[row, KIND]), np.int64(store.rows[row, DEPTH])
                insert(store, kind, now_x, now_y, carrier, depth, np.int64(KEPT), NONE, row, NONE)


@njit(cache=True)
def change(store: Any, own: Any, other: Any) -> None:
    """New stones on the cells of two carriers: the player's own and the opponent's. Needs room for as many rows again.

    What uses a cell of the opponent is gone, and nothing else; own cells leave the carriers and join groups.
    """
    gone = other.copy()
    for cell in range(1, store.near.shape[0] - 1):
        if holds(own, cell):
            store.nodes[cell, OWNER] = OWN
        elif holds(other, cell):
            store.nodes[cell, OWNER] = OTHER
    _mark_useless(store, gone)
    _kill_through(store, gone)
    if lowest(own) >= 0:
        _join_groups(store)
        _revise(store, own)
        for cell in range(1, store.near.shape[0] - 1):
            if holds(own, cell):
                _add_adjacent_of(store, cell)
    _requeue_captured(store)

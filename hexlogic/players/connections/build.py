"""The starting facts of a position, and what a move changes in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.players.connections.bits import holds, lowest, overlap, put
from hexlogic.players.connections.capture import find_captured, find_useless
from hexlogic.players.connections.kernel import add_adjacent, enqueue, insert, pair_of
from hexlogic.players.connections.store import DEAD, DONE, EMPTY, FULL, KEPT, OTHER, OWN, USELESS

__all__ = ["begin", "other_move", "own_move"]


@njit(cache=True)
def _join_groups(store: Any, around: Any) -> None:
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
                other = around[cell, place]
                if other >= 0 and store.owner[other] == OWN and not seen[other]:
                    seen[other] = 1
                    waiting[many] = other
                    many += 1


@njit(cache=True)
def _add_adjacent_of(store: Any, around: Any, edge: Any, cell: Any) -> None:
    """full(X,Y,{}) :- adjacent(X,Y), for the node of one cell."""
    last = store.owner.shape[0] - 1
    x = np.int64(store.group[cell])
    if edge[cell] & 1:
        add_adjacent(store, 0, x)
    if edge[cell] & 2:
        add_adjacent(store, x, last)
    for place in range(6):
        other = around[cell, place]
        if other >= 0 and (store.owner[other] == EMPTY or store.owner[other] == OWN):
            y = np.int64(store.group[other])
            if x != y:
                add_adjacent(store, x, y)


@njit(cache=True)
def begin(store: Any, around: Any, ring: Any, edge: Any) -> None:
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
    if store.limits[4] != 0:
        find_useless(store.owner, ring, store.limits)
        find_captured(store, around, ring)
    _join_groups(store, around)
    for cell in range(1, last):
        if store.owner[cell] == EMPTY or store.owner[cell] == OWN:
            _add_adjacent_of(store, around, edge, cell)


@njit(cache=True)
def _kill(store: Any, row: Any) -> None:
    nodes = store.owner.shape[0]
    store.state[row] = DEAD
    store.many[store.kind[row], pair_of(nodes, np.int64(store.ends[row, 0]), np.int64(store.ends[row, 1]))] -= 1


@njit(cache=True)
def _new_useless(store: Any, ring: Any, moved: Any) -> Any:
    """The carrier of the cells that have become useless by a move; groups keep the facts that hold no such cell."""
    last = store.owner.shape[0] - 1
    was = store.owner.copy()
    found = np.zeros(store.carrier.shape[1], np.uint64)
    if store.limits[4] != 0:
        find_useless(store.owner, ring, store.limits)
        for cell in range(1, last):
            if store.owner[cell] == USELESS and was[cell] != USELESS and cell != moved:
                put(found, cell)
    return found


@njit(cache=True)
def _requeue_captured(store: Any, around: Any, ring: Any) -> None:
    """Find the captured pairs again, and work again on full connections through a pair that is new."""
    if store.limits[4] == 0:
        return
    before, before_many = store.captured.copy(), store.captured_many.copy()
    find_captured(store, around, ring)
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
    for row in range(store.counts[0]):
        if store.state[row] == DONE and store.kind[row] == FULL:
            if overlap(store.carrier[row], cells):
                enqueue(store, row)


@njit(cache=True)
def _revise(store: Any, gone: Any, moved: Any) -> None:
    """Enter the connections that a move changes once more: without the settled cells `gone`, between groups as now."""
    words = store.carrier.shape[1]
    carrier = np.empty(words, np.uint64)
    node = np.int64(store.group[moved])
    for row in range(store.counts[0]):
        if store.state[row] == DEAD:
            continue
        x, y = np.int64(store.ends[row, 0]), np.int64(store.ends[row, 1])
        if store.owner[x] > OWN or store.owner[y] > OWN:
            _kill(store, row)
            continue
        now_x, now_y = np.int64(store.group[x]), np.int64(store.group[y])
        changed = now_x != x or now_y != y or now_x == node or now_y == node or overlap(store.carrier[row], gone)
        for word in range(words):
            carrier[word] = store.carrier[row, word] & ~gone[word]
        if changed:
            _kill(store, row)
            if now_x != now_y:
                insert(store, store.kind[row], now_x, now_y, carrier, store.depth[row], KEPT, -1, row, -1)


@njit(cache=True)
def own_move(store: Any, around: Any, ring: Any, edge: Any, cell: Any) -> None:
    """The player takes `cell`: carriers lose it, its neighbours become one group. Needs room for as many rows again."""
    store.owner[cell] = OWN
    gone = _new_useless(store, ring, cell)
    _join_groups(store, around)
    put(gone, cell)
    _revise(store, gone, cell)
    _add_adjacent_of(store, around, edge, cell)
    _requeue_captured(store, around, ring)


@njit(cache=True)
def other_move(store: Any, around: Any, ring: Any, cell: Any) -> None:
    """The opponent takes `cell`: what uses it is gone, and nothing else. Needs room for as many rows again."""
    store.owner[cell] = OTHER
    for row in range(store.counts[0]):
        if store.state[row] == DEAD:
            continue
        if holds(store.carrier[row], cell) or store.ends[row, 0] == cell or store.ends[row, 1] == cell:
            _kill(store, row)
    gone = _new_useless(store, ring, cell)
    if lowest(gone) >= 0:
        _revise(store, gone, cell)
    _requeue_captured(store, around, ring)

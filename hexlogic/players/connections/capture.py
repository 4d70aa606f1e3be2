"""Useless cells and captured pairs, by the ring of six neighbours around a cell.

A cell is *useless* to a player when its neighbours that are not the opponent's are joined without it: whatever
becomes of the cell, the player's connections stay the same. (Joined: next to each other in the ring, or through own
stones of the ring.) A pair {A,B} is *captured* when either cell is useless once the player has the other: an intrusion
is answered by the other cell and has no effect, so the player may count both as own stones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np
from numba import njit

from hexlogic.players.connections.insert import put
from hexlogic.players.connections.store import CAPTURED_MANY, CAPTURED_MOST, EMPTY, NONE, OWN, OWNER, USELESS


def _is_joined(signs: Sequence[int]) -> bool:
    """Whether the places of a ring that are not the opponent's (2) are joined through own ones (1)."""
    known = [place for place in range(6) if signs[place] != 2]
    for start in known:
        reached, waiting = {start}, [start]
        while waiting:
            place = waiting.pop()
            if place == start or signs[place] == 1:
                near = {(place + 1) % 6, (place - 1) % 6} - reached
                waiting += [other for other in near if signs[other] != 2]
                reached |= near
        if not reached.issuperset(known):
            return False
    return True


_GOING_ROUND: Final = (0, 1, 3, 5, 4, 2)
"""The places of `around`, which go row by row."""
_JOINED = np.array([_is_joined([signs[5 - place] for place in _GOING_ROUND]) for signs in product(range(3), repeat=6)])
"""By the signs of neighbours as a number of base three, first place least: 0 blank, 1 own, 2 the opponent's."""


@njit(cache=True)
def _is_useless(store: Any, cell: Any, one: Any, two: Any) -> Any:
    """Whether the cell is useless to the player when the nodes `one` and `two` (-1: none) are own stones too."""
    nodes, signs = store.nodes, 0
    for place in range(5, -1, -1):
        node = store.around[cell, place]
        sign = 2
        if node >= 0 and (node in (one, two) or nodes[node, OWNER] == OWN):
            sign = 1
        elif node >= 0 and nodes[node, OWNER] == EMPTY:
            sign = 0
        signs = 3 * signs + sign
    return _JOINED[signs]


@njit(cache=True)
def find_useless(store: Any) -> Any:
    """Mark the empty cells that are useless; how many there are. Marks of before are forgotten first."""
    nodes, many = store.nodes, 0
    last = store.near.shape[0] - 1
    for cell in range(1, last):
        if nodes[cell, OWNER] == USELESS:
            nodes[cell, OWNER] = EMPTY
    marks = np.zeros(last, np.uint8)
    for cell in range(1, last):
        if nodes[cell, OWNER] == EMPTY and _is_useless(store, cell, NONE, NONE):
            marks[cell] = 1
            many += 1
    for cell in range(1, last):
        if marks[cell]:
            nodes[cell, OWNER] = USELESS
    return many


@njit(cache=True, inline="always")
def _note(store: Any, who: Any, a: Any, b: Any) -> None:
    place = store.nodes[who, CAPTURED_MANY]
    if place < CAPTURED_MOST:
        store.captured[who, place, 0] = a
        store.captured[who, place, 1] = b
        store.nodes[who, CAPTURED_MANY] += 1
        put(store.captured_cells[who], a)
        put(store.captured_cells[who], b)


@njit(cache=True)
def find_captured(store: Any) -> None:
    """Fill `captured`: adjacent empty pairs captured now (last entry), or once one more node is an own stone."""
    nodes, around = store.nodes, store.around
    last = store.near.shape[0] - 1
    store.nodes[:, CAPTURED_MANY] = 0
    store.captured_cells[:] = 0
    for a in range(1, last):
        if nodes[a, OWNER] != EMPTY:
            continue
        for place in range(6):
            b = np.int64(around[a, place])
            if b <= a or nodes[b, OWNER] != EMPTY:
                continue
            if _is_useless(store, a, b, NONE) and _is_useless(store, b, a, NONE):
                _note(store, last + 1, a, b)
                continue
            for side in range(12):
                m = np.int64(around[a, side]) if side < 6 else np.int64(around[b, side - 6])
                if m < 0 or m in (a, b) or nodes[m, OWNER] != EMPTY:
                    continue
                seen = False
                for other in range(6):
                    seen = seen or (side >= 6 and around[a, other] == m)
                if not seen and _is_useless(store, a, b, m) and _is_useless(store, b, a, m):
                    _note(store, m, a, b)

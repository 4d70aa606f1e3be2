"""Useless cells and captured pairs, by the ring of six neighbours around a cell.

A cell is *useless* to a player when its neighbours that are not the opponent's are joined without it: whatever
becomes of the cell, the player's connections stay the same. (Joined: next to each other in the ring, or through own
stones of the ring.) A pair {A,B} is *captured* when either cell is useless once the player has the other: an intrusion
is answered by the other cell and has no effect, so the player may count both as own stones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.players.connections.bits import put
from hexlogic.players.connections.store import CAPTURED_MOST, EMPTY, OWN, USELESS

__all__ = ["find_captured", "find_useless"]


@njit(cache=True)
def _is_useless(owner: Any, ring: Any, cell: Any, one: Any, two: Any) -> Any:
    """Whether the cell is useless to the player when the nodes `one` and `two` (-1: none) are own stones too."""
    colours = np.empty(6, np.int64)
    others = own = 0
    for place in range(6):
        node = ring[cell, place]
        if node >= 0 and (node in (one, two) or owner[node] == OWN):
            colours[place] = 1
            own += 1
        elif node >= 0 and owner[node] == EMPTY:
            colours[place] = 0
        else:
            colours[place] = 2
            others += 1
    if others >= 5:
        return True
    if others == 0:
        # A full ring: one run of own stones, and at most two other cells beside each other.
        if own < 4:
            return False
        changes = 0
        for place in range(6):
            if colours[place] != colours[place - 1]:
                changes += 1
        return changes <= 2
    # Runs between the opponent's cells: one run only, and own stones all along its inside.
    begin = 0
    while colours[begin] != 2:
        begin += 1
    runs = 0
    length = 0
    inside_own = True
    last_own = True
    for step in range(1, 7):
        colour = colours[(begin + step) % 6]
        if colour == 2:
            length = 0
            continue
        length += 1
        if length == 1:
            runs += 1
            last_own = True
        elif length >= 3 and not last_own:
            inside_own = False
        if length >= 2:
            last_own = colour == 1
    return runs <= 1 and inside_own


@njit(cache=True)
def find_useless(owner: Any, ring: Any) -> Any:
    """Mark the empty cells that are useless; how many there are. Marks of before are forgotten first."""
    many = 0
    last = owner.shape[0] - 1
    for cell in range(1, last):
        if owner[cell] == USELESS:
            owner[cell] = EMPTY
    marks = np.zeros(last, np.uint8)
    for cell in range(1, last):
        if owner[cell] == EMPTY and _is_useless(owner, ring, cell, -1, -1):
            marks[cell] = 1
            many += 1
    for cell in range(1, last):
        if marks[cell]:
            owner[cell] = USELESS
    return many


@njit(cache=True)
def _note(store: Any, who: Any, a: Any, b: Any) -> None:
    place = store.captured_many[who]
    if place < CAPTURED_MOST:
        store.captured[who, place, 0] = a
        store.captured[who, place, 1] = b
        store.captured_many[who] += 1
        put(store.captured_cells[who], a)
        put(store.captured_cells[who], b)


@njit(cache=True)
def find_captured(store: Any, around: Any, ring: Any) -> None:
    """Fill `captured`: adjacent empty pairs captured now (last entry), or once one more node is an own stone."""
    nodes = store.owner.shape[0]
    owner = store.owner
    store.captured_many[:] = 0
    store.captured_cells[:] = 0
    for a in range(1, nodes - 1):
        if owner[a] != EMPTY:
            continue
        for place in range(6):
            b = np.int64(around[a, place])
            if b <= a or owner[b] != EMPTY:
                continue
            if _is_useless(owner, ring, a, b, -1) and _is_useless(owner, ring, b, a, -1):
                _note(store, nodes, a, b)
                continue
            for side in range(12):
                m = np.int64(around[a, side]) if side < 6 else np.int64(around[b, side - 6])
                if m < 0 or m in (a, b) or owner[m] != EMPTY:
                    continue
                seen = False
                for other in range(6):
                    seen = seen or (side >= 6 and around[a, other] == m)
                if not seen and _is_useless(owner, ring, a, b, m) and _is_useless(owner, ring, b, a, m):
                    _note(store, m, a, b)

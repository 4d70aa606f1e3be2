"""The starting facts of a position, useless cells and captured pairs, and what a move changes in them.

A cell is *useless* to a player when its neighbours that are not the opponent's are joined without it: whatever
becomes of the cell, the player's connections stay the same. (Joined: next to each other in the ring of six, or through
own stones of the ring.) A pair {A,B} is *captured* when either cell is useless once the player has the other: an
intrusion is answered by the other cell and has no effect, so the player may count both as own stones.
"""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.players.connections import codes
from hexlogic.players.connections.insert import cells_in, enqueue, holds, insert, lowest, overlap, pair_of, put
from hexlogic.players.connections.store import CAPTURED_MOST
from hexlogic.process.kernels import kernel


def _is_joined(signs: Sequence[int]) -> bool:
    """Whether the places of a ring that are not the opponent's (2) are joined through own ones (1)."""

    def leads(start: int, end: int) -> bool:
        return all(signs[place % 6] == 1 for place in range(start + 1, end if start < end else end + 6))

    known = [place for place in range(6) if signs[place] != 2]
    return all(leads(one, two) or leads(two, one) for one, two in combinations(known, 2))


_GOING_ROUND: Final = (0, 1, 3, 5, 4, 2)
"""The places of a ring, which go row by row."""


def _tabulate_lacks() -> NDArray[np.uint8]:
    table = np.full((3,) * 6, 7, np.uint8)
    for signs in sorted(product(range(3), repeat=6), key=lambda signs: signs.count(0)):
        if _is_joined([signs[5 - place] for place in _GOING_ROUND]):
            table[signs] = 0
        more = [table[(*signs[:place], 1, *signs[place + 1 :])] + 1 for place in range(6) if signs[place] == 0]
        table[signs] = min([table[signs], *more])
    return table.reshape(-1)


_LACKS = _tabulate_lacks()
"""Own stones that a ring lacks to be joined, 7 where they do not help, by the signs of neighbours as a number of
base three, first place least: 0 blank, 1 own, 2 the opponent's."""


@kernel(_nrt=False)
def lacks(store: Any, cell: Any, one: Any, two: Any) -> Any:
    """How many more own stones around it make the cell useless to the player (0: it is), when the nodes `one` and `two`
    (-1: none) are own stones too."""
    nodes, signs, ring = store.nodes, 0, store.near.shape[0]
    for place in range(ring + 5, ring - 1, -1):
        node = store.near[cell, place]
        sign = 2
        if node >= 0 and (node in (one, two) or nodes[node, codes.OWNER] == codes.OWN):
            sign = 1
        elif node >= 0 and nodes[node, codes.OWNER] == codes.EMPTY:
            sign = 0
        signs = 3 * signs + sign
    return _LACKS[signs]


@kernel(_nrt=False)
def find_useless(store: Any) -> Any:
    """Mark the empty cells that are useless; how many there are. Marks of before are forgotten first."""
    nodes, last = store.nodes, store.near.shape[0] - 1
    marks = store.scratch[store.scratch.shape[0] - 3]
    marks[:] = 0
    for cell in range(1, last):
        if nodes[cell, codes.OWNER] == codes.USELESS:
            nodes[cell, codes.OWNER] = codes.EMPTY
    for cell in range(1, last):
        if nodes[cell, codes.OWNER] == codes.EMPTY and lacks(store, cell, codes.NONE, codes.NONE) == 0:
            put(marks, cell)
    for cell in range(1, last):
        if holds(marks, cell):
            nodes[cell, codes.OWNER] = codes.USELESS
    return cells_in(marks)


@kernel(inline="always")
def _note(store: Any, who: Any, a: Any, b: Any) -> None:
    place = store.nodes[who, codes.CAPTURED_MANY]
    if place < CAPTURED_MOST:
        store.captured[who, place, 0] = a
        store.captured[who, place, 1] = b
        store.nodes[who, codes.CAPTURED_MANY] += 1
        put(store.captured_cells[who], a)
        put(store.captured_cells[who], b)


@kernel(_nrt=False)
def find_captured(store: Any) -> None:
    """Fill `captured`: adjacent empty pairs captured now (last entry), or once one more node is an own stone."""
    nodes, near, ring = store.nodes, store.near, store.near.shape[0]
    last = store.near.shape[0] - 1
    store.nodes[:, codes.CAPTURED_MANY] = 0
    store.captured_cells[:] = 0
    # A cell that lacks more than two stones is in no pair.
    hopeful = store.scratch[store.scratch.shape[0] - 3]
    hopeful[:] = 0
    for a in range(1, last):
        if nodes[a, codes.OWNER] == codes.EMPTY and lacks(store, a, codes.NONE, codes.NONE) <= 2:
            put(hopeful, a)
    for a in range(1, last):
        if not holds(hopeful, a):
            continue
        for place in range(6):
            b = np.int64(near[a, ring + place])
            if b <= a or not holds(hopeful, b):
                continue
            lacking = max(lacks(store, a, b, codes.NONE), lacks(store, b, a, codes.NONE))
            if lacking == 0:
                _note(store, last + 1, a, b)
            if lacking != 1:
                continue
            for side in range(12):
                m = np.int64(near[a, ring + side]) if side < 6 else np.int64(near[b, ring + side - 6])
                if m < 0 or m in (a, b) or nodes[m, codes.OWNER] != codes.EMPTY:
                    continue
                seen = False
                for other in range(6):
                    seen = seen or (side >= 6 and near[a, ring + other] == m)
                if not seen and lacks(store, a, b, m) == 0 and lacks(store, b, a, m) == 0:
                    _note(store, m, a, b)


@kernel()
def _join_groups(store: Any) -> None:
    """Give every own stone the smallest cell of its group as its node."""
    last = store.near.shape[0] - 1
    for cell in range(last + 1):
        store.nodes[cell, codes.GROUP] = cell
    waiting = np.empty(last + 1, np.int64)
    seen = np.zeros(last + 1, np.uint8)
    for start in range(1, last):
        if store.nodes[start, codes.OWNER] != codes.OWN or seen[start]:
            continue
        many = 1
        waiting[0] = start
        seen[start] = 1
        while many:
            many -= 1
            cell = waiting[many]
            store.nodes[cell, codes.GROUP] = start
            for place in range(6):
                other = store.near[cell, last + 1 + place]
                if 0 < other < last and store.nodes[other, codes.OWNER] == codes.OWN and not seen[other]:
                    seen[other] = 1
                    waiting[many] = other
                    many += 1


@kernel()
def _add_adjacent_of(store: Any, cell: Any) -> None:
    """full(X,Y,{}) :- adjacent(X,Y), for the node of one cell."""
    last = store.near.shape[0] - 1
    x = np.int64(store.nodes[cell, codes.GROUP])
    nothing, full = np.zeros(store.carrier.shape[1], np.uint64), np.int64(codes.FULL)
    for place in range(6):
        other = np.int64(store.near[cell, last + 1 + place])
        if other == 0 or other == last or (other > 0 and store.nodes[other, codes.OWNER] in (codes.EMPTY, codes.OWN)):
            y = other if other == 0 or other == last else np.int64(store.nodes[other, codes.GROUP])
            if x != y:
                rule = np.int64(codes.ADJACENT)
                insert(store, full, x, y, nothing, codes.ZERO, rule, codes.NONE, codes.NONE, codes.NONE)


@kernel(vectors=False)
def begin(store: Any) -> None:
    """Forget all connections and enter the facts of the position in `owner`."""
    store.counts[: codes.FULL_MOST] = 0
    store.lists[:, :, codes.HEAD] = -1
    store.lists[:, :, codes.MANY] = 0
    store.nodes[:, codes.QUEUE] = -1
    store.nodes[:, codes.NEAR_MANY] = 0
    if store.counts[codes.CAPTURES] == 1:
        find_useless(store)
    if store.counts[codes.CAPTURES] != 0:
        find_captured(store)
    _join_groups(store)
    for cell in range(1, store.near.shape[0] - 1):
        if store.nodes[cell, codes.OWNER] <= codes.OWN:
            _add_adjacent_of(store, cell)


@kernel(inline="always")
def _kill(store: Any, row: Any) -> None:
    x, y = np.int64(store.rows[row, codes.X]), np.int64(store.rows[row, codes.Y])
    store.rows[row, codes.STATE] = codes.DEAD
    store.lists[store.rows[row, codes.KIND], pair_of(store.near.shape[0], x, y), codes.MANY] -= 1


@kernel()
def _requeue_captured(store: Any) -> None:
    """Find the captured pairs again, and work again on full connections through a pair that is new."""
    if store.counts[codes.CAPTURES] == 0:
        return
    before, nodes_before = store.captured.copy(), store.nodes.copy()
    find_captured(store)
    cells = np.zeros(store.carrier.shape[1], np.uint64)
    for who in range(store.nodes.shape[0]):
        for place in range(store.nodes[who, codes.CAPTURED_MANY]):
            a, b = store.captured[who, place, 0], store.captured[who, place, 1]
            new = True
            for old in range(nodes_before[who, codes.CAPTURED_MANY]):
                new = new and not (before[who, old, 0] == a and before[who, old, 1] == b)
            if new:
                put(cells, np.int64(a))
                put(cells, np.int64(b))
    for row in range(store.counts[codes.ROWS]):
        if (
            store.rows[row, codes.STATE] == codes.DONE
            and store.rows[row, codes.KIND] == codes.FULL
            and overlap(store.carrier[row], cells)
        ):
            enqueue(store, row)


@kernel()
def _revise(store: Any, moved: Any) -> None:
    """Enter the connections that own stones change once more: without their cells, between groups as they are now."""
    carrier = np.empty(store.carrier.shape[1], np.uint64)
    grown = np.zeros(store.near.shape[0], np.uint8)
    for cell in range(1, store.near.shape[0] - 1):
        if holds(moved, cell):
            grown[store.nodes[cell, codes.GROUP]] = 1
    for row in range(store.counts[codes.ROWS]):
        if store.rows[row, codes.STATE] == codes.DEAD:
            continue
        x, y = np.int64(store.rows[row, codes.X]), np.int64(store.rows[row, codes.Y])
        now_x, now_y = np.int64(store.nodes[x, codes.GROUP]), np.int64(store.nodes[y, codes.GROUP])
        if now_x != x or now_y != y or grown[now_x] or grown[now_y] or overlap(store.carrier[row], moved):
            _kill(store, row)
            if now_x != now_y:
                for word in range(carrier.shape[0]):
                    carrier[word] = store.carrier[row, word] & ~moved[word]
                kind, depth = np.int64(store.rows[row, codes.KIND]), np.int64(store.rows[row, codes.DEPTH])
                insert(store, kind, now_x, now_y, carrier, depth, np.int64(codes.KEPT), codes.NONE, row, codes.NONE)


@kernel(vectors=False)
def change(store: Any, own: Any, other: Any) -> None:
    """New stones on the cells of two carriers: the player's own and the opponent's. Needs room for as many rows again.
    What uses a cell of the opponent, or one that is useless now, is gone, and nothing else; own cells leave the
    carriers and join groups."""
    gone, last = other.copy(), store.near.shape[0] - 1
    for cell in range(1, last):
        if holds(own, cell):
            store.nodes[cell, codes.OWNER] = codes.OWN
        elif holds(other, cell):
            store.nodes[cell, codes.OWNER] = codes.OTHER
    if store.counts[codes.CAPTURES] == 1:
        was = store.nodes.copy()
        find_useless(store)
        for cell in range(1, last):
            if store.nodes[cell, codes.OWNER] == codes.USELESS and was[cell, codes.OWNER] == codes.EMPTY:
                put(gone, cell)
    for row in range(store.counts[codes.ROWS]):
        if store.rows[row, codes.STATE] != codes.DEAD:
            x, y = np.int64(store.rows[row, codes.X]), np.int64(store.rows[row, codes.Y])
            if overlap(store.carrier[row], gone) or holds(gone, x) or holds(gone, y):
                _kill(store, row)
    if lowest(own) >= 0:
        _join_groups(store)
        _revise(store, own)
        for cell in range(1, last):
            if holds(own, cell):
                _add_adjacent_of(store, cell)
    _requeue_captured(store)

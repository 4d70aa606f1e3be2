"""Adding a connection: only when no smaller one is known, within the limits of its pair, into the queue by size.

Carriers are rows of 64-bit words: cell `c` is bit `c % 64` of word `c // 64`.
"""

from typing import Any

import numpy as np

from hexlogic.players.connections import codes
from hexlogic.process.kernels import kernel


@kernel(inline="always")
def put(carrier: Any, cell: Any) -> None:
    """Add a cell."""
    carrier[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)


@kernel(inline="always")
def copy_into(target: Any, source: Any) -> None:
    """Copy an array of one axis. (For `target[:] = source` numba compiles the making of an error text: 1.3 s.)"""
    for place in range(target.shape[0]):
        target[place] = source[place]


@kernel(inline="always")
def within(small: Any, large: Any) -> Any:
    """Whether one carrier is part of another."""
    for word in range(small.shape[0]):  # noqa: SIM110 (numba has no generator expressions)
        if small[word] & ~large[word]:
            return False
    return True


@kernel(inline="always")
def overlap(one: Any, two: Any) -> Any:
    """Whether two carriers share a cell."""
    for word in range(one.shape[0]):  # noqa: SIM110
        if one[word] & two[word]:
            return True
    return False


@kernel(inline="always")
def holds(carrier: Any, cell: Any) -> Any:
    """Whether a carrier has the cell."""
    return (carrier[cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1) != np.uint64(0)


@kernel(inline="always")
def ones(word: Any) -> Any:
    """How many bits of a word are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel(_nrt=False)
def cells_in(carrier: Any) -> Any:
    """How many cells a carrier has."""
    many = np.int64(0)
    for word in range(carrier.shape[0]):
        many += np.int64(ones(carrier[word]))
    return many


@kernel(_nrt=False)
def lowest(carrier: Any) -> Any:
    """The smallest cell of a carrier, -1 when it is empty."""
    for word in range(carrier.shape[0]):
        bits = carrier[word]
        if bits != np.uint64(0):
            return (word << 6) + np.int64(ones((bits & (~bits + np.uint64(1))) - np.uint64(1)))
    return -1


@kernel(inline="always")
def pair_of(nodes: Any, x: Any, y: Any) -> Any:
    """The number of an unordered pair of nodes."""
    return x * nodes + y if x < y else y * nodes + x


@kernel(inline="always")
def enqueue(store: Any, row: Any) -> None:
    """Put a row into the queue of its size."""
    size = store.rows[row, codes.SIZE]
    store.rows[row, codes.STATE] = codes.QUEUED
    store.rows[row, codes.QUEUE_AFTER] = store.nodes[size, codes.QUEUE]
    store.nodes[size, codes.QUEUE] = row
    if size < store.counts[codes.FIRST]:
        store.counts[codes.FIRST] = size


@kernel(_nrt=False)
def list_covers(carriers: Any, rows: Any, first: Any, scratch: Any, place: Any) -> Any:
    """Whether a connection of a list lies within the carrier in a row of `scratch`. (The hot spot: few arguments.)"""
    row = first
    while row >= 0:
        if rows[row, codes.STATE] != codes.DEAD:
            inside = True
            for word in range(carriers.shape[1]):
                if carriers[row, word] & ~scratch[place, word]:
                    inside = False
                    break
            if inside:
                return True
        row = rows[row, codes.AFTER]
    return False


@kernel(_nrt=False)
def _drop_larger(store: Any, kind: Any, pair: Any, carrier: Any) -> None:
    """Remove the connections of a pair and a kind whose carriers hold this one, and unlink what is dead."""
    before = -1
    row = store.lists[kind, pair, codes.HEAD]
    while row >= 0:
        after = store.rows[row, codes.AFTER]
        if store.rows[row, codes.STATE] != codes.DEAD and within(carrier, store.carrier[row]):
            store.rows[row, codes.STATE] = codes.DEAD
            store.lists[kind, pair, codes.MANY] -= 1
        if store.rows[row, codes.STATE] == codes.DEAD:
            if before < 0:
                store.lists[kind, pair, codes.HEAD] = after
            else:
                store.rows[before, codes.AFTER] = after
        else:
            before = row
        row = after


@kernel(inline="always")
def _make_room(store: Any, kind: Any, pair: Any, size: Any) -> Any:
    """Whether one more fits the limit of the pair, at the cost of a larger one that still waits in the queue."""
    limit = store.counts[codes.FULL_MOST + kind]
    if limit < 0 or store.lists[kind, pair, codes.MANY] < limit:
        return True
    store.counts[codes.DROPPED] += 1
    largest = -1
    row = store.lists[kind, pair, codes.HEAD]
    while row >= 0:
        larger = store.rows[row, codes.SIZE] > (size if largest < 0 else store.rows[largest, codes.SIZE])
        if store.rows[row, codes.STATE] == codes.QUEUED and larger:
            largest = row
        row = store.rows[row, codes.AFTER]
    if largest < 0:
        return False
    store.rows[largest, codes.STATE] = codes.DEAD
    store.lists[kind, pair, codes.MANY] -= 1
    return True


@kernel(_nrt=False)
def insert(
    store: Any, kind: Any, x: Any, y: Any, carrier: Any, depth: Any, rule: Any, middle: Any, left: Any, right: Any
) -> Any:
    """Add a connection unless a smaller one is known; its row, or -1. Asks for more memory by `counts[STOP]`."""
    pair = pair_of(store.near.shape[0], x, y)
    scratch = store.scratch
    place = scratch.shape[0] - 2
    copy_into(scratch[place], carrier)
    if list_covers(store.carrier, store.rows, store.lists[codes.FULL, pair, codes.HEAD], scratch, place):
        return -1
    if kind == codes.SEMI and list_covers(
        store.carrier, store.rows, store.lists[codes.SEMI, pair, codes.HEAD], scratch, place
    ):
        return -1
    row = store.counts[codes.ROWS]
    if row >= store.rows.shape[0]:
        store.counts[codes.STOP] = 1
        return -1
    _drop_larger(store, kind, pair, carrier)
    if kind == codes.FULL:
        _drop_larger(store, np.int64(codes.SEMI), pair, carrier)
    size = cells_in(carrier)
    if not _make_room(store, kind, pair, size):
        return -1
    store.counts[codes.ROWS] += 1
    copy_into(store.carrier[row], carrier)
    store.rows[row, codes.SIZE] = size
    store.rows[row, codes.DEPTH] = depth
    store.rows[row, codes.X] = min(x, y)
    store.rows[row, codes.Y] = max(x, y)
    store.rows[row, codes.KIND] = kind
    store.rows[row, codes.RULE] = rule
    store.rows[row, codes.MIDDLE] = middle
    store.rows[row, codes.LEFT] = left
    store.rows[row, codes.RIGHT] = right
    store.rows[row, codes.AFTER] = store.lists[kind, pair, codes.HEAD]
    store.lists[kind, pair, codes.HEAD] = row
    store.lists[kind, pair, codes.MANY] += 1
    enqueue(store, row)
    return row

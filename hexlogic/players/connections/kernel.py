"""The rules of deduction as numba loops: a semi-naive work-list in order of carrier size.

    full(X,Y,{})       :- adjacent(X,Y).
    full(X,Y,A+B)      :- full(X,M,A), full(M,Y,B), own(M), disjoint.
    semi(X,Y,A+B+{M})  :- full(X,M,A), full(M,Y,B), empty(M), disjoint.
    full(X,Y,S1+..+Sk) :- semi(X,Y,S1), ..., semi(X,Y,Sk), no cell common to all.

A conclusion is never smaller than its premises, so what leaves the queue is minimal already, and a limit on a pair
keeps its smallest carriers. Numba types in the signatures are those of `Store`.
"""

from typing import Any

import numpy as np

from hexlogic.players.connections import codes
from hexlogic.players.connections.build import begin
from hexlogic.players.connections.insert import copy_into, holds, insert, list_covers, lowest, pair_of, put
from hexlogic.players.connections.store import Store, copy_store
from hexlogic.process.kernels import kernel


@kernel(_nrt=False)
def _conclude_series(store: Any, first: Any, second: Any, x: Any, middle: Any, y: Any, extra: Any) -> None:
    """Insert what two full connections through `middle` give; `extra` are captured cells that both may use."""
    carrier = store.scratch[store.scratch.shape[0] - 1]
    for word in range(carrier.shape[0]):
        carrier[word] = store.carrier[first, word] | store.carrier[second, word] | extra[word]
    depth = np.int64(store.rows[first, codes.DEPTH] + store.rows[second, codes.DEPTH])
    kind = np.int64(codes.FULL)
    if store.nodes[middle, codes.OWNER] != codes.OWN:
        put(carrier, middle)
        kind, depth = np.int64(codes.SEMI), depth + 1
    insert(store, kind, x, y, carrier, depth, np.int64(codes.SERIES), middle, first, second)


@kernel()
def _series_captured(store: Any, first: Any, second: Any, x: Any, middle: Any, y: Any) -> None:
    """The series rule when the carriers share cells: allowed if pairs that X, M and Y capture hold them all. Every
    choice of disjoint pairs that covers the shared cells and has no superfluous pair is tried."""
    words = store.carrier.shape[1]
    allowed = store.captured_cells
    last = store.near.shape[0]
    for word in range(words):
        both = store.carrier[first, word] & store.carrier[second, word]
        if both & ~(allowed[x, word] | allowed[middle, word] | allowed[y, word] | allowed[last, word]):
            return
    pairs, many = store.stack[:64, 1:], 0
    for who in (last, x, middle, y):
        for place in range(store.nodes[who, codes.CAPTURED_MANY]):
            a, b = store.captured[who, place, 0], store.captured[who, place, 1]
            new = many < pairs.shape[0] and a not in (x, middle, y) and b not in (x, middle, y)
            for other in range(many):
                new = new and not (pairs[other, 0] == a and pairs[other, 1] == b)
            if new:
                pairs[many, 0], pairs[many, 1] = a, b
                many += 1
    # Depth-first over the pair that covers the lowest cell shared so far.
    covers, choice, rest = store.scratch[2:], store.stack[:, 0], store.scratch[1]
    covers[0, :] = 0
    choice[0] = -1
    level = 0
    while level >= 0:
        for word in range(words):
            rest[word] = store.carrier[first, word] & store.carrier[second, word] & ~covers[level, word]
        cell = lowest(rest)
        if cell < 0:
            _conclude_series(store, first, second, x, middle, y, covers[level])
            level -= 1
            continue
        chosen = choice[level] + 1
        while chosen < many:
            a, b = pairs[chosen, 0], pairs[chosen, 1]
            if (a == cell or b == cell) and not holds(covers[level], a) and not holds(covers[level], b):
                break
            chosen += 1
        if chosen >= many:
            level -= 1
            continue
        choice[level] = chosen
        level += 1
        choice[level] = -1
        copy_into(covers[level], covers[level - 1])
        put(covers[level], pairs[chosen, 0])
        put(covers[level], pairs[chosen, 1])


@kernel(_nrt=False)
def _series(store: Any, row: Any, middle: Any, x: Any) -> None:
    """Combine a full connection x - middle with every done one middle - y."""
    carriers, rows, nodes, lists, scratch = store.carrier, store.rows, store.nodes, store.lists, store.scratch
    width, words = store.near.shape[0], carriers.shape[1]
    place = scratch.shape[0] - 1
    through_own = nodes[middle, codes.OWNER] == codes.OWN
    captured = store.counts[codes.CAPTURES] != 0
    for at in range(store.nodes[middle, codes.NEAR_MANY]):
        y = np.int64(store.near[middle, at])
        if y == x or nodes[y, codes.OWNER] > codes.OWN or carriers[row, y >> 6] >> np.uint64(y & 63) & np.uint64(1):
            continue
        pair = pair_of(width, x, y)
        known = lists[codes.FULL, pair, codes.HEAD]
        if known >= 0 and rows[known, codes.SIZE] == 0 and rows[known, codes.STATE] != codes.DEAD:
            continue
        other = lists[codes.FULL, pair_of(width, middle, y), codes.HEAD]
        while other >= 0:
            if rows[other, codes.STATE] == codes.DONE and not carriers[other, x >> 6] >> np.uint64(x & 63) & np.uint64(
                1
            ):
                apart = True
                for word in range(words):
                    scratch[place, word] = carriers[row, word] | carriers[other, word]
                    if carriers[row, word] & carriers[other, word]:
                        apart = False
                if apart:
                    # Most conclusions are known already: that is found out here, before anything is called.
                    covered = list_covers(carriers, rows, lists[codes.FULL, pair, codes.HEAD], scratch, place)
                    if not covered and not through_own:
                        put(scratch[place], middle)
                        covered = list_covers(carriers, rows, lists[codes.SEMI, pair, codes.HEAD], scratch, place)
                    if not covered:
                        _conclude_series(store, row, np.int64(other), x, middle, y, scratch[0])
                elif captured:
                    _series_captured(store, row, np.int64(other), x, middle, y)
            other = rows[other, codes.AFTER]


@kernel(inline="always")
def _conclude_parallel(store: Any, x: Any, y: Any, level: Any) -> None:
    """Insert the union of the semi-connections on the stack."""
    begin = store.counts[codes.SHARED]
    if begin + level + 1 > store.rows.shape[0]:
        store.counts[codes.STOP] = 1
        return
    depth = 0
    for place in range(level + 1):
        row = store.stack[place, 0]
        store.rows[begin + place, codes.PREMISE] = row
        depth = max(depth, store.rows[row, codes.DEPTH])
    union = store.scratch[2 * level + 2]
    rule = np.int64(codes.PARALLEL)
    if insert(store, np.int64(codes.FULL), x, y, union, np.int64(depth), rule, codes.NONE, begin, level + 1) >= 0:
        store.counts[codes.SHARED] += level + 1


@kernel(_nrt=False)
def _parallel(store: Any, row: Any) -> None:
    """All minimal sets of done semi-connections with `row` that have no common cell, by depth-first search.

    On level k, `scratch[2k + 1]` is what the chosen ones have in common and `scratch[2k + 2]` is their union. One of
    the further ones must avoid the lowest common cell, so only those are tried.
    """
    nodes = store.near.shape[0]
    words = store.carrier.shape[1]
    x, y = np.int64(store.rows[row, codes.X]), np.int64(store.rows[row, codes.Y])
    pair = pair_of(nodes, x, y)
    copy_into(store.scratch[1], store.carrier[row])
    other = store.lists[codes.SEMI, pair, codes.HEAD]
    while other >= 0:
        if store.rows[other, codes.STATE] == codes.DONE:
            for word in range(words):
                store.scratch[1, word] &= store.carrier[other, word]
        other = store.rows[other, codes.AFTER]
    if lowest(store.scratch[1]) >= 0:
        return
    copy_into(store.scratch[1], store.carrier[row])
    copy_into(store.scratch[2], store.carrier[row])
    store.stack[0, 0] = row
    store.stack[0, 1] = store.lists[codes.SEMI, pair, codes.HEAD]
    level = 0
    steps = 0
    while level >= 0:
        cell = lowest(store.scratch[2 * level + 1])
        store.stack[level, 2] = cell
        other = store.stack[level, 1]
        while other >= 0:
            if store.rows[other, codes.STATE] == codes.DONE and not holds(store.carrier[other], cell):
                # Later rows come first in the list: what could have been taken above was tried there before.
                fresh = True
                for above in range(level):
                    earlier = other > store.stack[above + 1, 0]
                    if earlier and not holds(store.carrier[other], np.int64(store.stack[above, 2])):
                        fresh = False
                        break
                if fresh:
                    break
            other = store.rows[other, codes.AFTER]
        steps += 1
        if other < 0 or (store.counts[codes.STEPS_MOST] >= 0 and steps > store.counts[codes.STEPS_MOST]):
            level -= 1
            continue
        store.stack[level, 1] = store.rows[other, codes.AFTER]
        if level + 1 >= 90:
            continue
        common, union = 2 * level + 3, 2 * level + 4
        for word in range(words):
            store.scratch[common, word] = store.scratch[common - 2, word] & store.carrier[other, word]
            store.scratch[union, word] = store.scratch[union - 2, word] | store.carrier[other, word]
        if list_covers(store.carrier, store.rows, store.lists[codes.FULL, pair, codes.HEAD], store.scratch, union):
            continue
        store.stack[level + 1, 0] = other
        store.stack[level + 1, 1] = store.lists[codes.SEMI, pair, codes.HEAD]
        if lowest(store.scratch[common]) < 0:
            _conclude_parallel(store, x, y, level + 1)
        else:
            level += 1


@kernel(inline="always")
def _note_near(store: Any, x: Any, y: Any) -> None:
    for place in range(store.nodes[x, codes.NEAR_MANY]):
        if store.near[x, place] == y:
            return
    store.near[x, store.nodes[x, codes.NEAR_MANY]] = y
    store.nodes[x, codes.NEAR_MANY] += 1


@kernel(vectors=False, _nrt=False)
def run(store: Any) -> None:
    """Work the queue off. Stops early with `counts[STOP] == 1` when memory is short; call again with more."""
    sizes = store.nodes.shape[0]
    last = store.near.shape[0] - 1
    while True:
        first = store.counts[codes.FIRST]
        while first < sizes and store.nodes[first, codes.QUEUE] < 0:
            first += 1
        store.counts[codes.FIRST] = first
        if first >= sizes:
            return
        row = np.int64(store.nodes[first, codes.QUEUE])
        if store.rows[row, codes.STATE] == codes.QUEUED:
            store.rows[row, codes.STATE] = codes.DONE
            x, y = np.int64(store.rows[row, codes.X]), np.int64(store.rows[row, codes.Y])
            if store.rows[row, codes.KIND] == codes.FULL:
                _note_near(store, x, y)
                _note_near(store, y, x)
                if x != 0 and store.nodes[x, codes.OWNER] <= codes.OWN:
                    _series(store, row, x, y)
                if y != last and store.nodes[y, codes.OWNER] <= codes.OWN:
                    _series(store, row, y, x)
            else:
                _parallel(store, row)
            if store.counts[codes.STOP]:
                # Done again from the start with more memory: what it found already is found to be known.
                store.rows[row, codes.STATE] = codes.QUEUED
                return
        if store.nodes[first, codes.QUEUE] == row:
            store.nodes[first, codes.QUEUE] = store.rows[row, codes.QUEUE_AFTER]
        else:
            # A conclusion of the same size came before it in the queue: it stays, this row is skipped later.
            before = store.nodes[first, codes.QUEUE]
            while store.rows[before, codes.QUEUE_AFTER] != row:
                before = store.rows[before, codes.QUEUE_AFTER]
            store.rows[before, codes.QUEUE_AFTER] = store.rows[row, codes.QUEUE_AFTER]


@kernel(_nrt=False)
def set_owner(store: Any, own: Any, other: Any) -> None:
    """Stones of the player and of the opponent on the nodes of a word; no other node below `codes.WORD` has one."""
    for cell in range(1, min(store.near.shape[0] - 1, codes.WORD)):
        bit = np.uint64(1) << np.uint64(cell)
        store.nodes[cell, codes.OWNER] = codes.OWN if own & bit else (codes.OTHER if other & bit else codes.EMPTY)


@kernel(inline="always")
def find_connections(store: Any, own: Any, other: Any) -> None:
    """The connections of one player from the beginning; what memory does not hold is left out."""
    set_owner(store, own, other)
    begin(store)
    run(store)


def finish(store: Store) -> Store:
    """Work the queue off, with as much memory as it takes."""
    run(store)
    while store.counts[codes.STOP]:
        store = copy_store(store, 2 * len(store.rows))
        store.counts[codes.STOP] = 0
        run(store)
    return store

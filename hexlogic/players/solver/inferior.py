"""Moves that another move makes superfluous, by dead cells and captured pairs around one stone.

A stone of a player *settles* cells: dead ones, whose owner changes nothing, and pairs that the player captures; again
and again, since what is captured counts as stones. Both stay settled whatever is put on other cells. From it:

- A move is *vulnerable* when a stone of the opponent would make its cell dead. If it wins, the opponent may answer by
  that stone, and the mover still wins a position with one more stone against him, moving next: by a move that is not
  dead there. A move that is not vulnerable there is not vulnerable here, so by induction over the empty cells some move
  that is not vulnerable wins.
- A move is *dominated* by one that captures it or makes it dead: this one gives the mover both stones.
"""

from typing import Any

import numpy as np

from hexlogic.players.connections import codes
from hexlogic.players.connections.build import lacks
from hexlogic.players.connections.insert import ones
from hexlogic.process.kernels import kernel


@kernel()
def settle(store: Any, stone: Any, settled: Any) -> None:
    """What a stone on an empty cell settles: `settled[0]` the pairs captured, `settled[1]` the dead cells, as words."""
    nodes, near, ring = store.nodes, store.near, store.near.shape[0]
    waiting = np.empty(ring, np.int64)
    waiting[0], many, most = stone, 0, 1
    settled[:] = 0
    nodes[stone, codes.OWNER] = codes.OWN
    while many < most:
        cell = waiting[many]
        many += 1
        for place in range(6):
            a = np.int64(near[cell, ring + place])
            if a < 0 or nodes[a, codes.OWNER] != codes.EMPTY:
                continue
            lacking = lacks(store, a, codes.NONE, codes.NONE)
            if lacking == 0:
                nodes[a, codes.OWNER] = codes.USELESS
                settled[1] |= np.uint64(1) << np.uint64(a)
                waiting[most] = a
                most += 1
                continue
            for side in range(6 if lacking == 1 else 0):
                b = np.int64(near[a, ring + side])
                if b < 0 or nodes[b, codes.OWNER] != codes.EMPTY:
                    continue
                if lacks(store, a, b, codes.NONE) == 0 and lacks(store, b, a, codes.NONE) == 0:
                    nodes[a, codes.OWNER] = nodes[b, codes.OWNER] = codes.OWN
                    settled[0] |= (np.uint64(1) << np.uint64(a)) | (np.uint64(1) << np.uint64(b))
                    waiting[most], waiting[most + 1] = a, b
                    most += 2
                    break
    for place in range(most):
        nodes[waiting[place], codes.OWNER] = codes.EMPTY


@kernel()
def better_moves(own: Any, other: Any, moves: Any) -> Any:
    """The moves (a word) without the vulnerable and the dominated ones, and the vulnerable ones; from the stores of the
    mover and of the opponent."""
    settled = np.zeros(2, np.uint64)
    vulnerable = np.uint64(0)
    last = min(own.near.shape[0] - 1, codes.WORD)
    for cell in range(1, last):
        if other.nodes[cell, codes.OWNER] == codes.EMPTY:
            settle(other, cell, settled)
            vulnerable |= settled[1] & moves
    left = moves & ~vulnerable
    for cell in range(1, last):
        bit = np.uint64(1) << np.uint64(cell)
        if own.nodes[cell, codes.OWNER] == codes.EMPTY and (left & bit or not moves & bit):
            settle(own, cell, settled)
            left &= ~(settled[0] | settled[1])
    return left, vulnerable


@kernel()
def with_killers(other: Any, proof: Any, vulnerable: Any) -> Any:
    """A proof of the opponent (a word) with what refutes the vulnerable moves in it: for each a stone that makes it
    dead, and the pairs captured on the way. Then the proof is one against every move."""
    settled = np.zeros(2, np.uint64)
    last = min(other.near.shape[0] - 1, codes.WORD)
    open_moves = proof & vulnerable
    while open_moves:
        # What costs no cell first, then one killer.
        best = ~np.uint64(1)  # all cells, which is never needed
        for cell in range(1, last):
            bit = np.uint64(1) << np.uint64(cell)
            if other.nodes[cell, codes.OWNER] != codes.EMPTY:
                continue
            settle(other, cell, settled)
            if not settled[1] & open_moves:
                continue
            needed = settled[0] | bit
            if not needed & ~proof:
                open_moves &= ~settled[1]
            elif ones(needed & ~proof) < ones(best & ~proof):
                best = needed
        if open_moves:
            new = best & ~proof
            proof |= new
            open_moves |= new & vulnerable
    return proof

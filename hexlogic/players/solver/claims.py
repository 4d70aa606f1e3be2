"""What a solved position says of others: its winner wins wherever he has certain stones and the other player has none
of certain cells, for neither more stones of his own nor a turn more can hurt him.

A *claim* is two words: the stones, with the winner as bit 0, and the cells, with the player to move as bit 0. It
decides a position, or works as a semi-connection does: moves outside its cells lose.
"""

from typing import Any

import numpy as np

from hexlogic.players.connections import codes
from hexlogic.players.connections.build import find_captured, find_useless, is_useless
from hexlogic.players.connections.insert import copy_into
from hexlogic.players.connections.kernel import set_owner
from hexlogic.players.solver.memory import CLAIMS, EXPANDED, INFINITE, SOLVED
from hexlogic.process.kernels import kernel


@kernel(vectors=False)
def add_claim(table: Any, row: Any, stores: Any) -> None:
    """Take from the proof of a solved row what its winner can do without, and keep what it claims.

    With all other cells given to the loser, he can do without cells that are dead, stones whose cells would be, and
    pairs that the loser captures, again and again.
    """
    turn = np.int64(table.turn[row])
    winner = turn if table.phi[row] == 0 else 1 - turn
    own, other = stores[winner], stores[1 - winner]
    nodes = own.near.shape[0]
    last = min(nodes - 1, codes.WORD)
    stones = table.raw[row, winner]
    proof = table.proof[row] & ~(stones | table.raw[row, 1 - winner])
    changed = True
    while changed:
        changed = False
        set_owner(own, stones, ~(stones | proof))
        if find_useless(own):
            changed = True
            for cell in range(1, last):
                if own.nodes[cell, codes.OWNER] == codes.USELESS:
                    proof &= ~(np.uint64(1) << np.uint64(cell))
                    own.nodes[cell, codes.OWNER] = codes.OTHER
        for cell in range(1, last):
            bit = np.uint64(1) << np.uint64(cell)
            if stones & bit and is_useless(own, cell, codes.NONE, codes.NONE):
                stones &= ~bit
                own.nodes[cell, codes.OWNER] = codes.OTHER
                changed = True
        set_owner(other, ~(stones | proof), stones)
        find_captured(other)
        for place in range(other.nodes[nodes, codes.CAPTURED_MANY]):
            a, b = other.captured[nodes, place, 0], other.captured[nodes, place, 1]
            pair = (np.uint64(1) << np.uint64(a)) | (np.uint64(1) << np.uint64(b))
            if not pair & ~proof:
                proof &= ~pair
                changed = True
    table.proof[row] = proof
    place = table.counts[CLAIMS]
    if place < table.claims.shape[0]:
        table.claims[place, 0] = stones | np.uint64(winner)
        table.claims[place, 1] = proof | np.uint64(turn)
        table.counts[CLAIMS] += 1


@kernel()
def hear_claims(table: Any, row: Any) -> None:
    """Solve a row, or take moves from it, by the claims that are new to it."""
    turn = np.uint64(table.turn[row])
    me, opponent = np.int64(turn), np.int64(1 - turn)
    expanded = table.state[row] == EXPANDED
    known = table.filled[row] if expanded else table.raw[row]
    for place in range(table.heard[row], table.counts[CLAIMS]):
        stones, cells = table.claims[place, 0], table.claims[place, 1]
        wins = stones & np.uint64(1) == turn
        who = me if wins else opponent
        if (stones & ~known[who]) >> np.uint64(1) or (cells & known[1 - who]) >> np.uint64(1):
            continue
        proof = cells & ~known[who] & ~np.uint64(1)
        if expanded:
            proof |= table.taken[row, who]
        if wins or cells & np.uint64(1) == turn:
            table.state[row] = SOLVED
            table.phi[row], table.delta[row] = (0, INFINITE) if wins else (INFINITE, 0)
            table.proof[row] = proof
            copy_into(table.filled[row], known)
            return
        if expanded and table.moves[row] & ~cells:
            table.moves[row] &= cells
            table.proof[row] |= proof
    table.heard[row] = table.counts[CLAIMS]

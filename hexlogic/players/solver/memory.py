"""Memory of the solver: a table of all positions met, and snapshots of the connections on the way down.

The table has one row for each position, found by hashing; nothing is ever replaced. By a snapshot a position is deduced
from the one above it.

A *claim* is what a solved position says of others: its winner wins wherever he has certain stones and the other player
has none of certain cells, for neither more stones of his own nor a turn more can hurt him. It is two words: the stones,
with the winner as bit 0, and the cells, with the player to move as bit 0. It decides a position, or works as a
semi-connection does: moves outside its cells lose.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.players.connections import codes
from hexlogic.players.connections.build import find_captured, find_useless, lacks
from hexlogic.players.connections.insert import copy_into, pair_of
from hexlogic.players.connections.kernel import set_owner
from hexlogic.players.connections.store import CAPTURED_MOST
from hexlogic.process.kernels import kernel

INFINITE = 1 << 30
"""The proof number of what cannot be proved."""

KNOWN = 0
EXPANDED = 1
SOLVED = 2

ROWS, VISITED, STOP, VISITED_MOST, CLAIMS = range(5)
"""Places in `counts`: rows in use, positions expanded, whether to stop, most positions to expand (-1: no limit), claims
in use."""

_CLAIMS: Final = 1 << 17
"""Claims that are kept, at most: each new position is compared with all."""


class Table(NamedTuple):
    """Positions as masks (cell `c` is bit `c`), with proof numbers seen by the player to move.

    `raw` are the stones with the fill-in of the positions above, `filled` with that of this position too; `taken` are
    the captured cells that each player was given here. `moves` are the candidates still open, `proof` the cells that
    the winner needs (or, unsolved, that the moves given up need).
    """

    slot: NDArray[np.int32]  # [slots]: row by hash, -1: free
    raw: NDArray[np.uint64]  # [rows, 2]: red, blue
    turn: NDArray[np.uint8]  # [rows]: 0 red, 1 blue
    filled: NDArray[np.uint64]  # [rows, 2]
    taken: NDArray[np.uint64]  # [rows, 2]
    state: NDArray[np.uint8]  # [rows]
    phi: NDArray[np.int32]  # [rows]: effort to prove a win of the player to move; 0: proved
    delta: NDArray[np.int32]  # [rows]: effort to prove a loss; 0: proved
    moves: NDArray[np.uint64]  # [rows]
    proof: NDArray[np.uint64]  # [rows]
    best: NDArray[np.int16]  # [rows]: the winning move; -1: a connection wins
    order: NDArray[np.uint8]  # [rows, codes.WORD]: the moves among other cells, best first, then 0
    vulnerable: NDArray[np.uint64]  # [rows]: moves left out at first, see `inferior`
    claims: NDArray[np.uint64]  # [rows or fewer, 2], see above
    heard: NDArray[np.int32]  # [rows]: claims that the row was compared with
    counts: NDArray[np.int64]  # [5], see `ROWS`


def new_table(rows: int) -> Table:
    """An empty memory for so many positions (about 180 bytes each)."""
    slots = 1 << (2 * rows - 1).bit_length()
    return Table(
        slot=np.full(slots, -1, np.int32),
        raw=np.zeros((rows, 2), np.uint64),
        turn=np.zeros(rows, np.uint8),
        filled=np.zeros((rows, 2), np.uint64),
        taken=np.zeros((rows, 2), np.uint64),
        state=np.zeros(rows, np.uint8),
        phi=np.ones(rows, np.int32),
        delta=np.ones(rows, np.int32),
        moves=np.zeros(rows, np.uint64),
        proof=np.zeros(rows, np.uint64),
        best=np.full(rows, -1, np.int16),
        order=np.zeros((rows, codes.WORD), np.uint8),
        vulnerable=np.zeros(rows, np.uint64),
        claims=np.zeros((min(rows, _CLAIMS), 2), np.uint64),
        heard=np.zeros(rows, np.int32),
        counts=np.zeros(5, np.int64),
    )


@kernel(_nrt=False)
def find_row(table: Any, red: Any, blue: Any, turn: Any) -> Any:
    """The row of a position, a new one if it was not met before; -1 and `counts[STOP] = 1` when the memory is full."""
    mixed = (red * np.uint64(0x9E3779B97F4A7C15)) ^ (blue * np.uint64(0xC2B2AE3D27D4EB4F) + np.uint64(turn))
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    mask = np.uint64(table.slot.shape[0] - 1)
    place = mixed & mask
    while True:
        row = np.int64(table.slot[place])
        if row < 0:
            break
        if table.raw[row, 0] == red and table.raw[row, 1] == blue and table.turn[row] == turn:
            return row
        place = (place + np.uint64(1)) & mask
    row = table.counts[ROWS]
    if row >= table.turn.shape[0]:
        table.counts[STOP] = 1
        return np.int64(-1)
    table.counts[ROWS] += 1
    table.slot[place] = row
    table.raw[row, 0] = red
    table.raw[row, 1] = blue
    table.turn[row] = turn
    return row


@kernel(vectors=False, _nrt=False)
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
            if stones & bit and lacks(own, cell, codes.NONE, codes.NONE) == 0:
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


@kernel(_nrt=False)
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
        proof = cells & ~known[who] & ~np.uint64(1) | table.taken[row, who]
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


_SNAPSHOT_ROWS: Final = 4000
"""Connections of one player that a snapshot holds."""


class Snapshots(NamedTuple):
    """For each player and level: the connections that are not dead, and what else a move needs. `row` says of which
    position of the table they are, -1 for none."""

    row: NDArray[np.int64]  # [2, levels]
    many: NDArray[np.int32]  # [2, levels]
    carrier: NDArray[np.uint64]  # [2, levels, rows]
    rows: NDArray[np.int32]  # [2, levels, rows, 5]: the columns up to KIND
    near: NDArray[np.int16]  # [2, levels, nodes, nodes + 6]
    nodes: NDArray[np.int32]  # [2, levels, nodes + 1, 5]
    captured: NDArray[np.int16]  # [2, levels, nodes + 1, CAPTURED_MOST, 2]
    captured_cells: NDArray[np.uint64]  # [2, levels, nodes + 1, words]


def new_snapshots(nodes: int, words: int) -> Snapshots:
    """Empty snapshots for a board; a game has no more levels than nodes, and than cells in a word."""
    each = (2, min(nodes, codes.WORD + 1))
    return Snapshots(
        row=np.full(each, -1, np.int64),
        many=np.zeros(each, np.int32),
        carrier=np.zeros((*each, _SNAPSHOT_ROWS), np.uint64),
        rows=np.zeros((*each, _SNAPSHOT_ROWS, codes.KIND + 1), np.int32),
        near=np.zeros((*each, nodes, nodes + 6), np.int16),
        nodes=np.zeros((*each, nodes + 1, codes.QUEUE + 1), np.int32),
        captured=np.zeros((*each, nodes + 1, CAPTURED_MOST, 2), np.int16),
        captured_cells=np.zeros((*each, nodes + 1, words), np.uint64),
    )


@kernel()
def save(snaps: Any, who: Any, level: Any, row: Any, store: Any) -> None:
    """Remember the connections of a player on a level, unless there are too many of them."""
    snaps.row[who, level] = -1
    many = 0
    for place in range(store.counts[codes.ROWS]):
        if store.rows[place, codes.STATE] == codes.DEAD:
            continue
        if many == snaps.rows.shape[2]:
            return
        snaps.carrier[who, level, many] = store.carrier[place, 0]
        for column in range(codes.KIND + 1):
            snaps.rows[who, level, many, column] = store.rows[place, column]
        many += 1
    snaps.many[who, level] = many
    copy_into(snaps.near[who, level].ravel(), store.near.ravel())
    copy_into(snaps.nodes[who, level].ravel(), store.nodes.ravel())
    copy_into(snaps.captured[who, level].ravel(), store.captured.ravel())
    copy_into(snaps.captured_cells[who, level].ravel(), store.captured_cells.ravel())
    snaps.row[who, level] = row


@kernel()
def load(snaps: Any, who: Any, level: Any, store: Any) -> None:
    """Put what is remembered into a player's memory of the deduction."""
    nodes = store.near.shape[0]
    store.counts[: codes.FULL_MOST] = 0
    store.lists[:, :, codes.HEAD] = -1
    store.lists[:, :, codes.MANY] = 0
    many = snaps.many[who, level]
    store.counts[codes.ROWS] = many
    store.counts[codes.FIRST] = store.nodes.shape[0]
    for place in range(many):
        store.carrier[place, 0] = snaps.carrier[who, level, place]
        for column in range(codes.KIND + 1):
            store.rows[place, column] = snaps.rows[who, level, place, column]
        store.rows[place, codes.STATE] = codes.DONE
        kind = store.rows[place, codes.KIND]
        pair = pair_of(nodes, np.int64(store.rows[place, codes.X]), np.int64(store.rows[place, codes.Y]))
        store.rows[place, codes.AFTER] = store.lists[kind, pair, codes.HEAD]
        store.lists[kind, pair, codes.HEAD] = place
        store.lists[kind, pair, codes.MANY] += 1
    copy_into(store.near.ravel(), snaps.near[who, level].ravel())
    copy_into(store.nodes.ravel(), snaps.nodes[who, level].ravel())
    store.nodes[:, codes.QUEUE] = -1
    copy_into(store.captured.ravel(), snaps.captured[who, level].ravel())
    copy_into(store.captured_cells.ravel(), snaps.captured_cells[who, level].ravel())

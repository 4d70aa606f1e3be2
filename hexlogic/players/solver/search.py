"""Depth-first proof-number search: thresholds go down, proof numbers come up, all positions stay in the table.

    phi(n) = min over moves of delta(child);  delta(n) = max over moves of phi(child) + the number of other moves

Both look only at the best moves, in the order of the policy; others follow as these are proved lost, so a loss is
proved by all. A move that is proved lost leaves only the moves inside the opponent's proof: others change nothing in
it. A position is judged without a search first: claims of solved positions, fill-in, a win by a connection, the moves
worth a search.
"""

from typing import Any

import numpy as np

from hexlogic.players.connections import codes
from hexlogic.players.connections.build import change, find_captured, find_useless
from hexlogic.players.connections.insert import copy_into, ones, pair_of
from hexlogic.players.connections.kernel import find_connections, run, set_owner
from hexlogic.players.solver import memory
from hexlogic.players.solver.inferior import better_moves, with_killers
from hexlogic.process.kernels import kernel

_LEAST = 2
"""Moves that are looked at, beside one of so many:"""
_SHARE = 4
_FEW = 4
"""Moves that are ordered as two moves before: the policy is asked where there are more."""


@kernel(vectors=False, _nrt=False)
def fill_in(stores: Any, masks: Any, taken: Any, log: Any) -> None:
    """Give dead cells to red and captured pairs to whom they belong, until there are none; `taken`: the captured cells.

    A row of `log`, from row 1, is an assignment: who, cell, second cell or 0; `log[0, 0]` is the last row. A cell that
    is useless to one player is useless to both: whoever has it, the same player joins the edges.
    """
    last = stores[0].near.shape[0] - 1
    changed = True
    while changed:
        changed = False
        for who in range(2):
            store = stores[who]
            set_owner(store, masks[who], masks[1 - who])
            if find_useless(store):
                changed = True
                for cell in range(1, last):
                    if store.nodes[cell, codes.OWNER] == codes.USELESS:
                        masks[0] |= np.uint64(1) << np.uint64(cell)
                        log[0, 0] += 1
                        log[log[0, 0], 1] = cell
                set_owner(store, masks[who], masks[1 - who])
            find_captured(store)
            for place in range(store.nodes[last + 1, codes.CAPTURED_MANY]):
                a, b = store.captured[last + 1, place, 0], store.captured[last + 1, place, 1]
                pair = (np.uint64(1) << np.uint64(a)) | (np.uint64(1) << np.uint64(b))
                if not pair & (masks[0] | masks[1]):
                    masks[who] |= pair
                    taken[who] |= pair
                    log[0, 0] += 1
                    at = log[0, 0]
                    log[at, 0], log[at, 1], log[at, 2] = who, a, b
                    changed = True


@kernel(_nrt=False)
def _smallest(store: Any, kind: Any) -> Any:
    """The row of the smallest edge-to-edge connection of a kind, -1 if there is none."""
    nodes = store.near.shape[0]
    best = -1
    row = store.lists[kind, pair_of(nodes, 0, nodes - 1), codes.HEAD]
    while row >= 0:
        if store.rows[row, codes.STATE] != codes.DEAD and (
            best < 0 or store.rows[row, codes.SIZE] < store.rows[best, codes.SIZE]
        ):
            best = row
        row = store.rows[row, codes.AFTER]
    return best


@kernel(inline="always")
def _deduce(table: Any, snaps: Any, path: Any, level: Any, who: Any, store: Any) -> None:
    """The connections of a player in the position on a level, from the lowest level above that is remembered."""
    known = level - 1
    while known >= 0 and snaps.row[who, known] != path[known]:
        known -= 1
    if known < 0:
        find_connections(store, table.filled[path[level], who], table.filled[path[level], 1 - who])
        return
    memory.load(snaps, who, known, store)
    new = np.zeros((2, store.carrier.shape[1]), np.uint64)
    for step in range(known + 1, level + 1):
        before, now = path[step - 1], path[step]
        new[0, 0] = table.filled[now, who] & ~table.filled[before, who]
        new[1, 0] = table.filled[now, 1 - who] & ~table.filled[before, 1 - who]
        change(store, new[0], new[1])
        run(store)
        if step < level:
            memory.save(snaps, who, step, now, store)


@kernel(inline="always")
def evaluate(table: Any, snaps: Any, path: Any, level: Any, stores: Any) -> None:
    """Expand the last row of a path: solve it by a connection, or set its moves."""
    row = path[level]
    turn = np.int64(table.turn[row])
    masks, taken = table.filled[row], table.taken[row]
    copy_into(masks, table.raw[row])
    nodes = stores[0].near.shape[0]
    log = np.zeros((nodes, 3), np.int64)
    fill_in(stores, masks, taken, log)
    table.counts[memory.VISITED] += 1
    for who in (turn, 1 - turn):
        store = stores[who]
        _deduce(table, snaps, path, level, who, store)
        # A semi-connection wins for the player to move.
        found = _smallest(store, np.int64(codes.FULL))
        if found < 0 and who == turn:
            found = _smallest(store, np.int64(codes.SEMI))
        if found >= 0:
            table.state[row] = memory.SOLVED
            table.phi[row], table.delta[row] = (0, memory.INFINITE) if who == turn else (memory.INFINITE, 0)
            table.proof[row] = store.carrier[found, 0] | taken[who]
            memory.add_claim(table, row, stores)
            return
    # Moves outside a carrier by which the opponent wins next are lost.
    cells = (np.uint64(1) << np.uint64(min(nodes - 1, codes.WORD))) - np.uint64(2)
    moves = cells & ~(masks[0] | masks[1])
    proof = taken[1 - turn]
    other = stores[1 - turn]
    semi = other.lists[codes.SEMI, pair_of(nodes, 0, nodes - 1), codes.HEAD]
    while semi >= 0:
        if other.rows[semi, codes.STATE] != codes.DEAD and moves & ~other.carrier[semi, 0]:
            moves &= other.carrier[semi, 0]
            proof |= other.carrier[semi, 0]
        semi = other.rows[semi, codes.AFTER]
    moves, table.vulnerable[row] = better_moves(stores[turn], other, moves)
    table.proof[row] = proof
    if not moves:
        table.proof[row] = with_killers(other, proof, table.vulnerable[row])
        table.state[row] = memory.SOLVED
        table.phi[row], table.delta[row] = memory.INFINITE, 0
        memory.add_claim(table, row, stores)
        return
    table.moves[row] = moves
    table.state[row] = memory.EXPANDED
    table.heard[row] = 0
    for player in range(2):
        memory.save(snaps, player, level, row, stores[player])


@kernel(_nrt=False)
def _child(table: Any, row: Any, cell: Any) -> Any:
    bit = np.uint64(1) << np.uint64(cell)
    if table.turn[row] == 0:
        return memory.find_row(table, table.filled[row, 0] | bit, table.filled[row, 1], codes.ONE)
    return memory.find_row(table, table.filled[row, 0], table.filled[row, 1] | bit, codes.ZERO)


@kernel(_nrt=False)
def _update(table: Any, row: Any) -> Any:
    """Proof numbers of a row from its best moves: (row of the best move, second smallest delta). May solve the row."""
    turn = np.int64(table.turn[row])
    again = True
    while again:
        again = False
        best_row = np.int64(-1)
        first = second = np.int64(memory.INFINITE)
        hardest, others = np.int64(0), np.int64(-1)
        left = _LEAST + np.int64(ones(table.moves[row])) // _SHARE
        for place in range(codes.WORD):
            cell = np.uint64(table.order[row, place])
            bit = np.uint64(1) << cell
            if not cell or not left:
                break
            if not table.moves[row] & bit:
                continue
            left -= 1
            child = _child(table, row, cell)
            if child < 0:
                return best_row, second
            if table.state[child] != memory.SOLVED:
                memory.hear_claims(table, child)
            if table.state[child] == memory.SOLVED:
                if table.delta[child] == 0:
                    table.state[row] = memory.SOLVED
                    table.phi[row], table.delta[row] = 0, memory.INFINITE
                    table.proof[row] = table.proof[child] | bit | table.taken[row, turn]
                    table.best[row] = cell
                    return child, second
                table.moves[row] &= table.proof[child] & ~bit
                table.proof[row] |= table.proof[child]
                again = True
                break
            hardest = max(hardest, table.phi[child])
            others += 1
            if table.delta[child] < first:
                second = first
                first = np.int64(table.delta[child])
                best_row = np.int64(child)
            elif table.delta[child] < second:
                second = np.int64(table.delta[child])
        if not again:
            table.phi[row] = first
            table.delta[row] = min(hardest + others, memory.INFINITE - 1)
    if not table.moves[row]:
        table.state[row] = memory.SOLVED
        table.phi[row], table.delta[row] = memory.INFINITE, 0
    return best_row, second


@kernel(vectors=False)
def prove(table: Any, snaps: Any, way: Any, stores: Any) -> Any:
    """Solve a row until the order of a row's moves is wanted: that row, or -1 at the end. Stops with `counts[STOP] = 1`
    when memory or the allowed number of positions is used up. The way down is a stack of rows with their thresholds."""
    path, phi_limit, delta_limit = way[0], way[1], way[2]
    level = way[3, 0]
    while level >= 0:
        row = path[level]
        if table.state[row] != memory.SOLVED:
            memory.hear_claims(table, row)
        if table.state[row] == memory.KNOWN:
            if 0 <= table.counts[memory.VISITED_MOST] <= table.counts[memory.VISITED]:
                table.counts[memory.STOP] = 1
            if table.counts[memory.STOP]:
                return codes.NONE
            evaluate(table, snaps, path, level, stores)
            if table.state[row] == memory.EXPANDED:
                if level < 2 or ones(table.moves[row]) > _FEW:
                    way[3, 0] = level
                    return row
                copy_into(table.order[row], table.order[path[level - 2]])
        if table.state[row] == memory.SOLVED:
            level -= 1
            continue
        child, second = _update(table, row)
        if table.counts[memory.STOP]:
            return codes.NONE
        solved = table.state[row] == memory.SOLVED
        if solved and table.delta[row] == 0 and table.vulnerable[row]:
            turn = np.int64(table.turn[row])
            other = stores[1 - turn]
            set_owner(other, table.filled[row, 1 - turn], table.filled[row, turn])
            table.proof[row] = with_killers(other, table.proof[row], table.vulnerable[row])
        if solved:
            memory.add_claim(table, row, stores)
        if solved or table.phi[row] >= phi_limit[level] or table.delta[row] >= delta_limit[level]:
            level -= 1
            continue
        phi_limit[level + 1] = min(memory.INFINITE, delta_limit[level] - table.delta[row] + table.phi[child])
        delta_limit[level + 1] = min(phi_limit[level], second + second // 8 + 1)
        level += 1
        path[level] = child
    return codes.NONE

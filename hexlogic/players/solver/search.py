"""Depth-first proof-number search: thresholds go down, proof numbers come up, all positions stay in the table.

    phi(n) = min over moves of delta(child);  delta(n) = sum over moves of phi(child)

A move that is proved lost leaves only the moves inside the opponent's proof: others change nothing in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hexlogic.players.connections import codes
from hexlogic.players.solver.evaluate import evaluate
from hexlogic.players.solver.memory import EXPANDED, INFINITE, KNOWN, SOLVED, STOP, VISITED, VISITED_MOST, find_row
from hexlogic.process.kernels import kernel


@kernel()
def _child(table: Any, row: Any, cell: Any) -> Any:
    bit = np.uint64(1) << np.uint64(cell)
    if table.turn[row] == 0:
        return find_row(table, table.filled[row, 0] | bit, table.filled[row, 1], codes.ONE)
    return find_row(table, table.filled[row, 0], table.filled[row, 1] | bit, codes.ZERO)


@kernel()
def _first_values(table: Any, row: Any, scores: Any) -> None:
    """Rows for the moves of a row that was just expanded, with values that prefer small scores."""
    least = scores[1:].max()
    for cell in range(1, scores.shape[0] - 1):
        if table.moves[row] >> np.uint64(cell) & np.uint64(1):
            least = min(least, scores[cell])
    for cell in range(1, scores.shape[0] - 1):
        if table.moves[row] >> np.uint64(cell) & np.uint64(1):
            child = _child(table, row, cell)
            if child >= 0 and table.state[child] == KNOWN and table.phi[child] == 1 and table.delta[child] == 1:
                table.delta[child] = 1 + min(12, 2 * (scores[cell] - least))


@kernel()
def _update(table: Any, row: Any, cells: Any) -> Any:
    """Proof numbers of a row from its moves: (row of the best move, second smallest delta). May solve the row."""
    turn = np.int64(table.turn[row])
    again = True
    best_row = np.int64(-1)
    second = np.int64(INFINITE)
    while again:
        again = False
        best_row = np.int64(-1)
        first = second = np.int64(INFINITE)
        total = np.int64(0)
        for cell in range(1, cells + 1):
            bit = np.uint64(1) << np.uint64(cell)
            if not table.moves[row] & bit:
                continue
            child = _child(table, row, cell)
            if child < 0:
                return best_row, second
            if table.state[child] == SOLVED:
                if table.delta[child] == 0:
                    table.state[row] = SOLVED
                    table.phi[row], table.delta[row] = 0, INFINITE
                    table.proof[row] = table.proof[child] | bit | table.taken[row, turn]
                    table.best[row] = cell
                    return child, second
                table.moves[row] &= table.proof[child] & ~bit
                table.proof[row] |= table.proof[child]
                again = True
                break
            total += table.phi[child]
            if table.delta[child] < first:
                second = first
                first = np.int64(table.delta[child])
                best_row = np.int64(child)
            elif table.delta[child] < second:
                second = np.int64(table.delta[child])
        if not again:
            table.phi[row] = first
            table.delta[row] = min(total, INFINITE - 1)
    if not table.moves[row]:
        table.state[row] = SOLVED
        table.phi[row], table.delta[row] = INFINITE, 0
    return best_row, second


@kernel()
def prove(table: Any, snaps: Any, root: Any, stores: Any) -> None:
    """Solve a row, or stop with `counts[STOP] = 1` when memory or the allowed number of positions is used up.

    The way down is a stack of rows with their thresholds.
    """
    cells = stores[0].near.shape[0] - 2
    scores = np.zeros(cells + 2, np.int64)
    path = np.zeros(cells + 2, np.int64)
    phi_limit = np.full(cells + 2, INFINITE, np.int64)
    delta_limit = np.full(cells + 2, INFINITE, np.int64)
    level = np.int64(0)  # a literal would have numba compile what is called with it twice
    path[0] = root
    while level >= 0:
        row = path[level]
        if table.state[row] == KNOWN:
            if table.counts[VISITED_MOST] >= 0 and table.counts[VISITED] >= table.counts[VISITED_MOST]:
                table.counts[STOP] = 1
            if table.counts[STOP]:
                return
            evaluate(table, snaps, path, level, stores, scores)
            if table.state[row] == EXPANDED:
                _first_values(table, row, scores)
        if table.state[row] == SOLVED:
            level -= 1
            continue
        child, second = _update(table, row, cells)
        if table.counts[STOP]:
            return
        solved = table.state[row] == SOLVED
        if solved or table.phi[row] >= phi_limit[level] or table.delta[row] >= delta_limit[level]:
            level -= 1
            continue
        phi_limit[level + 1] = min(INFINITE, delta_limit[level] - table.delta[row] + table.phi[child])
        delta_limit[level + 1] = min(phi_limit[level], second + second // 4 + 1)
        level += 1
        path[level] = child

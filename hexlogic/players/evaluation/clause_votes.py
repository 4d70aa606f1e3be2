"""The votes of a clause model on one position, in compiled code, for players.

Symbols become rows of numbers: kind, sign of the player, and cells from 0. Clusters are labelled once for a position,
so that `connected` is a comparison of labels.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS
from hexlogic.players.evaluation.chain import label_group
from hexlogic.players.evaluation.clause_model import ClauseModel
from hexlogic.players.evaluation.resistance import resistance
from hexlogic.players.geometry import EMPTY, geometry_of

OWNS, CONNECTED, WON, TO_MOVE, BRIDGE, ABOVE = range(6)
_KINDS: Final = {"owns": OWNS, "connected": CONNECTED, "won": WON, "to_move": TO_MOVE, "bridge": BRIDGE}
_THRESHOLD: Final = re.compile(r"circuit_above\((-?\d+)\)")
_SYMBOL: Final = re.compile(r"(\w+)\((red|blue)(?:,(\d+))?(?:,(\d+))?\)")


class VotingTable(NamedTuple):
    """`symbols[S, 6]` (int32): kind, sign, two cells from 0, and for a bridge the two cells between; for a threshold of
    the circuit its hundredths in the place of a cell. Then the clauses of a ClauseModel, the board, and whether some
    symbol needs the circuit."""

    symbols: NDArray[np.int32]
    start: NDArray[np.int32]
    literals: NDArray[np.int32]
    weights: NDArray[np.int32]
    neighbours: NDArray[np.int32]
    bridges: NDArray[np.int32]
    rows: int
    columns: int
    with_circuit: bool


def voting_table(model: ClauseModel) -> VotingTable:
    """The tables of a model. Raises HexlogicError for a symbol that players do not compute."""
    geometry = geometry_of(model.board.rows, model.board.columns)
    between = {(c, int(b[0])): b[1:] for c in range(len(geometry.bridges)) for b in geometry.bridges[c] if b[0] > c}
    rows = np.zeros((len(model.symbols), 6), np.int32)
    for number, symbol in enumerate(model.symbols):
        if threshold := _THRESHOLD.fullmatch(symbol):
            rows[number, 0], rows[number, 2] = ABOVE, int(threshold.group(1))
            continue
        match = _SYMBOL.fullmatch(symbol)
        if match is None or match.group(1) not in _KINDS:
            raise HexlogicError(
                f"players do not compute the symbol {symbol}",
                hint="train with pairs, occupancy, won, bridges, to-move, circuit",
            )
        one, other = (int(cell) - 1 if cell else 0 for cell in match.groups()[2:])
        name, sign = match.group(1), 1 + PLAYERS.index("red" if match.group(2) == "red" else "blue")
        rows[number, :4] = _KINDS[name], sign, one, other
        if name == "bridge":
            rows[number, 4:] = between[one, other]
    return VotingTable(
        rows,
        model.start,
        model.literals,
        model.weights,
        geometry.neighbours,
        geometry.bridges,
        model.board.rows,
        model.board.columns,
        bool(np.any(rows[:, 0] == ABOVE)),
    )


@njit(cache=True, nogil=True)
def _label(cells: Any, neighbours: Any, label: Any, won: Any) -> None:
    """A number for each cluster in `label`, and in `won` (by sign) whether a cluster joins its player's sides."""
    count = len(cells)
    stack = np.empty(count, np.int32)
    label[:] = -1
    won[:] = 0
    for start in range(count):
        if cells[start] != EMPTY and label[start] < 0 and label_group(cells, neighbours, start, label, stack):
            won[cells[start]] = 1


@njit(cache=True, nogil=True)
def position_votes(table: Any, cells: Any, to_move: Any) -> Any:
    """The sum of the weights of the clauses that hold, for flat `cells` (0 empty, 1 red, 2 blue) and the sign of the
    player to move."""
    symbols, neighbours = table.symbols, table.neighbours
    label = np.empty(len(cells), np.int32)
    won = np.empty(3, np.int8)
    _label(cells, neighbours, label, won)
    value = 0.0
    if table.with_circuit:
        value = resistance(cells, neighbours, table.bridges, table.rows, table.columns)
    total = 0
    for clause in range(len(table.weights)):
        holds = table.start[clause] < table.start[clause + 1]
        for place in range(table.start[clause], table.start[clause + 1]):
            literal = table.literals[place]
            row = symbols[literal >> 1]
            kind, sign, one, other = row[0], row[1], row[2], row[3]
            if kind == OWNS:
                true = cells[one] == sign
            elif kind == CONNECTED:
                true = cells[one] == sign and label[one] == label[other]
            elif kind == WON:
                true = won[sign] == 1
            elif kind == TO_MOVE:
                true = to_move == sign
            elif kind == ABOVE:
                true = value > one / 100
            else:
                free = cells[row[4]] == EMPTY and cells[row[5]] == EMPTY
                true = cells[one] == sign and cells[other] == sign and free
            if true == (literal & 1 == 1):
                holds = False
                break
        if holds:
            total += table.weights[clause]
    return total

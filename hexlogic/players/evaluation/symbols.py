"""Symbol sets: named truths about a position, by parts that are joined by `+`.

A symbol is an atom of the rule language, cells by number: `connected(red,1,9)`, `owns(blue,3)`. In all functions
`boards` is `[positions, cells]` with 0 empty, 1 red, 2 blue, and `to_move[positions]` is 1 for red and 2 for blue.
"""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.games.detect.batch import AtomBatch
from hexlogic.language.parser import parse_atom
from hexlogic.players.connections import Connections, codes
from hexlogic.players.connections.kernel import find_connections
from hexlogic.players.connections.store import new_store
from hexlogic.players.evaluation.kernels import resistance
from hexlogic.players.geometry import geometry_of, mirror_cells

Signs: TypeAlias = NDArray[np.uint8]
"""0 empty, 1 red, 2 blue: `boards[positions, cells]`, and players as `winners[positions]` or `to_move[positions]`."""
Truths: TypeAlias = NDArray[np.uint8] | NDArray[np.bool_]

SHORT_NAMES: Final = {"study": "pairs+occupancy", "two-wins": "inner-pairs+won+occupancy"}
"""The symbols of the study (table 2.1), and its untried idea."""

THRESHOLDS: Final = (-400, -200, -100, -50, -25, -10, 0, 10, 25, 50, 100, 200, 400)
"""Thresholds of the resistance evaluation, in hundredths."""
_COUNTS: Final = (0, 1, 2, 4, 8)
_BOTH_WON: Final = ("won(red)", "won(blue)")
_LIMITS: Final = (10, 25, 300, 1)
"""Limits of the deduction on boards of up to 62 cells, see `codes.FULL_MOST`."""
_CACHED_SETS: Final = 8
"""Sets of positions whose values are kept: the splits of a set, and some of them mirrored."""

V = TypeVar("V", NDArray[np.uint8], NDArray[np.float64])


def exchanged(signs: Signs) -> Signs:
    """1 for 2, 2 for 1, and 0 for 0."""
    return np.array([0, 2, 1], np.uint8)[signs]


def mirrored(board: Hex, boards: Signs) -> Signs:
    """The boards `[positions, cells]` transposed with the colours exchanged: the other player's view of them."""
    return exchanged(boards[:, mirror_cells(board.rows)])


def position_of(board: Hex, cells: Signs) -> Position:
    """A row of a `boards` array as a position."""
    red, blue = (frozenset((np.flatnonzero(cells == sign) + 1).tolist()) for sign in (1, 2))
    return Position(board, red, blue)


class Part(NamedTuple):
    """The symbols of one kind on one board, and `[positions, symbols]`, where they hold, by boards and `to_move`."""

    names: tuple[str, ...]
    truths: Callable[[Signs, Signs], Truths]


class SymbolSet:
    """The symbols that a text such as `pairs+occupancy+to-move` names, on one board. Raises UnknownNameError for a part
    that there is not, and HexlogicError for a part named twice.

    >>> len(SymbolSet("study", Hex.square(7)).names)
    2450
    """

    def __init__(self, text: str, board: Hex) -> None:
        names = SHORT_NAMES.get(text, text).split("+")
        for name in names:
            if name not in PARTS:
                raise UnknownNameError.among("part of a symbol set", name, list(PARTS))
            if names.count(name) > 1:
                raise HexlogicError(f"the part {name} of {text!r} is named twice", hint="once is enough")
        self.text, self.board = text, board
        self._parts = [PARTS[name](board) for name in names]
        self.names: tuple[str, ...] = tuple(symbol for part in self._parts for symbol in part.names)

    def truths(self, boards: Signs, to_move: Signs) -> Signs:
        """`[positions, symbols]`, 1 where a symbol holds."""
        return np.hstack([part.truths(boards, to_move).astype(np.uint8, copy=False) for part in self._parts])


def _by_rules(rules: str, board: Hex, names: Iterable[str], atoms: Iterable[str], width: int = 1) -> Part:
    """Symbols by the batch detector of a rule set, made when first asked for: of every `width` atoms one must hold."""
    batch = cache(lambda: AtomBatch(rules, board, [parse_atom(atom) for atom in atoms]))

    def truths(boards: Signs, to_move: Signs) -> Truths:
        atom_truths = batch().truths(boards)
        return atom_truths if width == 1 else atom_truths.reshape(len(boards), -1, width).max(axis=2)

    return Part(tuple(names), truths)


def _pairs(board: Hex, deciding: bool = True) -> Part:
    """`connected(P,X,Y)`: two stones in one cluster, X < Y, n^2 (n^2 - 1) symbols (study, 2.6). The rule set `clusters`
    computes them as `same_cluster(P,X,Y)`. Unless `deciding`, without the pairs that join the two sides of their
    player, which `won` stands for."""
    pairs = [
        f"{player},{cell},{other}"
        for player in PLAYERS
        for first, last in [board.sides(player)]
        for cell in board.cells
        for other in board.cells[cell:]
        if deciding or not ((cell in first and other in last) or (cell in last and other in first))
    ]
    atoms = [f"same_cluster({pair})" for pair in pairs]
    return _by_rules("clusters", board, (f"connected({pair})" for pair in pairs), atoms)


def _sides(board: Hex) -> Part:
    """`touches(P,E,X)`: stones in a cluster that reaches side E of their player, 1 the first and 2 the last: 4 n^2
    symbols. On large boards these stand for the pairs: P has won when one stone touches both."""
    names = [f"touches({player},{e},{x})" for player in PLAYERS for e in (1, 2) for x in board.cells]
    atoms = [
        f"owns({player},{cell})" if cell == edge else f"same_cluster({player},{edge},{cell})"
        for player in PLAYERS
        for side in board.sides(player)
        for cell in board.cells
        for edge in sorted(side)
    ]
    return _by_rules("clusters", board, names, atoms, len(atoms) // len(names))


def _bridges(board: Hex) -> Part:
    """`bridge(P,X,Y)`: two stones, X < Y, a bridge apart with both cells between them empty."""
    rows = bridge_rows(board)
    x, y, left, right = np.array(rows, dtype=np.int32).reshape(-1, 4).T - 1

    def truths(boards: Signs, to_move: Signs) -> Truths:
        free = (boards[:, left] == 0) & (boards[:, right] == 0)
        return np.hstack([free & (boards[:, x] == sign) & (boards[:, y] == sign) for sign in (1, 2)])

    return Part(tuple(f"bridge({player},{row[0]},{row[1]})" for player in PLAYERS for row in rows), truths)


def bridge_rows(board: Hex) -> list[list[int]]:
    """The pairs of cells a bridge apart: the smaller cell, the larger one, and the two between, numbered from 1."""
    bridges = geometry_of(board.rows, board.columns).bridges
    return [[cell + 1, *(row + 1).tolist()] for cell, rows in enumerate(bridges) for row in rows if row[0] > cell]


def circuit_values(board: Hex, boards: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The resistance evaluation of each row of `boards`, positive where red stands better: the logarithm of red's
    conductance over blue's."""
    geometry = geometry_of(board.rows, board.columns)
    cells = np.ascontiguousarray(boards, dtype=np.int8)
    return np.array(
        [resistance(row, geometry.neighbours, geometry.bridges, board.rows, board.columns) for row in cells]
    )


def _remembered(compute: Callable[[Hex, Signs, Signs], V]) -> Callable[[Hex, Signs, Signs], V]:
    """The same function with its last values kept: a sweep asks for the same positions again and again."""

    @lru_cache(maxsize=_CACHED_SETS)
    def of_bytes(board: Hex, stones: bytes, movers: bytes) -> V:
        boards = np.frombuffer(stones, np.uint8).reshape(-1, len(board.cells))
        return compute(board, boards, np.frombuffer(movers, np.uint8))

    return lambda board, boards, to_move: of_bytes(board, np.ascontiguousarray(boards).tobytes(), to_move.tobytes())


@_remembered
def values_after_best(board: Hex, boards: Signs, to_move: Signs) -> NDArray[np.float64]:
    """For each row of `boards` the evaluation after the best move, of a full board as it is."""
    values = np.zeros(len(boards))
    for number, (row, mover) in enumerate(zip(boards, to_move, strict=True)):
        empty = np.flatnonzero(row == 0)
        after = np.repeat(row[None], max(1, len(empty)), axis=0)
        after[np.arange(len(empty)), empty] = mover
        outcomes = circuit_values(board, after)
        values[number] = outcomes.max() if mover == 1 else outcomes.min()
    return values


def _thresholds(name: str, values: Callable[[Signs, Signs], NDArray[np.float64]]) -> Part:
    """Evaluations above thresholds. `circuit_above(T)`: the resistance evaluation; `next_above(T)`: the largest
    evaluation that red can move to, or the smallest that blue can."""
    names = tuple(f"{name}({threshold})" for threshold in THRESHOLDS)
    return Part(names, lambda boards, to_move: values(boards, to_move)[:, None] > np.array(THRESHOLDS) / 100)


def _virtual(board: Hex) -> Part:
    """`edge_connected(P,E,X)`: the stone of P on X has a full connection to side E; `joined(P)`: a full connection
    joins both sides of P; `joined_next(P)`: one does when P moves next; `must_play_at_most(K)`: the player to move must
    play one of at most K cells. Boards of up to 62 cells use the deduction of the solver, with smaller limits."""
    edges = [f"edge_connected({p},{e},{x})" for p in PLAYERS for e in (1, 2) for x in board.cells]
    joined = [f"{kind}({player})" for kind in ("joined", "joined_next") for player in PLAYERS]
    names = (*edges, *joined, *(f"must_play_at_most({count})" for count in _COUNTS))
    return Part(names, lambda boards, to_move: _virtual_truths(board, boards, to_move))


@_remembered
def _virtual_truths(board: Hex, boards: Signs, to_move: Signs) -> Signs:
    """One deduction for each position and player."""
    last = len(board.cells) + 1
    stores = [new_store(board, player, 60_000) for player in PLAYERS] if last <= codes.WORD else []
    for store in stores:
        store.counts[codes.FULL_MOST :] = _LIMITS
    rows = []
    for cells, mover in zip(boards, to_move, strict=True):
        position = position_of(board, cells)
        edge, joined, must = np.zeros((2, 2, last - 1), np.bool_), np.zeros((2, 2), np.bool_), len(position.empty)
        for place, player in enumerate(PLAYERS):
            if stores:
                store, sides = stores[place], (position.stones(player), position.stones(PLAYERS[1 - place]))
                find_connections(store, *(np.uint64(sum(1 << cell for cell in stones)) for stones in sides))
            else:
                store = Connections(position, players=[player]).store(player)
            connections = store.rows[: store.counts[codes.ROWS]].T
            alive, low, high = connections[codes.STATE] != codes.DEAD, connections[codes.X], connections[codes.Y]
            full = alive & (connections[codes.KIND] == codes.FULL)
            both = alive & (low == 0) & (high == last)
            for side, near, node in ((0, low == 0, high), (1, high == last, low)):
                edge[place, side] = (cells == place + 1) & np.isin(store.nodes[1:last, codes.GROUP], node[full & near])
            joined[:, place] = np.any(both & full), np.any(both)
            if joined[1, place] and place + 1 != mover:
                common = np.bitwise_and.reduce(store.carrier[: len(both)][both], axis=0)
                must = 0 if joined[0, place] else sum(int(word).bit_count() for word in common)
        rows.append(np.concatenate([edge.ravel(), joined.ravel(), must <= np.array(_COUNTS)]))
    return np.array(rows, np.uint8)


def _occupancy(board: Hex) -> Part:
    names = tuple(f"owns({player},{cell})" for player in PLAYERS for cell in board.cells)
    return Part(names, lambda boards, to_move: np.hstack([boards == 1, boards == 2]))


PARTS: Final[dict[str, Callable[[Hex], Part]]] = {
    "bridges": _bridges,
    "circuit": lambda board: _thresholds("circuit_above", lambda boards, to_move: circuit_values(board, boards)),
    "inner-pairs": lambda board: _pairs(board, deciding=False),
    "lookahead": lambda board: _thresholds("next_above", partial(values_after_best, board)),
    "occupancy": _occupancy,
    "pairs": _pairs,
    "sides": _sides,
    "to-move": lambda board: Part(("to_move(red)",), lambda boards, to_move: (to_move == 1)[:, None]),
    "virtual": _virtual,
    "won": lambda board: _by_rules("follow-line-tabled", board, _BOTH_WON, ["wins(red)", "wins(blue)"]),
}
"""The parts of symbol sets by name. `occupancy` is `owns(P,X)`: who has a stone where, 2 n^2 symbols; `won` is
`won(P)`: two symbols in the place of the n^2 pairs that join the sides of a player (study, 2.6)."""

"""Symbol sets: named truths about a position, by parts that are joined by `+`.

A symbol is an atom of the rule language, cells by number: `connected(red,1,9)`, `owns(blue,3)`. In all functions
`boards` is `[positions, cells]` with 0 empty, 1 red, 2 blue, and `to_move[positions]` is 1 for red and 2 for blue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.games import PLAYERS, Hex, Player, Position
from hexlogic.games.detect.batch import AtomBatch, Batch
from hexlogic.language.parser import parse_atom
from hexlogic.players.connections import Connections
from hexlogic.players.connections.store import DEAD, FULL
from hexlogic.players.evaluation.resistance import resistance
from hexlogic.players.geometry import geometry_of
from hexlogic.players.solver import MOST_CELLS, Solver

Signs: TypeAlias = NDArray[np.uint8]
Truths: TypeAlias = NDArray[np.uint8] | NDArray[np.bool_]

SHORT_NAMES: Final = {"study": "pairs+occupancy", "two-wins": "inner-pairs+won+occupancy"}
"""The symbols of the study (table 2.1), and its untried idea."""

THRESHOLDS: Final = (-400, -200, -100, -50, -25, -10, 0, 10, 25, 50, 100, 200, 400)
"""Of the resistance evaluation, in hundredths."""
_COUNTS: Final = (0, 1, 2, 4, 8)
_CACHED_SETS: Final = 8
"""Sets of positions whose values are kept: the splits of a set, and some of them mirrored."""

V = TypeVar("V", NDArray[np.uint8], NDArray[np.float64])


class Part(NamedTuple):
    """The symbols of one kind on one board, and `[positions, symbols]`, where they hold, by boards and `to_move`."""

    names: tuple[str, ...]
    truths: Callable[[Signs, Signs], Truths]


class SymbolSet:
    """The symbols that a text such as `pairs+occupancy+to-move` names, on one board.

    Raises UnknownNameError for a part that there is not, and HexlogicError for a part named twice.

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

    def truths(self, boards: Signs, to_move: Signs) -> NDArray[np.uint8]:
        """`[positions, symbols]`, 1 where a symbol holds."""
        truths = [part.truths(boards, to_move).astype(np.uint8, copy=False) for part in self._parts]
        return truths[0] if len(truths) == 1 else np.concatenate(truths, axis=1)


def _occupancy(board: Hex) -> Part:
    """`owns(P,X)`: who has a stone where, 2 n^2 symbols."""
    names = tuple(f"owns({player},{cell})" for player in PLAYERS for cell in board.cells)
    return Part(names, lambda boards, to_move: np.concatenate([boards == 1, boards == 2], axis=1))


def _to_move(board: Hex) -> Part:
    """`to_move(red)`."""
    return Part(("to_move(red)",), lambda boards, to_move: (to_move == 1)[:, None])


def _won(board: Hex) -> Part:
    """`won(P)`: two symbols in the place of the n^2 pairs that join the sides of a player (study, 2.6)."""
    assert board.size is not None
    batch = cache(lambda: Batch(size=board.size or 0))
    return Part(tuple(f"won({player})" for player in PLAYERS), lambda boards, to_move: batch().truths(boards))


def _decides(board: Hex, player: Player, one: int, other: int) -> bool:
    """Whether two cells lie on the two sides of a player."""
    first, last = board.sides(player)
    return (one in first and other in last) or (one in last and other in first)


def _pairs(board: Hex, all_pairs: bool = True) -> Part:
    """`connected(P,X,Y)`: two stones in one cluster, X < Y, n^2 (n^2 - 1) symbols (study, 2.6). The rule set `clusters`
    computes them as `same_cluster(P,X,Y)`."""
    pairs = [
        f"{player},{cell},{other}"
        for player in PLAYERS
        for cell in board.cells
        for other in board.cells[cell:]
        if all_pairs or not _decides(board, player, cell, other)
    ]
    batch = _clusters(board, [f"same_cluster({pair})" for pair in pairs])
    return Part(tuple(f"connected({pair})" for pair in pairs), lambda boards, to_move: batch().truths(boards))


def _inner_pairs(board: Hex) -> Part:
    """The pairs without those that join the two sides of their player, which `won` stands for (study, 2.6)."""
    return _pairs(board, all_pairs=False)


def _clusters(board: Hex, atoms: Sequence[str]) -> Callable[[], AtomBatch]:
    """The atoms by the batch detector of the rule set `clusters`, which is made when first asked for."""
    return cache(lambda: AtomBatch("clusters", board, [parse_atom(atom) for atom in atoms]))


def _sides(board: Hex) -> Part:
    """`touches(P,E,X)`: stones in a cluster that reaches side E of their player, 1 the first and 2 the last: 4 n^2
    symbols. On large boards these stand for the pairs: P has won when one stone touches both."""
    names = tuple(f"touches({player},{e},{x})" for player in PLAYERS for e in (1, 2) for x in board.cells)
    atoms = [
        f"owns({player},{cell})" if cell == edge else f"same_cluster({player},{edge},{cell})"
        for player in PLAYERS
        for side in board.sides(player)
        for cell in board.cells
        for edge in sorted(side)
    ]
    batch, length = _clusters(board, atoms), len(board.sides(PLAYERS[0])[0])
    return Part(names, lambda boards, to_move: batch().truths(boards).reshape(len(boards), -1, length).max(axis=2))


def _bridges(board: Hex) -> Part:
    """`bridge(P,X,Y)`: two stones, X < Y, a bridge apart with both cells between them empty."""
    bridges = geometry_of(board.rows, board.columns).bridges
    rows = [(cell, *bridge) for cell in range(len(bridges)) for bridge in bridges[cell] if bridge[0] > cell]
    one, other, left, right = np.array(rows, dtype=np.int32).reshape(-1, 4).T

    def truths(boards: Signs, to_move: Signs) -> Truths:
        free = (boards[:, left] == 0) & (boards[:, right] == 0)
        ends = [(boards[:, one] == sign) & (boards[:, other] == sign) for sign in (1, 2)]
        bridged: Truths = np.concatenate([free & both for both in ends], axis=1)
        return bridged

    return Part(tuple(f"bridge({player},{row[0] + 1},{row[1] + 1})" for player in PLAYERS for row in rows), truths)


def circuit_values(board: Hex, boards: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """The resistance evaluation of each row of `boards`, positive where red stands better: the logarithm of red's
    conductance over blue's."""
    geometry = geometry_of(board.rows, board.columns)
    value: Any = resistance
    cells = np.ascontiguousarray(boards, dtype=np.int8)
    return np.array([value(row, geometry.neighbours, geometry.bridges, board.rows, board.columns) for row in cells])


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
    names = tuple(f"{name}({threshold})" for threshold in THRESHOLDS)
    return Part(names, lambda boards, to_move: values(boards, to_move)[:, None] > np.array(THRESHOLDS) / 100)


def _circuit(board: Hex) -> Part:
    """`circuit_above(T)`: the resistance evaluation against thresholds."""
    return _thresholds("circuit_above", lambda boards, to_move: circuit_values(board, boards))


def _lookahead(board: Hex) -> Part:
    """`next_above(T)`: the largest evaluation that red can move to, or the smallest that blue can."""
    return _thresholds("next_above", lambda boards, to_move: values_after_best(board, boards, to_move))


def _virtual(board: Hex) -> Part:
    """`edge_connected(P,E,X)`: the stone of P on X has a full connection to side E; `joined(P)`: a full connection
    joins both sides of P; `joined_next(P)`: one does when P moves next; `must_play_at_most(K)`: the player to move must
    play one of at most K cells. Boards of up to 62 cells use the deduction of the solver, with its limits."""
    return Part(_virtual_names(board), lambda boards, to_move: _virtual_truths(board, boards, to_move))


def _virtual_names(board: Hex) -> tuple[str, ...]:
    edges = [f"edge_connected({p},{e},{x})" for p in PLAYERS for e in (1, 2) for x in board.cells]
    joined = [f"{kind}({player})" for kind in ("joined", "joined_next") for player in PLAYERS]
    return (*edges, *joined, *(f"must_play_at_most({count})" for count in _COUNTS))


@_remembered
def _virtual_truths(board: Hex, boards: Signs, to_move: Signs) -> NDArray[np.uint8]:
    """One deduction for each position."""
    deduction, names = _Deduction(board), _virtual_names(board)
    truths = np.zeros((len(boards), len(names)), dtype=np.uint8)
    for row, cells, mover in zip(truths, boards, to_move, strict=True):
        true = deduction.true(cells, int(mover))
        row[:] = [name in true for name in names]
    return truths


class _Deduction:
    """Virtual connections on one board."""

    def __init__(self, board: Hex) -> None:
        self._board = board

    @cached_property
    def _solver(self) -> Solver | None:
        return Solver(self._board, 1) if len(self._board.cells) <= MOST_CELLS else None

    def _store(self, stones: tuple[frozenset[int], frozenset[int]], player: Player) -> Any:
        """The memory of the deduction for one player."""
        if self._solver is None:
            return Connections.of(Position(self._board, *stones), players=[player]).store(player)
        masks = [sum(1 << cell for cell in cells) for cells in stones]
        place = PLAYERS.index(player)
        return self._solver.connections(masks[place], masks[1 - place], player)

    def true(self, cells: Signs, mover: int) -> set[str]:
        """The symbols that hold."""
        red, blue = (frozenset((np.flatnonzero(cells == sign) + 1).tolist()) for sign in (1, 2))
        last = len(self._board.cells) + 1
        true: set[str] = set()
        must = int(np.count_nonzero(cells == 0))
        for player, stones in zip(PLAYERS, (red, blue), strict=True):
            store = self._store((red, blue), player)
            rows = int(store.counts[0])
            alive, ends = store.state[:rows] != DEAD, store.ends[:rows]
            full = alive & (store.kind[:rows] == FULL)
            both = alive & (ends[:, 0] == 0) & (ends[:, 1] == last)
            for number, side, node in ((1, ends[:, 0] == 0, ends[:, 1]), (2, ends[:, 1] == last, ends[:, 0])):
                joined = set(node[full & side].tolist())
                true |= {
                    f"edge_connected({player},{number},{cell})" for cell in stones if int(store.group[cell]) in joined
                }
            if np.any(both & full):
                true.add(f"joined({player})")
            if np.any(both):
                true.add(f"joined_next({player})")
                if player != PLAYERS[mover - 1]:
                    common = np.bitwise_and.reduce(store.carrier[:rows][both], axis=0)
                    must = 0 if np.any(both & full) else sum(int(word).bit_count() for word in common)
        return true | {f"must_play_at_most({count})" for count in _COUNTS if must <= count}


PARTS: Final[dict[str, Callable[[Hex], Part]]] = {
    "bridges": _bridges,
    "circuit": _circuit,
    "inner-pairs": _inner_pairs,
    "lookahead": _lookahead,
    "occupancy": _occupancy,
    "pairs": _pairs,
    "sides": _sides,
    "to-move": _to_move,
    "virtual": _virtual,
    "won": _won,
}
"""What a position can be described by, by name."""

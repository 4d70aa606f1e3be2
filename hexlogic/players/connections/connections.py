"""All connections of both players on a board, kept up to date from move to move; and why one holds: the tree of rule
applications, made anew and checked by clingo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from hexlogic.errors import MoveError
from hexlogic.games import PLAYERS, RED, Hex, Player, Position, as_hex, check_player, opponent
from hexlogic.players.connections import build, codes
from hexlogic.players.connections.insert import pair_of
from hexlogic.players.connections.kernel import finish
from hexlogic.players.connections.store import Store, cells_of, copy_store, new_store

Kind = Literal["full", "semi"]
Rule = Literal["adjacent", "series", "parallel"]
_LIMIT: Final = 60
"""Connections kept for a pair when a whole carrier of more than `_SMALL` cells is deduced anew."""
_SMALL: Final = 9


@dataclass(frozen=True, slots=True)
class Connection:
    """Two ends that a player can join inside a carrier: as second mover (`full`) or when moving first (`semi`).

    Ends are nodes: 0 and rows * columns + 1 are the player's first and last edge, other numbers cells; a group of
    stones is its smallest cell. `depth` is the largest number of own moves needed.
    """

    player: Player
    ends: tuple[int, int]
    kind: Kind
    carrier: frozenset[int]
    depth: int = 0

    def to_json(self, board: Hex) -> dict[str, object]:
        """All but the depth, with names in the place of numbers."""
        return {
            "player": self.player,
            "ends": [edge_name(board, self.player, node) for node in self.ends],
            "kind": self.kind,
            "carrier": board.cell_names(self.carrier),
        }


def edge_name(board: Hex, player: Player, node: int) -> str:
    """The name of an end: a cell, or the edge `left`, `right`, `top` or `bottom`.

    >>> [edge_name(Hex(2, 2), "red", node) for node in (0, 3, 5)]
    ['left', 'a2', 'right']
    """
    if node in (0, board.rows * board.columns + 1):
        names = ("left", "right") if check_player(player) == RED else ("top", "bottom")
        return names[0 if node == 0 else 1]
    return board.cell_name(node)


@dataclass(frozen=True, slots=True)
class Derivation:
    """One rule application: what it concludes, and the derivations of its premises. `middle` is the node of a series,
    `lent` are captured pairs that both its premises may use."""

    rule: Rule
    kind: Kind
    ends: tuple[int, int]
    carrier: frozenset[int]
    middle: int | None = None
    lent: tuple[tuple[int, int], ...] = ()
    premises: tuple[Derivation, ...] = ()

    def steps(self) -> list[Derivation]:
        """Every different application once, premises before conclusions; the last is this one."""
        steps_by_id: dict[int, Derivation] = {}

        def visit(step: Derivation) -> None:
            if id(step) not in steps_by_id:
                for premise in step.premises:
                    visit(premise)
                steps_by_id[id(step)] = step

        visit(self)
        return list(steps_by_id.values())

    def to_json(self) -> list[dict[str, object]]:
        """The steps as records; `premises` are places in the list."""
        steps = self.steps()
        place = {id(step): number for number, step in enumerate(steps)}
        return [
            {
                "rule": step.rule,
                "kind": step.kind,
                "ends": list(step.ends),
                "carrier": sorted(step.carrier),
                "middle": step.middle,
                "lent": [list(pair) for pair in step.lent],
                "premises": [place[id(premise)] for premise in step.premises],
            }
            for step in steps
        ]

    def lines(self, board: Hex, player: Player, indent: int = 0) -> Iterator[str]:
        """The tree as text, one application a line; neighbours are left out below a series."""
        names = [edge_name(board, player, node) for node in self.ends]
        cells = " ".join(board.cell_names(self.carrier)) or "no cell"
        how = {"adjacent": "neighbours", "parallel": f"parallel, {len(self.premises)} semi-connections"}.get(self.rule)
        if self.rule == "series" and self.middle is not None:
            how = f"series through {board.cell_name(self.middle)}"
        if self.lent:
            how = f"{how}, captured {' '.join('+'.join(map(board.cell_name, pair)) for pair in self.lent)}"
        yield f"{'  ' * indent}{names[0]} - {names[1]}: {self.kind}, {how}: {cells}"
        for premise in self.premises:
            if premise.rule != "adjacent":
                yield from premise.lines(board, player, indent + 1)


def within_carrier(position: Position, connection: Connection) -> Position:
    """The position in which all cells but the carrier, the ends and the player's stones are the opponent's."""
    stones = position.stones(connection.player)
    rest = frozenset(position.game.cells) - stones - connection.carrier - set(connection.ends)
    pair = (stones, rest) if connection.player == "red" else (rest, stones)
    return Position(position.game, *pair)


def derive(position: Position, connection: Connection, *, captured: bool = True) -> Derivation:
    """A derivation of a connection, or of a stronger one, from the cells of its carrier alone. Raises MoveError when
    the rules do not give it."""
    board = position.game
    assert isinstance(board, Hex)
    player = connection.player
    inside = within_carrier(position, connection)
    store = new_store(board, player, max(4096, 16 * (len(board.cells) + 2)))
    if len(connection.carrier) > _SMALL:
        store.counts[codes.FULL_MOST : codes.STEPS_MOST + 1] = (_LIMIT, 2 * _LIMIT, 20_000)
    # A cell that only this carrier makes useless may still be the way that the rules go.
    store.counts[codes.CAPTURES] = 2 * int(captured)
    for who, value in ((player, codes.OWN), (opponent(player), codes.OTHER)):
        for cell in inside.stones(who):
            store.nodes[cell, codes.OWNER] = value
    build.begin(store)
    store = finish(store)
    x, y = (int(store.nodes[node, codes.GROUP]) for node in connection.ends)
    for kind in (codes.FULL, codes.SEMI) if connection.kind == "semi" else (codes.FULL,):
        row = int(store.lists[kind, pair_of(len(store.near), x, y), codes.HEAD])
        while row >= 0:
            if store.rows[row, codes.STATE] != codes.DEAD:
                return _tree(store, row, {})
            row = int(store.rows[row, codes.AFTER])
    names = " - ".join(edge_name(board, player, node) for node in connection.ends)
    raise MoveError(f"the rules do not give a {connection.kind} connection {names} of {player} with that carrier")


def _tree(store: Store, row: int, known: dict[int, Derivation]) -> Derivation:
    if row in known:
        return known[row]
    carrier = frozenset(cells_of(store.carrier[row]))
    x, y = (int(node) for node in store.rows[row, [codes.X, codes.Y]])
    kind: Kind = "full" if store.rows[row, codes.KIND] == codes.FULL else "semi"
    first, second = (int(number) for number in store.rows[row, [codes.LEFT, codes.RIGHT]])
    if store.rows[row, codes.RULE] == codes.ADJACENT:
        made = Derivation("adjacent", kind, (x, y), carrier)
    elif store.rows[row, codes.RULE] == codes.SERIES:
        premises = (_tree(store, first, known), _tree(store, second, known))
        shared = premises[0].carrier & premises[1].carrier
        middle = int(store.rows[row, codes.MIDDLE])
        lent = _lent(store, shared, carrier, (x, middle, y)) if shared else ()
        made = Derivation("series", kind, (x, y), carrier, middle, lent, premises)
    else:
        rows = [int(number) for number in store.rows[first : first + second, codes.PREMISE]]
        made = Derivation("parallel", kind, (x, y), carrier, premises=tuple(_tree(store, r, known) for r in rows))
    known[row] = made
    return made


def _lent(
    store: Store, shared: frozenset[int], carrier: frozenset[int], points: tuple[int, int, int]
) -> tuple[tuple[int, int], ...]:
    """Disjoint captured pairs within the carrier that hold all shared cells."""
    last = len(store.near)
    pairs = {
        (int(a), int(b))
        for who in (last, *points)
        for a, b in store.captured[who, : store.nodes[who, codes.CAPTURED_MANY]]
        if {int(a), int(b)} <= carrier - set(points)
    }

    def cover(rest: frozenset[int], taken: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...] | None:
        if not rest:
            return taken
        used = {cell for pair in taken for cell in pair}
        for pair in sorted(pairs):
            if min(rest) in pair and not used & set(pair):
                pairs_used = cover(rest - set(pair), (*taken, pair))
                if pairs_used is not None:
                    return pairs_used
        return None

    pairs_used = cover(shared, ())
    assert pairs_used is not None, "the kernel shared cells that no captured pairs hold"
    return pairs_used


FULL_LIMIT: Final = 12
"""Full connections kept for a pair of ends unless told otherwise."""
SEMI_LIMIT: Final = 30
"""Semi-connections kept for a pair of ends unless told otherwise."""
_PARALLEL_STEPS: Final = 2000


class Connections:
    """The connections of both players in a position, or on an empty board.

    The limits are for each pair of ends; None is no limit, which is for small boards. With `captured`, the series rule
    may share captured pairs and useless cells are left out. Only the connections of `players` are deduced. The first
    use on a machine compiles for 25 s.

    >>> connections = Connections(Hex(3, 3))
    >>> connections.play(5, "red")
    >>> [sorted(c.carrier) for c in connections.full("red") if c.ends == (0, 5)]
    [[4, 7]]
    """

    def __init__(
        self,
        start: Hex | Position,
        full_limit: int | None = FULL_LIMIT,
        semi_limit: int | None = SEMI_LIMIT,
        *,
        captured: bool = True,
        players: Sequence[Player] = PLAYERS,
    ) -> None:
        """Raises PositionError for another board than one of Hex."""
        position = start if isinstance(start, Position) else Position(start)
        self.board = as_hex(position.game)
        self._players = tuple(players)
        self._stones = {cell: player for player in PLAYERS for cell in sorted(position.stones(player))}
        self._moves: list[tuple[int, dict[Player, Store]]] = []
        self._stores: dict[Player, Store] = {}
        for player in self._players:
            store = new_store(self.board, player, max(4096, 16 * len(self.board.cells)))
            for place, limit in enumerate((full_limit, semi_limit)):
                store.counts[codes.FULL_MOST + place] = -1 if limit is None else limit
            store.counts[codes.STEPS_MOST] = -1 if semi_limit is None else _PARALLEL_STEPS
            store.counts[codes.CAPTURES] = int(captured)
            for cell, owner in self._stones.items():
                store.nodes[cell, codes.OWNER] = codes.OWN if owner == player else codes.OTHER
            build.begin(store)
            self._stores[player] = finish(store)

    @property
    def position(self) -> Position:
        """The stones as they are now."""
        red = frozenset(cell for cell, owner in self._stones.items() if owner == RED)
        return Position(self.board, red, frozenset(self._stones) - red)

    def play(self, cell: int, player: Player) -> None:
        """Put a stone on an empty cell and bring the connections of both players up to date. Raises MoveError."""
        check_player(player)
        if self.board.check_cell(cell) in self._stones:
            raise MoveError(f"the cell {self.board.cell_name(cell)} is taken")
        self._moves.append((cell, dict(self._stores)))
        self._stones[cell] = player
        for who in self._players:
            before = self._stores[who]
            store = copy_store(before, 2 * int(before.counts[codes.ROWS]) + 16 * len(before.near))
            stone, nothing = np.zeros((2, store.carrier.shape[1]), np.uint64)
            stone[cell >> 6] = np.uint64(1 << (cell & 63))
            build.change(store, *((stone, nothing) if who == player else (nothing, stone)))
            self._stores[who] = finish(store)

    def undo(self) -> None:
        """Take the last move back. Raises MoveError when there is none."""
        if not self._moves:
            raise MoveError("there is no move to take back")
        cell, self._stores = self._moves.pop()
        del self._stones[cell]

    def full(self, player: Player) -> list[Connection]:
        """The full connections of a player, ordered by ends, size and cells."""
        return self._list(player, codes.FULL)

    def semi(self, player: Player) -> list[Connection]:
        """The semi-connections of a player that no full connection makes superfluous, ordered like the full ones."""
        return self._list(player, codes.SEMI)

    def edge_to_edge(self, player: Player) -> list[Connection]:
        """The connections between the player's two edges, full ones first: one full connection wins the game."""
        ends = (0, self.board.rows * self.board.columns + 1)
        return self._list(player, codes.FULL, ends) + self._list(player, codes.SEMI, ends)

    def must_play(self, player: Player) -> set[int]:
        """The empty cells where the player, to move, is not known to lose at once. They are the cells common to all
        carriers by which the opponent would win, moving next. Empty when the opponent wins anyway."""
        other = opponent(player)
        cells = set(self.position.empty)
        for connection in self.edge_to_edge(other):
            cells &= connection.carrier
            if connection.kind == "full":
                return set()
        return cells

    def why(self, connection: Connection) -> Derivation:
        """The tree of rule applications for a connection of this position. Raises MoveError when it is none."""
        return derive(self.position, connection, captured=bool(self._stores[connection.player].counts[codes.CAPTURES]))

    def node(self, cell: int) -> int:
        """The node of a cell: itself, or the smallest cell of its group."""
        owner = self._stones.get(self.board.check_cell(cell))
        return cell if owner is None else int(self._stores[owner].nodes[cell, codes.GROUP])

    def store(self, player: Player) -> Store:
        """The arrays behind the lists, for evaluations that are compiled themselves; not to be changed."""
        return self._stores[check_player(player)]

    def _list(self, player: Player, kind: int, ends: tuple[int, int] | None = None) -> list[Connection]:
        store = self._stores[check_player(player)]
        rows = store.rows[: store.counts[codes.ROWS]]
        alive = (rows[:, codes.STATE] != codes.DEAD) & (rows[:, codes.KIND] == kind)
        if ends is not None:
            alive &= (rows[:, codes.X] == ends[0]) & (rows[:, codes.Y] == ends[1])
        listed = []
        for row in alive.nonzero()[0]:
            carrier = frozenset(cells_of(store.carrier[row]))
            x, y = (int(node) for node in rows[row, [codes.X, codes.Y]])
            name: Kind = "full" if kind == codes.FULL else "semi"
            listed.append(Connection(player, (x, y), name, carrier, int(rows[row, codes.DEPTH])))
        return sorted(listed, key=lambda c: (c.ends, len(c.carrier), sorted(c.carrier)))

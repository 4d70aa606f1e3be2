"""All connections of both players on a board, kept up to date from move to move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from hexlogic.errors import MoveError
from hexlogic.games import PLAYERS, RED, Hex, Player, Position, as_hex, check_player, opponent
from hexlogic.players.connections import build, codes
from hexlogic.players.connections.derivation import Connection, Derivation, Kind, derive
from hexlogic.players.connections.kernel import finish
from hexlogic.players.connections.store import Store, cells_of, copy_store, new_store

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

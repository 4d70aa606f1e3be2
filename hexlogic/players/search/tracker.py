"""The virtual connections of a game in progress, and the moves that they prove."""

from collections.abc import Sequence

from hexlogic.games.game import PLAYERS, Player, opponent
from hexlogic.games.game_state import RESIGN, Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.connections import FULL_LIMIT, SEMI_LIMIT, Connection, Connections


class Tracker:
    """Connections that follow a game: what is played is added, what is new altogether is deduced anew."""

    def __init__(self, full_limit: int = FULL_LIMIT, semi_limit: int = SEMI_LIMIT) -> None:
        self._limits = full_limit, semi_limit
        self._board: Hex | None = None
        self._cells = b""
        self._connections: Connections | None = None
        self._path: list[tuple[int, Player]] = []

    @property
    def connections(self) -> Connections:
        """The connections of the position that was followed last, with the moves of `enter`."""
        assert self._connections is not None, "follow comes first"
        return self._connections

    def follow(self, state: GameState) -> None:
        """Bring the connections to the position of a state."""
        self.enter(())
        cells = bytes(state.cells)
        changed = [cell for cell, (new, old) in enumerate(zip(cells, self._cells, strict=False), 1) if new != old]
        if (
            self._connections is None
            or self._board != state.board
            or len(changed) > 4
            or any(self._cells[cell - 1] for cell in changed)
        ):
            self._connections = Connections(state.position, *self._limits)
        else:
            for cell in changed:
                self._connections.play(cell, PLAYERS[cells[cell - 1] - 1])
        self._board, self._cells = state.board, cells

    def enter(self, path: Sequence[tuple[int, Player]]) -> None:
        """Go to the position after these moves from the one that was followed: only what differs from the last path is
        taken back and played."""
        common = 0
        while common < min(len(path), len(self._path)) and path[common] == self._path[common]:
            common += 1
        while len(self._path) > common:
            self.connections.undo()
            self._path.pop()
        for cell, player in path[common:]:
            self.connections.play(cell, player)
            self._path.append((cell, player))

    def wins_as_second(self, player: Player) -> bool:
        """Whether a full connection joins the sides of a player."""
        joined = self.connections.edge_to_edge(player)
        return bool(joined) and joined[0].kind == "full"

    def wins_to_move(self, player: Player) -> bool:
        """Whether a full or a semi-connection joins the sides of a player who is to move."""
        return bool(self.connections.edge_to_edge(player))

    def decided(self, state: GameState) -> Action | None:
        """A move that wins by a virtual connection and shortens the game, or `resign` where no move breaks one of the
        opponent; None where neither is known."""
        self.follow(state)
        if (winning := self.winning_move(state.to_move)) is not None:
            return winning
        return RESIGN if self.wins_as_second(opponent(state.to_move)) else None

    def winning_move(self, player: Player) -> int | None:
        """A move after which a full connection joins the player's sides; None where none is known.

        With a full connection already, the move inside it that leaves the smallest one, so that the game comes to an
        end; with a semi-connection, the first cell of a smallest one that makes it full.
        """
        joined = self.connections.edge_to_edge(player)
        if not joined:
            return None
        if joined[0].kind == "full":
            return self._shorten(player, min((each for each in joined if each.kind == "full"), key=_size))
        for semi in sorted(joined, key=_size):
            if len(semi.carrier) == 1:
                return next(iter(semi.carrier))
            for cell in sorted(semi.carrier, key=lambda cell: (-sum(cell in each.carrier for each in joined), cell)):
                self.connections.play(cell, player)
                wins = self.wins_as_second(player)
                self.connections.undo()
                if wins:
                    return cell
        return None

    def _shorten(self, player: Player, full: Connection) -> int | None:
        sizes: dict[int, int] = {}
        for cell in sorted(full.carrier):
            self.connections.play(cell, player)
            left = [_size(each) for each in self.connections.edge_to_edge(player) if each.kind == "full"]
            self.connections.undo()
            if left:
                sizes[cell] = min(left)
                if not min(left):
                    return cell
        return min(sizes, key=sizes.__getitem__, default=None)


def _size(connection: Connection) -> int:
    return len(connection.carrier)

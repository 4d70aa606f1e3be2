"""The referee: who has won, and by which stones. Each game brings its own; none uses the rules."""

from __future__ import annotations

from hexlogic.games.players import PLAYERS, Player
from hexlogic.games.position import Position


def groups(position: Position, player: Player) -> tuple[tuple[int, ...], ...]:
    """The connected groups of a player's stones, each in ascending order, ordered by their smallest cell.

    >>> from hexlogic.games import Hex, Position
    >>> groups(Position.of(Hex.square(3), red=["a1", "a2", "c1", "b3"]), "red")
    ((1, 4), (3,), (8,))
    """
    return position.game.groups(position.stones(player))


def has_won(position: Position, player: Player) -> bool:
    """Whether the player's stones win: in Hex, one group touches both of the player's sides."""
    return position.game.has_won(position.stones(player), player)


def winner(position: Position) -> Player | None:
    """The player who has won, `None` when nobody has. In Hex and Y both cannot have.

    In another game a position that no game reaches may be won twice; then red is named.

    >>> from hexlogic.games import parse_position
    >>> winner(parse_position("R R .\\n. B R")) is None
    True
    >>> winner(parse_position("R R R\\n. B B"))
    'red'
    """
    return next((player for player in PLAYERS if has_won(position, player)), None)


def winning_chain(position: Position, player: Player) -> tuple[int, ...] | None:
    """Stones of `player` that win and none of which can be spared; `None` when there is no win.

    In Hex a shortest winning chain, from the first side to the last. Being shortest it has no chord and one stone on
    each side. Of equally short chains the same one is always chosen. In other games, the cells in ascending order.

    >>> from hexlogic.games import Hex, Position
    >>> winning_chain(Position.of(Hex.square(3), red=["a2", "b2", "b1", "c1", "a1"]), "red")
    (1, 2, 3)
    """
    return position.game.winning_stones(position.stones(player), player)

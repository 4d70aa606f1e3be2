"""Positions as frozen values, and the referee: who has won, and by which stones.

Each game defines its own referee; none uses the rules.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from hexlogic.errors import PositionError
from hexlogic.games.drawing import draw_svg, draw_text
from hexlogic.games.game import BLUE, PLAYERS, RED, Game, Player, check_player
from hexlogic.games.kinds.hex import Hex


@dataclass(frozen=True)
class Position:
    """The red and the blue stones (cell numbers) on a board. The name is a label and takes no part in `==`.

    Raises `PositionError` for a stone off the board and for a cell that both players claim. A board that no
    game could reach is still a position; `warnings` tells.

    >>> from hexlogic import Position
    >>> from hexlogic.games import Hex
    >>> position = Position.of(Hex(2, 2), red=["a1", "b1"], blue=["b2"])
    >>> position.owner(4), sorted(position.empty)
    ('blue', [3])
    >>> print(position.to_text(), end="")
    R R
    . B
    """

    game: Game
    red: frozenset[int] = frozenset()
    blue: frozenset[int] = frozenset()
    name: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for player in PLAYERS:
            # Any iterable of cells will do; the value itself must be hashable.
            object.__setattr__(self, player, frozenset(getattr(self, player)))
            for cell in sorted(self.stones(player), key=str):
                self.game.check_cell(cell)
        if both := self.red & self.blue:
            what = f"cell {self.game.cell_name(min(both))} is both red and blue"
            raise PositionError(what, hint="a cell holds one stone")

    @classmethod
    def of(cls, game: Game, red: Iterable[str] = (), blue: Iterable[str] = (), name: str | None = None) -> "Position":
        """A position from cell names instead of numbers."""
        return cls(game, frozenset(map(game.parse_cell, red)), frozenset(map(game.parse_cell, blue)), name)

    def __str__(self) -> str:
        """The board as text, the winning stones in capital letters.

        >>> print(Position.of(Hex(2, 2), red=["a1", "b1"], blue=["b2"]))
          a b
        1 R R 1
         2 . b 2
        """
        return draw_text(self, self._chain()).rstrip("\n")

    def _repr_svg_(self) -> str:
        """The board as a picture: what a notebook shows."""
        return draw_svg(self, self._chain())

    def _chain(self) -> tuple[int, ...] | None:
        """The stones of the first player who has won."""
        chains = (self.game.winning_stones(self.stones(player), player) for player in PLAYERS)
        return next((chain for chain in chains if chain is not None), None)

    def stones(self, player: Player) -> frozenset[int]:
        """The cells of one player's stones."""
        return self.red if check_player(player) == RED else self.blue

    @property
    def empty(self) -> frozenset[int]:
        """The cells without a stone."""
        return frozenset(self.game.cells) - self.red - self.blue

    def owner(self, cell: int) -> Player | None:
        """The player whose stone is on `cell`, `None` when the cell is empty."""
        self.game.check_cell(cell)
        if cell in self.red:
            return RED
        return BLUE if cell in self.blue else None

    def play(self, player: Player, cell: int) -> "Position":
        """The position with one more stone; raises `PositionError` when the cell is taken."""
        if self.owner(cell) is not None:
            raise PositionError(f"cell {self.game.cell_name(cell)} is already {self.owner(cell)}")
        if check_player(player) == RED:
            return Position(self.game, self.red | {cell}, self.blue, self.name)
        return Position(self.game, self.red, self.blue | {cell}, self.name)

    def transposed(self) -> "Position":
        """The mirror image of a Hex position: rows and columns exchanged, and with them red and blue. Raises
        `PositionError` for another game.

        >>> Position.of(Hex(1, 2), red=["b1"]).transposed().to_text()
        '.\\nB\\n'
        """
        if not isinstance(self.game, Hex):
            raise PositionError(f"{self.game} has no mirror image that exchanges the players")
        red, blue = (frozenset(map(self.game.transpose, stones)) for stones in (self.blue, self.red))
        return Position(self.game.transposed, red, blue, self.name)

    def warnings(self) -> tuple[str, ...]:
        """What is odd about the position though it can be judged: stone counts that alternate play cannot give.

        >>> Position(Hex(1, 3), red=frozenset({1, 2, 3})).warnings()
        ('red has 3 stones and blue 0: no game gets there by turns',)
        """
        if abs(len(self.red) - len(self.blue)) <= 1:
            return ()
        (few, less), (many, more) = sorted((len(self.stones(player)), player) for player in PLAYERS)
        return (f"{more} has {many} stones and {less} {few}: no game gets there by turns",)

    def to_text(self) -> str:
        """A line of `R`, `B` and `.` for each row; a game other than Hex is named in a line above."""
        letters = {None: ".", RED: "R", BLUE: "B"}
        lines = [" ".join(letters[self.owner(cell)] for cell in line) for line in self.game.lines_of_text]
        return "".join(f"{line}\n" for line in (*self._names_game, *lines))

    @property
    def _names_game(self) -> tuple[str, ...]:
        return () if isinstance(self.game, Hex) else (self.game.name,)

    def to_moves(self) -> str:
        """A move list that starts with the size: all red stones, then all blue ones, by cell number.

        >>> Position.of(Hex(2, 3), red=["a1"], blue=["c2"]).to_moves()
        '2x3\\nred a1, blue c2\\n'
        """
        moves = [f"{p} {self.game.cell_name(cell)}" for p in PLAYERS for cell in sorted(self.stones(p))]
        return " ".join((*self._names_game, self.game.size_text)) + "\n" + (", ".join(moves) + "\n" if moves else "")

    def to_json(self) -> str:
        """One line of JSON with the game, its size and the cell names of both players.

        >>> Position.of(Hex(2, 2), red=["a1"]).to_json()
        '{"game": "hex", "rows": 2, "columns": 2, "red": ["a1"], "blue": []}'
        """
        data: dict[str, object] = {"game": self.game.name, "rows": self.game.rows, "columns": self.game.columns}
        for player in PLAYERS:
            data[player] = self.game.cell_names(self.stones(player))
        if self.name is not None:
            data["name"] = self.name
        return json.dumps(data)


def groups(position: Position, player: Player) -> tuple[tuple[int, ...], ...]:
    """The connected groups of a player's stones, each in ascending order, ordered by their smallest cell.

    >>> groups(Position.of(Hex.square(3), red=["a1", "a2", "c1", "b3"]), "red")
    ((1, 4), (3,), (8,))
    """
    return position.game.groups(position.stones(player))


def has_won(position: Position, player: Player) -> bool:
    """Whether the player's stones win: in Hex, one group touches both of the player's sides."""
    return position.game.has_won(position.stones(player), player)


def winner(position: Position) -> Player | None:
    """The player who has won, `None` when nobody has. In Hex and Y both cannot have. In another game a position that no
    game reaches may be won twice; then red is named.

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

    >>> winning_chain(Position.of(Hex.square(3), red=["a2", "b2", "b1", "c1", "a1"]), "red")
    (1, 2, 3)
    """
    return position.game.winning_stones(position.stones(player), player)

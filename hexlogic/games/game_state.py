"""A game in progress, with moves taken back, and a whole game as a frozen value."""

import copy
from dataclasses import dataclass
from typing import Final, Literal, Self, TypeAlias

from hexlogic.errors import MoveError
from hexlogic.games.game import BLUE, PLAYERS, RED, Game, Player, opponent
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.position import Position

Action: TypeAlias = int | Literal["swap-pieces", "swap-sides", "pass", "resign"]
"""A cell number, or what else a player may do in its turn."""

SWAP_PIECES: Final = "swap-pieces"
"""The first stone becomes the other player's, mirrored: rows and columns exchanged. For square boards only."""
SWAP_SIDES: Final = "swap-sides"
"""The stone stays, and the two people exchange their colours; the player to move is blue again."""
PASS: Final = "pass"
RESIGN: Final = "resign"

_SIGNS: Final[dict[Player, int]] = {RED: 1, BLUE: 2}


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player did in its turn."""

    player: Player
    action: Action


class PlainGame:
    """A game in progress on any board. Red moves first; players may also move out of turn, as records of games do. The
    referee of the game says who has won. Where the game knows the swap rule, the first stone becomes blue's where it
    is, in Hex on the mirror cell.

    `cells` holds a byte for each cell, in order: 0 empty, 1 red, 2 blue.

    >>> from hexlogic.games import load_game
    >>> game = PlainGame(load_game("y").of_size(2))
    >>> for word in ("a1", "swap-pieces", "a2", "b2"):
    ...     game.play(game.to_move, word if word == SWAP_PIECES else game.board.parse_cell(word))
    >>> game.winner
    'blue'
    """

    def __init__(self, board: Game) -> None:
        """An empty board."""
        self.board = board
        self.cells = bytearray(len(board.cells))
        self.turns: list[Turn] = []
        self.winner: Player | None = None
        self.to_move: Player = RED
        self.sides_exchanged = False
        """Whether `swap-sides` was played, so that who began as red is blue now."""
        self._before: list[tuple[bytes, Player, Player | None, bool]] = []

    @property
    def position(self) -> Position:
        """The stones as a frozen value."""
        return Position(self.board, self.stones(RED), self.stones(BLUE))

    @property
    def empty(self) -> list[int]:
        """The cells without a stone, in ascending order."""
        return [cell for cell, sign in enumerate(self.cells, 1) if not sign]

    @property
    def can_swap(self) -> bool:
        """Whether one red stone is all that was played, so that the swap rule would let blue take it."""
        is_first = len(self.turns) == 1 and isinstance(self.turns[0].action, int)
        return is_first and self.board.swap_rules is not None and (self.cells.count(1), self.cells.count(2)) == (1, 0)

    @property
    def swap_action(self) -> Literal["swap-pieces", "swap-sides"]:
        """The kind of swap that this board has: on Hex boards that are not square no stone can be mirrored."""
        return SWAP_SIDES if isinstance(self.board, Hex) and self.board.size is None else SWAP_PIECES

    def stones(self, player: Player) -> frozenset[int]:
        """The cells of a player's stones."""
        sign = _SIGNS[player]
        return frozenset(cell for cell, owner in enumerate(self.cells, 1) if owner == sign)

    def play(self, player: Player, action: Action) -> None:
        """Carry out a turn. Raises MoveError for a taken or unknown cell, a swap out of turn, and after the end."""
        if self.winner is not None:
            raise MoveError(f"the game is over: {self.winner} has won")
        before = (bytes(self.cells), self.to_move, self.winner, self.sides_exchanged)
        if isinstance(action, int):
            board = self.board
            if not 1 <= action <= len(self.cells):
                raise MoveError(f"cell {action} is off the {board.size_text} board")
            if owner := self.cells[action - 1]:
                raise MoveError(f"cell {board.cell_name(action)} is already {PLAYERS[owner - 1]}")
            self.cells[action - 1] = _SIGNS[player]
            if self._wins(player, action):
                self.winner = player
        elif action in (SWAP_PIECES, SWAP_SIDES):
            self._swap(player, action)
        elif action == RESIGN:
            self.winner = opponent(player)
        if action != SWAP_SIDES:
            self.to_move = opponent(player)
        self._before.append(before)
        self.turns.append(Turn(player, action))

    def undo(self) -> Turn:
        """Take the last turn back and return it. Raises MoveError before the first one."""
        if not self.turns:
            raise MoveError("there is no move to undo")
        cells, self.to_move, self.winner, self.sides_exchanged = self._before.pop()
        self.cells[:] = cells
        return self.turns.pop()

    def copy(self) -> Self:
        """An independent state with the same turns."""
        twin = copy.copy(self)
        twin.cells, twin.turns, twin._before = bytearray(self.cells), list(self.turns), list(self._before)
        return twin

    def _swap(self, player: Player, action: str) -> None:
        if player != BLUE or not self.can_swap:
            raise MoveError("swap is only for the second turn", hint="it takes the first player's only stone")
        if action == SWAP_SIDES:
            if not isinstance(self.board, Hex):
                raise MoveError(f"{action} is not played in {self.board.title}")
            self.sides_exchanged = True
            return
        cell = mirrored = self.cells.index(1) + 1
        if isinstance(self.board, Hex):
            if self.board.size is None:
                raise MoveError(f"swap-pieces needs a square board, not {self.board.size_text}", hint="use swap-sides")
            mirrored = self.board.transpose(cell)
        self.cells[cell - 1] = 0
        self.cells[mirrored - 1] = _SIGNS[BLUE]
        if self._wins(BLUE, mirrored):
            self.winner = BLUE

    def _wins(self, player: Player, cell: int) -> bool:
        return self.board.has_won(self.stones(player), player)


class GameState(PlainGame):
    """A game of Hex in progress.

    >>> state = GameState(Hex(2, 2))
    >>> state.play("red", 1)
    >>> state.play("blue", "swap-pieces")
    >>> state.to_move, list(state.cells), state.winner
    ('red', [2, 0, 0, 0], None)
    """

    board: Hex

    @property
    def last_cell(self) -> int | None:
        """The cell of the last stone that was placed; None before the first one."""
        return next((turn.action for turn in reversed(self.turns) if isinstance(turn.action, int)), None)

    def _wins(self, player: Player, cell: int) -> bool:
        """Whether the group of the stone on `cell` touches both sides of its player."""
        board, sign = self.board, _SIGNS[player]
        place, last = (board.column, board.columns) if player == RED else (board.row, board.rows)
        group, waiting = {cell}, [cell]
        low = high = False
        while waiting:
            current = waiting.pop()
            low, high = low or place(current) == 1, high or place(current) == last
            if low and high:
                return True
            for other in board.neighbours(current):
                if self.cells[other - 1] == sign and other not in group:
                    group.add(other)
                    waiting.append(other)
        return False


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The turns of a game on a board, and who played. `winner` is what the record says or the turns show."""

    board: Hex
    turns: tuple[Turn, ...]
    red_name: str = ""
    blue_name: str = ""
    event: str = ""
    comment: str = ""
    winner: Player | None = None

    def __post_init__(self) -> None:
        """Raises MoveError for a turn that cannot be played."""
        if (winner := self.final_state().winner) is not None:
            object.__setattr__(self, "winner", winner)

    def final_state(self) -> GameState:
        """The state after the last turn."""
        state = GameState(self.board)
        for turn in self.turns:
            state.play(turn.player, turn.action)
        return state


def in_turn(turns: tuple[Turn, ...]) -> bool:
    """Whether the players alternate, red first, which formats without colours need.

    >>> in_turn((Turn("red", 1), Turn("red", 2)))
    False
    """
    expected: Player = "red"
    for turn in turns:
        if turn.player != expected and turn.action != "resign":
            return False
        expected = turn.player if turn.action == "swap-sides" else opponent(turn.player)
    return True

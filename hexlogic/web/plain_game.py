"""A game in progress on any board of the library: what `GameState` is for Hex, by the referee of the game."""

from __future__ import annotations

from hexlogic.errors import MoveError
from hexlogic.games import Game, Position
from hexlogic.games.game_state import PASS, RESIGN, SWAP_PIECES, Action, Turn
from hexlogic.games.players import RED, Player, opponent

__all__ = ["PlainGame"]


class PlainGame:
    """Stones, turns and the winner. Where the game knows the swap rule, the first stone becomes blue's where it is.

    >>> from hexlogic.games import load_game
    >>> game = PlainGame(load_game("y").of_size(2))
    >>> for word in ("a1", "swap-pieces", "a2", "b2"):
    ...     game.play(game.to_move, word if word == SWAP_PIECES else game.board.parse_cell(word))
    >>> game.winner
    'blue'
    """

    def __init__(self, board: Game) -> None:
        self.board = board
        self.position = Position(board)
        self.turns: list[Turn] = []
        self.winner: Player | None = None
        self.to_move: Player = RED
        self._before: list[tuple[Position, Player | None]] = []

    @property
    def can_swap(self) -> bool:
        """Whether one red stone is all that was played."""
        return self.board.swap_rules is not None and len(self.turns) == len(self.position.red) == 1

    @property
    def swap_action(self) -> Action:
        """The word for a swap."""
        return SWAP_PIECES

    @property
    def empty(self) -> list[int]:
        """The cells without a stone, in ascending order."""
        return sorted(set(self.board.cells) - self.position.red - self.position.blue)

    def play(self, player: Player, action: Action) -> None:
        """Carry out one turn. Raises MoveError when it cannot be played."""
        if self.winner is not None:
            raise MoveError(f"the game is over: {self.winner} has won")
        before = self.position, self.winner
        if isinstance(action, int):
            if owner := self.position.owner(action):
                raise MoveError(f"cell {self.board.cell_name(action)} is already {owner}")
            self.position = self.position.play(player, action)
        elif action == SWAP_PIECES:
            if not self.can_swap:
                raise MoveError("swap is only for the second turn", hint="it takes the first player's only stone")
            self.position = Position(self.board, frozenset(), self.position.red)
        elif action not in (PASS, RESIGN):
            raise MoveError(f"{action} is not played in {self.board.title}")
        if action == RESIGN:
            self.winner = opponent(player)
        elif self.board.has_won(self.position.stones(player), player):
            self.winner = player
        self.turns.append(Turn(player, action))
        self._before.append(before)
        self.to_move = opponent(player)

    def undo(self) -> Turn:
        """Take the last turn back and return it. Raises MoveError before the first one."""
        if not self.turns:
            raise MoveError("there is no move to undo")
        self.position, self.winner = self._before.pop()
        turn = self.turns.pop()
        self.to_move = turn.player
        return turn

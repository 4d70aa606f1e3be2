"""A whole game as a frozen value, what the formats of game records read and write."""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.games.game_state import GameState, Turn
from hexlogic.games.kinds.hex.board import Hex
from hexlogic.games.players import Player, opponent


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The turns of a game on a board, and who played. `winner` is what the record says or the turns show.

    >>> GameRecord(Hex(1, 1), (Turn("red", 1),)).winner
    'red'
    """

    board: Hex
    turns: tuple[Turn, ...]
    red_name: str = ""
    blue_name: str = ""
    event: str = ""
    comment: str = ""
    winner: Player | None = None

    def __post_init__(self) -> None:
        """Raises MoveError for a turn that cannot be played."""
        state = GameState.of_turns(self.board, self.turns)
        if state.winner is not None:
            object.__setattr__(self, "winner", state.winner)

    def final_state(self) -> GameState:
        """The state after the last turn."""
        return GameState.of_turns(self.board, self.turns)


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

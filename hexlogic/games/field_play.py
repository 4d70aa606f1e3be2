"""Turns of a game as the field's programs see it: what cannot be played is told with their names and colours."""

from __future__ import annotations

from hexlogic.errors import MoveError
from hexlogic.games.field_convention import colour_of, field_name
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.players import PLAYERS, Player


def play_in_field(state: GameState, player: Player, action: Action) -> None:
    """Carry out one turn. Raises MoveError in the words of the field's convention.

    >>> from hexlogic.games.kinds.hex.board import Hex
    >>> state = GameState(Hex(3, 3))
    >>> play_in_field(state, "red", 2)
    >>> play_in_field(state, "blue", 2)
    Traceback (most recent call last):
    hexlogic.errors.MoveError: cell a2 is already black
    """
    if state.winner is not None:
        raise MoveError(f"the game is over: {colour_of(state.winner)} has won")
    if isinstance(action, int) and (sign := state.cells[action - 1]):
        owner = colour_of(PLAYERS[sign - 1])
        raise MoveError(f"cell {field_name(state.board, action)} is already {owner}")
    state.play(player, action)

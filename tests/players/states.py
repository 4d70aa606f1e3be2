"""Games in progress that begin with the stones of a position."""

from hexlogic.games import BLUE, PLAYERS, RED, Player, Position, as_hex, winner
from hexlogic.games.game_state import GameState


def state_of(position: Position, to_move: Player | None = None) -> GameState:
    """The state with these stones. Without `to_move`, the player with fewer stones moves, or red."""
    state = GameState(as_hex(position.game))
    for sign, player in enumerate(PLAYERS, start=1):
        for cell in position.stones(player):
            state.cells[cell - 1] = sign
    state.winner = winner(position)
    state.to_move = to_move or (BLUE if len(position.red) > len(position.blue) else RED)
    return state

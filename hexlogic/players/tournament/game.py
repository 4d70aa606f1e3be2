"""One game between two strategies. Whoever fails to give a legal move loses the game, and the reason is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.errors import HexlogicError, MoveError
from hexlogic.games.game import BLUE, Player, opponent
from hexlogic.games.game_state import RESIGN, Action, GameState, Turn
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.strategy import Budget, Strategy


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The end of a game.

    `winner` is 0 for the strategy that had the first move and 1 for the other: after `swap-sides` its colour differs
    from the one it began with. `seconds` has the time of every turn that was thought about, on the clock
    of its budget; `reason` is how it ended.
    """

    turns: tuple[Turn, ...]
    winner: int
    colour: Player
    reason: str
    seconds: tuple[float, ...]


def play_game(
    board: Hex,
    seats: Sequence[Strategy],
    budgets: Sequence[Budget],
    *,
    opening: Sequence[int] = (),
    swap: bool = False,
) -> GameOutcome:
    """Play to the end. `seats[0]` moves first after the opening's cells, which the players place in turn.

    With `swap` the second player may answer the first stone by a swap; that is for games without an opening of two.
    """
    state = GameState(board)
    for cell in opening:
        state.play(state.to_move, cell)
    seconds: list[float] = []

    def seat_of(player: Player) -> int:
        return int((player == BLUE) != state.sides_exchanged)

    while state.winner is None:
        mover = state.to_move
        seat = seat_of(mover)
        begin = budgets[seat].now()
        action: Action
        try:
            if swap and state.can_swap and seats[seat].swaps(state, budgets[seat]):
                action = state.swap_action
            else:
                action = seats[seat].choose(state, budgets[seat])
            seconds.append(budgets[seat].now() - begin)
            if isinstance(action, str) and action != RESIGN and not (swap and state.can_swap):
                raise MoveError(f"{action} is no move of this game")
            state.play(mover, action)
        except HexlogicError as error:
            seconds += [budgets[seat].now() - begin] * (len(seconds) + len(opening) == len(state.turns))
            loser = opponent(mover)
            why = f"{mover} forfeits: {error}"
            return GameOutcome(tuple(state.turns), seat_of(loser), loser, why, tuple(seconds))
    winner = state.winner
    reason = "resignation" if state.turns and state.turns[-1].action == "resign" else "connection"
    return GameOutcome(tuple(state.turns), seat_of(winner), winner, reason, tuple(seconds))

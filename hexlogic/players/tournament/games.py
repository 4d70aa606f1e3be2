"""Which games a tournament has (who meets whom, from which opening, with which seed), and how one is played.

Whoever fails to give a legal move loses the game, and the reason is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import msgspec

from hexlogic.errors import HexlogicError, MoveError, SuiteError
from hexlogic.games.game_state import RESIGN, Action, GameState, Turn
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.players import BLUE, Player, opponent
from hexlogic.players.strategy import Budget, Clock, Strategy


class TournamentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a tournament; two sessions with equal settings may continue each other."""

    players: tuple[str, ...]
    sizes: tuple[str, ...]
    games: int
    """Games of each pairing on each size."""
    seed: int
    seconds: float | None
    playouts: int | None
    gauntlet: bool
    swap: bool
    openings: dict[str, tuple[tuple[str, ...], ...]]
    """By size: openings as cell names, red first; an empty one is the empty board."""
    engines: dict[str, str] = {}
    """The commands of the players that are outside programs, by name."""
    sprt: tuple[float, float] | None = None
    """Elo differences between which a sequential test of each pairing decides."""
    clock: Clock = "wall"
    """The clock that the seconds of a move are on."""


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game: `first` and `second` are places in the list of players."""

    key: str
    pairing: tuple[int, int]
    first: int
    second: int
    size: str
    opening: tuple[str, ...]
    seed: int


def board_of(size: str) -> Hex:
    """The board of a size such as `9` or `9x11`. Raises SuiteError and SizeError."""
    sides = size.lower().split("x")
    if not 1 <= len(sides) <= 2 or not all(side.isdigit() and len(side) < 4 for side in sides):
        raise SuiteError(f"{size!r} is not a size", hint="such as 9, or 9x11 for rows x columns")
    return Hex(int(sides[0]), int(sides[-1]))


def plan_games(settings: TournamentSettings) -> tuple[PlannedGame, ...]:
    """All games in their order: pairings alternate, so that a stopped tournament is as even as it can be.

    Two games next to each other in a pairing are a pair: the same opening, each player first once.
    Raises SuiteError for fewer than two players, or one twice.
    """
    players = settings.players
    if len(players) < 2:
        raise SuiteError("a tournament needs two players", file="--players", hint="such as bridge,mcts:1000")
    if len(set(players)) < len(players):
        twice = next(name for name in players if players.count(name) > 1)
        raise SuiteError(f"the player {twice} is given twice", file="--players")
    pairings: Sequence[tuple[int, int]] = list(combinations(range(len(players)), 2))
    if settings.gauntlet:
        pairings = [pairing for pairing in pairings if pairing[0] == 0]
    return tuple(
        _game(settings, size, pairing, number)
        for number in range(settings.games)
        for size in settings.sizes
        for pairing in pairings
    )


def _game(settings: TournamentSettings, size: str, pairing: tuple[int, int], number: int) -> PlannedGame:
    openings = settings.openings.get(size) or ((),)
    # Every pairing begins at the same opening, so that all players meet the same ones.
    opening = openings[(settings.seed + number // 2) % len(openings)]
    first, second = pairing if number % 2 == 0 else pairing[::-1]
    names = settings.players[pairing[0]], settings.players[pairing[1]]
    key = f"{names[0]} - {names[1]} @{size} #{number + 1}"
    digest = hashlib.sha256(f"{settings.seed} {key}".encode()).digest()
    return PlannedGame(key, pairing, first, second, size, opening, int.from_bytes(digest[:6], "big"))


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

"""Which games a tournament has: who meets whom, from which opening, with which seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.strategy import Clock


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

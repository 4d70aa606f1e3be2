"""What a tournament writes: one JSON line for the session, one for each game, one at the end."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games.game_record import GameRecord
from hexlogic.games.move_list import read_move_list, write_move_list
from hexlogic.games.players import Player
from hexlogic.players.tournament.game import GameOutcome
from hexlogic.players.tournament.plan import PlannedGame, TournamentSettings, board_of

__all__ = ["SCHEMA", "GameLine", "Line", "Opened", "TournamentEnd", "game_line", "game_record"]

SCHEMA: Final = 1
"""Changes whenever a field changes its meaning."""


class Opened(msgspec.Struct, frozen=True, tag="tournament", kw_only=True):
    """The first line of a file, and the first of each session that continues it."""

    schema: int
    started: str
    host: str
    python: str
    version: str
    command: str
    settings: TournamentSettings


class GameLine(msgspec.Struct, frozen=True, tag="game", kw_only=True):
    """A game that was played to its end. Times are the seconds of each turn after the opening, on the
    clock of the settings."""

    key: str
    first: str
    second: str
    size: str
    opening: tuple[str, ...]
    seed: int
    winner: str
    """The name of the player who won."""
    colour: Player
    """The colour the winner had at the end."""
    reason: str
    moves: str
    """The turns as a move list of this library."""
    seconds: tuple[float, ...]


class TournamentEnd(msgspec.Struct, frozen=True, tag="end", kw_only=True):
    """The last line of a session that played all its games, or was stopped by the sequential test."""

    ended: str
    stopped_early: tuple[str, ...] = ()


Line: TypeAlias = Opened | GameLine | TournamentEnd


def game_line(game: PlannedGame, settings: TournamentSettings, outcome: GameOutcome) -> GameLine:
    """What is written of a game."""
    names = settings.players[game.first], settings.players[game.second]
    record = GameRecord(board_of(game.size), outcome.turns)
    return GameLine(
        key=game.key,
        first=names[0],
        second=names[1],
        size=game.size,
        opening=game.opening,
        seed=game.seed,
        winner=names[outcome.winner],
        colour=outcome.colour,
        reason=outcome.reason,
        moves=write_move_list(record).replace("\n", " ").strip(),
        seconds=tuple(round(second, 4) for second in outcome.seconds),
    )


def game_record(line: GameLine) -> GameRecord:
    """The game with its players, for SGF and pictures. Raises SuiteError for moves that are none."""
    try:
        record = read_move_list(line.moves)
    except HexlogicError as error:
        raise SuiteError(f"{line.key}: {error}") from None
    exchanged = any(turn.action == "swap-sides" for turn in record.turns)
    first, second = (line.second, line.first) if exchanged else (line.first, line.second)
    return GameRecord(
        record.board,
        record.turns,
        red_name=first,
        blue_name=second,
        event=line.key,
        comment=f"seed {line.seed}; {line.reason}",
        winner=line.colour,
    )

"""The file of a tournament: one JSON line for the session, one for each game, one at the end. The file is append-only,
flushed and locked, so that a killed session can be continued."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias, cast

import msgspec

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games.game import Player
from hexlogic.games.game_state import GameRecord
from hexlogic.games.record_formats import read_games, write_games
from hexlogic.players.tournament.game import GameOutcome
from hexlogic.players.tournament.plan import PlannedGame, TournamentSettings, board_of
from hexlogic.process.files import decode_json, readable, write_text
from hexlogic.process.line_file import LineFile, complete_lines

FILE_NAME: Final = "tournament.jsonl"

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
    """The line of a game."""
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
        moves=write_games((record,), "moves").replace("\n", " ").strip(),
        seconds=tuple(round(second, 4) for second in outcome.seconds),
    )


def game_record(line: GameLine) -> GameRecord:
    """The game with its players, for SGF and pictures. Raises SuiteError for moves that are none."""
    try:
        (record,) = read_games(line.moves, "moves")
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


@dataclass(slots=True)
class TournamentFile:
    """The content of a file, in the order of its lines; a game is there once."""

    opened: Opened
    games: dict[str, GameLine] = field(default_factory=dict)
    end: TournamentEnd | None = None
    warnings: list[str] = field(default_factory=list)


def read_tournament(path: Path) -> TournamentFile:
    """Read the file of a folder. A torn last line is skipped with a warning; anything else that is no line of this
    schema raises SuiteError with its place."""
    file = path / FILE_NAME if path.is_dir() else path
    with readable(file, "games", SuiteError):
        lines, torn = complete_lines(file.read_bytes())
    tournament: TournamentFile | None = None
    for number, text in enumerate(lines, 1):
        try:
            line = cast("Line", decode_json(text, Line))
        except msgspec.DecodeError as error:
            raise SuiteError(f"not a line of a tournament: {error}", file=str(file), line=number) from None
        if isinstance(line, Opened):
            if line.schema != SCHEMA:
                raise SuiteError(f"schema {line.schema}, not {SCHEMA}", file=str(file), line=number)
            if tournament is None:
                tournament = TournamentFile(line)
            tournament.end = None
        elif tournament is None:
            raise SuiteError("the first line is no session", file=str(file), line=number)
        elif isinstance(line, GameLine):
            if line.key in tournament.games:
                raise SuiteError(f"the game {line.key} is there twice", file=str(file), line=number)
            tournament.games[line.key] = line
        else:
            tournament.end = line
    if tournament is None:
        raise SuiteError("there is no session in this file", file=str(file))
    if torn:
        tournament.warnings.append(f"{file}:{len(lines) + 1}: the last line is torn and was skipped")
    return tournament


class TournamentWriter(LineFile[TournamentFile]):
    """Appends lines to the file of a folder, and writes each game as SGF beside it. For the errors see `LineFile`."""

    def __init__(self, folder: Path, *, resume: bool = False) -> None:
        super().__init__(folder, FILE_NAME, "games", read_tournament, resume=resume)

    def write(self, line: Line) -> None:
        """Append one line. The SGF of a game comes first: it can be written again, a line cannot be taken back."""
        if isinstance(line, GameLine):
            self.write_sgf(line)
        self.append(msgspec.json.encode(line), sync=isinstance(line, Opened))

    def write_sgf(self, line: GameLine) -> None:
        """Write the SGF file of a game, named by its key."""
        folder = self.path.parent / "games"
        folder.mkdir(exist_ok=True)
        name = "".join(sign if sign.isalnum() or sign in "@#-+._" else "_" for sign in line.key)
        write_text(folder / f"{name}.sgf", write_games((game_record(line),), "sgf"))

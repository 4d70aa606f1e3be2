"""Which games a tournament has (who meets whom, from which opening, with which seed), and the file of their results.

The file has one JSON line for the session, one for each game, one at the end. It is append-only, flushed and locked,
so that a killed session can be continued.
"""

import hashlib
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Final, TypeAlias, cast

import msgspec

from hexlogic.errors import HexlogicError, SuiteError
from hexlogic.games.game import Player
from hexlogic.games.game_state import GameRecord
from hexlogic.games.record_formats import read_games, write_games
from hexlogic.players.strategy import Clock
from hexlogic.process.files import decode_json, readable, write_text
from hexlogic.process.line_file import LineFile, complete_lines

FILE_NAME: Final = "tournament.jsonl"

SCHEMA: Final = 1
"""Changes whenever a field changes its meaning."""


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
    sprt: None = None
    """Of older files."""
    clock: Clock = "wall"
    """The clock that the seconds of a move are on."""


class PlannedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game to play. `first` and `second` are the names of the players."""

    key: str
    first: str
    second: str
    size: str
    opening: tuple[str, ...]
    seed: int


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
    pairings = [pair for pair in combinations(players, 2) if not settings.gauntlet or pair[0] == players[0]]
    return tuple(
        _game(settings, size, pairing, number)
        for number in range(settings.games)
        for size in settings.sizes
        for pairing in pairings
    )


def _game(settings: TournamentSettings, size: str, pairing: tuple[str, str], number: int) -> PlannedGame:
    openings = settings.openings.get(size) or ((),)
    # Every pairing begins at the same opening, so that all players meet the same ones.
    opening = openings[(settings.seed + number // 2) % len(openings)]
    first, second = pairing if number % 2 == 0 else pairing[::-1]
    key = f"{' - '.join(pairing)} @{size} #{number + 1}"
    seed = int.from_bytes(hashlib.sha256(f"{settings.seed} {key}".encode()).digest()[:6], "big")
    return PlannedGame(key=key, first=first, second=second, size=size, opening=opening, seed=seed)


class Opened(msgspec.Struct, frozen=True, tag="tournament", kw_only=True):
    """The first line of a file, and the first of each session that continues it."""

    schema: int
    started: str
    host: str
    python: str
    version: str
    command: str
    settings: TournamentSettings


class GameLine(PlannedGame, frozen=True, tag="game", kw_only=True):
    """A game that was played to its end. Times are the seconds of each turn after the opening, on the
    clock of the settings."""

    winner: str
    """The name of the player who won."""
    colour: Player
    """The colour the winner had at the end."""
    reason: str
    moves: str
    """The turns as a move list of this library."""
    seconds: tuple[float, ...]

    @property
    def is_forfeit(self) -> bool:
        """Whether the loser failed to give a legal move."""
        return "forfeits" in self.reason


class TournamentEnd(msgspec.Struct, frozen=True, tag="end", kw_only=True):
    """The last line of a session that played all its games."""

    ended: str


Line: TypeAlias = Opened | GameLine | TournamentEnd


def game_record(line: GameLine) -> GameRecord:
    """The game with its players, for SGF and pictures. Raises SuiteError for moves that are none."""
    try:
        (record,) = read_games(line.moves, "moves")
    except HexlogicError as error:
        raise SuiteError(f"{line.key}: {error}") from None
    exchanged = any(turn.action == "swap-sides" for turn in record.turns)
    red, blue = (line.second, line.first) if exchanged else (line.first, line.second)
    comment = f"seed {line.seed}; {line.reason}"
    return replace(record, red_name=red, blue_name=blue, event=line.key, comment=comment, winner=line.colour)


@dataclass(slots=True)
class TournamentFile:
    """The content of a file, in the order of its lines; a game is there once."""

    opened: Opened
    games: dict[str, GameLine]
    end: TournamentEnd | None
    warnings: list[str]


def read_tournament(path: Path) -> TournamentFile:
    """Read the file of a folder. A torn last line is skipped with a warning; anything else that is no line of this
    schema raises SuiteError with its place."""
    file = path / FILE_NAME if path.is_dir() else path
    with readable(file, "games", SuiteError):
        lines, torn = complete_lines(file.read_bytes())
    opened: Opened | None = None
    end: TournamentEnd | None = None
    games: dict[str, GameLine] = {}
    for number, text in enumerate(lines, 1):
        wrong = ""
        try:
            line = cast("Line", decode_json(text, Line))
        except msgspec.DecodeError as error:
            raise SuiteError(f"not a line of a tournament: {error}", file=str(file), line=number) from None
        match line:
            case Opened(schema=schema):
                opened, end = opened or line, None
                wrong = f"schema {schema}, not {SCHEMA}" if schema != SCHEMA else ""
            case _ if opened is None:
                wrong = "the first line is no session"
            case GameLine(key=key):
                wrong = f"the game {key} is there twice" if games.setdefault(key, line) is not line else ""
            case TournamentEnd():
                end = line
        if wrong:
            raise SuiteError(wrong, file=str(file), line=number)
    if opened is None:
        raise SuiteError("there is no session in this file", file=str(file))
    torn_line = f"{file}:{len(lines) + 1}: the last line is torn and was skipped"
    return TournamentFile(opened, games, end, [torn_line] if torn else [])


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

"""Tasks: what is asked, and what the referee says to it. Positions with a query, and whole games."""

import hashlib
from pathlib import Path

import msgspec

from hexlogic.errors import PositionError
from hexlogic.games import (
    PLAYERS,
    Player,
    Position,
    family_of,
    has_won,
    load_board,
    load_game,
    load_game_record,
    parse_position,
)
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.laboratory.records.types import Mode
from hexlogic.process.files import read_text, readable


class RecordedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded game as a task: how it is replayed, and who has won after each move (see `Replayed.winners`)."""

    mode: Mode
    moves: tuple[tuple[Player, int], ...]
    winners: str


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position and a query with the expected answer; or a `game` that ends in the position, and whether the player
    who moved last wins it."""

    name: str
    board: str
    """The name of the game that the board is of."""
    rows: int
    columns: int
    red: tuple[int, ...]
    blue: tuple[int, ...]
    player: Player
    expected: bool
    facts_hash: str
    """Of a game: of its moves and its mode."""
    query: str
    game: RecordedGame | None = None

    @property
    def position(self) -> Position:
        """The position that is asked about."""
        game = load_game(self.board).of_extent(self.rows, self.columns)
        return Position(game, frozenset(self.red), frozenset(self.blue))

    @property
    def family(self) -> str | None:
        """The series of boards it belongs to, if any."""
        member = family_of(self.name)
        return None if member is None else member[0]


def make_task(board: str, player: Player) -> Task:
    """The task of a named board, or of the position in a file (`.txt`), and a player. Raises UnknownNameError, and
    PositionError with its file, line and column."""
    if board.endswith(".txt"):
        with readable(Path(board), "the board", PositionError):
            position = parse_position(read_text(Path(board)), file=board)
    else:
        position = load_board(board).position
    facts = "".join(f"{fact}.\n" for fact in position_facts(position))
    return _task(board, position, player, facts, str(win_query(player)))


def make_game_task(name: str, mode: Mode) -> Task:
    """The task of a recorded game (`random-1@9`, `y/random-1@7`). Raises UnknownNameError, PositionError and
    SizeError."""
    board, moves = load_game_record(name)
    red, blue = (frozenset(cell for owner, cell in moves if owner == player) for player in PLAYERS)
    position, last = Position(board, red, blue), moves[-1][0]
    # The moves end with the first win, or with a full board.
    winners = "." * (len(moves) - 1) + (last[0] if has_won(position, last) else ".")
    text = f"{mode}\n" + "".join(f"{player} {cell}\n" for player, cell in moves)
    return _task(f"{mode} {name}", position, last, text, "winner", RecordedGame(mode, tuple(moves), winners))


def _task(
    name: str, position: Position, player: Player, text: str, query: str, game: RecordedGame | None = None
) -> Task:
    board = position.game
    return Task(
        name=name,
        board=board.name,
        rows=board.rows,
        columns=board.columns,
        red=tuple(sorted(position.red)),
        blue=tuple(sorted(position.blue)),
        player=player,
        expected=has_won(position, player),
        facts_hash=hashlib.sha256(text.encode()).hexdigest(),
        query=query,
        game=game,
    )

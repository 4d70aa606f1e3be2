"""Tasks: what is asked, and what the referee says to it. Positions with a query, and whole games."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from hexlogic.errors import PositionError
from hexlogic.games import (
    PLAYERS,
    Moves,
    Player,
    Position,
    family_of,
    has_won,
    load_board,
    load_game_record,
    parse_position,
)
from hexlogic.games.rulesets import position_facts, win_query
from hexlogic.laboratory.records.types import Mode
from hexlogic.process.files import read_text, readable


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game as a task: how it is replayed, and who has won after each move (see `Replayed.winners`)."""

    mode: Mode
    moves: Moves
    winners: str


@dataclass(frozen=True, slots=True)
class Task:
    """A position and a query with the expected answer; or a `game` that ends in the position, and whether the player
    who moved last wins it."""

    name: str
    position: Position
    player: Player
    expected: bool
    facts_hash: str
    """Of a game: of its moves and its mode."""
    query: str
    game: RecordedGame | None = None

    @property
    def family(self) -> str | None:
        """The series of boards it belongs to, if any."""
        member = family_of(self.name)
        return None if member is None else member[0]


def make_task(board: str, player: Player) -> Task:
    """The task of a named board, or of the position in a file (`.txt`), and a player.

    Raises UnknownNameError, and PositionError with its file."""
    position = _read_position(Path(board)) if board.endswith(".txt") else load_board(board).position
    facts = "".join(f"{fact}.\n" for fact in position_facts(position))
    return Task(
        name=board,
        position=position,
        player=player,
        expected=has_won(position, player),
        facts_hash=hashlib.sha256(facts.encode()).hexdigest(),
        query=str(win_query(player)),
    )


def _read_position(path: Path) -> Position:
    """The position in a file. Raises PositionError with its file, line and column."""
    with readable(path, "the board", PositionError):
        return parse_position(read_text(path), file=str(path))


def make_game_task(name: str, mode: Mode) -> Task:
    """The task of a recorded game (`random-1@9`, `y/random-1@7`).

    Raises UnknownNameError, PositionError and SizeError.
    """
    board, moves = load_game_record(name)
    red, blue = (frozenset(cell for owner, cell in moves if owner == player) for player in PLAYERS)
    last = moves[-1][0]
    won = has_won(Position(board, red, blue), last)
    text = f"{mode}\n" + "".join(f"{player} {cell}\n" for player, cell in moves)
    return Task(
        name=f"{mode} {name}",
        position=Position(board, red, blue),
        player=last,
        expected=won,
        facts_hash=hashlib.sha256(text.encode()).hexdigest(),
        query="winner",
        # The moves end with the first win, or with a full board.
        game=RecordedGame(mode, moves, "." * (len(moves) - 1) + (last[0] if won else ".")),
    )

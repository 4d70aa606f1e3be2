"""Boards and games by name: fixed positions, families of them on every size, and recorded games.

A named board is one text file in `boards/` that begins with the comment headers `# name:`, `# idea:` and
`# winner: none|red|blue` (the known answer); the board text follows. A further board is one more file.

`NAME@SIZE` is the idea of one named board on another size, to see how work grows; a list of sizes names a series:
`difficult-1@3..5,9` is `difficult-1@3`, `@4`, `@5` and `@9`.

A recorded game is `random-SEED@SIZE` of Hex or `GAME/random-SEED@SIZE` of another game: its cells are in an order drawn
from the seed, up to the win.
"""

import random
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import TypeAlias

from hexlogic.errors import PositionError, UnknownNameError
from hexlogic.games.game import PLAYERS, Game, Player, check_player
from hexlogic.games.kinds import load_game
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.notation import parse_position
from hexlogic.games.position import Position, has_won, winner

_HEADER = re.compile(r"^# *(name|idea|winner): *(.*?) *$", re.MULTILINE)
_SIZE_LIST = re.compile(r"\d+(\.\.\d+)?(,\d+(\.\.\d+)?)*")
_RANDOM = re.compile(r"random-(\d{1,9})")
_FAMILY, _SMALLEST_BAND = ("difficult-1", 3)

Moves: TypeAlias = tuple[tuple[Player, int], ...]
"""The players and their cells, in the order of play."""


@dataclass(frozen=True)
class NamedBoard:
    """A position with its name, what makes it worth having, and the player who has won on it (or `None`)."""

    name: str
    idea: str
    position: Position
    expected: Player | None


def parse_board(text: str, *, file: str | None = None) -> NamedBoard:
    """The named board in a text with headers; raises `PositionError` when a header is missing or wrong.

    >>> parse_board("# name: tiny\\n# idea: one stone\\n# winner: red\\nR").expected
    'red'
    """
    headers = {match[1]: (match[2], text.count("\n", 0, match.start()) + 1) for match in _HEADER.finditer(text)}
    where = file or "<text>"
    for key in ("name", "idea", "winner"):
        if not headers.get(key, ("", 0))[0]:
            raise PositionError(f"the header {key!r} is missing", file=where, line=1, column=1, hint=f"# {key}: ...")
    (name, _), (idea, _), (answer, line) = (headers[key] for key in ("name", "idea", "winner"))
    if answer not in ("none", *PLAYERS):
        hint = "none, red or blue"
        raise PositionError(f"unknown winner {answer!r}", file=where, line=line, column=1, hint=hint)
    expected = None if answer == "none" else check_player(answer)
    return NamedBoard(name, idea, replace(parse_position(text, file=file), name=name), expected)


@lru_cache(maxsize=1)
def _texts() -> dict[str, str]:
    # By way of importlib.resources, so that an installed wheel, even a zipped one, serves them too.
    folder = files("hexlogic.games") / "boards"
    texts = {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".txt")
    }
    return dict(sorted(texts.items()))


def board_names() -> tuple[str, ...]:
    """The names of all boards in alphabetical order."""
    return tuple(_texts())


def load_board(name: str) -> NamedBoard:
    """The board of that name, or of a family and a size (`difficult-1@5`). Raises `UnknownNameError` with the closest
    names, `PositionError` and `SizeError` for a size.

    >>> board = load_board("difficult-1")
    >>> board.position.game, len(board.position.red), board.expected
    (Hex(rows=9, columns=9), 17, None)
    """
    if "@" in name:
        family, size = _member(name, "names several boards")
        if family != _FAMILY:
            raise UnknownNameError.among("family of boards", family, [_FAMILY])
        position = replace(_full_band(size), name=name)
        return NamedBoard(name, f"the idea of {family} on another size", position, winner(position))
    if name not in _texts():
        raise UnknownNameError.among("board", name, list(board_names()))
    return parse_board(_texts()[name], file=f"boards/{name}.txt")


def all_boards() -> tuple[NamedBoard, ...]:
    """All named boards, in the order of `board_names`."""
    return tuple(map(load_board, board_names()))


def _full_band(size: int) -> Position:
    """`difficult-1` on size x size: two full neighbouring rows without the last column, and one stone far away in it.

    2 * size - 1 red stones; on boards too small for a distance the stone moves to the other end of its column.

    >>> print(_full_band(4).to_text(), end="")
    . . . .
    R R R .
    R R R .
    . . . R
    """
    if size < _SMALLEST_BAND:
        raise PositionError(f"{_FAMILY} begins at size {_SMALLEST_BAND}", hint=f"{_FAMILY}@{_SMALLEST_BAND}")
    board = Hex(size, size)
    upper = max(1, min((size + 1) // 2, size - 2))
    band = {board.cell(row, column) for row in (upper, upper + 1) for column in range(1, size)}
    return Position(board, frozenset({*band, board.cell(1 if upper > 2 else size, size)}), frozenset())


def family_of(name: str) -> tuple[str, int] | None:
    """The family and the size in a board's name; None for a name that is no member of a series.

    >>> family_of("difficult-1@5"), family_of("difficult-1")
    (('difficult-1', 5), None)
    """
    family, at, size = name.partition("@")
    return (family, int(size)) if at and size.isdecimal() else None


def expand_series(name: str) -> tuple[str, ...]:
    """The boards that a name with a list of sizes stands for; any other name stands for itself.

    >>> expand_series("difficult-1@3..5,9"), expand_series("snake")
    (('difficult-1@3', 'difficult-1@4', 'difficult-1@5', 'difficult-1@9'), ('snake',))

    Raises PositionError for sizes that are none.
    """
    family, at, sizes = name.partition("@")
    if not at:
        return (name,)
    error = PositionError(f"sizes {sizes!r} of the series {family}", hint=f"write {family}@3..9 or {family}@3,5,9")
    if not _SIZE_LIST.fullmatch(sizes):
        raise error
    chosen: dict[int, None] = {}
    for part in sizes.split(","):
        low, _, high = part.partition("..")
        listed = range(int(low), int(high or low) + 1)
        if not listed:  # 9..3
            raise error
        chosen.update(dict.fromkeys(listed))
    return tuple(f"{family}@{size}" for size in sorted(chosen))


def _member(name: str, error: str) -> tuple[str, int]:
    """The name and the size in `NAME@SIZE`. Raises PositionError for another number of sizes."""
    members = expand_series(name)
    if len(members) == 1 and (member := family_of(members[0])) is not None:
        return member
    raise PositionError(f"{name} {error}", hint="give one size, such as @9")


def load_game_record(name: str) -> tuple[Game, Moves]:
    """The board and the moves of a recorded game; its last move wins, unless the board is full and nobody has won.

    >>> board, moves = load_game_record("random-1@3")
    >>> board.rows, moves[:2], len(moves)
    (3, (('red', 3), ('blue', 2)), 8)
    >>> str(load_game_record("y/random-1@4")[0])
    'size 4 Y'

    Raises UnknownNameError, PositionError for a name without one size, and SizeError.
    """
    named, size = _member(name, "names no game on one board")
    kind, slash, record = named.rpartition("/")
    match = _RANDOM.fullmatch(record)
    if match is None:
        raise UnknownNameError.among("recorded game", record, ["random-1", "random-2", "random-..."])
    board = load_game(kind if slash else "hex").of_size(size)
    return board, random_moves(board, int(match[1]))


def random_moves(board: Game, seed: int) -> Moves:
    """A game of random moves, red first, up to the first win or a full board."""
    position, moves = Position(board), []
    for ply, cell in enumerate(random.Random(seed).sample(list(board.cells), len(board.cells))):
        player = PLAYERS[ply % 2]
        position = position.play(player, cell)
        moves.append((player, cell))
        if has_won(position, player):
            break
    return tuple(moves)

"""The named boards: fixed positions with known answers, one text file each in `boards/`.

A file begins with the comment headers `# name:`, `# idea:` and `# winner: none|red|blue` (the known answer);
the board text follows. A further board is one more file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from hexlogic.errors import PositionError, UnknownNameError
from hexlogic.games.families import family_position
from hexlogic.games.notation import parse_position
from hexlogic.games.oracle import winner
from hexlogic.games.players import Player, check_player
from hexlogic.games.position import Position

_HEADER = re.compile(r"^# *(name|idea|winner): *(.*?) *$", re.MULTILINE)


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
    headers: dict[str, str] = dict(_HEADER.findall(text))
    for key in ("name", "idea", "winner"):
        if not headers.get(key):
            raise PositionError(
                f"the header {key!r} is missing", file=file or "<text>", line=1, column=1, hint=f"# {key}: ..."
            )
    answer = headers["winner"]
    try:
        expected = None if answer == "none" else check_player(answer)
    except UnknownNameError:
        line = text[: text.index("# winner:") if "# winner:" in text else 0].count("\n") + 1
        raise PositionError(
            f"unknown winner {answer!r}", file=file or "<text>", line=line, column=1, hint="none, red or blue"
        ) from None
    position = replace(parse_position(text, file=file), name=headers["name"])
    return NamedBoard(headers["name"], headers["idea"], position, expected)


@lru_cache(maxsize=1)
def _texts() -> dict[str, str]:
    # By way of importlib.resources, so that an installed wheel, even a zipped one, serves them too.
    folder = files("hexlogic.games") / "boards"
    found = {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".txt")
    }
    return dict(sorted(found.items()))


def board_names() -> tuple[str, ...]:
    """The names of all boards in alphabetical order.

    >>> "difficult-1" in board_names()
    True
    """
    return tuple(_texts())


def load_board(name: str) -> NamedBoard:
    """The board of that name, or of a family and a size (`difficult-1@5`, see `families`).

    Raises `UnknownNameError` with the closest names, `PositionError` and `SizeError` for a size.

    >>> board = load_board("difficult-1")
    >>> board.position.game, len(board.position.red), board.expected
    (Hex(rows=9, columns=9), 17, None)
    """
    if "@" in name:
        position = replace(family_position(name), name=name)
        return NamedBoard(name, f"the idea of {name.partition('@')[0]} on another size", position, winner(position))
    if name not in _texts():
        raise UnknownNameError.among("board", name, list(board_names()))
    return parse_board(_texts()[name], file=f"boards/{name}.txt")


def all_boards() -> tuple[NamedBoard, ...]:
    """All named boards, in the order of `board_names`."""
    return tuple(map(load_board, board_names()))

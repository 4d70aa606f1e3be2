"""Text to be read, errors that point into it, and the stones that were read so far."""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hexlogic.errors import HexlogicError, PositionError
from hexlogic.games.game import PLAYERS, RED, Game, Player, opponent
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.position import Position

_COMMENT = re.compile(r"[ \t]*[#%]")


def shown(text: str, width: int = 20) -> str:
    """The text quoted for a message, cut when it is long."""
    return repr(text if len(text) <= width else text[:width] + "...")


@dataclass(frozen=True)
class SourceText:
    """Text with the name of the file it came from. Line ends are `\\n` only, see `SourceText.of`."""

    text: str
    file: str

    @classmethod
    def of(cls, text: str, file: str | None) -> "SourceText":
        """A source with line ends made uniform and a byte order mark taken off."""
        return cls(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), file or "<text>")

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, both counted from 1, of the character at `offset`."""
        start = self.text.rfind("\n", 0, offset) + 1
        return self.text.count("\n", 0, start) + 1, offset - start + 1

    def error(self, message: str, offset: int, hint: str | None = None) -> PositionError:
        """The error that points at the character at `offset`."""
        line, column = self.place(offset)
        return PositionError(message, file=self.file, line=line, column=column, hint=hint)

    @contextlib.contextmanager
    def errors_at(self, offset: int) -> Iterator[None]:
        """Let an error from here point at the character at `offset`, with its message and hint."""
        try:
            yield
        except HexlogicError as error:
            raise self.error(error.message, offset, error.hint) from None

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that carry content, neither blank nor comment, each with the offset of its start."""
        offset = 0
        for line in self.text.split("\n"):
            if line.strip() and not _COMMENT.match(line):
                yield offset, line
            offset += len(line) + 1

    def agree(self, game: Game, expected: Game | None, offset: int) -> Game:
        """`game`, unless the caller asked for another one."""
        if expected is None or game == expected:
            return game
        if game.name != expected.name:
            raise self.error(f"the position is {game}, but the game asked for is {expected.name}", offset)
        hint = "leave the size out to take it from the position"
        raise self.error(
            f"the position is {game.size_text}, but the size asked for is {expected.size_text}",
            offset,
            f"rows x columns; {hint}" if game.name == Hex.name else hint,
        )


class Stones:
    """Stones collected from a source; a second stone on the same cell is an error that names the first."""

    _turn: Player = RED
    _coloured: bool | None = None
    """Whether moves have colours; None before the first one."""

    def __init__(self, source: SourceText, game: Game) -> None:
        self._source = source
        self._game = game
        self._placed: dict[int, tuple[Player, int]] = {}

    def put(self, player: Player, name: str, offset: int) -> None:
        """Put a stone on the cell called `name`, which stands at `offset` in the source."""
        try:
            cell = self._game.parse_cell(name)
        except PositionError as error:
            message = error.message if len(name) <= 20 else f"{shown(name)} is not a cell of this board"
            raise self._source.error(message, offset, error.hint) from None
        if cell in self._placed:
            owner, first = self._placed[cell]
            line, column = self._source.place(first)
            raise self._source.error(
                f"cell {self._game.cell_name(cell)} is given twice",
                offset,
                f"{owner} took it at line {line}, column {column}",
            )
        self._placed[cell] = (player, offset)

    def move(self, player: Player | None, name: str, offset: int, start: int, words: str) -> None:
        """Put the stone of a move, `words` at `start`, on the cell called `name` at `offset`. Either each move has a
        player or none: then they alternate, red first."""
        if self._coloured not in (None, player is not None):
            raise self._source.error(
                f"move {shown(words)} {'has no' if player is None else 'begins with a'} colour, unlike those before it",
                start,
                "give every move a colour, or none: then they alternate, red first",
            )
        self._coloured = player is not None
        mover = player or self._turn
        self.put(mover, name, offset)
        self._turn = opponent(mover)

    def position(self, name: str | None = None) -> Position:
        """The position with these stones."""
        red, blue = (frozenset(c for c, (owner, _) in self._placed.items() if owner == player) for player in PLAYERS)
        return Position(self._game, red, blue, name)

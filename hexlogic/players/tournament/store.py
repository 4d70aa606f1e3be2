"""The file of a tournament: JSON lines, append-only, flushed and locked, so that a killed session can be continued."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.files import readable, write_text
from hexlogic.games.sgf import write_sgf
from hexlogic.players.tournament.records import SCHEMA, GameLine, Line, Opened, TournamentEnd, game_record
from hexlogic.process.line_file import LineFile, complete_lines

__all__ = ["FILE_NAME", "TournamentFile", "TournamentWriter", "read_tournament"]

FILE_NAME: Final = "tournament.jsonl"


@dataclass(slots=True)
class TournamentFile:
    """What a file holds, in the order of its lines; a game is there once."""

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
    found: TournamentFile | None = None
    for number, text in enumerate(lines, 1):
        try:
            line: Line = msgspec.json.decode(text, type=Line)
        except msgspec.DecodeError as error:
            raise SuiteError(f"not a line of a tournament: {error}", file=str(file), line=number) from None
        if isinstance(line, Opened):
            if line.schema != SCHEMA:
                raise SuiteError(f"schema {line.schema}, not {SCHEMA}", file=str(file), line=number)
            if found is None:
                found = TournamentFile(line)
            found.end = None
        elif found is None:
            raise SuiteError("the first line is no session", file=str(file), line=number)
        elif isinstance(line, GameLine):
            if line.key in found.games:
                raise SuiteError(f"the game {line.key} is there twice", file=str(file), line=number)
            found.games[line.key] = line
        else:
            found.end = line
    if found is None:
        raise SuiteError("there is no session in this file", file=str(file))
    if torn:
        found.warnings.append(f"{file}:{len(lines) + 1}: the last line is torn and was skipped")
    return found


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
        write_text(folder / f"{name}.sgf", write_sgf(game_record(line)))

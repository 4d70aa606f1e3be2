"""The file of a tournament: JSON lines, append-only, flushed and locked, so that a killed session can be continued."""

from __future__ import annotations

import contextlib
import fcntl
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.files import readable, reason_of
from hexlogic.games.sgf import write_sgf
from hexlogic.players.tournament.records import SCHEMA, GameLine, Line, Opened, TournamentEnd, game_record

__all__ = ["FILE_NAME", "TournamentFile", "TournamentWriter", "default_folder", "read_tournament"]

FILE_NAME: Final = "tournament.jsonl"


@dataclass(slots=True)
class TournamentFile:
    """What a file holds, in the order of its lines; a game is there once."""

    opened: Opened
    games: dict[str, GameLine] = field(default_factory=dict)
    end: TournamentEnd | None = None
    warnings: list[str] = field(default_factory=list)


def default_folder() -> Path:
    """Where games go unless told: `results/<UTC timestamp>-tournament`."""
    return Path("results") / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-tournament"


def read_tournament(path: Path) -> TournamentFile:
    """Read the file of a folder. A torn last line is skipped with a warning; anything else that is no line of this
    schema raises SuiteError with its place."""
    file = path / FILE_NAME if path.is_dir() else path
    with readable(file, "games", SuiteError):
        lines = file.read_bytes().split(b"\n")
    torn = lines.pop()
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


class TournamentWriter:
    """Appends lines to the file of a folder, and writes each game as SGF beside it."""

    def __init__(self, folder: Path, *, resume: bool) -> None:
        """Raises SuiteError when the folder holds a tournament (without `resume`) or none (with it), cannot be written,
        or another session writes to it."""
        self.folder, self.path = folder, folder / FILE_NAME
        try:
            (folder / "games").mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("r+b" if resume else "xb")
        except FileExistsError:
            raise SuiteError(
                f"{self.path} holds games already", hint="another folder with --out, or --resume"
            ) from None
        except FileNotFoundError:
            raise SuiteError(f"{folder} holds no tournament to resume", hint="leave --resume out") from None
        except OSError as error:
            raise SuiteError(
                f"cannot write to {folder}: {reason_of(error)}", hint="another folder with --out"
            ) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise SuiteError(f"another session writes to {self.path}", hint="wait for its end") from None
        if resume:
            content = self._file.read()
            self._file.truncate(content.rfind(b"\n") + 1)
            self._file.seek(0, os.SEEK_END)

    def write(self, line: Line) -> None:
        """Append one line and hand it to the system. The SGF of a game comes first: it can be written again, a line
        cannot be taken back."""
        if isinstance(line, GameLine):
            self.write_sgf(line)
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()

    def write_sgf(self, line: GameLine) -> None:
        """Write the SGF file of a game, named by its key."""
        name = "".join(sign if sign.isalnum() or sign in "@#-+._" else "_" for sign in line.key)
        (self.folder / "games" / f"{name}.sgf").write_text(write_sgf(game_record(line)), encoding="utf-8")

    def close(self) -> None:
        """Close the file, on the disk as well as in the system."""
        if not self._file.closed:
            with contextlib.suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()

    def __enter__(self) -> TournamentWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

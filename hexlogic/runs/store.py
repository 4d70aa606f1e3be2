"""Records on disk: JSON lines, append-only, flushed line by line, so that whatever stops us leaves a readable file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.runs.files import FILE_NAME, read_content
from hexlogic.runs.records import (
    SCHEMA,
    End,
    Floor,
    Playing,
    Record,
    Resumed,
    Run,
    Session,
    decode_record,
    encode_record,
)

__all__ = ["FILE_NAME", "RecordFile", "RecordWriter", "default_folder", "read_records"]


def default_folder(suite: str, started: datetime) -> Path:
    """Where records go unless told: `results/<UTC timestamp>-<suite>`.

    >>> default_folder("quick", datetime(2019, 6, 10, 12, 30, 5)).as_posix()
    'results/20190610T123005Z-quick'
    """
    return Path("results") / f"{started:%Y%m%dT%H%M%SZ}-{suite}"


class RecordWriter:
    """Appends records to `folder/records.jsonl`, one line each. Open it before the first run: a folder that cannot
    be written raises SuiteError at once, and so does one that already holds records, unless `resume` is given.

    Resuming appends to the file, after its last complete line: what a torn last line began is measured again.
    """

    def __init__(self, folder: Path, *, resume: bool = False) -> None:
        self.path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("r+b" if resume else "xb")
            if resume:
                content = self._file.read()
                self._file.truncate(content.rfind(b"\n") + 1)
                self._file.seek(0, os.SEEK_END)
        except FileExistsError:
            hint = "give another folder with --out, or go on with --resume"
            what = f"{self.path} holds records already" if self.path.exists() else f"{folder} is not a folder"
            raise SuiteError(what, hint=hint) from None
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise SuiteError(
                f"cannot write records to {folder}: {reason}", hint="give another folder with --out"
            ) from None

    def write(self, record: Record) -> None:
        """Append one line and hand it to the system."""
        self._file.write(encode_record(record) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file, on the disk as well as in the system."""
        if not self._file.closed:
            os.fsync(self._file.fileno())
            self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What a record file holds; `end` is None when the session was cut off. `warnings` are sentences for people."""

    session: Session
    runs: tuple[Run, ...]
    end: End | None = None
    warnings: tuple[str, ...] = ()
    resumed: tuple[Resumed, ...] = ()
    floors: tuple[Floor, ...] = ()
    playings: tuple[Playing, ...] = ()


def read_records(path: Path) -> RecordFile:
    """Read a record file, or the one in a folder. A torn last line is skipped with a warning; anything else that is
    not a record of this schema raises SuiteError with its line."""
    file = path / FILE_NAME if path.is_dir() else path
    lines = read_content(path).split(b"\n")
    warnings: list[str] = []
    # Every complete line ends with a line end, so what follows the last one is empty or torn.
    if lines.pop():
        warnings.append(f"{file}:{len(lines) + 1}: the last line is torn and was skipped")
    session: Session | None = None
    runs: list[Run] = []
    floors: list[Floor] = []
    playings: list[Playing] = []
    resumed: list[Resumed] = []
    end: End | None = None
    for number, line in enumerate(lines, start=1):
        if session is None:
            _check_schema(line, str(file), number)
        try:
            record = decode_record(line)
        except msgspec.DecodeError as error:
            raise SuiteError(f"not a record: {error}", file=str(file), line=number) from None
        match record:
            case Session() if session is None:
                session = record
            case Run() if session is not None and end is None:
                runs.append(record)
            case Playing() if session is not None and end is None:
                playings.append(record)
            case Floor() if session is not None and end is None:
                floors.append(record)
            case End() if session is not None and end is None:
                end = record
            case Resumed() if session is not None:
                resumed.append(record)
                end = None
            case _:
                raise SuiteError("a record out of place", file=str(file), line=number, hint="header, floors, runs, end")
    if session is None:
        raise SuiteError("no records", file=str(file), hint="the session header is missing")
    return RecordFile(session, tuple(runs), end, tuple(warnings), tuple(resumed), tuple(floors), tuple(playings))


class _Version(msgspec.Struct):
    schema: int | None = None


def _check_schema(line: bytes, file: str, number: int) -> None:
    """Refuse another schema before strict decoding, which would only say that some field is unknown."""
    try:
        schema = msgspec.json.decode(line, type=_Version).schema
    except msgspec.DecodeError:
        return  # the strict decoder says it better
    if schema is not None and schema != SCHEMA:
        raise SuiteError(
            f"records of schema {schema}, not {SCHEMA}", file=file, line=number, hint="run the suite again"
        )

"""Records as read: what a file of JSON lines holds, and what is wrong with it. `writer` makes such files."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.process.line_file import complete_lines
from hexlogic.runs.files import FILE_NAME, read_content
from hexlogic.runs.kinds import KINDS
from hexlogic.runs.records import (
    SCHEMA,
    ConfigurationRun,
    End,
    Floor,
    Line,
    Measurement,
    Playing,
    Resumed,
    Run,
    Session,
)

__all__ = ["FILE_NAME", "RecordFile", "decode_record", "default_folder", "read_records", "record_types", "record_union"]


def default_folder(suite: str, started: datetime) -> Path:
    """Where records go unless told: `results/<UTC timestamp>-<suite>`.

    >>> default_folder("quick", datetime(2019, 6, 10, 12, 30, 5)).as_posix()
    'results/20190610T123005Z-quick'
    """
    return Path("results") / f"{started:%Y%m%dT%H%M%SZ}-{suite}"


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
    others: tuple[ConfigurationRun, ...] = ()
    """Records of further kinds of measurement."""

    @property
    def measurements(self) -> tuple[ConfigurationRun, ...]:
        """The records of all kinds of measurement, without floors."""
        return (*self.runs, *self.playings, *self.others)


def record_types() -> tuple[type[Line], ...]:
    """The types of the lines of a record file: those of each session and those of all kinds of measurement."""
    return (Session, *dict.fromkeys(kind.record for kind in KINDS), End, Resumed)


def record_union() -> Any:
    """The union of these types, which the tag of a line tells apart."""
    return functools.reduce(operator.or_, record_types())


@functools.cache
def _decoder() -> msgspec.json.Decoder[Line]:
    return msgspec.json.Decoder(record_union())


def decode_record(line: bytes) -> Line:
    """The record in one line of JSON; raises `msgspec.DecodeError` (or its kind `ValidationError`)."""
    return _decoder().decode(line)


def read_records(path: Path) -> RecordFile:
    """Read a record file, or the one in a folder, also while a session writes it.

    Skipped, with a warning: a torn last line, runs and floors that are there already (the first is used), and lines
    of another session than the first. Anything else that is no record of this schema raises SuiteError with its line.
    """
    file = path / FILE_NAME if path.is_dir() else path
    lines, torn = complete_lines(read_content(path))
    reading = _Reading(str(file))
    for number, line in enumerate(lines, start=1):
        if reading.session is None:
            _check_schema(line, str(file), number)
        try:
            record = decode_record(line)
        except msgspec.DecodeError as error:
            raise SuiteError(f"not a record: {error}", file=str(file), line=number) from None
        reading.add(record, number)
    return reading.finish((f"{file}:{len(lines) + 1}: the last line is torn and was skipped",) if torn else ())


class _Reading:
    """A record file, read line by line."""

    def __init__(self, file: str) -> None:
        self.session: Session | None = None
        self._file = file
        self._measurements: dict[str, Measurement] = {}
        self._resumed: list[Resumed] = []
        self._end: End | None = None
        self._again: list[int] = []
        """Lines that say again what is there."""
        self._strange: list[int] = []
        """Lines of another session."""
        self._mixed = False
        """Whether there is a header of another session: then a line has to say whose it is."""

    def add(self, record: Line, number: int) -> None:
        """Take the record in line `number`."""
        if self.session is not None and self._is_strange(self.session, record, number):
            self._strange.append(number)
            return
        match record:
            case Session() if self.session is None:
                self.session = record
            case Measurement() if self._is_open:
                if record.key in self._measurements:
                    self._again.append(number)
                self._measurements.setdefault(record.key, record)
            case End() if self._is_open:
                self._end = record
            case Resumed() if self.session is not None:
                self._resumed.append(record)
                self._end = None
            case _:
                raise SuiteError(
                    "a record out of place", file=self._file, line=number, hint="header, floors, runs, end"
                )

    def finish(self, warnings: tuple[str, ...]) -> RecordFile:
        """All records, with what is to be told about them."""
        if self.session is None:
            raise SuiteError("no records", file=self._file, hint="the session header is missing")
        told = (
            (self._again, "runs or floors are said again, the first of each is used"),
            (self._strange, "lines of another session were skipped"),
        )
        found_at = [f"{self._file}:{lines[0]}: {what}: {_places(lines)}" for lines, what in told if lines]
        found = tuple(self._measurements.values())
        return RecordFile(
            self.session,
            _of_type(Run, found),
            self._end,
            (*warnings, *found_at),
            tuple(self._resumed),
            _of_type(Floor, found),
            _of_type(Playing, found),
            tuple(one for one in found if isinstance(one, ConfigurationRun) and not isinstance(one, Run | Playing)),
        )

    @property
    def _is_open(self) -> bool:
        return self.session is not None and self._end is None

    def _is_strange(self, session: Session, record: Line, number: int) -> bool:
        if record.session is None and self._mixed:
            raise SuiteError(
                "records of two sessions, and the line does not say whose it is", file=self._file, line=number
            )
        strange = record.session is not None and record.session != session.session
        self._mixed = self._mixed or (strange and isinstance(record, Session))
        return strange


_Kept = TypeVar("_Kept")


def _of_type(kind: type[_Kept], records: tuple[object, ...]) -> tuple[_Kept, ...]:
    return tuple(one for one in records if isinstance(one, kind))


def _places(numbers: list[int]) -> str:
    """Line numbers for people.

    >>> _places([3]), _places([3, 4, 9, 10, 11])
    ('line 3', 'lines 3, 4, 9 and 2 more')
    """
    shown = ", ".join(map(str, numbers[:3]))
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return f"line{'s' * (len(numbers) > 1)} {shown}{more}"


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

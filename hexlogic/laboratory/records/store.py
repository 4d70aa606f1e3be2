"""Files of records: JSON lines, one file in the folder of a session, or several, plain or compressed, in one folder."""

from __future__ import annotations

import functools
import gzip
import operator
import zlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar, cast

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.types import (
    SCHEMA,
    ConfigurationRun,
    End,
    Floor,
    Line,
    Measurement,
    Playing,
    PositionsRun,
    Resumed,
    Run,
    Session,
    encode_record,
)
from hexlogic.process.files import decode_json, readable
from hexlogic.process.line_file import LineFile, complete_lines
from hexlogic.registry import Registry

FILE_NAME = "records.jsonl"


def record_files(folder: Path) -> tuple[Path, ...]:
    """The files of records in a folder: that of its session, or every `*.jsonl` and `*.jsonl.gz`, sorted by name."""
    if (folder / FILE_NAME).exists():
        return (folder / FILE_NAME,)
    return tuple(sorted((*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz"))))


def read_content(path: Path) -> bytes:
    """The lines of a file of records, or of the one in a folder; `.gz` is unpacked.

    Raises SuiteError for a file that cannot be read or unpacked, and for a folder with several.
    """
    file = path
    if path.is_dir():
        found = record_files(path)
        if len(found) > 1:
            raise SuiteError(
                f"{path} holds {len(found)} files of records", hint=f"name one of them, for example {found[0]}"
            )
        file = found[0] if found else path / FILE_NAME
    with readable(file, "records", SuiteError):
        content = file.read_bytes()
    try:
        return gzip.decompress(content) if file.suffix == ".gz" else content
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise SuiteError("not a complete gzip file", file=str(file)) from None


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


_Known: TypeAlias = Session | Run | Playing | PositionsRun | Floor | End | Resumed


@functools.cache
def record_types() -> tuple[type[Line], ...]:
    """The types of the lines of a record file: those of each session and those of all kinds of measurement. This loads
    the kinds, with what they execute."""
    kinds = Registry[_HasRecord]("hexlogic.laboratory.runs.kinds", "KIND", "kind of measurement", on_demand=True)
    return (Session, *dict.fromkeys(kind.record_type for kind in kinds), End, Resumed)


class _HasRecord(Protocol):
    """The part of a kind of measurement that matters here."""

    record_type: type[Line]


def decode_record(line: bytes) -> Line:
    """The record in one line of JSON; raises `msgspec.DecodeError` (or its kind `ValidationError`)."""
    try:
        return cast("Line", decode_json(line, _Known))
    except msgspec.ValidationError:  # perhaps a record of a kind of measurement that was added
        return decode_json(line, functools.reduce(operator.or_, record_types()))


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
    return tuple(record for record in records if isinstance(record, kind))


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
        schema = decode_json(line, _Version).schema
    except msgspec.DecodeError:
        return  # the strict decoder says it better
    if schema is not None and schema != SCHEMA:
        raise SuiteError(
            f"records of schema {schema}, not {SCHEMA}", file=file, line=number, hint="run the suite again"
        )


class RecordWriter(LineFile[RecordFile]):
    """Appends records to `folder/records.jsonl`, one line each. Open it before the first run: for the errors see
    `LineFile`. What a torn last line of a resumed session began is measured again."""

    def __init__(self, folder: Path, *, resume: bool = False) -> None:
        super().__init__(folder, FILE_NAME, "records", read_records, resume=resume)
        self._session = self.before.session.session if self.before else None

    def write(self, record: Line) -> None:
        """Append one line; every line says which session wrote it. Raises SuiteError when there is no room for it."""
        if isinstance(record, Session):
            self._session = record.session
        else:
            record = msgspec.structs.replace(record, session=self._session)
        self.append(encode_record(record), sync=isinstance(record, Session))

"""Files of records: JSON lines, one file in the folder of a session, or several, plain or compressed, in one folder.

Also records for other programs, as a polars frame (needs the extra `frame`); and what `pytest benchmarks/
--benchmark-json FILE` wrote: in-process queries as runs, everything else as times. Rounds of one process are no
independent repeats: so the median of all rounds of a file is one repeat, and only several files, each from a process of
its own, tell how much the times scatter.
"""

from __future__ import annotations

import functools
import gzip
import operator
import statistics
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar, cast

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.types import (
    SCHEMA,
    ConfigurationRun,
    End,
    Floor,
    Line,
    Measured,
    Measurement,
    Phases,
    Playing,
    PositionsRun,
    Resumed,
    Run,
    Session,
    encode_record,
)
from hexlogic.process.extras import need
from hexlogic.process.files import decode_json, readable
from hexlogic.process.limits import Load
from hexlogic.process.line_file import LineFile, complete_lines
from hexlogic.registry import Registry

if TYPE_CHECKING:
    import polars

M = TypeVar("M", bound=Measurement)

FILE_NAME = "records.jsonl"


def record_files(folder: Path) -> tuple[Path, ...]:
    """The files of records in a folder: that of its session, or every `*.jsonl` and `*.jsonl.gz`, sorted by name."""
    if (folder / FILE_NAME).exists():
        return (folder / FILE_NAME,)
    return tuple(sorted((*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz"))))


def read_content(path: Path) -> bytes:
    """The lines of a file of records, or of the one in a folder; `.gz` is unpacked. Raises SuiteError for a file that
    cannot be read or unpacked, and for a folder with several."""
    file = path
    if path.is_dir():
        files = record_files(path)
        if len(files) > 1:
            hint = f"name one of them, for example {files[0]}"
            raise SuiteError(f"{path} holds {len(files)} files of records", hint=hint)
        file = files[0] if files else path / FILE_NAME
    with readable(file, "records", SuiteError):
        content = file.read_bytes()
    try:
        return gzip.decompress(content) if file.suffix == ".gz" else content
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise SuiteError("not a complete gzip file", file=str(file)) from None


@dataclass(frozen=True, slots=True)
class RecordFile:
    """What a record file holds; `end` is None when the session was cut off. `warnings` are sentences for people.

    Of pytest-benchmark `processes` counts the files, each one repeat of its benchmarks, and `others` are the seconds of
    what is no query, by the benchmark's name.
    """

    session: Session
    records: tuple[Measurement, ...]
    end: End | None = None
    warnings: tuple[str, ...] = ()
    resumed: tuple[Resumed, ...] = ()
    processes: int | None = None
    others: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def of_type(self, kind: type[M]) -> tuple[M, ...]:
        """The records of a type."""
        return tuple(record for record in self.records if isinstance(record, kind))

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs of questions and of games."""
        return self.of_type(Run)

    @property
    def playings(self) -> tuple[Playing, ...]:
        """The runs of random games."""
        return self.of_type(Playing)

    @property
    def floors(self) -> tuple[Floor, ...]:
        """The smallest query of each engine."""
        return self.of_type(Floor)

    @property
    def measurements(self) -> tuple[ConfigurationRun, ...]:
        """The records of all kinds of measurement, without floors: runs, random games, all others."""
        measured = self.of_type(ConfigurationRun)
        return (*self.runs, *self.playings, *(run for run in measured if not isinstance(run, Run | Playing)))


_Known: TypeAlias = Session | Run | Playing | PositionsRun | Floor | End | Resumed


@functools.cache
def record_types() -> tuple[type[Line], ...]:
    """The types of the lines of a record file: those of each session and those of all kinds of measurement. This loads
    the kinds, with what they execute."""
    kinds = Registry[object]("hexlogic.laboratory.runs.kinds", "KIND", "kind of measurement", on_demand=True)
    return (Session, *dict.fromkeys(map(operator.attrgetter("record_type"), kinds)), End, Resumed)


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
    file = str(path / FILE_NAME if path.is_dir() else path)
    lines, torn = complete_lines(read_content(path))
    session: Session | None = None
    end: End | None = None
    measurements: dict[str, Measurement] = {}
    resumed: list[Resumed] = []
    repeated, strange = list[int](), list[int]()  # lines
    mixed = False  # whether there is a header of another session: then a line has to say whose it is
    for number, line in enumerate(lines, start=1):
        if session is None:
            check_schema(line, file, number, again="run the suite again")
        try:
            record = decode_record(line)
        except msgspec.DecodeError as error:
            raise SuiteError(f"not a record: {error}", file=file, line=number) from None
        if session is not None and record.session is None and mixed:
            raise SuiteError("records of two sessions, and the line does not say whose it is", file=file, line=number)
        if session is not None and record.session not in (None, session.session):
            strange.append(number)
            mixed = mixed or isinstance(record, Session)
            continue
        match record:
            case Session() if session is None:
                session = record
            case Measurement() if session is not None and end is None:
                if measurements.setdefault(record.key, record) is not record:
                    repeated.append(number)
            case End() if session is not None and end is None:
                end = record
            case Resumed() if session is not None:
                resumed.append(record)
                end = None
            case _:
                raise SuiteError("a record out of place", file=file, line=number, hint="header, floors, runs, end")
    if session is None:
        raise SuiteError("no records", file=file, hint="the session header is missing")
    warnings = [f"{file}:{len(lines) + 1}: the last line is torn and was skipped"] if torn else []
    if repeated:
        what = "runs or floors are said again, the first of each is used"
        warnings.append(f"{file}:{repeated[0]}: {what}: {_places(repeated)}")
    if strange:
        warnings.append(f"{file}:{strange[0]}: lines of another session were skipped: {_places(strange)}")
    return RecordFile(session, tuple(measurements.values()), end, tuple(warnings), tuple(resumed))


def _places(numbers: list[int]) -> str:
    """Line numbers for people.

    >>> _places([3]), _places([3, 4, 9, 10, 11])
    ('line 3', 'lines 3, 4, 9 and 2 more')
    """
    shown = ", ".join(map(str, numbers[:3]))
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return f"line{'s' * (len(numbers) > 1)} {shown}{more}"


def check_schema(record: bytes | msgspec.Raw, file: str, number: int | None = None, *, again: str) -> None:
    """Refuse another schema before strict decoding, which would only say that some field is unknown; `again` says how
    to make records of this one."""
    try:
        schema = decode_json(record, dict[str, object]).get("schema")
    except msgspec.DecodeError:
        return  # the strict decoder says it better
    if isinstance(schema, int) and schema != SCHEMA:
        raise SuiteError(f"records of schema {schema}, not {SCHEMA}", file=file, line=number, hint=again)


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


def frame(*records: RecordFile) -> polars.DataFrame:
    """One row for each measurement of the sessions, without floors, with raw values: seconds, bytes and counts.

    Columns are the fields of the records; those of a nested record have its name before a dot (`phases.solve_s`,
    `usage.cpu_s`, `counters.inferences`), and lists stay lists. `kind` is the type of the record (`run`, `playing`,
    ...); `suite`, `session`, `host` and `cpu_limit_s` come from the header, and `query_s` is the time of the cold
    query, grounding and solving. Null is what was not measured. Raises HexlogicError without polars.
    """
    need("frame")
    import polars

    rows = []
    for file in records:
        session = file.session
        names = {"suite": session.suite, "session": session.session, "host": session.host}
        for measurement in file.measurements:
            fields = msgspec.to_builtins(measurement)
            figures = {"cpu_limit_s": session.limits.cpu_s, "query_s": measurement.phases.query_s}
            rows.append({"kind": fields.pop("record"), **fields, **names, **figures})
    return polars.json_normalize(rows, separator=".", infer_schema_length=None)


SUITE = "in-process"
"""The suite that these records are of."""

_HOW = "run pytest benchmarks/ --benchmark-only --benchmark-json FILE"


class Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What benchmarks/conftest.py adds to the file: the session's header, and the runs that were not repeated."""

    session: Session
    left_out: list[Run]


class _Stats(msgspec.Struct):
    data: Annotated[list[Annotated[float, msgspec.Meta(gt=0)]], msgspec.Meta(min_length=1)] | None = None


class _Benchmark(msgspec.Struct):
    fullname: str
    stats: _Stats
    extra_info: dict[str, msgspec.Raw]


class _File(msgspec.Struct):
    datetime: str
    benchmarks: list[_Benchmark]
    hexlogic: msgspec.Raw = msgspec.Raw()


def read_benchmarks(path: Path) -> RecordFile:
    """Read a JSON file of pytest-benchmark: its queries are runs. Raises SuiteError, with the file, for something else,
    without rounds, without what hexlogic adds to it, and of another schema of records."""
    with readable(path, "benchmarks", SuiteError):
        content = path.read_bytes()
    try:
        file = decode_json(content, _File)
        if not bytes(file.hexlogic):
            raise SuiteError("benchmarks, but none of hexlogic's: no session header", file=str(path), hint=_HOW)
        header = decode_json(file.hexlogic, dict[str, msgspec.Raw]).get("session", msgspec.Raw())
        check_schema(header, str(path), again="measure again")
        stored = decode_json(file.hexlogic, Stored)
        runs, others = list(stored.left_out), dict[str, tuple[float, ...]]()
        for benchmark in file.benchmarks:
            if (rounds := benchmark.stats.data) is None:
                what = f"{benchmark.fullname} has no rounds"
                raise SuiteError(what, file=str(path), hint="--benchmark-json keeps them")
            if (query := benchmark.extra_info.get("hexlogic")) is not None:
                runs.append(run_of_rounds(decode_json(query, Run), rounds))
            else:
                others[benchmark.fullname] = (statistics.median(rounds),)
    except msgspec.DecodeError as error:
        raise SuiteError(f"not benchmarks of hexlogic: {error}", file=str(path), hint=_HOW) from None
    warning = (
        f"{path.name}: times inside one process, by pytest-benchmark: the same query asked again and again, the "
        "median of its rounds as one repeat, and not the first answer in a fresh process."
    )
    wrong = sum(run.category == "wrong" for run in runs)
    end = End(finished=file.datetime, reason="completed", runs=len(runs), wrong=wrong)
    return RecordFile(stored.session, tuple(runs), end, (warning,), (), 1, others)


def benchmark_files(path: Path) -> list[Path]:
    """The files of pytest-benchmark that a path means: itself, or those in a folder that holds no records."""
    if path.is_dir() and not (path / FILE_NAME).exists():
        return sorted(path.glob("*.json"))
    return [path] if path.suffix == ".json" else []


def merge_benchmarks(paths: Sequence[Path]) -> RecordFile:
    """Several files as repeats of one measurement, by the header of the first. Raises SuiteError as `read_benchmarks`,
    and for a file that is there twice."""
    files = [read_benchmarks(path) for path in paths]
    names: dict[str, Path] = {}
    for path, file in zip(paths, files, strict=True):
        if (other := names.setdefault(file.session.session, path)) is not path:
            raise SuiteError(f"the same session as {other}", file=str(path), hint="run pytest again for each file")
    others: dict[str, tuple[float, ...]] = {}
    for file in files:
        others |= {name: (*others.get(name, ()), *times) for name, times in file.others.items()}
    runs = tuple(run for file in files for run in file.runs)
    warnings = tuple(text for file in files for text in file.warnings)
    return replace(files[0], records=runs, warnings=warnings, processes=len(files), others=others)


def run_of_rounds(first: Run, rounds: Sequence[float]) -> Run:
    """The rounds (seconds) of a query as one repeat of its `first` run, whose own times and usage are left behind."""
    return msgspec.structs.replace(
        first,
        warmup=False,
        repeat=0,
        counted=True,
        phases=Phases(solve_s=statistics.median(rounds)),
        asked_cpu_s=None,
        warm_query_s=None,
        warm_queries=0,
        usage=Measured(cpu_s=None, wall_s=None, peak_bytes=None),
        machine=Load(),
    )

"""Read what `pytest benchmarks/ --benchmark-json FILE` wrote: in-process queries as runs, everything else as times.

pytest-benchmark times one process, where one round follows another. Rounds are no independent repeats: what disturbs
the process, such as its layout in memory, is in all of them. So the median of all rounds of a file is one repeat, and
only several files, each from a process of its own, tell how much the times scatter.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.store import FILE_NAME, RecordFile, check_schema
from hexlogic.laboratory.records.types import End, Measured, Phases, Run, Session
from hexlogic.process.files import decode_json, readable
from hexlogic.process.limits import Load

SUITE = "in-process"
"""The suite that these records are of."""

_HOW = "run pytest benchmarks/ --benchmark-only --benchmark-json FILE"


class Stored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What benchmarks/conftest.py adds to the file: the session's header, and the runs that were not repeated."""

    session: Session
    left_out: list[Run]


@dataclass(frozen=True, slots=True)
class BenchmarkFile:
    """The queries as the records of a session; `others` are seconds of everything else, by the benchmark's name."""

    records: RecordFile
    others: dict[str, tuple[float, ...]]


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


def read_benchmarks(path: Path) -> BenchmarkFile:
    """Read a JSON file of pytest-benchmark. Raises SuiteError, with the file, for one that is not, that holds no
    rounds, that lacks what hexlogic adds to it, or that another schema of records wrote."""
    with readable(path, "benchmarks", SuiteError):
        content = path.read_bytes()
    try:
        file = decode_json(content, _File)
        if not bytes(file.hexlogic):
            raise SuiteError("benchmarks, but none of hexlogic's: no session header", file=str(path), hint=_HOW)
        check_schema(decode_json(file.hexlogic, _Session).session, str(path), again="measure again")
        stored = decode_json(file.hexlogic, Stored)
        runs, others = list(stored.left_out), dict[str, tuple[float, ...]]()
        for benchmark in file.benchmarks:
            if (rounds := benchmark.stats.data) is None:
                raise SuiteError(
                    f"{benchmark.fullname} has no rounds", file=str(path), hint="--benchmark-json keeps them"
                )
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
    return BenchmarkFile(RecordFile(stored.session, tuple(runs), end, (warning,)), others)


def benchmark_files(path: Path) -> list[Path]:
    """The files of pytest-benchmark that a path means: itself, or those in a folder that holds no records."""
    if path.is_dir() and not (path / FILE_NAME).exists():
        return sorted(path.glob("*.json"))
    return [path] if path.suffix == ".json" else []


def merge_benchmarks(paths: Sequence[Path]) -> BenchmarkFile:
    """Several files as repeats of one measurement, by the header of the first.

    Raises SuiteError as `read_benchmarks`, and for a file that is there twice.
    """
    files = [read_benchmarks(path) for path in paths]
    names: dict[str, Path] = {}
    for path, file in zip(paths, files, strict=True):
        if (other := names.setdefault(file.records.session.session, path)) is not path:
            raise SuiteError(f"the same session as {other}", file=str(path), hint="run pytest again for each file")
    first, others = files[0].records, dict[str, tuple[float, ...]]()
    for file in files:
        others |= {name: (*others.get(name, ()), *times) for name, times in file.others.items()}
    runs = tuple(run for file in files for run in file.records.runs)
    warnings = tuple(text for file in files for text in file.records.warnings)
    return BenchmarkFile(RecordFile(first.session, runs, first.end, warnings), others)


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


class _Session(msgspec.Struct):
    session: msgspec.Raw

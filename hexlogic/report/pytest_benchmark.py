"""Read what `pytest benchmarks/ --benchmark-json FILE` wrote: in-process queries as runs, everything else as times.

pytest-benchmark times one process, where one round follows another. Rounds are no independent repeats: what disturbs
one disturbs its neighbours. So they are cut, in their order, into a few batches, and the median of a batch counts as
one repeat (the method of batch means, with medians).
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from hexlogic.errors import SuiteError
from hexlogic.process.load import Load
from hexlogic.report.marks import explain_marks
from hexlogic.report.stats import summarise
from hexlogic.report.tables import make_tables
from hexlogic.report.text import render_table, wrapped
from hexlogic.report.words import seconds
from hexlogic.runs.records import SCHEMA, End, Measured, Phases, Run, Session
from hexlogic.runs.store import RecordFile

__all__ = ["SUITE", "BenchmarkFile", "Stored", "batches", "benchmark_report", "read_benchmarks", "runs_of_rounds"]

SUITE = "in-process"
"""The suite that these records are of."""

BATCHES = 10

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
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SuiteError(f"cannot read benchmarks: {(error.strerror or str(error)).lower()}", file=str(path)) from None
    try:
        file = msgspec.json.decode(content, type=_File)
        if not bytes(file.hexlogic):
            raise SuiteError("benchmarks, but none of hexlogic's: no session header", file=str(path), hint=_HOW)
        _check_schema(file.hexlogic, path)
        stored = msgspec.json.decode(file.hexlogic, type=Stored)
        runs, others = list(stored.left_out), dict[str, tuple[float, ...]]()
        for benchmark in file.benchmarks:
            if benchmark.stats.data is None:
                raise SuiteError(
                    f"{benchmark.fullname} has no rounds", file=str(path), hint="--benchmark-json keeps them"
                )
            if "hexlogic" in benchmark.extra_info:
                first = msgspec.json.decode(benchmark.extra_info["hexlogic"], type=Run)
                runs += runs_of_rounds(first, benchmark.stats.data)
            else:
                others[benchmark.fullname] = batches(benchmark.stats.data)
    except msgspec.DecodeError as error:
        raise SuiteError(f"not benchmarks of hexlogic: {error}", file=str(path), hint=_HOW) from None
    warning = (
        f"{path.name}: times inside one process, by pytest-benchmark: the same query asked again and again, each "
        "repeat the median of a batch of rounds, and not the first answer in a fresh process."
    )
    wrong = sum(run.category == "wrong" for run in runs)
    end = End(finished=file.datetime, reason="completed", runs=len(runs), wrong=wrong)
    return BenchmarkFile(RecordFile(stored.session, tuple(runs), end, (warning,)), others)


def batches(rounds: Sequence[float]) -> tuple[float, ...]:
    """The medians of at most ten batches of neighbouring rounds, as equal in size as can be.

    >>> batches([1.0, 2.0]), batches([float(number // 3) for number in range(30)])[:3]
    ((1.0, 2.0), (0.0, 1.0, 2.0))
    """
    count = min(BATCHES, len(rounds))
    cuts = [len(rounds) * number // count for number in range(count + 1)]
    return tuple(statistics.median(rounds[low:high]) for low, high in itertools.pairwise(cuts))


def runs_of_rounds(first: Run, rounds: Sequence[float]) -> tuple[Run, ...]:
    """The rounds (seconds) of a query as repeats of its `first` run, whose own times and usage are left behind."""
    return tuple(
        msgspec.structs.replace(
            first,
            key=f"{first.key}-{number}",
            warmup=False,
            repeat=number,
            counted=True,
            phases=Phases(solve_s=time_s),
            asked_cpu_s=None,
            warm_query_s=None,
            warm_queries=0,
            usage=Measured(cpu_s=None, wall_s=None, peak_bytes=None),
            machine=Load(),
        )
        for number, time_s in enumerate(batches(rounds))
    )


def benchmark_report(records: RecordFile) -> str:
    """The tables of `hexlogic bench` for in-process queries, and how to read them."""
    cells = summarise(records.runs)
    tables, remarks = make_tables(cells, records.session)
    legend = (
        "time: a query to a program loaded before, asked again and again in one process; RSF: the slowest time of the "
        "same reformulation and engine divided by this one. What found no answer in a process of its own within "
        f"{seconds(records.session.limits.cpu_s)} of CPU, building and loading included, was not asked again."
    )
    return "\n\n".join([*map(render_table, tables), *map(wrapped, [*remarks, legend, *explain_marks(cells)])])


class _Version(msgspec.Struct):
    schema: int | None = None


class _Header(msgspec.Struct):
    session: _Version


def _check_schema(header: msgspec.Raw, path: Path) -> None:
    """Refuse another schema before strict decoding, which would only say that some field is unknown."""
    schema = msgspec.json.decode(header, type=_Header).session.schema
    if schema != SCHEMA:
        raise SuiteError(f"records of schema {schema}, not {SCHEMA}", file=str(path), hint="measure again")

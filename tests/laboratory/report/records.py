"""Synthetic records: cells as short notes, so that a test shows its data in one screen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from hexlogic.laboratory.records.store import RecordFile, decode_record
from hexlogic.laboratory.records.types import (
    SCHEMA,
    Batch,
    Category,
    End,
    EngineInfo,
    Exit,
    Line,
    Measured,
    Phases,
    Played,
    Playing,
    Run,
    Session,
    Status,
    Termination,
    encode_record,
)
from hexlogic.process.limits import Limits

_TERMINATIONS: dict[Status, Termination] = {"timeout": "cpu-limit", "out-of-memory": "memory-limit"}


def session() -> Session:
    """A session with a limit of 10 s: swipl and pydatalog follow the order of a body, clingo does not."""
    return Session(
        schema=SCHEMA,
        session="s",
        started="2019-06-10T12:00:00Z",
        host="here",
        cpu_model=None,
        cores=2,
        memory_bytes=8_000_000_000,
        kernel="Linux",
        governor=None,
        load_1m=None,
        python="CPython",
        hexlogic="0",
        code_hash="c",
        engines={
            name: EngineInfo(version="1", missing=None, dialect=name, order_sensitive=name != "clingo")
            for name in ("swipl", "pydatalog", "clingo")
        },
        commit=None,
        dirty=None,
        seed=1,
        limits=Limits.of(cpu_s=10, memory_mb=2000),
        repeats=5,
        warm_ups=1,
        jobs=1,
        warm_up_jobs=2,
        command=[],
        suite="test",
    )


def run(
    rule_set: str,
    pipeline: str,
    engine: str,
    query_ms: float | None = None,
    *,
    status: Status = "answered",
    category: Category | None = None,
    warmup: bool = False,
    counted: bool = True,
    work: int | None = None,
    program: str | None = None,
    message: str | None = None,
    asked_cpu_s: float | None = 0.5,
    warm_ms: float | None = None,
    complete: bool = True,
    wall_s: float = 1.1,
    cpu_share: float | None = None,
) -> Run:
    """One run; a timeout has used 10 s of CPU, half a second of it before its query. `cpu_share` is the share of the
    query's wall time that its processes had a processor; None as in old records."""
    counter = "ground_rules" if engine == "clingo" else "inferences"
    answered = status == "answered"
    return Run(
        key="k",
        rule_set=rule_set,
        rule_set_hash="h",
        complete=complete,
        game="hex",
        rows=9,
        columns=9,
        pipeline=pipeline,
        program_hash=program or f"{rule_set} {pipeline}",
        engine=engine,
        dialect=None,
        task="difficult-1",
        facts_hash="f",
        query="wins(red)",
        expected=False,
        warmup=warmup,
        repeat=0,
        counted=counted,
        phases=Phases(
            solve_s=None if query_ms is None else query_ms / 1000,
            query_cpu_s=None if query_ms is None or cpu_share is None else query_ms / 1000 * cpu_share,
        ),
        asked_cpu_s=asked_cpu_s,
        warm_query_s=None if warm_ms is None else warm_ms / 1000,
        warm_queries=0 if warm_ms is None else 9,
        usage=Measured(
            cpu_s=10.0 if status == "timeout" else 1.0, wall_s=wall_s + 9 * (status == "timeout"), peak_bytes=None
        ),
        sizes=None,
        counters={} if work is None else {counter: work},
        termination=_TERMINATIONS.get(status, "completed"),
        exit=Exit(code=0 if answered else None, signal=None),
        status=status,
        category=category or ("correct" if answered else "unknown"),
        answer=(category == "wrong") if answered else None,
        message=message,
    )


def thrice(*arguments: Any, **options: Any) -> list[Run]:
    """Three runs that scatter by 1 %; `run` says what the arguments are."""
    rule_set, pipeline, engine, query_ms = arguments
    return [run(rule_set, pipeline, engine, query_ms * jitter, **options) for jitter in (0.99, 1.0, 1.01)]


def records(runs: Iterable[Run], *, reason: str | None = "completed") -> RecordFile:
    """The runs as a file; without a reason the session was cut off."""
    runs = tuple(runs)
    wrong = sum(one.category == "wrong" for one in runs)
    end = None
    if reason is not None:
        end = End(
            finished="2019-06-10T12:01:00Z",
            reason="completed" if reason == "completed" else "interrupted",
            runs=len(runs),
            wrong=wrong,
        )
    return RecordFile(session(), runs, end)


def playing(reasoner: str, batches: Sequence[Batch] | None, sheet: str = "s", rows: int | None = 9) -> Playing:
    """A run that played these batches of red and blue; without any, one that met the limit."""
    text = {
        "record": "playing",
        "key": f"{sheet}{reasoner}{rows}",
        "sheet": sheet,
        "sheet_hash": "h",
        "game": "hex",
        "rows": rows,
        "columns": rows,
        "reasoner": reasoner,
        "seed": 0,
        "longest": 9,
        "program_hash": None,
        "sizes": None,
        "warmup": False,
        "repeat": 0,
        "counted": True,
        "phases": {"transform_s": 0.2},
        "usage": {"cpu_s": 1.0, "wall_s": 1.0, "peak_bytes": 50_000_000},
        "exit": {"code": 0, "signal": None},
        "category": "unknown",
        "started": None,
        "played": None,
    }
    late = {"termination": "cpu-limit", "status": "timeout", "message": "CPU limit reached"}
    good = {"termination": "completed", "status": "answered", "message": None}
    record = decode_record(json.dumps(text | (late if batches is None else good)).encode())
    assert isinstance(record, Playing)
    done = None if batches is None else Played(roles=["red", "blue"], batches=list(batches))
    return msgspec.structs.replace(record, played=done)


def encoded(lines: Iterable[Line]) -> bytes:
    """The bytes of a record file; every run has a key of its own, as a session would give it."""
    keyed = (
        msgspec.structs.replace(line, key=f"k{number}") if isinstance(line, Run | Playing) else line
        for number, line in enumerate(lines)
    )
    return b"".join(encode_record(line) + b"\n" for line in keyed)

"""Records on disk: what is written is read back, whatever stopped the writer."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from hexlogic.errors import SuiteError
from hexlogic.runs.limits import Limits
from hexlogic.runs.records import (
    SCHEMA,
    End,
    EngineInfo,
    Exit,
    Floor,
    Measured,
    Phases,
    Record,
    Run,
    Session,
    decode_record,
    encode_record,
)
from hexlogic.runs.store import read_records
from hexlogic.runs.writer import RecordWriter

SESSION = Session(
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
    python="CPython 3.11",
    hexlogic="0",
    code_hash="c",
    engines={"swipl": EngineInfo(version="9", missing=None, dialect="prolog", order_sensitive=True)},
    commit=None,
    dirty=None,
    seed=1,
    limits=Limits.of(cpu_s=10, memory_mb=1000),
    repeats=5,
    warm_ups=1,
    jobs=1,
    warm_up_jobs=2,
    command=["hexlogic", "bench"],
    suite="quick",
)
RUN = Run(
    key="k",
    rule_set="clusters",
    rule_set_hash="h",
    complete=True,
    game="hex",
    rows=9,
    columns=9,
    pipeline="none",
    program_hash=None,
    engine="swipl",
    dialect=None,
    task="difficult-1",
    facts_hash="f",
    query="wins(red)",
    expected=False,
    warmup=False,
    repeat=0,
    counted=True,
    phases=Phases(transform_s=0.1),
    asked_cpu_s=None,
    warm_query_s=None,
    warm_queries=0,
    usage=Measured(cpu_s=10.1, wall_s=10.2, peak_bytes=None),
    sizes=None,
    counters={},
    termination="cpu-limit",
    exit=Exit(code=None, signal=9),
    status="timeout",
    category="unknown",
    answer=None,
    message=None,
)
FLOOR = Floor(
    engine="swipl",
    repeat=0,
    phases=Phases(start_s=0.1, load_s=0.0, solve_s=0.000002),
    warm_query_s=None,
    warm_queries=0,
    usage=Measured(cpu_s=0.2, wall_s=0.3, peak_bytes=40_000_000),
    status="answered",
    category="correct",
    message=None,
)
END = End(finished="2019-06-10T12:01:00Z", reason="completed", runs=1, wrong=0)


def write(folder: Path, *records: Record) -> Path:
    with RecordWriter(folder) as writer:
        for record in records:
            writer.write(record)
    return writer.path


@pytest.mark.parametrize("record", [SESSION, FLOOR, RUN, END], ids=["session", "floor", "run", "end"])
def test_one_line_and_back(record: Record) -> None:
    line = encode_record(record)
    assert b"\n" not in line
    assert decode_record(line) == record


def test_missing_is_null_not_zero() -> None:
    fields = json.loads(encode_record(RUN))
    assert fields["phases"]["solve_s"] is None
    assert fields["usage"]["peak_bytes"] is None
    assert fields["answer"] is None


def test_unknown_field_is_refused() -> None:
    line = encode_record(END).replace(b'"wrong"', b'"right":1,"wrong"')
    with pytest.raises(msgspec.ValidationError, match="right"):
        decode_record(line)


def test_whole_file(tmp_path: Path) -> None:
    write(tmp_path, SESSION, FLOOR, RUN, END)
    found = read_records(tmp_path)
    assert (found.session, found.runs, found.end, found.warnings) == (SESSION, (RUN,), END, ())
    assert found.floors == (FLOOR,)
    assert read_records(tmp_path / "records.jsonl") == found


def test_each_line_is_there_at_once(tmp_path: Path) -> None:
    with RecordWriter(tmp_path) as writer:
        writer.write(SESSION)
        writer.write(RUN)
        assert read_records(tmp_path).runs == (RUN,)


@pytest.mark.parametrize("cut", [1, 10, len(encode_record(RUN))])
def test_torn_last_line_is_skipped_with_a_warning(tmp_path: Path, cut: int) -> None:
    path = write(tmp_path, SESSION, RUN, RUN)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    found = read_records(tmp_path)
    assert found.runs == (RUN,)
    assert found.end is None
    (warning,) = found.warnings
    assert "torn" in warning
    assert ":3:" in warning


def test_torn_middle_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, SESSION, RUN, RUN)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:40] + b"\n" + lines[2])
    with pytest.raises(SuiteError, match=r"records\.jsonl:2: not a record"):
        read_records(tmp_path)


def test_other_schema_is_refused_in_words(tmp_path: Path) -> None:
    path = write(tmp_path, SESSION)
    fields = {**json.loads(path.read_bytes()), "schema": SCHEMA + 1, "colour": "blue"}
    path.write_text(json.dumps(fields) + "\n")
    with pytest.raises(SuiteError, match=f"schema {SCHEMA + 1}, not {SCHEMA}"):
        read_records(tmp_path)


@pytest.mark.parametrize("text", ["", "no json\n", '{"record": "run"}\n'])
def test_no_records(tmp_path: Path, text: str) -> None:
    (tmp_path / "records.jsonl").write_text(text)
    with pytest.raises(SuiteError):
        read_records(tmp_path)


@pytest.mark.parametrize("lines", [(SESSION, END, RUN), (SESSION, END, FLOOR), (SESSION, SESSION), (FLOOR, SESSION)])
def test_order_of_lines(tmp_path: Path, lines: tuple[Record, ...]) -> None:
    write(tmp_path, *lines)
    with pytest.raises(SuiteError, match="out of place"):
        read_records(tmp_path)


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="cannot read"):
        read_records(tmp_path / "nowhere")


def test_records_are_never_overwritten(tmp_path: Path) -> None:
    write(tmp_path, SESSION)
    with pytest.raises(SuiteError, match="holds records already"):
        RecordWriter(tmp_path)
    assert read_records(tmp_path).session == SESSION


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SuiteError, match="not a folder"):
        RecordWriter(tmp_path / "file")


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SuiteError, match="cannot write records"):
        RecordWriter(tmp_path / "file" / "below")

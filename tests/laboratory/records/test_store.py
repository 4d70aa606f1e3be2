"""Records on disk: what is written is read back, whatever stopped the writer."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import msgspec
import pytest

from hexlogic.errors import SuiteError
from hexlogic.laboratory.records.store import FILE_NAME, RecordWriter, decode_record, read_records
from hexlogic.laboratory.records.types import (
    SCHEMA,
    End,
    EngineInfo,
    Exit,
    Floor,
    Line,
    Measured,
    Phases,
    Run,
    encode_record,
)
from hexlogic.process.limits import Limits
from tests.laboratory.report.records import session

SESSION = msgspec.structs.replace(
    session(),
    python="CPython 3.11",
    engines={"swipl": EngineInfo(version="9", missing=None, dialect="prolog", order_sensitive=True)},
    limits=Limits.of(cpu_s=10, memory_mb=1000),
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
OTHER = msgspec.structs.replace(SESSION, session="t")
ANOTHER_RUN = msgspec.structs.replace(RUN, key="l")


def of(session: str, record: Run | Floor | End) -> Run | Floor | End:
    """The record as the session writes it."""
    return msgspec.structs.replace(record, session=session)


def lay_down(folder: Path, *records: Line) -> Path:
    """A file of these lines as they are, whoever may have written them."""
    path = folder / FILE_NAME
    path.write_bytes(b"".join(encode_record(record) + b"\n" for record in records))
    return path


def write(folder: Path, *records: Line) -> Path:
    with RecordWriter(folder) as writer:
        for record in records:
            writer.write(record)
    return writer.path


@pytest.mark.parametrize("record", [SESSION, FLOOR, RUN, END], ids=["session", "floor", "run", "end"])
def test_one_line_and_back(record: Line) -> None:
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
    assert (found.session, found.runs, found.end) == (SESSION, (of("s", RUN),), of("s", END))
    assert (found.floors, found.warnings) == ((of("s", FLOOR),), ())
    assert read_records(tmp_path / "records.jsonl") == found


def test_each_line_is_there_at_once(tmp_path: Path) -> None:
    with RecordWriter(tmp_path) as writer:
        writer.write(SESSION)
        writer.write(RUN)
        assert read_records(tmp_path).runs == (of("s", RUN),)


@pytest.mark.parametrize("cut", [1, 10, len(encode_record(RUN))])
def test_torn_last_line_is_skipped_with_a_warning(tmp_path: Path, cut: int) -> None:
    path = lay_down(tmp_path, SESSION, RUN, ANOTHER_RUN)
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
def test_order_of_lines(tmp_path: Path, lines: tuple[Line, ...]) -> None:
    write(tmp_path, *lines)
    with pytest.raises(SuiteError, match="out of place"):
        read_records(tmp_path)


def test_records_that_are_there_already_are_told_and_not_used(tmp_path: Path) -> None:
    again = msgspec.structs.replace(RUN, usage=Measured(cpu_s=99.0, wall_s=99.0, peak_bytes=None))
    lay_down(tmp_path, SESSION, FLOOR, FLOOR, RUN, again, ANOTHER_RUN, again, END)
    found = read_records(tmp_path)
    assert found.runs == (RUN, ANOTHER_RUN)
    assert found.floors == (FLOOR,)
    assert found.warnings == (
        f"{tmp_path / FILE_NAME}:3: runs or floors are said again, the first of each is used: lines 3, 5, 7",
    )


def test_lines_of_another_session_are_told_and_not_used(tmp_path: Path) -> None:
    """What two writers on one file used to leave."""
    mixed = [SESSION, OTHER, of("s", RUN), of("t", RUN), of("t", ANOTHER_RUN), of("t", END), of("s", ANOTHER_RUN)]
    lay_down(tmp_path, *mixed)
    found = read_records(tmp_path)
    assert found.session == SESSION
    assert found.runs == (of("s", RUN), of("s", ANOTHER_RUN))
    assert found.end is None
    assert found.warnings == (
        f"{tmp_path / FILE_NAME}:2: lines of another session were skipped: lines 2, 4, 5 and 1 more",
    )


def test_lines_that_do_not_say_whose_they_are_are_not_guessed(tmp_path: Path) -> None:
    lay_down(tmp_path, SESSION, OTHER, RUN)
    with pytest.raises(SuiteError, match=r"records\.jsonl:3: records of two sessions, and the line does not say whose"):
        read_records(tmp_path)


def test_a_session_goes_on_as_itself(tmp_path: Path) -> None:
    path = write(tmp_path, SESSION, RUN)
    with path.open("ab") as file:
        file.write(b'{"record":"ru')
    torn = path.read_bytes()
    with RecordWriter(tmp_path, resume=True) as writer:
        assert writer.before == read_records(tmp_path)
        assert path.read_bytes() == torn, "nothing is changed before the first line is written"
        writer.write(ANOTHER_RUN)
    found = read_records(tmp_path)
    assert found.runs == (of("s", RUN), of("s", ANOTHER_RUN))
    assert found.warnings == ()


def test_a_folder_has_one_writer_at_a_time(tmp_path: Path) -> None:
    with RecordWriter(tmp_path) as writer:
        for resume in (False, True):
            with pytest.raises(SuiteError) as raised:
                RecordWriter(tmp_path, resume=resume)
            if not resume:
                assert f"process {os.getpid()} on" in str(raised.value)
        writer.write(SESSION)
        with pytest.raises(SuiteError, match="is being written to by process"):
            RecordWriter(tmp_path, resume=True)
    RecordWriter(tmp_path, resume=True).close()


def test_a_folder_of_a_session_that_wrote_nothing_is_free(tmp_path: Path) -> None:
    RecordWriter(tmp_path).close()
    write(tmp_path, SESSION)
    assert read_records(tmp_path).session == SESSION


def test_resuming_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="cannot read"):
        RecordWriter(tmp_path / "nowhere", resume=True)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_line_without_room_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """`os.write` of a full disk writes a part, then refuses."""
    path = write(tmp_path, SESSION)
    before, real, left = path.read_bytes(), os.write, [room]

    def full(fd: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(fd, data[: left[0]])
        left[0] -= written
        return written

    with RecordWriter(tmp_path, resume=True) as writer:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(SuiteError) as raised:
            writer.write(RUN)
        monkeypatch.undo()
        assert str(raised.value).startswith(f"{path}: cannot write records: no space left on device (")
        assert path.read_bytes() == before
        writer.write(RUN)
    assert read_records(tmp_path).runs == (of("s", RUN),)


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

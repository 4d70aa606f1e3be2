"""`hexlogic bench` as people and programs call it, on a suite of a second or two."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from hexlogic.cli import run
from hexlogic.laboratory.records import read_records
from hexlogic.laboratory.runs import run as measuring
from hexlogic.laboratory.runs.kinds.floor import FLOOR_REPEATS
from hexlogic.language.engines import load_engine
from hexlogic.process.meters import METERS
from tests.waiting import HANG_S, gone, wait_for_line

SUITE = """
name = "tiny"
boards = ["difficult-1"]
repeats = 2
limits = { cpu_s = 20, memory_mb = 800, wall_s = 3600 }
[[configurations]]
rule_sets = ["clusters", "winning-sets"]
pipelines = ["none", "ground,reorder"]
engines = ["clingo"]
"""

WRONG = """
import json, sys
from hexlogic.laboratory.runs.kind import Message, encode_message
json.load(sys.stdin)
sys.stdout.buffer.write(encode_message(Message(status="answered", answer=True)))
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small suite in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tiny.toml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def test_tables_on_stdout_progress_on_stderr(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--suite", str(suite)]) == 0
    out, err = capsys.readouterr()
    *_, last = out.strip().splitlines()
    path = Path(last.removeprefix("records: "))
    assert path.parts[0] == "results"
    assert path.parts[1].endswith("Z-tiny")
    records = read_records(path)
    assert records.end is not None
    assert records.end.reason == "completed"
    assert records.session.command[0] == "hexlogic"
    assert "clusters" in out
    assert "winning-sets: no engine can run it here" in out
    assert max(map(len, out.splitlines()[:-1])) <= 100
    assert "warm-ups: 4 runs" in err
    assert "repeats: 4 runs" in err
    assert len(err.splitlines()) < 20


@pytest.mark.takes_seconds
def test_json_for_programs(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--suite", str(suite), "--json", "--repeats", "1", "--out", "here", "--jobs", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["records"] == str(Path("here") / "records.jsonl")
    assert (data["wrong"], data["interrupted"]) == (0, False)
    assert {cell["status"] for cell in data["cells"]} == {"answered", "unsupported"}


def test_wrong_answer_is_status_1(
    suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "WORKER", (sys.executable, "-c", WRONG))
    assert run(["bench", "--suite", str(suite)]) == 1
    out, err = capsys.readouterr()
    assert "WRONG ANSWER: clusters" in out
    assert "4 runs gave a wrong answer" in err


@pytest.mark.takes_seconds
def test_missing_engine_is_said_once_and_the_rest_runs(
    suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(load_engine("swipl")), "missing", lambda self: "swipl is not on the PATH; get it")
    assert run(["bench", "--suite", str(suite), "--engines", "swipl,clingo", "--repeats", "1"]) == 0
    out, err = capsys.readouterr()
    assert (out + err).count("swipl is not on the PATH; get it") == 1
    assert "clingo" in out


def test_nothing_but_missing_engines(
    suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(load_engine("swipl")), "missing", lambda self: "not here")
    assert run(["bench", "--suite", str(suite), "--engines", "swipl"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip() == "no engine of the suite can run here (swipl: not here)"
    assert not Path("results").exists()


def test_folder_is_tried_before_the_first_run(
    suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "run_job", lambda *_, **__: pytest.fail("a run was made"))
    Path("taken").write_text("")
    assert run(["bench", "--suite", str(suite), "--out", "taken/below"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("cannot write records to taken/below")
    assert err.count("\n") == 1


@pytest.mark.takes_seconds
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_readable_file(suite: Path, number: int) -> None:
    """The real command, stopped by a real signal while a query that takes hours is on."""
    suite.write_text(SUITE.replace('["clusters", "winning-sets"]', '["clusters", "power-set"]'), encoding="utf-8")
    command = [sys.executable, "-m", "hexlogic", "bench", "--suite", str(suite), "--engines", "pydatalog"]
    process = subprocess.Popen([*command, "--out", "out"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    path = Path("out") / "records.jsonl"
    try:
        wait_for_line(path, b'"record":"run"', process)
        children = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, number)
        out, err = process.communicate(timeout=HANG_S)
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert err.splitlines()[-1] == "interrupted"
    assert "cut off after" in out
    records = read_records(path)
    assert records.end is not None
    assert records.end.reason == "interrupted"
    assert records.end.runs == len(records.runs) >= 1
    assert gone(children)


@pytest.mark.takes_seconds
def test_floors_marks_and_meter_of_a_session(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The floor of each engine is measured before the first run; resuming measures none again."""
    suite.write_text(SUITE.replace("winning-sets", "follow-line-tabled"), encoding="utf-8")
    assert run(["bench", "--suite", str(suite), "--repeats", "1", "--out", "out"]) == 0
    records = read_records(Path("out"))
    assert [(floor.engine, floor.category) for floor in records.floors] == [("clingo", "correct")] * FLOOR_REPEATS
    assert records.session.meter == "psutil"
    assert run(["bench", "--suite", str(suite), "--repeats", "1", "--out", "out", "--resume"]) == 0
    assert read_records(Path("out")).floors == records.floors
    capsys.readouterr()


@pytest.mark.parametrize("executor", ["local", "dask"])
def test_meter_that_cannot_be_used_is_said_before_anything_is_made(
    suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, executor: str
) -> None:
    absent = replace(METERS["benchexec"], missing=lambda: "no control groups")
    monkeypatch.setitem(METERS, "benchexec", absent)
    assert run(["bench", "--suite", str(suite), "--meter", "benchexec", "--executor", executor]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "meter benchexec" in err
    assert not Path("results").exists()

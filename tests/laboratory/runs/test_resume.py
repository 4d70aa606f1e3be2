"""Sessions that were cut off and go on: nothing lost, nothing measured twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import psutil
import pytest

from hexlogic.cli import run
from hexlogic.laboratory.records import read_records
from hexlogic.laboratory.records.types import Session
from tests.waiting import HANG_S, gone, wait_for

SUITE = """
name = "tiny"
boards = {boards}
repeats = {repeats}
limits = {{ cpu_s = {cpu_s}, memory_mb = 800, wall_s = 3600 }}
[[configurations]]
rule_sets = ["clusters", "power-set"]
pipelines = ["none"]
engines = ["clingo", "pydatalog"]
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of 8 cells in the current folder, each surely on its side of the limit on a slow or busy machine too.

    pyDatalog takes minutes for the power set on 9x9, and a second for any other cell.
    """
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tiny.toml"
    boards = [f"difficult-1@{size}" for size in (3, 9)]
    path.write_text(SUITE.format(boards=json.dumps(boards), repeats=2, cpu_s=6), encoding="utf-8")
    return path


def bench(suite: Path, *more: str) -> list[str]:
    return ["bench", "--suite", str(suite), "--out", "out", *more]


@pytest.mark.takes_seconds
def test_killed_without_warning_and_resumed(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The real command killed with SIGKILL again and again, then resumed to the end: each run is there once."""
    path, kills, lines = Path("out/records.jsonl"), 0, 0
    while True:
        command = [sys.executable, "-m", "hexlogic", *bench(suite, *(["--resume"] if path.exists() else []))]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if kills == 2:
            assert process.wait(HANG_S) == 0
            break
        least = lines + 5
        wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= least, process)  # noqa: B023
        children = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert gone(children)
        kills += 1
        with path.open("ab") as file:
            file.write(b'{"record":"run","key":"torn')
        lines = path.read_bytes().count(b"\n")
    records = read_records(path)
    assert len(records.resumed) == 2
    assert records.end is not None
    assert (records.end.reason, records.end.runs) == ("completed", len(records.runs))
    assert max(Counter(run.key for run in records.runs).values()) == 1
    assert not records.warnings

    # The same suite in one go makes the same runs, by key.
    assert run(["bench", "--suite", str(suite), "--out", "whole"]) == 0
    whole = read_records(Path("whole"))
    answered = [{run.key for run in file.runs if run.status == "answered"} for file in (records, whole)]
    assert answered[0] == answered[1]
    assert {run.status for run in records.runs} > {"answered"}
    capsys.readouterr()

    # A finished session has nothing left to do.
    assert run(bench(suite, "--resume")) == 0
    assert f"resumed: {len(records.runs)} runs" in capsys.readouterr().err
    assert read_records(path).runs == records.runs


def test_resume_without_a_folder_takes_the_last(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite.write_text(SUITE.format(boards='["difficult-1@3"]', repeats=1, cpu_s=20), encoding="utf-8")
    assert run(["bench", "--suite", str(suite), "--engines", "clingo"]) == 0
    assert run(["bench", "--suite", str(suite), "--engines", "clingo", "--resume"]) == 0
    assert len(list(Path("results").iterdir())) == 1
    capsys.readouterr()


def test_nothing_to_resume(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["bench", "--suite", str(suite), "--resume"], bench(suite, "--resume")):
        assert run(command) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--limit", "19"], "limits 20 s CPU"),
        (["--repeats", "2"], "repeats 1, now 2"),
        (["--engines", "pydatalog"], "clingo"),
    ],
)
def test_another_plan_is_no_resumption(
    suite: Path, capsys: pytest.CaptureFixture[str], change: list[str], words: str
) -> None:
    suite.write_text(SUITE.format(boards='["difficult-1@3"]', repeats=1, cpu_s=20), encoding="utf-8")
    assert run(bench(suite, "--engines", "clingo")) == 0
    before = Path("out/records.jsonl").read_bytes()
    capsys.readouterr()
    assert run([*bench(suite, "--engines", "clingo", "--resume"), *change]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
    assert Path("out/records.jsonl").read_bytes() == before


@pytest.mark.takes_seconds
def test_changed_code_is_another_session(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite.write_text(SUITE.format(boards='["difficult-1@3"]', repeats=1, cpu_s=20), encoding="utf-8")
    assert run(bench(suite, "--engines", "clingo")) == 0
    path = Path("out/records.jsonl")
    header, *rest = path.read_bytes().splitlines(keepends=True)
    changed = {**json.loads(header), "code_hash": "of other code"}
    path.write_bytes(json.dumps(changed).encode() + b"\n" + b"".join(rest))
    assert isinstance(read_records(path).session, Session)
    capsys.readouterr()
    assert run(bench(suite, "--engines", "clingo", "--resume")) == 2
    assert "code of other code" in capsys.readouterr().err

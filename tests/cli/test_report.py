"""`hexlogic report`: what it writes, its exit statuses, and one line for what it cannot use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TINY = """
name = "tiny"
boards = ["small"]
repeats = 1
[limits]
cpu_s = 20
memory_mb = 1000
wall_s = 3600
[[configurations]]
rule_sets = ["follow-line-tabled", "clusters"]
pipelines = ["none", "ground,reorder"]
engines = ["clingo"]
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of a suite of four configurations, really measured."""
    folder = tmp_path_factory.mktemp("measured")
    (folder / "tiny.toml").write_text(TINY)
    command = [sys.executable, "-m", "hexlogic", "bench", "--suite", str(folder / "tiny.toml")]
    done = subprocess.run([*command, "--out", str(folder / "records")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "records"


def test_a_report_of_what_was_measured(cli, measured, tmp_path):
    outcome = cli("report", str(measured), "--out", str(tmp_path / "out"))
    assert (outcome.status, outcome.out) == (0, f"{tmp_path / 'out' / 'index.html'}\n")
    assert "tables" in outcome.err
    text = (tmp_path / "out" / "report.md").read_text()
    assert "The answer: what to write, and what to apply to it" in text
    assert "| clusters | clingo | small |" in text
    session = (tmp_path / "out" / "tables" / "sessions.csv").read_text()
    assert "bench --suite" in session
    first = (tmp_path / "out" / "index.html").read_bytes()
    assert cli("report", str(measured), "-o", str(tmp_path / "out")).status == 0
    assert (tmp_path / "out" / "index.html").read_bytes() == first


def test_a_wrong_answer_is_status_1(cli, measured, tmp_path):
    lines = (measured / "records.jsonl").read_text().splitlines()
    (tmp_path / "in").mkdir()
    changed = [line.replace('"category":"correct"', '"category":"wrong"') for line in lines]
    assert changed != lines
    (tmp_path / "in" / "records.jsonl").write_text("\n".join(changed) + "\n")
    outcome = cli("report", str(tmp_path / "in"), "--out", str(tmp_path / "out"))
    assert outcome.status == 1
    assert "WRONG ANSWER: clusters, none, clingo, small, wins(red)" in outcome.err
    assert (tmp_path / "out" / "index.html").exists()


@pytest.mark.takes_seconds
def test_proofs_are_stored_and_read(cli, measured, tmp_path):
    outcome = cli("prove", "--all", "--size", "2", "--out", str(tmp_path / "proofs"))
    assert outcome.status == 0
    assert "proofs-hex-2x2.json" in outcome.err
    again = cli("prove", "--all", "--size", "2", "--out", str(tmp_path / "proofs")).refused()
    assert "is there already (give another folder with --out)" in again
    stored = json.loads((tmp_path / "proofs" / "proofs-hex-2x2.json").read_text())
    assert (stored["schema"], stored["as_declared"], stored["rows"]) == (1, True, 2)
    outcome = cli("report", str(measured), str(tmp_path / "proofs"), "--out", str(tmp_path / "out"))
    assert outcome.status == 0
    assert "On every position of 2x2 Hex: " in (tmp_path / "out" / "report.md").read_text()
    assert cli("report", str(tmp_path / "proofs"), "--out", str(tmp_path / "only")).status == 0
    assert "On every position of 2x2 Hex: " in (tmp_path / "only" / "report.md").read_text()
    assert "--out stores what --all proves" in cli("prove", "clusters", "clusters", "-s", "2", "--out", "x").refused()
    (tmp_path / "file").write_text("")
    line = cli("prove", "--all", "--size", "2", "--out", str(tmp_path / "file")).refused()
    assert line.startswith(f"{tmp_path / 'file'} is not a folder")


def test_what_cannot_be_used_is_one_line(cli, measured, tmp_path):
    (tmp_path / "empty").mkdir()
    out = ["--out", str(tmp_path / "out")]
    assert cli("report", str(tmp_path / "empty"), *out).refused().startswith(f"no records in {tmp_path / 'empty'} (hex")
    assert "cannot read records" in cli("report", str(tmp_path / "absent"), *out).refused()
    assert "hold the same session" in cli("report", str(measured), str(measured), *out).refused()
    assert "Missing argument 'DIR...'" in cli("report").refused()
    (tmp_path / "file").write_text("")
    line = cli("report", str(measured), "--out", str(tmp_path / "file")).refused()
    assert line == f"{tmp_path / 'file'} is not a folder (give another folder with --out)"
    below = tmp_path / "file" / "out"
    line = cli("report", str(measured), "--out", str(below)).refused()
    assert line == f"cannot write a report to {below}: not a directory (give another folder with --out)"


def test_two_hosts_are_not_mixed_unless_told(cli, measured, tmp_path):
    first, *rest = (measured / "records.jsonl").read_text().splitlines()
    header = {**json.loads(first), "host": "elsewhere", "session": "0"}
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "records.jsonl").write_text("\n".join([json.dumps(header), *rest]) + "\n")
    arguments = ["report", str(measured), str(tmp_path / "two"), "--out", str(tmp_path / "out")]
    line = cli(*arguments).refused()
    assert (
        "measured the suite tiny with different hosts (they share no configuration: report each by itself, or --mix"
        in line
    )
    assert cli(*arguments, "--mix").status == 0
    assert "mixes sessions with different hosts" in (tmp_path / "out" / "report.md").read_text()

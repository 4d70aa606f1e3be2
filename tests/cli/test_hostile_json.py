"""JSON from outside that is nested thousands deep, or holds numbers of thousands of digits: one line, exit status 2."""

from __future__ import annotations

import ast
import contextlib
from pathlib import Path

import msgspec
import pytest

import hexlogic
from hexlogic.process.files import decode_json

PACKAGE = Path(hexlogic.__file__).parent
DEEP = "[" * 3_000 + "]" * 3_000
HOSTILE = {
    "nested": DEEP,
    "nested in a key": f'{{"schema": 1, "record": "session", "more": {DEEP}, "red": {DEEP}}}',
    "never closed": '{"a":' * 50_000,
    "digits": f'{{"schema": {"7" * 5_000}}}',
    "half": '{"schema": 1',
}
# What reads JSON that a program of ours has just written, or as the standard library alone can.
OWN = {
    "cli/boards.py",
    "games/notation.py",
    "language/engines/epilog.py",
    "players/solver/checker.py",
    "process/call.py",
    "process/files.py",
    "process/forks.py",
    "proofs/matrix.py",
    "laboratory/report/charts.py",
    "laboratory/runs/kind.py",
    "laboratory/runs/worker.py",
    "web/in_page/clingo_module.py",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("solve", "--check", "FILE"), "c.json"),
        (("win", "FILE"), "position.json"),
        (("convert", "FILE", "--to", "sgf"), "game.json"),
        (("report", "FILE"), "records.jsonl"),
        (("report", "FILE"), "benchmarks.json"),
        (("compare", "FILE", "FILE"), "records.jsonl"),
        (("compare", "FILE", "FILE"), "benchmarks.json"),
        (
            ("tournament", "--players", "random,bridge", "--size", "3", "--resume", "--out", "FOLDER"),
            "tournament.jsonl",
        ),
        (("bench", "--resume", "--out", "FOLDER"), "records.jsonl"),
        (("report", "FOLDER"), "proofs-hex-3x3.json"),
        (("report", "FOLDER"), "reformulated-a.json"),
        (("report", "FOLDER"), "predictions-a.json"),
        (("play", "FOLDER"), "tournament.jsonl"),
        (("play", "FOLDER"), "matches.jsonl"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else value,
)
def test_one_line_and_status_2(cli, monkeypatch, tmp_path, command, name, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text if name != "matches.jsonl" else f'{{"sheet_sha256": {text}}}\n{{}}\n')
    if name.endswith("l"):
        (tmp_path / name).write_text((tmp_path / name).read_text() + "\n{}\n")
    line = cli(*(name if word == "FILE" else "." if word == "FOLDER" else word for word in command)).refused()
    assert name in line
    assert len(line) < 400
    assert "internal" not in line


@pytest.mark.parametrize("text", [f"boards = {DEEP}", f"repeats = {'7' * 5_000}", "boards = [" + "{a=" * 3_000])
def test_a_suite_in_one_line(cli, tmp_path, text):
    (tmp_path / "own.toml").write_text(text)
    assert cli("bench", "--suite", str(tmp_path / "own.toml")).refused().startswith(f"{tmp_path}/own.toml:1")


@pytest.mark.parametrize("kind", [dict, list, object, str, msgspec.Raw | dict])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_only_one_error_comes_of_it(text, kind):
    for content in (text, text.encode(), b'{"a": "\xff"}', '{"a": "\\ud800"}'):
        with contextlib.suppress(msgspec.DecodeError):
            assert decode_json(content, kind)


def test_json_from_outside_is_decoded_in_one_place() -> None:
    """Each other file that decodes JSON is known to read what a program of ours wrote."""
    reading = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called.endswith(("json.loads", "json.load", "json.decode", "json.Decoder", "JSONDecoder")):
                reading.add(path.relative_to(PACKAGE).as_posix())
    assert reading == OWN

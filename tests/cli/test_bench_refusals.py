"""`hexlogic bench` refuses what it cannot measure before it runs or writes anything."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--suite", "nope"], "unknown suite 'nope' (known: "),
        (["--suite", "nope.toml"], "nope.toml: cannot read the suite"),
        (["--engines", "clingoo"], "unknown engine 'clingoo' (did you mean clingo?)"),
        (["--engines", ","], "unknown engine '' (known: "),
        (["--limit", "0"], "a CPU limit of 0 leaves nothing to run"),
        (["--limit", "abc"], "Invalid value for '--limit'"),
        (["--memory", "-1"], "a memory limit of -1 leaves nothing to run"),
        (["--repeats", "0"], "0 repeats measure nothing"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
    ],
)
def test_refused_in_one_line_and_nothing_written(cli, monkeypatch, tmp_path, arguments, line):
    monkeypatch.chdir(tmp_path)
    assert cli("bench", *arguments).refused().startswith(line)
    assert not list(tmp_path.iterdir())


SUITE = """name = "mine"
boards = ["difficult-1"]

[limits]
cpu_s = 1
memory_mb = 500

[[configurations]]
rule_sets = ["clusters"]
pipelines = ["none"]
engines = ["clingo"]
"""


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"clusters"', '"cluster"', "mine.toml:9"),
        ('"none"', '"grund"', "mine.toml:10"),
        ('"clingo"', '"clingoo"', "mine.toml:11"),
        ('"difficult-1"', '"difficult-9"', "mine.toml:2"),
        ("cpu_s = 1", "cpu_s = 0", "mine.toml:5"),
        ("cpu_s = 1", "cpus = 1", "mine.toml:5"),
        ("[limits]", "[limits", "mine.toml:4"),
    ],
)
def test_a_slip_in_a_suite_is_named_with_its_line(cli, monkeypatch, tmp_path, old, new, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(SUITE.replace(old, new))
    assert cli("bench", "--suite", "mine.toml").refused().startswith(line)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]

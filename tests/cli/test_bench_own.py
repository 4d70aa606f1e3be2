"""`hexlogic bench` without a suite file: one's own rules and boards, the dry run, and everything in one go."""

from __future__ import annotations

import csv
import shlex
from pathlib import Path

import pytest

from hexlogic.cli.bench import steps
from hexlogic.games.rulesets import load_rule_set
from hexlogic.laboratory.records import read_records
from tests.checkout import CHECKOUT


@pytest.mark.takes_seconds
def test_ones_own_rules_on_ones_own_board(cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("mine.lp").write_text(load_rule_set("follow-line-tabled").text.replace("follow-line-tabled", "mine"))
    Path("my-board.txt").write_text("R R R\n. B .\n. . B\n")
    outcome = cli(
        *("bench", "--rules", "mine.lp,clusters", "--boards", "my-board.txt", "--pipelines", "none,ground+reorder"),
        *("--engines", "clingo", "--repeats", "2", "--limit", "20", "--out", "records"),
    )
    assert outcome.status == 0, outcome.err
    records = read_records(Path("records"))
    assert {(run.rule_set, run.pipeline) for run in records.runs} == {
        (rules, pipeline) for rules in ("mine", "clusters") for pipeline in ("none", "ground,reorder")
    }
    assert {run.answer for run in records.runs} == {True}
    assert records.session.suite == "own"
    assert cli("report", "records", "--out", "report").status == 0
    assert "One's own" in Path("report/report.md").read_text(encoding="utf-8")


def test_a_dry_run_lists_and_estimates_and_writes_nothing(cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    outcome = cli("bench", "--rules", "clusters", "--engines", "clingo", "--dry-run")
    assert outcome.status == 0
    assert outcome.out.splitlines() == [
        "clusters none clingo difficult-1 red",
        "clusters ground,reorder clingo difficult-1 red",
    ]
    assert outcome.err.startswith("2 configurations, ")
    assert " to " in outcome.err
    assert not list(tmp_path.iterdir())


def test_everything_is_listed(cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    outcome = cli("bench", "--suite", "everything", "--dry-run", "--out", "all")
    lines = outcome.out.splitlines()
    assert outcome.status == 0
    assert len(lines) == len(steps(Path("all"))) + 1
    assert lines[0] == "$ hexlogic bench --suite quick --out all/quick"
    assert lines[-1].startswith("$ hexlogic report all/quick ")
    assert not list(tmp_path.iterdir())


def test_everything_under_other_limits(cli):
    outcome = cli("bench", "--suite", "everything", "--dry-run", "--out", "all", "--limit", "4", "--repeats", "2")
    lines = outcome.out.splitlines()
    assert lines[1] == "$ hexlogic bench --suite paper --limit 4 --repeats 2 --out all/paper"
    # Sheets have to start, and runs over many positions have a length of their own.
    assert "$ hexlogic bench --suite positions --repeats 2 --out all/positions" in lines
    assert "$ hexlogic gdl bench --hex 5,9,13 --repeats 2 --out all/sheets" in lines


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--suite", "quick", "--rules", "clusters"], "--suite and --rules both say what to measure"),
        (["--suite", "everything", "--boards", "snake"], "--suite everything does not take --boards"),
        (["--suite", "everything", "--jobs", "2"], "--suite everything does not take --jobs"),
        (["--suite", "everything", "--limit", "0", "--dry-run"], "--limit 0 measures nothing"),
        (["--suite", "everything", "--repeats", "-1"], "--repeats -1 measures nothing"),
        (["--rules", "absent.lp"], "absent.lp: cannot read the rule set"),
        (["--rules", "cluster"], "unknown rule set 'cluster' (did you mean clusters"),
        (["--boards", "absent.txt"], "absent.txt: cannot read the board"),
        (["--boards", "nowhere"], "unknown board 'nowhere'"),
        (["--pipelines", "none+ground"], "none"),
        (["--players", "green"], "--players: "),
    ],
)
def test_refused_in_one_line_and_nothing_written(cli, monkeypatch, tmp_path, arguments, line):
    monkeypatch.chdir(tmp_path)
    assert line in cli("bench", *arguments, "--dry-run").refused().splitlines()[0]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("table", ["passes", "growth", "game"])
def test_the_commands_of_the_example_report_measure_its_rows(cli, monkeypatch, tmp_path, table):
    path = CHECKOUT / "docs" / "example-report" / "tables" / f"{table}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["engine"] == "clingo"]
    monkeypatch.chdir(tmp_path)
    for row in (rows[0], rows[-1]):
        arguments = shlex.split(row["repeat"])[1:]
        outcome = cli(*arguments, "--dry-run")
        assert outcome.status == 0, outcome.err
        listed = [line.split()[:3] for line in outcome.out.splitlines()]
        assert [row["rule_set"], row["pipeline"], row["engine"]] in listed
        assert {line[0] for line in listed} == {row["rule_set"]}

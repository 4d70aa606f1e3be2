"""`hexlogic gdl check`: findings with their places, exit statuses, limits."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from hexlogic.cli.gdl.sheet import _checked, check
from hexlogic.errors import HexlogicError
from hexlogic.ggp.check import Plays
from hexlogic.process.call import Stopped
from hexlogic.process.limits import Limits
from tests.checkout import CHECKOUT

GDL = CHECKOUT / "tests" / "ggp"
NIM = GDL / "games" / "nim.kif"


def broken(name: str) -> str:
    return str(GDL / "broken" / f"{name}.kif")


def test_the_defaults_are_those_of_the_library():
    defaults = {name: option.default for name, option in inspect.signature(check).parameters.items()}
    assert Plays() == Plays(**{field.name: defaults[field.name] for field in fields(Plays)})


def test_a_good_game(cli):
    outcome = cli("gdl", "check", str(NIM), "--games", "3", "--reasoner", "clingo")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == "no findings: 28 rules, 3 games played (10 steps)\n"
    assert cli("gdl", "check", str(NIM), "--games", "0").out == "no findings: 28 rules, no games played\n"


def test_errors_stand_with_their_places_and_exit_1(cli):
    path = broken("syntax")
    outcome = cli("gdl", "check", path)
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out.splitlines() == [
        f"{path}:7:23: an empty list (a list begins with a name)",
        f"{path}:8:2: `legal` takes 2 arguments, not 1",
        "2 errors: 14 rules, no games played",
    ]


def test_warnings_are_marked_and_exit_0(cli):
    path = broken("missing-base")
    outcome = cli("gdl", "check", path, "--reasoner", "clingo")
    assert (outcome.status, outcome.err) == (0, "")
    *findings, last = outcome.out.splitlines()
    assert all(line.startswith(f"{path}:1:1: warning: no rule says which ") for line in findings)
    assert last == "2 warnings: 9 rules, 10 games played (20 steps)"


def test_a_game_without_an_end_is_one_line_and_exit_1(cli):
    path = broken("endless")
    outcome = cli("gdl", "check", path, "--longest", "30", "--reasoner", "clingo")
    line, last = outcome.out.splitlines()
    assert (outcome.status, outcome.err) == (1, "")
    assert line.startswith(f"{path}:10:1: a random game was not over after 30 steps (")
    assert last == "1 error: 15 rules, 1 game played (30 steps)"


def test_json(cli):
    outcome = cli("gdl", "check", broken("goals"), "--json", "--seed", "4", "--reasoner", "clingo")
    told = json.loads(outcome.out)
    assert (outcome.status, outcome.err) == (1, "")
    assert {name: told[name] for name in ("file", "rules", "games", "steps", "errors", "seed", "reasoner")} == {
        "file": broken("goals"), "rules": 16, "games": 10, "steps": 20, "errors": 2, "seed": 4, "reasoner": "clingo",
    }  # fmt: skip
    assert [(finding["check"], finding["kind"], finding["line"]) for finding in told["findings"]] == [
        ("goals", "error", 11), ("goals", "error", 11),
    ]  # fmt: skip


@pytest.mark.takes_seconds
def test_infix_files_are_read_by_their_ending(cli, tmp_path):
    path = tmp_path / "nim.hrf"
    path.write_text(cli("gdl", "show", str(NIM), "-d", "hrf").out)
    assert cli("gdl", "check", str(path), "--games", "1").out.startswith("no findings: ")
    path.write_text("role(a)\nlegal(a,")
    assert cli("gdl", "check", str(path)).refused() == f"{path}:2:9: the text ends inside a rule"


@pytest.mark.parametrize(
    ("text", "arguments", "line"),
    [
        ("(role a", [], ":1:1: this parenthesis is never closed (the text ends inside it)"),
        ("(role a)", ["--time", "0"], "a CPU limit of 0 leaves nothing to run (give a positive number)"),
        ("(role a)", ["--memory", "-1"], "a memory limit of -1 leaves nothing to run (give a positive number)"),
        ("(role a)", ["--reasoner", "cling"], "unknown reasoner 'cling' (did you mean clingo?)"),
        ("(role a)", ["--games", "-1"], "Invalid value for '--games': "),
        (None, [], ": cannot be read: no such file or directory"),
    ],
)
def test_what_cannot_be_checked_is_one_line(cli, tmp_path, text, arguments, line):
    path = tmp_path / "g.kif"
    if text is not None:
        path.write_text(text)
    refused = cli("gdl", "check", str(path), *arguments).refused().removeprefix(str(path))
    assert refused.startswith(line)


NUMBERS = " ".join(f"(n {number})" for number in range(10))
LARGE = f"""(role robot) {NUMBERS} (input robot step) (legal robot step) (init (p 0 0 0 0 0 0 0))
(<= (base (p ?a ?b ?c ?d ?e ?f ?g)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g))
(<= (next (p ?a ?b ?c ?d ?e ?f ?g)) (does robot step) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g))
(<= terminal (true (p 9 9 9 9 9 9 9))) (goal robot 100)
"""


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("limit", "line"),
    [
        (["--memory", "150"], "more than 150 MB of memory (--memory allows more)"),
        (["--time", "1.5"], "more than 1.5 s (--time allows more)"),
    ],
)
def test_a_sheet_that_is_too_large_is_one_line(cli, tmp_path, limit, line):
    path = tmp_path / "large.kif"
    path.write_text(LARGE)
    refused = cli("gdl", "check", str(path), *limit, "--reasoner", "clingo").refused()
    assert refused == f"{path}: to play this sheet takes {line}"


def test_which_limit_stopped_a_check_is_said(monkeypatch):
    """The limit by the clock is not the one of --time, but follows from it."""

    def stopped(termination):
        def call(*_, **__):
            raise Stopped("stopped", termination, ())

        return call

    told = {
        "cpu-limit": "6 s (--time allows",
        "wall-limit": "48 s by the clock (",
        "memory-limit": "2,000 MB of memory (",
    }
    for termination, words in told.items():
        monkeypatch.setattr("hexlogic.cli.gdl.sheet.call_isolated", stopped(termination))
        with pytest.raises(HexlogicError) as caught:
            _checked(NIM, Plays(), Limits.of(cpu_s=6, memory_mb=2000), True)
        assert f"to play this sheet takes more than {words}" in str(caught.value)


@pytest.mark.takes_seconds
def test_what_was_found_before_a_limit_is_told(cli, tmp_path):
    path = tmp_path / "large.kif"
    path.write_text(LARGE.replace("(base ", "(basis "))
    outcome = cli("gdl", "check", str(path), "--time", "6", "--reasoner", "clingo")
    assert outcome.status == 2
    assert f"{path}:1:1: warning: no rule says which facts there may be" in outcome.out
    assert outcome.err.count("\n") == 1


@pytest.mark.takes_seconds
def test_a_sheet_that_plays_and_is_too_large_to_ground_gets_an_answer(cli, tmp_path):
    """What only ground rules show is left out, and a warning says so."""
    path = tmp_path / "wide.kif"
    lines = LARGE.splitlines()
    lines[2] = "(<= (next (p 9 9 9 9 9 9 9)) (does robot step))"
    path.write_text("\n".join(lines))
    outcome = cli("gdl", "check", str(path), "--memory", "400", "--games", "2")
    assert (outcome.status, outcome.err) == (0, "")
    warning, last = outcome.out.splitlines()[-2:]
    assert warning.startswith(
        f"{path}:1:1: warning: base, input and cycles were not checked: to ground this sheet takes"
    )
    assert last == "1 warning: 18 rules, 2 games played (2 steps)"


def test_a_folder_is_checked_sheet_by_sheet_and_summed_up(cli, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "nim.kif").write_text(NIM.read_text())
    (tmp_path / "bad.kif").write_text("(role a")
    (tmp_path / "slip.kif").write_text(Path(broken("syntax")).read_text())
    (tmp_path / "notes.txt").write_text("no sheet")
    outcome = cli("gdl", "check", str(tmp_path), "--summary", "--games", "2", "--reasoner", "clingo")
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out.splitlines() == [
        f"{tmp_path}/bad.kif:1:1: this parenthesis is never closed (the text ends inside it)",
        f"{tmp_path}/deep/nim.kif: no findings: 28 rules, 2 games played (7 steps)",
        f"{tmp_path}/slip.kif: 2 errors: 14 rules, no games played",
        "3 sheets: 2 read, 1 played, 1 without errors",
    ]
    text = cli("gdl", "check", str(tmp_path), "--json", "--games", "2", "--reasoner", "clingo").out
    decoder, sheets = json.JSONDecoder(), []
    while text := text.lstrip():
        sheet, end = decoder.raw_decode(text)
        sheets.append(sheet)
        text = text[end:]
    assert [(Path(sheet["file"]).name, sheet["errors"]) for sheet in sheets] == [
        ("bad.kif", 1),
        ("nim.kif", 0),
        ("slip.kif", 2),
    ]
    assert sheets[0]["refused"].startswith(f"{tmp_path}/bad.kif:1:1: this parenthesis is never closed")
    arguments = ["--summary", "--games", "2", "--reasoner", "clingo", "--against", "compiled"]
    *_, nim, _, last = cli("gdl", "check", str(tmp_path), *arguments).out.splitlines()
    assert re.fullmatch(r".*nim\.kif: no findings: 28 rules, 2 games played \(7 steps\), \d+ states the same", nim)
    assert last == "3 sheets: 2 read, 1 played, 1 agree, 1 without errors"
    (tmp_path / "empty").mkdir()
    assert cli("gdl", "check", str(tmp_path / "empty")).refused().startswith(f"{tmp_path}/empty: no sheets in this")


@pytest.mark.takes_seconds
def test_terms_that_grow_without_end_are_one_line_with_the_place_of_the_rule(cli, tmp_path):
    path = tmp_path / "grow.kif"
    path.write_text(
        "(role r) (init (n z)) (base (n z)) (input r go) (legal r go)\n"
        "(<= (next (n (s ?x)))\n    (true (n ?x)))\n(<= terminal (true (n stop))) (goal r 100)"
    )
    for reasoner in ("compiled", "clingo"):
        refused = cli("gdl", "check", str(path), "--reasoner", reasoner).refused()
        assert refused.startswith(f"{path}:2:1: terms grow without end: more than ")

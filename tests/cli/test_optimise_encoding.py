"""`hexlogic optimise` for programs outside the rule language: rewritten in place, with a diff and proofs."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest

from hexlogic.encodings.files import optimise_encodings
from hexlogic.encodings.steps import Step
from hexlogic.encodings.steps.base import proved
from hexlogic.language.passes.request import Request
from hexlogic.process.files import _standard_input

QUEENS = """% no two on one column
n(1..14). { q(X,Y) : n(Y) } = 1 :- n(X).
:- q(X,Y), q(Z,Y), X != Z.   % columns
"""
COUNTED = ":- n(Y), #count { X : q(X,Y) } > 1."
BETTER = QUEENS.replace(":- q(X,Y), q(Z,Y), X != Z.", COUNTED)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "queens.lp"
    path.write_text(QUEENS)
    return path


def test_the_text_is_on_stdout_and_the_rest_on_stderr(cli, file):
    outcome = cli("optimise", str(file))
    assert outcome.status == 0
    assert outcome.out == BETTER
    lines = [line for line in outcome.err.splitlines() if not line.startswith("; ... ")]
    assert "-:- q(X,Y), q(Z,Y), X != Z.   % columns" in lines
    assert f"+{COUNTED}   % columns" in lines
    assert any(line.startswith(f"% {file}:3:4: symmetric: ") and "(proved: order)" in line for line in lines)
    assert any(f"-> {COUNTED} (proved: counting)" in line for line in lines)
    assert lines[-1] == "% checked: the same answer sets on 4 instances"
    assert not any("estimate" in line for line in lines)


@pytest.mark.takes_seconds
def test_explained(cli, file):
    lines = cli("optimise", str(file), "--explain").err.splitlines()
    assert any("instances by the estimate 2,744 -> 1,372" in line for line in lines)
    file.write_text("n(1..9). { e(X,Y) : n(Y) } :- n(X). :- e(A,B), e(B,C), e(C,D), A < D. #show e/2.")
    split = cli("optimise", str(file), "--pipeline", "split", "--explain").err
    assert re.search(r"split: .*proved: definitions.*; instances by the estimate", split)
    assert any(line.startswith("% tried unused,prune,chase,replace,symmetric,mirror,guard: ") for line in lines)


@pytest.mark.takes_seconds
def test_check_writes_nothing_and_says_whether_there_is_a_better_text(cli, file, tmp_path):
    out = tmp_path / "out.lp"
    outcome = cli("optimise", str(file), "--check", "-o", str(out))
    assert (outcome.status, outcome.out, out.exists()) == (1, "", False)
    file.write_text(BETTER)
    outcome = cli("optimise", str(file), "--check")
    assert (outcome.status, outcome.out) == (0, "")
    assert "% the program is left as it is: " in outcome.err


def test_several_files_and_an_instance(cli, tmp_path):
    parts = {"one.lp": "{ q(X,Y) : n(Y) } = 1 :- n(X).\n", "two.lp": ":- q(X,Y), q(Z,Y), X != Z.\n"}
    parts["i.lp"] = "n(1..15)."
    for name, text in parts.items():
        (tmp_path / name).write_text(text)
    one, two, instance = (str(tmp_path / name) for name in parts)
    out = tmp_path / "fast.lp"
    assert cli("optimise", one, two, "--profile", instance, "--aim", "solve", "-o", str(out)).status == 0
    assert out.read_text() == parts["one.lp"] + "#program base.\n" + COUNTED + "\n"


@pytest.mark.takes_seconds
def test_a_constant_is_for_the_measurement_only(cli, tmp_path):
    path = tmp_path / "queens.lp"
    path.write_text(QUEENS.replace("n(1..14)", "#const size=2. n(1..size)"))
    outcome = cli("optimise", str(path), "-c", "size=16")
    assert (outcome.status, outcome.out) == (0, BETTER.replace("n(1..14)", "#const size=2. n(1..size)"))
    assert re.search(r"% measured before: \d,\d{3} ground rules", outcome.err)


def test_everything_as_json(cli, file):
    found = json.loads(cli("optimise", str(file), "--json").out)
    assert (found["changed"], found["equal"], found["program"]) == (True, True, BETTER)
    assert found["rewritings"][0]["proof"] == "order"
    assert found["after"]["rules"] < found["before"]["rules"]
    assert [trial["pipeline"] for trial in found["trials"]]


def test_the_rule_language_may_be_rewritten_in_place_too(cli, tmp_path):
    path = tmp_path / "plain.lp"
    path.write_text("% kept\nn(1..5). p(X,Y) :- n(X), n(Y).\nfar :- p(X,Y), p(Z,Y), X != Z.  #show far/0.\n")
    assert cli("optimise", str(path), "--aim", "ground").out.startswith("% kept\nn(1..5). p(X,Y) :- n(X), n(Y).\nfar")


def test_a_file_that_only_shows_what_others_define(cli, tmp_path):
    """Such as one of several files of a program, each of which is looked at alone."""
    shown = tmp_path / "display.lp"
    shown.write_text("#show attr/2.  % by the host program\n")
    outcome = cli("optimise", str(shown))
    assert (outcome.status, outcome.out) == (0, shown.read_text())
    refused = cli("optimise", str(shown), "--aim", "swipl")
    assert (refused.status, refused.err) == (2, f"{shown}: no rule defines the query attr/2\n")


def test_wrong_answer_sets_are_told_and_give_the_given_text(file, monkeypatch):
    wrong = proved(lambda rule, context: [rule.with_body(rule.body[:2])], lambda *_: "believed")
    monkeypatch.setattr("hexlogic.encodings.rewriting.load_step", lambda name: Step(name, wrong))
    outcome = optimise_encodings([file], Request(pipeline="symmetric"))
    assert not outcome.is_same
    assert outcome.text == QUEENS
    assert any("DIFFERENT ANSWER SETS" in note for note in outcome.notes)


@pytest.mark.parametrize(
    ("text", "options", "line"),
    [
        ("{a}. p(X) :- q(Y).", [], "x.lp:1:6: unsafe variables in: "),
        ('#include "absent.lp".', [], "x.lp:1:1: file could not be opened: absent.lp"),
        ("{a}.", ["--aim", "fast"], "unknown aim 'fast'"),
        ("{a}.", ["--profile", "absent.lp"], "absent.lp"),
        ("{a}.", ["-c", "n"], "'n' is no constant with its value (write NAME=TERM, such as n=40)"),
        ("{a}.", ["-c", "n=(1"], "<instance>:1:"),
        ("{a}.", ["-p", "polish"], "unknown step 'polish'"),
        ("{a}.", ["--aim", "swipl"], "x.lp:1:1: "),
    ],
)
def test_bad_input_is_one_line(cli, tmp_path, text, options, line):
    file = tmp_path / "x.lp"
    file.write_text(text)
    assert line in cli("optimise", str(file), *options).refused()
    assert file.read_text() == text


def test_a_program_that_includes_is_written_beside_its_files(cli, tmp_path):
    (tmp_path / "inner.lp").write_text("n(1..14).")
    (tmp_path / "elsewhere").mkdir()
    main = tmp_path / "main.lp"
    main.write_text('#include "inner.lp".\n' + QUEENS.partition("\n")[2].partition(" ")[2])
    assert "must lie beside" in cli("optimise", str(main), "-o", str(tmp_path / "elsewhere" / "o.lp")).refused()
    assert cli("optimise", str(main), "-o", str(tmp_path / "o.lp")).status == 0
    better = main.read_text().replace(":- q(X,Y), q(Z,Y), X != Z.", COUNTED)
    assert (tmp_path / "o.lp").read_text() == better


def test_standard_input_is_rewritten_too(cli, monkeypatch, tmp_path):
    def given(text: str) -> None:
        _standard_input.cache_clear()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    given(QUEENS)
    assert cli("optimise", "-").out == BETTER
    (tmp_path / "inner.lp").write_text("n(1..14).")
    main = tmp_path / "main.lp"
    main.write_text('#include "inner.lp".\n{ p(X) } :- n(X).\n')
    given(QUEENS.replace("n(1..14). ", ""))
    assert COUNTED in cli("optimise", "-", str(main)).out
    for text, line in (
        ("{a} :- b", "-:2:1: syntax error"),
        ("{a}.\n{b}. p(X) :- q(Y).", "-:2:6: unsafe variables in: p(X):-q(Y)."),
    ):
        given(text)
        assert cli("optimise", str(main), "-").refused().startswith(line)
    _standard_input.cache_clear()


@pytest.mark.takes_seconds
def test_what_is_too_large_is_one_line(cli, tmp_path):
    file, out = tmp_path / "x.lp", tmp_path / "o.lp"
    file.write_text("n(1..3000). {p(X,Y,Z)} :- n(X), n(Y), n(Z).\n")
    line = cli("optimise", str(file), "--limit", "0.3", "-o", str(out)).refused()
    assert line.startswith(f"{file}: ")
    assert line.endswith("(--limit S allows more time)")
    assert not out.exists()


def test_a_script_that_fails_is_one_line(cli, tmp_path):
    file = tmp_path / "x.lp"
    file.write_text("#script (python)\ndef f(x): return x.nmber\n#end.\nn(1..3). {p(@f(X))} :- n(X).\n")
    assert cli("optimise", str(file)).status == 0
    line = cli("optimise", str(file), "--allow-scripts").refused()
    assert line.startswith(f"{file}: clingo: AttributeError: ")


def test_where_nothing_can_be_written_is_known_before_the_work(cli, file, tmp_path):
    assert "No such file or directory" in cli("optimise", str(file), "-o", str(tmp_path / "no" / "o.lp")).refused()
    assert "Is a directory" in cli("optimise", str(file), "-o", str(tmp_path)).refused()


def test_a_file_that_is_named_twice_is_read_once(cli, file):
    file.write_text("#const size=14. " + QUEENS)
    assert cli("optimise", str(file), str(file)).out == "#const size=14. " + BETTER


def test_a_query_that_the_program_does_not_mention(cli, file):
    outcome = cli("optimise", str(file), "--query", "p/2")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == "unknown query 'p/2' (did you mean q/2?)\n"


def test_several_files_for_prolog(cli, tmp_path):
    for name, text in {
        "one.lp": "r(X) :- p(X), s(X,Y).\n",
        "two.lp": "p(X) :- q(X). #show r/1.",
        "i.lp": "q(1..3). s(1,2).",
    }.items():
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("one.lp", "two.lp", "i.lp")]
    outcome = cli("optimise", *files, "--aim", "swipl")
    assert outcome.status == 0
    assert outcome.out.endswith("#show r/1.\n")
    assert "% proved equal" in outcome.err
    (tmp_path / "two.lp").write_text("p(X) :- q(X).\np(X) :- q(X), not r(X).")
    assert "two.lp:2:" in cli("optimise", *files, "--aim", "swipl").err
    for option in ("--check", "--explain"):
        outcome = cli("optimise", *files, "--aim", "swipl", option)
        assert (outcome.status, outcome.err) == (2, f"{files[0]}: {option} is for --aim ground and solve\n")

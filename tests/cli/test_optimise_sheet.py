"""`hexlogic optimise` for a sheet: a sheet comes out, the figures are told, and another game is exit status 1."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from pathlib import Path

import pytest

from hexlogic.ggp import read_kif, read_sheet
from hexlogic.ggp.optimise import optimise_sheet, phases
from hexlogic.language import Program
from tests.checkout import CHECKOUT

LIGHTS = CHECKOUT / "docs" / "examples" / "lights.kif"
SWIPL = pytest.mark.skipif(shutil.which("swipl") is None, reason="swipl is not installed")


@pytest.mark.takes_seconds
@pytest.mark.parametrize("reasoner", ["clingo", pytest.param("swipl", marks=SWIPL)])
def test_a_sheet_comes_out(cli, reasoner):
    outcome = cli("optimise", str(LIGHTS), "--reasoner", reasoner, "-p", "ground,prune", "--limit", "3")
    assert outcome.status == 0
    assert "(lamp A)\n(lamp B)\n" in outcome.out
    assert "role/1" in str(read_kif(outcome.out))
    lines = outcome.err.splitlines()
    assert all(line.startswith("; ") for line in lines)
    assert "; ground: lamp/1: 2 rules became 2 facts (depends on no input)" in lines
    assert f"; applied for {reasoner}: ground,prune" in lines
    assert any(line.startswith(f"; playouts a CPU second on {reasoner}: ") for line in lines)
    # how many games, the clock decides
    assert re.fullmatch(r"; equal in \d+ random games(, .*)?; proved equal in all 4 reachable states", lines[-1])


@pytest.mark.takes_seconds
def test_check_writes_no_sheet(cli, tmp_path):
    out = tmp_path / "new.kif"
    options = ["--reasoner", "clingo", "--check", "-o", str(out), "--limit", "1", "-p"]
    for pipeline, status in (("ground,prune", 1), ("none", 0)):
        outcome = cli("optimise", str(LIGHTS), *options, pipeline)
        assert (outcome.status, outcome.out) == (status, "")
        assert not out.exists()


@pytest.mark.takes_seconds
def test_nothing_to_gain_is_said_and_infix_stays_infix(cli, tmp_path):
    out = tmp_path / "new.hrf"
    outcome = cli("optimise", str(LIGHTS), "--reasoner", "clingo", "-o", str(out), "--limit", "0.3")
    assert (outcome.status, outcome.out) == (0, "")
    assert "; nothing that was tried saves clingo any work: the sheet is left as it is" in outcome.err
    assert read_sheet(out) == read_sheet(LIGHTS)
    assert "role(robot)" in cli("optimise", str(out), "--reasoner", "clingo", "--limit", "0.3").out


@pytest.mark.takes_seconds
@SWIPL
def test_everything_as_json(cli):
    arguments = ["--json", "--limit", "3", "--measure", "clingo,swipl"]
    found = json.loads(cli("optimise", str(LIGHTS), *arguments).out)
    assert found["equal"] is found["proved"] is True
    assert (found["reasoner"], found["states"], found["slips"]) == ("swipl", 4, [])
    assert 0 < found["games"] <= 20  # the clock decides
    assert found["work"]["after"] < found["work"]["before"]
    assert [rate["reasoner"] for rate in found["playouts_per_cpu_s"]] == ["clingo", "swipl"]
    assert read_kif(found["sheet"]).queries == read_sheet(LIGHTS).queries


def test_another_game_is_exit_status_1_with_the_position(cli, monkeypatch):
    from hexlogic.language.passes.prune import PASS

    def broken(program: Program, option: str | None = None) -> Program:
        return program.with_rules(tuple(rule.with_body(rule.body[:2]) for rule in program.rules))

    monkeypatch.setattr(PASS, "apply", broken)
    monkeypatch.setattr(phases, "isolated", lambda limit_s, tell: contextlib.nullcontext(phases.here))
    outcome = cli("optimise", str(LIGHTS), "--reasoner", "clingo", "-p", "prune", "--limit", "0.5")
    assert outcome.status == 1
    last = outcome.err.splitlines()[-1]
    assert last.startswith("; DIFFERENT after no moves: (press B) leads to nothing only before, (on B) only after")
    assert last.endswith("; true there: (on B)")
    assert "playouts" not in outcome.err


@pytest.mark.takes_seconds
def test_phases_that_have_no_end_are_stopped_and_the_sheet_is_left_as_it_is(cli, tmp_path):
    """To ground this sheet makes 10^9 rules: longer than the limit on any machine. Their number is estimated."""
    names = " ".join(f"?x{number}" for number in range(9))
    facts = " ".join(f"(d {number})" for number in range(10))
    given = " ".join(f"(d {name})" for name in names.split())
    sheet = tmp_path / "wide.kif"
    sheet.write_text(
        f"(role r) (init (at 0)) {facts} (<= (wide {names}) {given} (not (true (at ?x0))))"
        f"(<= (legal r (go ?x1)) (wide {names})) (<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at 7)))"
        "(goal r 1)"
    )
    outcome = cli("optimise", str(sheet), "--reasoner", "clingo", "-p", "none", "--limit", "0.1")
    lines = outcome.err.splitlines()
    what = "counting the work of clingo"
    assert lines.index(f"; ... {what}") < lines.index(f"; ... {what}: stopped after 2.1 CPU seconds")
    # A sheet that is left as it is has nothing to be compared with.
    assert (outcome.status, lines[-1]) == (0, "; the rules are the same")
    told = (
        "; ground rules and literals: about 13,000,000,000 (estimated) before, about 13,000,000,000 (estimated) after"
    )
    assert told in lines
    assert "comparing" not in outcome.err
    assert read_kif(outcome.out) == read_sheet(sheet)
    told = []
    program = read_sheet(sheet)
    with phases.isolated(0.1, told.append) as run:
        same = phases.compared(run, program, program.with_rules(program.rules[::-1]), 0, 0.1)
    assert told == ["comparing the two sheets", "comparing the two sheets: stopped after 2.1 CPU seconds"]
    assert str(same) == "NOT COMPARED: not one random game came to its end in time"


def test_every_phase_can_be_stopped():
    """With a runner that stops all of them the sheet is left as it is, and nothing is claimed."""
    asked = []

    def stopped(what, function, /, **task):
        asked.append(function.__name__)

    sheet = read_sheet(LIGHTS)
    done = optimise_sheet(sheet, "clingo", run=stopped)
    assert done.sheet is sheet
    assert (done.before.amount, done.after.amount, done.changes, done.errors) == (None, None, (), ())
    assert phases.compared(stopped, sheet, done.sheet, 0, 1.0).proved
    fewer = sheet.with_rules(sheet.rules[1:])
    same = phases.compared(stopped, sheet, fewer, 0, 1.0)
    assert not same.proved
    assert str(same).startswith("NOT COMPARED")
    assert phases.rates(sheet, done.sheet, "clingo", 1.0, stopped).ratio is None
    assert asked[0] == "work"
    assert asked[-2:] == ["compare", "rate"]
    assert set(asked[1:-2]) == {"change"}


def test_what_was_compared_before_the_stop_is_kept():
    def cut(what, function, /, **task):
        heard = []
        function(**task, report=heard.append)
        return heard[4]

    sheet = read_sheet(LIGHTS)
    assert phases.compared(cut, sheet, sheet.with_rules(sheet.rules[::-1]), 0, 5.0).games == 5


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["lights.kif", "--query", "p/1"], "lights.kif: --query is for programs in the rule language"),
        (["x.lp", "--reasoner", "swipl"], "x.lp: --reasoner is for sheets"),
        (["x.lp", "--measure", "swipl"], "x.lp: --measure is for sheets"),
        (["lights.kif", "--reasoner", "swip"], "unknown reasoner 'swip' (did you mean swipl or swipl:sld?)"),
        (["lights.kif", "--measure", "clingo,cling"], "unknown reasoner 'cling' (did you mean clingo?)"),
        (["lights.kif", "-p", "polish"], "unknown pass 'polish'"),
        (["nowhere.kif"], "nowhere.kif: cannot be read: no such file or directory"),
        (["open.kif"], "open.kif:1:1: this parenthesis is never closed"),
        (["bare.kif", "--reasoner", "clingo"], "bare.kif: the sheet names no role ((role red))"),
        (["stuck.kif", "--reasoner", "swipl"], "stuck.kif: r has no legal move in a state that is not terminal"),
    ],
)
def test_bad_input_is_one_line(cli, tmp_path, monkeypatch, arguments, line):
    if "swipl" in arguments and "stuck.kif" in arguments and shutil.which("swipl") is None:
        pytest.skip("swipl is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEXLOGIC_QUIET", "1")  # some are found in a phase, which is said when it begins
    Path("lights.kif").write_text(LIGHTS.read_text())
    Path("x.lp").write_text("p(1). #show p/1.")
    Path("open.kif").write_text("(role r")
    Path("bare.kif").write_text("(init a)")
    Path("stuck.kif").write_text("(role r) (init a)")
    assert cli("optimise", *arguments).refused().startswith(line)


def test_without_the_prover(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HEXLOGIC_QUIET", "1")
    assert "swipl is not on the PATH" in cli("optimise", str(LIGHTS)).refused()

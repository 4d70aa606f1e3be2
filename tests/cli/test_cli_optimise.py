"""`hexlogic optimise`: the new text, the reasons, the counters, the check, and one line for bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hexlogic.ground.least_model import least_model
from hexlogic.ground.sample import sample_facts
from hexlogic.logic import Program
from hexlogic.logic.parser import parse
from hexlogic.passes.optimise import DEFAULT_PIPELINE, optimise

PROGRAMS = sorted((Path(__file__).parents[2] / "benchmarks" / "programs").glob("*.lp"))
SMALL = """#defined on/1. lamp(1..4).
:- on(X), not lamp(X).
next(X,Y) :- lamp(X), lamp(Y), Y = X+1.
pair(X,Y) :- lamp(X), lamp(Y), on(X), on(Y), next(X,Y).
#show pair/2.
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "small.lp"
    path.write_text(SMALL)
    return path


@pytest.mark.parametrize("command", ["optimise", "optimize"])
def test_the_new_text_is_a_program_and_the_rest_is_on_stderr(cli, file, command):
    outcome = cli(command, str(file))
    assert outcome.status == 0
    assert "pair(X,Y) :- " in outcome.out
    assert parse(outcome.out).queries == parse(SMALL).queries
    assert all(line.startswith("% ") for line in outcome.err.splitlines())
    assert "% ground: next/2: 1 rule became 3 facts (depends on no input)" in outcome.err
    assert "without lamp" in outcome.err
    assert "% proved equal on all 16 sets of input facts over the declared domains" in outcome.err
    assert cli(command, str(file)).out == outcome.out


def test_everything_as_json(cli, file):
    found = json.loads(cli("optimise", str(file), "--json", "--random", "3").out)
    assert found["equal"] is found["proved"] is True
    assert found["pipeline"] == DEFAULT_PIPELINE
    assert [row["name"] for row in found["counters"]][:2] == ["clingo ground rules", "clingo ground atoms"]
    assert found["changes"]


def test_the_text_may_go_to_a_file(cli, file, tmp_path):
    out = tmp_path / "new.lp"
    outcome = cli("optimise", str(file), "-o", str(out), "-p", "prune")
    assert (outcome.status, outcome.out) == (0, "")
    assert parse(out.read_text()).queries


def test_interface_and_instance_from_the_command_line(cli, tmp_path):
    file, facts = tmp_path / "bare.lp", tmp_path / "facts.lp"
    file.write_text("path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z). goal(Y) :- path(1,Y).")
    facts.write_text("edge(1..3,2). edge(2,5).")
    options = ["--query", "goal/1", "--inputs", "edge/2", "--instance", str(facts), "-p", "magic"]
    outcome = cli("optimise", str(file), *options)
    assert "demand_path_bf(1)." in outcome.out
    assert "% measured with 4 input facts" in outcome.err
    assert "% equal on 20 random instances; no constraint limits the inputs to a finite domain" in outcome.err


@pytest.mark.skipif(shutil.which("swipl") is None, reason="swipl is not installed")
def test_inferences_are_counted_where_swipl_is(cli, file):
    rows = {row["name"]: row for row in json.loads(cli("optimise", str(file), "--json").out)["counters"]}
    assert 0 < rows["SWI-Prolog inferences"]["after"] < rows["SWI-Prolog inferences"]["before"]


def test_a_wrong_pass_is_found(cli, file, monkeypatch):
    from hexlogic.passes.prune import PASS

    def broken(program: Program, option: str | None = None) -> Program:
        return program.with_rules(
            tuple(rule.with_body(rule.body[:2]) if len(rule.body) > 4 else rule for rule in program.rules)
        )

    monkeypatch.setattr(PASS, "apply", broken)
    outcome = cli("optimise", str(file), "-p", "prune")
    assert outcome.status == 1
    assert "% DIFFERENT ANSWERS on all 16 sets" in outcome.err


@pytest.mark.parametrize(
    ("text", "options", "line"),
    [
        ("p(1).", [], "the program has no query (add `#show p/1.` or --query p/1)"),
        ("p(X) :- q(X). q(1).", ["--query", "r/1"], "unknown query 'r/1' (did you mean "),
        ("p(X) :- q(X).", ["--query", "q/1"], "no rule defines the query q/1"),
        ("p(X) :- q(X). #show p/1.", ["--inputs", "edge/2"], "unknown input 'edge/2' (known: p/1, q/1)"),
        ("p(X) :- q(X), not r(X).\nr(X) :- q(X), not p(X). #show p/1.", [], "depends on its own negation"),
        ("n(zero). n(next(X)) :- n(X). #show n/1.", [], "function terms in n/1 grow without bound"),
        ("p(X) :- q(X", [], "x.lp:1:"),
        ("p(X) :- q(X). #show p/1.", ["-p", "polish"], "unknown pass 'polish'"),
        ("p(X) :- q(X). #show p/1.", ["--instance", "absent.lp"], "absent.lp"),
    ],
)
def test_bad_input_is_one_line(cli, tmp_path, text, options, line):
    file = tmp_path / "x.lp"
    file.write_text(text)
    assert line in cli("optimise", str(file), *options).refused()


def test_an_instance_holds_input_facts_only(cli, file, tmp_path):
    facts = tmp_path / "facts.lp"
    facts.write_text("on(1).\noff(2).")
    line = cli("optimise", str(file), "--instance", str(facts)).refused()
    assert line.endswith("facts.lp:2:1: `off(2).` is not an input fact")


def test_a_file_that_is_not_there(cli):
    assert "nowhere.lp" in cli("optimise", "nowhere.lp").refused()


@pytest.mark.parametrize("path", [path for path in PROGRAMS if path.stem != "reactions"], ids=lambda path: path.stem)
@pytest.mark.parametrize("pipeline", [DEFAULT_PIPELINE, "ground,reorder:cost,prune,magic,stage"])
def test_the_example_programs_keep_their_answers(path, pipeline):
    program = parse(path.read_text())
    changed = optimise(program, pipeline).program
    for seed in range(3):
        facts = sample_facts(program, seed)
        assert least_model(changed, facts, only=program.queries) == least_model(program, facts, only=program.queries)


def test_a_program_that_gringo_joins_badly_is_put_right():
    """The intermediate join of the given rule would hold 16 million pairs; the stage that replaces it holds 16,000."""
    (path,) = [path for path in PROGRAMS if path.stem == "reactions"]
    program = parse(path.read_text())
    changed = optimise(program, "reorder:cost,stage").program
    stages = [rule for rule in changed.rules if rule.head is not None and rule.head.name.endswith("stage")]
    assert [str(rule) for rule in stages] == ["available_stage(L,Y,Z) :- available(L,X), reaction(X,Y,Z)."]

"""`hexlogic optimise`: the new text, the reasons, the counters, the check, and one line for bad input."""

from __future__ import annotations

import json
import shutil

import pytest

from hexlogic.language import Program
from hexlogic.language.ground.domains import sample_facts
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import is_reserved
from hexlogic.language.parser import parse
from hexlogic.language.passes.optimise import DEFAULT_PIPELINE, optimise
from hexlogic.process.call import Stopped
from tests.checkout import CHECKOUT
from tests.readable import readable

PROGRAMS = sorted((CHECKOUT / "benchmarks" / "programs").glob("*.lp"))
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
    assert "% proved equal on all 16 sets of input facts over the declared domains that the " in outcome.err
    assert outcome.err.endswith("constraints admit: on/1 over lamp/1\n")
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
    assert "demand_path_bf(1)." in readable(outcome.out)
    assert "% measured with 4 input facts" in outcome.err
    assert (
        "% no difference on 20 different random instances; no constraint limits every argument of edge/2" in outcome.err
    )


def test_what_nobody_defines_is_an_input(cli, tmp_path):
    """A rule file that leaves the board and the stones to others keeps its rules, and nothing is called a proof."""
    file = tmp_path / "mine.lp"
    rules = [
        "reach(P,X) :- owns(P,X), first(P,X).",
        "reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).",
        "wins(P) :- reach(P,X), last(P,X).",
    ]
    file.write_text("\n".join([*rules, "#show wins/1."]))
    outcome = cli("optimise", str(file))
    assert outcome.status == 0
    assert [line for line in outcome.out.splitlines() if line in rules] == rules
    assert "% taken as inputs, since no rule defines them: owns/2, first/2, adjacent/2, last/2\n" in outcome.err
    assert "proved" not in outcome.err
    assert "% no difference on 20 different random instances; no constraint limits every argument of owns/2 to " in (
        outcome.err
    )
    found = json.loads(cli("optimise", str(file), "--json").out)
    assert found["taken_as_inputs"] == ["owns/2", "first/2", "adjacent/2", "last/2"]
    assert (found["equal"], found["proved"], found["instances"]) == (True, False, 20)


def test_what_is_declared_is_not_told_as_taken(cli, tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text("#defined on/1. p(X) :- on(X), lamp(X). lamp(1..2). :- on(X), not lamp(X). #show p/1.")
    outcome = cli("optimise", str(file))
    assert "taken as inputs" not in outcome.err
    assert "% proved equal on all 4 sets of input facts" in outcome.err


def test_without_inputs_the_only_instance_is_said_to_be_one(cli, tmp_path):
    file = tmp_path / "mine.lp"
    file.write_text("lamp(1..2). p(X) :- lamp(X), X > 1. #show p/1.")
    assert "% proved equal on the only instance, as the program has no inputs" in cli("optimise", str(file)).err


def test_a_predicate_that_becomes_empty_is_no_input_of_the_new_text(cli, tmp_path):
    """Read again, the new text says the same: a rule that never fires tells an empty relation from an input."""
    file, out = tmp_path / "given.lp", tmp_path / "new.lp"
    file.write_text(
        "#defined on/1. lamp(1..9). :- on(X), not lamp(X). far(X) :- lamp(X), X > 9. p(X) :- on(X), not far(X)."
        "none(X) :- lamp(X), X > 99. #show p/1. #show none/1."
    )
    assert cli("optimise", str(file), "-o", str(out)).status == 0
    assert "far(0) :- 0 = 1." in out.read_text()
    again = cli("optimise", str(out))
    assert again.status == 0
    assert "taken as inputs" not in again.err
    assert again.out == out.read_text()


def test_constraints_that_forbid_everything_prove_nothing(cli, tmp_path):
    file = tmp_path / "never.lp"
    file.write_text("#defined on/1. lamp(1..2). :- on(X), not lamp(X). :- lamp(1). p(X) :- on(X), lamp(X). #show p/1.")
    err = cli("optimise", str(file)).err
    assert "% no difference on 0 instances: the integrity constraints forbid every set of input facts" in err


@pytest.mark.skipif(shutil.which("swipl") is None, reason="swipl is not installed")
def test_inferences_are_counted_where_swipl_is(cli, file):
    rows = {row["name"]: row for row in json.loads(cli("optimise", str(file), "--json").out)["counters"]}
    assert 0 < rows["SWI-Prolog inferences"]["after"] < rows["SWI-Prolog inferences"]["before"]


def test_a_wrong_pass_is_found(file, monkeypatch):
    from hexlogic.encodings.files import optimise
    from hexlogic.language.passes.prune import PASS
    from hexlogic.language.passes.request import Request

    def broken(program: Program, option: str | None = None) -> Program:
        return program.with_rules(
            tuple(rule.with_body(rule.body[:2]) if len(rule.body) > 4 else rule for rule in program.rules)
        )

    monkeypatch.setattr(PASS, "apply", broken)
    outcome = optimise([file], Request(pipeline="prune"))
    assert not outcome.is_same
    assert outcome.notes[-1].startswith("% DIFFERENT ANSWERS given ")
    assert "; looked for on all 16 sets of input facts over the declared domains" in outcome.notes[-1]


@pytest.mark.parametrize(
    ("text", "options", "line"),
    [
        ("p(1).", ["--aim", "swipl"], "the program has no query (add `#show p/1.` or --query p/1)"),
        ("p(X) :- q(X). q(1).", ["--query", "r/1"], "unknown query 'r/1' (did you mean "),
        ("p(X) :- q(X).", ["--query", "q/1"], "no rule defines the query q/1"),
        ("p(X) :- q(X). #show p/1.", ["--inputs", "edge/2"], "unknown input 'edge/2' (known: p/1, q/1)"),
        (
            "p(X) :- q(X), not r(X).\nr(X) :- q(X), not p(X). #show p/1.",
            ["--aim", "swipl"],
            "depends on its own negation",
        ),
        ("n(zero). n(next(X)) :- n(X). #show n/1.", [], "function terms in n/1 grow without bound"),
        ("p(X) :- q(X", [], "x.lp:2:1: syntax error, unexpected EOF"),
        ("p(X) :- q(X", ["--aim", "swipl"], "x.lp:1:"),
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


@pytest.mark.takes_seconds(keep=4)
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
    stages = [rule for rule in changed.rules if rule.head is not None and is_reserved(rule.head.name)]
    assert [readable(str(rule)) for rule in stages] == ["available_stage(L,Y,Z) :- available(L,X), reaction(X,Y,Z)."]


def test_at_the_limit_the_new_text_is_there_and_says_what_it_lacks(cli, file, monkeypatch):
    monkeypatch.setattr("hexlogic.encodings.limited.call_isolated", stopped_after_the_first_report)
    outcome = cli("optimise", str(file))
    assert outcome.status == 0
    assert "pair(X,Y) :- " in outcome.out
    assert "% not measured, not compared" in outcome.err
    assert "% stopped after 5 s: the best text so far" in outcome.err


def stopped_after_the_first_report(function, task, limits, *, report):
    def first(outcome):
        report(outcome)
        raise Stopped("stopped after 5 s", "timeout", ())

    return function(**task, report=first)

"""Fusing a query into a recursion: what is found from the text alone, proved and cheaper."""

from __future__ import annotations

import json
import shutil

import pytest
from typer.testing import CliRunner

from hexlogic.cli import app
from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language.parser import parse
from hexlogic.proofs.all_inputs import ProgramText
from hexlogic.proofs.finding.moves.fuse import fusions
from hexlogic.proofs.finding.reformulations import Reformulator
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld
from tests.proofs.finding.variants import variant


def fused(rules, game="hex"):
    """The programs that are found, as sets of rules."""
    world = BoardWorld(game)
    program = world.program(rules)
    return [set(map(str, each.program.rules)) for each in fusions(program, Samples(program, world), world)]


@pytest.mark.takes_seconds
def test_the_flood_is_found_in_the_clusters():
    flood = """same_cluster_seen(P,Y) :- starts(P,Y).
    same_cluster_seen(P,Y) :- same_cluster_seen(P,Z), adjacent(Z,Y), owns(P,Y).
    starts(P,X) :- owns(P,X), first(P,X).
    wins(P) :- same_cluster_seen(P,Y), last(P,Y)."""
    assert set(map(str, parse(flood).rules)) in fused(load_rule_set("clusters"))


@pytest.mark.takes_seconds(keep=1)
@pytest.mark.parametrize("name", ["squared", "symmetric", "edges"])
def test_from_a_closure_of_pairs_two_floods(name):
    programs = fused(variant(name))
    assert len(programs) == 2
    assert all("j(" not in rule and "p(" not in rule for program in programs for rule in program)


def test_in_y_the_sides_that_a_stone_touches():
    (program,) = fused(load_rule_set("y/clusters"), "y")
    assert "touches(P,X,S) :- touches(P,Z,S), adjacent(Z,X), owns(P,X)." in program


@pytest.mark.parametrize("name", ["follow-line-tabled", "clusters-labelled"])
def test_nothing_is_found_in_what_has_no_larger_relation(name):
    assert fused(load_rule_set(name)) == []


@pytest.mark.takes_seconds
@pytest.mark.skipif(shutil.which("swipl") is None, reason="needs SWI-Prolog, which .ci/run installs")
def test_the_command_prints_what_is_proved_cheapest_first():
    result = CliRunner().invoke(app, ["reformulate", "clusters", "--time", "120", "--json"])
    data = json.loads(result.stdout)
    assert data["found"]
    costs = [found["cost"]["inferences"] for found in data["found"]]
    assert costs == sorted(costs)
    assert costs[-1] < data["given"]["inferences"]
    assert any(found["proved"] for found in data["found"])
    assert all(found["bridge"].startswith("% left:   clusters") for found in data["found"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("p(X) :- e(X), not q(X). q(X) :- e(X), not p(X). #show p/1.", "bad.lp:1:1: p/1 depends on its own negation"),
        ("p(X) :- e(X).", "bad.lp: 0 queries"),
        ("p(X :- e(X).", "bad.lp:1:5: unexpected"),
    ],
)
def test_a_text_that_no_search_begins_with_is_refused_in_one_line(tmp_path, text, words):
    (tmp_path / "bad.lp").write_text(text)
    result = CliRunner().invoke(app, ["reformulate", str(tmp_path / "bad.lp")], catch_exceptions=True)
    assert isinstance(result.exception, HexlogicError | SystemExit)
    assert words in str(result.exception) + result.output


@pytest.mark.takes_seconds
def test_a_best_program_gets_one_line_and_a_limit_ends_the_search(tmp_path):
    path = tmp_path / "best.lp"
    path.write_text("p(X) :- e(X). #show p/1.")
    result = CliRunner().invoke(app, ["reformulate", str(path), "--engine", "clingo"])
    (line,) = result.stdout.splitlines()
    assert line.startswith(
        "% best: nothing cheaper was found: everything that the moves propose was tried (ground rules:"
    )
    result = CliRunner().invoke(app, ["reformulate", "clusters", "--time", "0.5", "--json"])
    assert json.loads(result.stdout)["end"] == "the 0.5 s are over"


@pytest.mark.takes_seconds
def test_each_engine_is_a_cost():
    source = ProgramText("given", "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), e(Y,Z). q(Y) :- p(1,Y). #show q/1.")
    for engine, counter in (("swipl", "inferences"), ("clingo", "ground_rules"), ("compiled", "compiled ground_rules")):
        cost = Reformulator(source, InputWorld(source), engine=engine).given
        assert next(iter(cost.figures)) == counter
        assert {"inferences", "ground_rules"} <= set(cost.figures)


def test_numbers_without_end_are_refused_before_the_text_is_run(tmp_path, monkeypatch):
    monkeypatch.setattr(Reformulator, "cost", lambda *_: pytest.fail("the text was run"))
    rules = load_rule_set("follow-line-computed").text.replace(", owns(P,Y).", ".")
    (tmp_path / "grow.lp").write_text(rules)
    result = CliRunner().invoke(app, ["reformulate", str(tmp_path / "grow.lp")])
    assert "may derive atoms without end" in str(result.exception)

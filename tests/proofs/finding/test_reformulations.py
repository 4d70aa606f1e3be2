"""Fusing a query into a recursion: what is found from the text alone, proved and cheaper."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from typer.testing import CliRunner

from hexlogic.cli import app
from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.proofs.all_inputs import ProgramText
from hexlogic.proofs.finding.bridge_text import find_bridge
from hexlogic.proofs.finding.chains import proposed_bridges
from hexlogic.proofs.finding.moves.fuse import fusions
from hexlogic.proofs.finding.record import find_source, read_search
from hexlogic.proofs.finding.reformulations import Reformulator
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld, InputWorld
from tests.proofs.finding.variants import plain, variant


def fused(rules, game="hex"):
    """The programs in which a view is fused, as sets of rules."""
    world = BoardWorld(game)
    program = world.program(rules)
    found = fusions(program, Samples(program, world), world)
    return [plain(each.program) for each in found if each.words.startswith("fused")]


@pytest.mark.parametrize(("stated", "game"), [("y", "y"), ("havannah, y", "havannah"), ("any", "hex")])
def test_a_text_is_of_the_game_that_its_comments_state(tmp_path, stated, game):
    (tmp_path / "mine.lp").write_text(f"% idea: mine\n% games: {stated}\nwins(P) :- owns(P,X), first(P,X).\n")
    assert find_source(str(tmp_path / "mine.lp"), None)[1].game == game


@pytest.mark.takes_seconds
def test_the_flood_is_found_in_the_clusters():
    flood = """same_cluster_seen(P,Y) :- starts(P,Y).
    same_cluster_seen(P,Y) :- same_cluster_seen(P,Z), adjacent(Z,Y), owns(P,Y).
    starts(P,X) :- owns(P,X), first(P,X).
    wins(P) :- same_cluster_seen(P,Y), last(P,Y)."""
    assert plain(flood) in fused(load_rule_set("clusters"))


@pytest.mark.takes_seconds(keep=1)
@pytest.mark.parametrize("name", ["squared", "symmetric", "edges"])
def test_from_a_closure_of_pairs_two_floods(name):
    programs = fused(variant(name))
    assert len(programs) >= 3  # from either side, and once with the whole body as a view
    assert all("j(" not in rule and "p(" not in rule for program in programs for rule in program)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "a(X,Y) :- e(X,Y). a(X,Z) :- a(X,Y), a(Y,Z). b(X,Y) :- c(X,Y). b(X,Z) :- c(X,Y), a(Y,Z). "
            "q(X) :- b(X,Y), d(Y).",
            "q(X) :- a_seen(Y_2), c(X,Y_2).",
        ),
        (
            "a(X,Y) :- e(X,Y). b(X,Z) :- a(X,Y), e(Y,Z). a(X,Z) :- b(X,Y), e(Y,Z). q(Y) :- c(X), a(X,Y), d(Y).",
            "a_seen_2(Y_2) :- a_seen_2(X), e(X,Y), e(Y,Y_2).",
        ),
    ],
    ids=["through what is called once", "joined to what stands before"],
)
def test_a_view_over_input_facts(text, rule):
    inputs = "".join(f"#defined {name}. " for name in ("e/2", "c/2" if "c(X,Y)" in text else "c/1", "d/1"))
    world = InputWorld(ProgramText("text", f"{inputs}{text} #show q/1."))
    program = world.program(world.source)
    found = fusions(program, Samples(program, world), world)
    assert rule in {str(rule) for each in found for rule in each.program.rules}


def test_in_y_the_sides_that_a_stone_touches():
    flood = plain("touches(P,X,S) :- touches(P,Z,S), adjacent(Z,X), owns(P,X).")
    assert any(flood <= program for program in fused(load_rule_set("y/clusters"), "y"))


@pytest.mark.parametrize("name", ["follow-line-tabled", "clusters-labelled"])
def test_nothing_is_found_in_what_has_no_larger_relation(name):
    assert fused(load_rule_set(name)) == []


@pytest.mark.takes_seconds
@pytest.mark.skipif(shutil.which("swipl") is None, reason="needs SWI-Prolog, which .ci/run installs")
def test_the_command_prints_and_stores_what_is_proved_cheapest_first(tmp_path):
    result = CliRunner().invoke(app, ["reformulate", "clusters", "--time", "60", "--json", "--out", str(tmp_path)])
    data = json.loads(result.stdout)
    (stored,) = tmp_path.glob("*.json")
    assert json.loads(stored.read_text()) == data
    assert [program.text for program in read_search(stored).found] == [found["text"] for found in data["found"]]
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
    assert re.fullmatch(r"the 0.5 s are over, with \d+\.\d CPU seconds", json.loads(result.stdout)["end"])


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


def test_of_a_search_that_is_interrupted_nothing_is_lost(tmp_path, monkeypatch):
    text = "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z). q(Y) :- p(1,Y). #show q/1."
    stored = []

    def stopped_at_the_first(self):
        found = next(search(self))
        yield found
        stored.extend(read_search(path).found for path in sorted(tmp_path.glob("reformulated-*.json")))
        raise KeyboardInterrupt

    search = Reformulator.search
    monkeypatch.setattr(Reformulator, "search", stopped_at_the_first)
    (tmp_path / "closure.lp").write_text(text)
    arguments = ["reformulate", str(tmp_path / "closure.lp"), "--out", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 130
    (path,) = tmp_path.glob("reformulated-*.json")
    assert read_search(path).end == "stopped"
    assert stored == [read_search(path).found]  # stored at once, should the process be killed
    assert "is there already" in str(CliRunner().invoke(app, arguments).exception)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "bytes.lp").write_bytes(b"\xff\xfe")
    result = CliRunner().invoke(app, ["reformulate", str(tmp_path / "bytes.lp")])
    assert str(result.exception) == f"{tmp_path / 'bytes.lp'}: this is not UTF-8 text"


def test_the_game_is_that_of_the_rule_set():
    for arguments, game in ((["y/clusters"], "y"), (["clusters"], "hex")):
        result = CliRunner().invoke(app, ["reformulate", *arguments, "--time", "0.1", "--json"])
        assert json.loads(result.stdout)["game"] == game


TRIPLES = """inf(X,P,Y) :- t(X,P,Y). inf(X,subclass,Z) :- inf(X,subclass,Y), inf(Y,subclass,Z).
    inf(X,type,D) :- inf(X,type,C), inf(C,subclass,D). animal(X) :- inf(X,type,animal). #show animal/1."""
PARITIES = """odd(X,Y) :- e(X,Y). odd(X,Z) :- even(X,Y), e(Y,Z). even(X,Z) :- odd(X,Y), e(Y,Z).
    hit(Y) :- odd(1,Y). #show hit/1."""
YES = """tc(X,Y) :- e(X,Y). tc(X,Z) :- tc(X,Y), e(Y,Z). hit :- tc(X,Y), src(X), dst(Y). #show hit/0."""
PARTS = """uses(X,Y,N) :- part(X,Y,N). uses(X,Z,N) :- uses(X,Y,M), part(Y,Z,N).
    need(Y) :- wanted(X), uses(X,Y,N). #show need/1."""
TWICE = """seen(Y) :- e(1,Y). seen(Y) :- seen(X), e(X,Y). tc(X,Y) :- e(X,Y). tc(X,Z) :- tc(X,Y), tc(Y,Z).
    past(Y) :- seen(X), good(X), tc(X,Y). #show past/1."""
COLOURS = """r(X,Y) :- red(X,Y). r(X,Y) :- b(X,Z), red(Z,Y). b(X,Y) :- r(X,Z), blue(Z,Y).
    q(Y) :- b(X,Y), start(X). #show q/1."""
COMMON = """anc(X,Y) :- parent(X,Y). anc(X,Y) :- anc(X,Z), parent(Z,Y).
    q(X,Y) :- anc(Z,X), anc(Z,Y), root(Z). #show q/2."""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            TRIPLES,  # two views at once: who is an animal, and what is a subclass of animals
            """animal(X) :- t(X,type,animal). animal(X) :- t(X,type,Y), inf_seen_2(Y).
            inf_seen_2(C) :- t(C,subclass,animal). inf_seen_2(C) :- inf_seen_2(X), t(C,subclass,X).""",
        ),
        (
            PARITIES,  # a recursion of two predicates: a view for each
            """hit(Y) :- e(1,Y). hit(Y) :- e(X,Y), odd_seen_2(X). odd_seen_2(Y_2) :- e(X,Y_2), hit(X).""",
        ),
        (YES, "tc_seen(Y) :- e(X,Y), src(X). tc_seen(Y) :- tc_seen(X), e(X,Y). hit :- tc_seen(Y), dst(Y)."),
        (PARTS, "need(Y) :- part(X,Y,Any_2), wanted(X). need(Y) :- need(X), part(X,Y,Any_2)."),  # a number that is lost
        (
            TWICE,  # a view that asks for a recursion below it
            """past(Y) :- past(X), e(X,Y). past(Y) :- e(X,Y), good(X), seen(X).
            seen(Y) :- e(1,Y). seen(Y) :- seen(X), e(X,Y).""",
        ),
        (
            COLOURS,  # two kinds of values
            "q(Y) :- blue(Z,Y), b_seen_2(Z). b_seen_2(Z) :- red(X,Z), q(X). b_seen_2(Z) :- red(X,Z), start(X).",
        ),
        (
            COMMON,  # one view, read twice
            """anc_seen(Z,X) :- anc_seen(Z,Y), parent(Y,X). anc_seen(Z,X) :- parent(Z,X), root(Z).
            q(X,Y) :- anc_seen(Z,X), anc_seen(Z,Y).""",
        ),
    ],
)
def test_views_are_fused_together_and_proved(text, wanted):
    source = ProgramText("given", text)
    world = InputWorld(source)
    program = world.program(source)
    proposals = list(fusions(program, Samples(program, world), world))
    (made,) = (each for each in proposals if plain(each.program) == plain(wanted))
    found = world.read("found", made.program)
    assert any(world.prove(source, found, each).proved for each in proposed_bridges(source, found, world, made.hints))
    bridge = find_bridge(source, found, world)
    assert isinstance(bridge, str)
    assert world.prove(source, found, bridge).proved


@pytest.mark.takes_seconds(keep=1)
def test_a_flood_from_each_corner_begins_with_two_equal_arguments():
    text = """c(P,X,X) :- owns(P,X). c(P,X,Z) :- c(P,X,Y), adjacent(Y,Z), owns(P,Z).
    wins(P) :- c(P,X,Y), corner(X), corner(Y), X < Y."""
    wanted = """c_seen(P,X,X) :- owns(P,X), corner(X). c_seen(P,X,Y) :- c_seen(P,X,U), adjacent(U,Y), owns(P,Y).
    wins(P) :- c_seen(P,X,Y), corner(Y), X < Y."""
    source = RuleSet.from_text(text, "corners", games="havannah")
    assert plain(wanted) in fused(source, "havannah")

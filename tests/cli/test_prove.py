"""`hexlogic prove`: verdicts, pictures, exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from hexlogic.cli.prove import print_universal
from hexlogic.language.engines import load_engine
from hexlogic.process.files import rules_folder
from hexlogic.proofs.all_boards import ASSUMED, ProofSection, Universal
from hexlogic.proofs.as_written import Tried
from hexlogic.proofs.smt.export import Checked


def test_a_proof_is_status_0(cli):
    outcome = cli("prove", "follow-line-tabled", "clusters", "--size", "3")
    assert outcome.status == 0
    assert outcome.out.startswith("follow-line-tabled and clusters are equal on 3x3 Hex\n")
    assert "  red: all 512 sets of red stones of 3x3 Hex, clingo\n" in outcome.out
    assert " choices, " in outcome.out
    assert " conflicts, " in outcome.out


def test_a_refutation_is_status_1_and_draws_the_board(cli, tmp_path):
    picture = tmp_path / "missed.svg"
    outcome = cli("prove", "clusters", "power-set", "--size", "3", "--svg", str(picture))
    assert outcome.status == 1
    assert "clusters says that red has won and power-set does not" in outcome.out
    board = outcome.out.split("\n\n")[1]
    assert (board.count("R"), board.count("B")) == (4, 0)
    assert picture.read_text().startswith("<svg")
    assert cli("prove", "clusters", "power-set", "--size", "3", "--svg", "-").out.startswith("<svg")


def test_the_same_as_json(cli):
    outcome = cli("prove", "clusters", "power-set", "--size", "3", "--json")
    data = json.loads(outcome.out)
    assert (outcome.status, data["verdict"], data["rows"]) == (1, "different", 3)
    example = data["counter_example"]
    assert (example["left"], example["right"], example["referee"], example["smallest"]) == (True, False, True, True)
    assert len(example["position"]["red"]) == 4
    proof = json.loads(cli("prove", "clusters", "maker-breaker", "--size", "2x3", "--player", "blue", "--json").out)
    assert (proof["verdict"], proof["columns"], len(proof["findings"])) == ("equal", 3, 1)
    assert proof["findings"][0]["positions"] == 64
    assert {"choices", "conflicts", "solve_s", "ground_rules"} <= proof["findings"][0].keys()


def test_a_rule_set_against_what_passes_make_of_it(cli):
    outcome = cli("prove", "clusters", "clusters", "--size", "3", "--pipeline", "ground,reorder,prune")
    assert outcome.status == 0
    assert outcome.out.startswith("clusters and clusters after ground,reorder,prune are equal on 3x3 Hex\n")


def test_hex_theorem(cli):
    outcome = cli("prove", "hex-theorem", "--size", "3")
    assert outcome.status == 0
    assert outcome.out.startswith("on every full board of 3x3 Hex exactly one player has won")


@pytest.mark.takes_seconds
def test_all_as_declared(cli):
    outcome = cli("prove", "--all", "--size", "2")
    assert outcome.status == 0
    assert "NOT AS DECLARED" not in outcome.out
    assert "power-set" in outcome.out


@pytest.mark.takes_seconds
def test_all_as_json(cli):
    data = json.loads(cli("prove", "--all", "--size", "2", "--player", "red", "--json").out)
    assert data["as_declared"] is True
    assert {row["pairs"]["clusters"] for row in data["rule_sets"] if row["complete"]} == {"equal"}


@pytest.mark.takes_seconds
def test_out_of_time_is_status_1(cli):
    outcome = cli("prove", "follow-line-tabled", "clusters-labelled", "--size", "7", "--time", "1.5")
    assert outcome.status == 1
    assert "neither proved nor refuted, stopped after 1.5 s" in outcome.out


def test_a_broken_rule_file_is_refuted(cli, tmp_path):
    from hexlogic.games.rulesets import load_rule_set

    file = tmp_path / "broken.lp"
    text = load_rule_set("clusters").text
    assert "adjacent(Y,Z), " in text
    file.write_text(text.replace("adjacent(Y,Z), ", ""))
    outcome = cli("prove", "clusters", str(file), "--size", "2")
    assert outcome.status == 1
    assert "the referee: not won" in outcome.out


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nope", "clusters", "--size", "3"], "unknown rule set 'nope' (known: clusters, "),
        (["clusters", "cluster", "--size", "3"], "unknown rule set 'cluster' (did you mean clusters"),
        (["clusters", "maker-breaker", "--size", "0"], "--size: a Hex board cannot have 0 rows"),
        (["clusters", "maker-breaker", "--size", "3", "--game", "chess"], "unknown game 'chess'"),
        (["clusters", "follow-line-tabled", "--all-sizes", "--game", "chess"], "unknown game 'chess'"),
        (["clusters", "maker-breaker", "--size", "3", "--player", "green"], "unknown player 'green'"),
        (["clusters", "--size", "3"], "prove takes two rule sets, not 1 (or --all, or hex-theorem)"),
        (["clusters", "maker-breaker"], "prove needs a board (--size 4, or --all-sizes)"),
        (["clusters", "--all", "--size", "3"], "--all takes no names"),
        (["clusters", "winning-sets", "--size", "7"], "68,914 minimal winning sets"),
        (["clusters", "clusters", "--size", "3", "--pipeline", "polish"], "unknown pass 'polish'"),
        (["clusters", "clusters", "--size", "3", "--time", "0"], "--time"),
    ],
)
def test_bad_input_is_one_line(cli, arguments, line):
    assert line in cli("prove", *arguments).refused()


def test_all_sizes_prints_every_step(cli):
    outcome = cli("prove", "follow-line-tabled", "clusters", "--all-sizes")
    assert outcome.status == 0
    assert "  ok      reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).\n" in outcome.out
    boards = "all boards of up to 46,340 columns and rows (hex)"
    assert outcome.out.endswith(f"follow-line-tabled and clusters are equal: proved for {boards}\n")


def test_all_sizes_names_the_step_that_fails(cli, tmp_path):
    from hexlogic.games.rulesets import load_rule_set

    file = tmp_path / "clusters.lp"
    file.write_text(load_rule_set("clusters").text.replace("starts(P,X), last(P,Y)", "last(P,Y)"))
    outcome = cli("prove", "follow-line-tabled", str(file), "--all-sizes")
    assert outcome.status == 1
    assert "  FAILED  wins_right(P) :- same_cluster(P,X,Y), last(P,Y).\n" in outcome.out
    assert "not proved for all boards, the conclusion wins_left(X0) :- wins_right(X0). fails" in outcome.out


@pytest.mark.takes_seconds
def test_all_sizes_as_json_and_for_passes(cli):
    data = json.loads(cli("prove", "clusters-labelled", "clusters", "--all-sizes", "--json").out)
    assert (data["proved"], data["status"], data["assumed"], data["largest"]) == (True, "proved", [], 46340)
    why = [section["justification"] for section in data["sections"] if section["kind"] == "lemma"]
    assert why == ["proved by cvc5", "proved by cvc5, with the schema of least elements"]
    assert [section["kind"] for section in data["sections"]].count("lemma") == 2
    outcome = cli("prove", "clusters", "clusters", "--all-sizes", "--pipeline", "reorder,prune")
    assert outcome.status == 0
    assert "clusters and clusters after reorder,prune, as the passes write it on 2x2 2x3" in outcome.out
    assert cli("prove", "clusters", "winning-sets", "--all-sizes").status == 1
    assert "no --size and no --all" in cli("prove", "clusters", "clusters", "--all-sizes", "--size", "3").refused()


def test_the_command_refuses_with_status_2(cli, tmp_path):
    from hexlogic.games.rulesets import load_rule_set

    file = tmp_path / "mine.lp"
    file.write_text(load_rule_set("clusters").text + "\nadjacent(X,Z) :- adjacent(X,Y), adjacent(Y,Z).\n")
    for arguments in (["--all-sizes"], ["--size", "3"]):
        line = cli("prove", "follow-line-tabled", str(file), *arguments).refused()
        assert "mine.lp:18:1: adjacent/2 belongs to the board or the stones" in line


@pytest.mark.takes_seconds
def test_assumed_lemmas_are_status_1_unless_allowed(cli):
    arguments = ("prove", "maker-breaker", "clusters", "--all-sizes")
    refused = cli(*arguments, "--json")
    assert refused.status == 1
    data = json.loads(refused.out)
    assert (data["proved"], data["status"], len(data["assumed"])) == (False, "proved-assuming", 2)
    allowed = cli(*arguments, "--allow-lemmas", "--json")
    assert (allowed.status, allowed.out) == (0, refused.out)
    assert (
        "--allow-lemmas is for --all-sizes"
        in cli("prove", "clusters", "clusters", "-s", "2", "--allow-lemmas").refused()
    )


@pytest.mark.parametrize("assumed", [False, True])
@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("doubt", ["", "checks", "vacuous"])
@pytest.mark.parametrize("allowed", [False, True])
def test_no_json_says_proved_where_the_status_is_1(capsys, assumed, fails, doubt, allowed):
    """Of every way in which a proof can end: `proved` only with exit status 0 and without assumed lemmas."""
    lemma = ProofSection("lemma", "L: p.", "", (), justification=ASSUMED if assumed else "proved by cvc5")
    reason = "a step fails" if fails else ""
    proof = Universal("a", "b", "hex", (lemma,), reason=reason, tried=Tried(("3x3 Hex",), 1))
    checks = [Checked("z3", {"step": (0, 1), "lemma": (0, 0)}, 0, ("step 1",))] if doubt == "checks" else []
    try:
        print_universal([proof], checks, ["an axiom"] if doubt == "vacuous" else [], True, allowed)
    except typer.Exit as end:
        status = end.exit_code
    else:
        status = 0
    data = json.loads(capsys.readouterr().out)
    assert data["proved"] == (data["status"] == "proved")
    assert data["proved"] <= (status == 0)
    assert data["proved"] == (not (assumed or fails or doubt))
    expected = "not-proved" if fails else "not-confirmed" if doubt else "proved-assuming" if assumed else "proved"
    assert data["status"] == expected
    assert (status == 0) == (expected == "proved" or (expected == "proved-assuming" and allowed))


GROWING = """num(X) :- cell(X).
num(f(X)) :- num(X).
reach(P,X) :- first(P,X), owns(P,X).
reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
wins(P) :- reach(P,X), last(P,X).
#show wins/1.
"""


@pytest.fixture
def growing(tmp_path, monkeypatch):
    """A flood with a relation without end beside it, and the bridge that proves it equal to another flood."""
    monkeypatch.chdir(tmp_path)
    header = (rules_folder() / "follow-line-tabled.lp").read_text().partition("\n\n")[0]
    Path("growing.lp").write_text(f"{header.replace('follow-line-tabled', 'growing')}\n\n{GROWING}")
    sides = "% left:   growing\n% right:  follow-line-tabled\n% idea:   the same\n\n"
    there, back = ("reach_right(P,X) :- reach_left(P,X).", "reach_left(P,X) :- reach_right(P,X).")
    Path("bridge.lp").write_text(f"{sides}%% claim: there\n{there}\n\n%% claim: back\n{back}\n")
    return ["prove", "growing.lp", "follow-line-tabled", "--all-sizes"]


@pytest.mark.skipif(bool(load_engine("swipl").missing()), reason="swipl is not installed")
def test_where_terms_grow_the_proof_says_what_it_is_about(cli, growing):
    outcome = cli(*growing, "--bridge", "bridge.lp")
    assert outcome.status == 0
    assert "run by SWI-Prolog on the texts as they are" in outcome.out
    assert "clingo's grounder need not end on them: the proof is about their least models" in outcome.out


def test_a_limit_ends_all_of_it(cli, growing):
    """Its ground program has no end, and the search for a bridge needs one."""
    outcome = cli(*growing, "--time", "0.5")
    assert outcome.status == 1
    assert "growing and follow-line-tabled: not proved for all boards, " in outcome.out


def test_two_programs_without_a_board_and_without_headers(cli, tmp_path):
    inputs = "#defined e/2.\n#defined s/1.\n#show r/1.\n"
    (tmp_path / "pairs.lp").write_text(f"{inputs}t(X,Y) :- e(X,Y). t(X,Z) :- t(X,Y), t(Y,Z). r(Y) :- s(X), t(X,Y).")
    (tmp_path / "flood.lp").write_text(f"{inputs}r(Y) :- s(X), e(X,Y). r(Y) :- r(X), e(X,Y).")
    files = [str(tmp_path / name) for name in ("pairs.lp", "flood.lp")]
    done = cli("prove", *files, "--all-sizes")
    assert done.status == 0
    assert "pairs and flood are equal: proved for all sets of input facts" in done.out
    assert "found by `hexlogic prove --all-sizes`" in done.err
    for option in (("--size", "4"), ("--all-sizes", "--pipeline", "prune")):
        assert "decide no game" in cli("prove", *files, *option).refused()
    assert "defines no wins/1" in cli("prove", files[0], "clusters", "--all-sizes").refused()
    (tmp_path / "bare.lp").write_text(
        "w(P,X) :- owns(P,X), first(P,X). w(P,Y) :- w(P,X), adjacent(X,Y), owns(P,Y).\nwins(P) :- w(P,X), last(P,X)."
    )
    assert cli("prove", str(tmp_path / "bare.lp"), "follow-line-tabled", "--all-sizes").status == 0

"""Bridges found by program: between the shipped rule sets and their variants, in Hex and in Y; none for false pairs."""

from __future__ import annotations

import itertools

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.proofs.all_boards import AllBoards
from hexlogic.proofs.bridges import load_bridges, read_bridge
from hexlogic.proofs.conditions import own_program
from hexlogic.proofs.finding.bridge_text import NoBridge, find_bridge, find_bridge_in_child, prove_on_all_boards
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.question import equal
from hexlogic.proofs.smt.lemmas import LemmaProver
from tests.proofs.finding.variants import FALSE, TRUE, variant
from tests.proofs.finding.variants_of_other_games import HAVANNAH, Y
from tests.proofs.finding.variants_of_other_games import variant as variant_of

LIMIT_S = 240.0
"""Generous: a test waits for the search, not for the clock."""


def found(left, right, game="hex"):
    """The proof along the bridge that is found; its lemmas about the board are assumed here."""
    text = find_bridge(left, right, BoardWorld(game), limit_s=LIMIT_S)
    assert isinstance(text, str), f"no bridge between {left.name} and {right.name}"
    return text, equal(left, right, AllBoards(game, (read_bridge(text, "found.lp"),)))


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("name", TRUE)
def test_a_bridge_to_the_flood(name):
    _, proof = found(variant(name), load_rule_set("follow-line-tabled"))
    assert proof.proved, proof.reason


@pytest.mark.takes_seconds(keep=6)
@pytest.mark.parametrize("name", TRUE)
def test_a_bridge_to_the_clusters(name):
    _, proof = found(variant(name), load_rule_set("clusters"))
    assert proof.proved, proof.reason


@pytest.mark.takes_seconds(keep=2)
@pytest.mark.parametrize(
    ("left", "right", "game"),
    [
        ("follow-line-tabled", "clusters", "hex"),
        ("clusters-union", "clusters", "hex"),
        ("clusters-union", "follow-line-tabled", "hex"),
        ("clusters-labelled", "clusters", "hex"),
        ("y/follow-line", "y/clusters", "y"),
    ],
)
def test_shipped_bridges_are_found_without_the_file(left, right, game):
    text, proof = found(load_rule_set(left), load_rule_set(right), game)
    assert proof.proved, proof.reason
    # A lemma that a shipped bridge proves is taken from it with its sources; no other is needed.
    names = {statement.name for bridge in load_bridges(game) for statement in bridge.statements}
    bridge = read_bridge(text, "found.lp")
    lemmas = {statement.name for statement in bridge.statements if statement.kind == "lemma"}
    assert all(name in names or name.startswith("least element of ") for name in lemmas)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("name", "right"), [*itertools.product(Y, ("y/follow-line", "y/clusters"))])
def test_a_bridge_in_y(name, right):
    _, proof = found(variant_of("y", name), load_rule_set(right), "y")
    assert proof.proved, proof.reason


@pytest.mark.takes_seconds(keep=1)
@pytest.mark.parametrize("name", HAVANNAH)
def test_a_bridge_for_the_bridge_and_the_fork_of_havannah(name):
    _, proof = found(variant_of("havannah", name), variant_of("havannah", "clusters"), "havannah")
    assert proof.proved, proof.reason


@pytest.mark.takes_seconds
def test_a_whole_text_of_havannah_is_proved_without_an_assumption():
    left, right = variant_of("havannah", "whole"), load_rule_set("havannah/clusters")
    proof, text = prove_on_all_boards(
        left, right, AllBoards("havannah", (), LemmaProver()), limit_s=LIMIT_S, report=lambda _: None
    )
    assert text
    assert proof.proved
    assert not proof.assumed


@pytest.mark.takes_seconds
def test_the_bridge_of_havannah_is_found_with_as_many_lemmas_as_the_shipped_one_assumes():
    left, right = load_rule_set("havannah/follow-line"), load_rule_set("havannah/clusters")
    text = find_bridge(left, right, BoardWorld("havannah"), limit_s=60.0, lemmas=True)
    assert isinstance(text, str), text.lines
    proof = equal(left, right, AllBoards("havannah", (read_bridge(text, "found.lp"),)))
    assert proof.proved
    assert set(proof.assumed) == {"symmetric", "rest of wins_left", "rest of wins_right"}  # no prover was asked
    (shipped,) = load_bridges("havannah")
    assert len(proof.assumed) == sum(statement.kind == "lemma" for statement in shipped.statements)
    # The lemmas are about the ring: bridges and forks are proved.
    assert all(words in text for words in ("leads(P,X,Y,X,Y).", "not outside(P,X).", "not loose(P,X)."))
    assert "corner(Y)" not in text


def test_what_says_as_much_as_the_conclusion_is_no_lemma():
    sides = []
    for name, wanted in (("havannah/follow-line", ("from_", "corner")), ("havannah/clusters", ("touches", "cluster"))):
        rules = own_program(load_rule_set(name), "havannah").rules
        kept = [str(rule) for rule in rules if not any(word in str(rule) for word in wanted)]
        sides.append(RuleSet.from_text("\n".join(kept), f"rings-{name[9:]}", games="havannah"))
    outcome = find_bridge(*sides, BoardWorld("havannah"), limit_s=5.0, lemmas=True)
    assert isinstance(outcome, NoBridge)
    assert any(line.startswith("open: wins_left") for line in outcome.lines)


def test_cells_and_directions_are_columns_apart():
    world = BoardWorld("havannah")
    samples = Samples(world.program(load_rule_set("havannah/follow-line")), world)
    cell, direction = samples.kind("leads", 1), samples.kind("leads", 2)
    assert cell != direction
    assert samples.kind("leads", 3) == samples.kind("adjacent", 0) == cell
    assert samples.kind("gentle", 1) == samples.kind("step", 0) == direction


@pytest.mark.takes_seconds(keep=3)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("from other sides", "one flood for each player"),
        ("adjacency turned", "edges"),
        ("symmetric", "either end"),
        ("squared", "to the left"),
        ("tagged sides", "edges"),
        ("both ways", "symmetric"),
    ],
)
def test_a_bridge_between_two_variants(left, right):
    _, proof = found(variant(left), variant(right))
    assert proof.proved, proof.reason


def test_a_theorem_is_assumed_where_a_query_asks_what_the_opponent_lacks():
    left, right = load_rule_set("maker-breaker"), load_rule_set("clusters")
    assert isinstance(find_bridge(left, right, BoardWorld("hex"), limit_s=LIMIT_S), NoBridge)
    text = find_bridge(left, right, BoardWorld("hex"), limit_s=LIMIT_S, lemmas=True)
    proof = equal(left, right, AllBoards("hex", (read_bridge(text, "found.lp"),)))
    assert proof.proved
    assert set(proof.assumed) == {"no draw", "one winner", "two players"}


def test_no_lemma_is_assumed_that_a_sample_refutes():
    weak = load_rule_set("maker-breaker").text.replace("passes(Q,X), last(Q,X)", "passes(Q,X)")
    left, right = RuleSet.from_text(weak, "weak"), load_rule_set("clusters")
    assert isinstance(find_bridge(left, right, BoardWorld("hex"), limit_s=20.0, lemmas=True), NoBridge)


def test_the_search_ends_at_the_limit_and_says_what_is_known():
    told = []
    left, right = load_rule_set("clusters-labelled"), load_rule_set("clusters")
    outcome = find_bridge_in_child(left, right, "hex", limit_s=4.0, report=told.append)
    assert isinstance(outcome, NoBridge)
    assert outcome.lines


def test_numbers_that_grow_are_refused_with_their_place():
    endless = variant("renamed").text + "far(X) :- cell(X).\nfar(X+1) :- far(X).\n"
    texts = RuleSet.from_text(endless, "endless"), load_rule_set("clusters")
    for left, right in (texts, texts[::-1]):
        with pytest.raises(HexlogicError, match="without end") as refused:
            find_bridge(left, right, BoardWorld("hex"), limit_s=20.0)
        assert refused.value.file == "endless.lp"


def test_no_claim_can_be_left_out():
    left, right = load_rule_set("follow-line-tabled"), load_rule_set("clusters")
    text, _ = found(left, right)
    blocks = text.split("\n\n")
    claims = [place for place, block in enumerate(blocks) if block.startswith("%% claim")]
    assert claims
    for place in claims:
        fewer = "\n\n".join(block for other, block in enumerate(blocks) if other != place)
        assert not equal(left, right, AllBoards("hex", (read_bridge(fewer, "fewer.lp"),))).proved


@pytest.mark.takes_seconds(keep=3)
@pytest.mark.parametrize("name", FALSE)
def test_no_bridge_for_a_false_pair(name):
    left, right = variant(name), load_rule_set("follow-line-tabled")
    text = find_bridge(left, right, BoardWorld("hex"), limit_s=20.0)
    if isinstance(text, str):
        assert not equal(left, right, AllBoards("hex", (read_bridge(text, "found.lp"),))).proved
    else:
        assert text.lines


FLOOD = "f(P,X) :- first(P,X), owns(P,X). f(P,X) :- f(P,Y), adjacent(Y,X), owns(P,X).\n"


def test_rules_of_one_query_with_different_heads_are_cut_apart():
    ends = "wins(P) :- f(P,X), last(P,X), owns(Q,Y).\nwins(red) :- f(red,X), last(red,X), owns(Q,Y).\n"
    _, proof = found(RuleSet.from_text(FLOOD + ends, "uneven"), load_rule_set("clusters"))
    assert proof.proved


def test_a_changed_text_under_a_shipped_name_gets_a_bridge_of_its_own():
    text = variant("squared").text
    right, told = load_rule_set("follow-line-tabled"), []
    for rules in (RuleSet.from_text(text, "clusters"), load_rule_set("clusters")):
        proof, bridge = prove_on_all_boards(rules, right, AllBoards("hex"), limit_s=LIMIT_S, report=told.append)
        assert proof.proved
        assert bool(bridge) == (rules.text == text)
    false = RuleSet.from_text(f"{FLOOD}wins(P) :- f(P,X), first(P,X).", "clusters")
    proof, bridge = prove_on_all_boards(false, right, AllBoards("hex"), limit_s=LIMIT_S, report=told.append)
    assert not proof.proved
    assert "not so on every sample" in bridge.lines[0]


def test_of_rules_by_which_nobody_wins_the_other_direction_is_refuted():
    never = RuleSet.from_text("wins(P) :- owns(P,X), owns(P,Y), X < Y, Y < X.", "never")
    outcome = find_bridge(never, load_rule_set("clusters"), BoardWorld("hex"), limit_s=LIMIT_S)
    assert outcome.lines == ("not so on every sample: wins_left(P) :- wins_right(P).",)

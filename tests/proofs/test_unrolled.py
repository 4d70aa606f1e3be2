"""The rule sets without recursion over cycles are equal to the recursive ones, and have not a layer to spare."""

from __future__ import annotations

import dataclasses

import pytest

from hexlogic.games import Hex, has_won, load_game
from hexlogic.games.chains import KNOWN_LENGTHS, KNOWN_SWEEPS
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.proofs import Proof, Refutation, prove_equivalent

CALLS = {"follow-line-sweeps": "sweeps(player)", "follow-line-unrolled": "longest_chain(player)"}


def shortened(name: str, by: int) -> RuleSet:
    """The rule set with so many layers less."""
    rules = load_rule_set(name)
    return dataclasses.replace(rules, text=rules.text.replace(CALLS[name], f"{CALLS[name]} - {by}"))


@pytest.mark.takes_seconds(keep=6)
@pytest.mark.parametrize("game", [Hex(n, n) for n in (1, 2, 3, 4, 5)] + [Hex(2, 5), Hex(5, 3)], ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_unrolled_rules_are_equal_to_clusters(name, game):
    outcome = prove_equivalent(load_rule_set("clusters"), load_rule_set(name), game)
    assert isinstance(outcome, Proof)
    assert outcome.proved


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_sweeps_from_the_three_sides_of_y_are_equal_to_its_clusters(size):
    game = load_game("y").of_size(size)
    outcome = prove_equivalent(load_rule_set("y/clusters"), load_rule_set("y/follow-line-sweeps"), game)
    assert isinstance(outcome, Proof)
    assert outcome.proved


def test_y_needs_more_than_one_sweep():
    rules = load_rule_set("y/follow-line-sweeps")
    once = dataclasses.replace(rules, text=rules.text.replace("board.sweeps()", "1"))
    outcome = prove_equivalent(load_rule_set("y/clusters"), once, load_game("y").of_size(5))
    assert isinstance(outcome, Refutation)
    assert outcome.truth


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("name", "by"), [("follow-line-sweeps", 2), ("follow-line-unrolled", 1)])
@pytest.mark.parametrize("size", [4, 5])
def test_with_fewer_layers_a_win_is_missed(name, by, size):
    outcome = prove_equivalent(load_rule_set("clusters"), shortened(name, by), Hex.square(size))
    assert isinstance(outcome, Refutation)
    assert outcome.truth
    assert has_won(outcome.position, outcome.player)


def test_shortening_is_by_a_whole_sweep_forth_and_back():
    assert KNOWN_SWEEPS[5] == 5
    assert KNOWN_LENGTHS[5] == 11
    assert "sweep(red,1..3)." in shortened("follow-line-sweeps", 2).expand(Hex(5, 5))
    assert "layer(red,1..10)." in shortened("follow-line-unrolled", 1).expand(Hex(5, 5))

"""Transition rules from a definition: found, proved by induction on moves, and played against the definition."""

from __future__ import annotations

import dataclasses
import random

import pytest

from hexlogic.games import PLAYERS, load_game
from hexlogic.games.rulesets import load_rule_set, sized
from hexlogic.language import Atom, Integer, Symbol
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.proofs.finding import keeping
from hexlogic.proofs.finding.keeping import kept
from hexlogic.proofs.finding.worlds import BoardWorld
from hexlogic.proofs.smt.lemmas import LemmaProver


def played_apart(text, rules, game):
    """Random games on small boards: where transition rules and rules for one state say something else."""
    chance, world = random.Random(0), BoardWorld(game)
    for size in (3, 4, 4):
        board = load_game(game).of_size(size)
        both = sized(world.board + parse(text), board), rules.instantiate(board)
        cells, state, stones = list(board.cells), [], []
        chance.shuffle(cells)
        for number, cell in enumerate(cells):
            stone = (Symbol(PLAYERS[number % 2]), Integer(cell))
            model = least_model(both[0], [*state, Atom("plays", stone)])
            state = [Atom("cluster", atom.arguments) for atom in model if atom.name == "next_cluster"]
            stones.append(Atom("owns", stone))
            asked = zip(both, (state, stones), strict=True)
            said = [set(map(str, least_model(*each, only=(rules.query,)))) for each in asked]
            if said[0] != said[1]:
                return f"on {board} {said[0]} and not {said[1]} after {stones}"
    return ""


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("name", "game"), [("clusters", "hex"), pytest.param("y/clusters", "y", marks=pytest.mark.slow)]
)
def test_the_merging_rules_are_found_and_each_step_is_proved(name, game):
    (rules,) = kept(load_rule_set(name), BoardWorld(game, LemmaProver()))
    assert rules.reason == ""
    assert not played_apart(rules.text, load_rule_set(name), game)
    less = "\n".join(line for line in rules.text.splitlines() if not line.startswith("next_cluster(P,Y,X)"))
    assert played_apart(less, load_rule_set(name), game)
    assert "next_cluster(P,Y,X) :- plays(P,X), merged(P,Y)." in rules.text
    claims = {section.statement for section in rules.sections if section.kind == "claim"}
    for after in (  # what is assumed of the state before is a claim about the state after
        "same_cluster_after(P,X,Y) :- next_cluster(P,X,L), next_cluster(P,Y,L).",
        "next_cluster(P,Y,L) :- same_cluster_after(P,X,Y), next_cluster(P,X,L).",
        "next_cluster(P,X,L) :- owns_after(P,X).",
        "next_cluster(P,L,L) :- next_cluster(P,X,L).",
    ):
        assert after in claims
    assert all(section.ok for section in rules.sections)
    assert sum(section.kind == "conclusion" for section in rules.sections) == 2


@pytest.mark.takes_seconds
def test_rules_that_merge_too_little_are_not_proved(monkeypatch):
    real = keeping.written
    kept_rule = "next_cluster(P,Y,L) :- cluster(P,Y,L)"
    shorter = (f"{kept_rule}, not renamed(P,L).", f"{kept_rule}.")
    monkeypatch.setattr(keeping, "written", lambda *arguments: real(*arguments).replace(*shorter))
    (rules,) = kept(load_rule_set("clusters"), BoardWorld("hex", LemmaProver()))
    assert rules.reason


def test_nothing_is_kept_where_no_equivalence_is():
    assert list(kept(load_rule_set("follow-line-tabled"), BoardWorld("hex"))) == []
    assert dataclasses.is_dataclass(keeping.Kept)

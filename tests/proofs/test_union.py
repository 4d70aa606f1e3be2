"""`clusters-union` for all boards: what its text says, closing rules written out, is what the proofs are about."""

from __future__ import annotations

import dataclasses

import pytest

from hexlogic import prove_equivalent
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language.passes import Pipeline
from hexlogic.process.files import rules_folder
from hexlogic.proofs import Proof, Refutation
from hexlogic.proofs.bridges import read_bridge
from tests.proofs.proving import prove_for_all_boards

UNION = load_rule_set("clusters-union")
BRIDGE = "clusters-union--clusters.lp"


@pytest.mark.takes_seconds
@pytest.mark.parametrize("other", ["clusters", "follow-line-tabled", "clusters-labelled"])
def test_proved_for_all_boards(other: str) -> None:
    for pair in ((load_rule_set(other), UNION), (UNION, load_rule_set(other))):
        done = prove_for_all_boards(*pair)
        assert done.proved, done
        assert "symmetric" in done.lemmas[0].statement


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        # united stones touch: false as soon as three stand in a row
        ("same_cluster(P,X,Y) :- united", "adjacent(X,Y) :- united", "the claim adjacent(X,Y) :- united(P,X,Y). fails"),
        # without the symmetry of clusters nothing answers the closing rule for it
        (
            "same_cluster(P,Y,X) :- same_cluster(P,X,Y).",
            "owns(P,Y) :- same_cluster(P,X,Y).",
            "for the rule united(P,Y,X) :- united(P,X,Y).",
        ),
        ("united(P,X,Y) :- same_cluster", "united(X,P,Y) :- same_cluster", "the claim united(X,P,Y)"),
        (
            "united(P,X,Y) :- same_cluster(P,X,Y).",
            "owns(P,X) :- united(P,X,Y).",
            "the conclusion wins_left(X0) :- wins_right(X0).",
        ),
    ],
)
def test_a_wrong_bridge_fails(old: str, new: str, failing: str) -> None:
    text = (rules_folder() / "bridges" / BRIDGE).read_text()
    assert old in text
    done = prove_for_all_boards(UNION, load_rule_set("clusters"), bridges=[read_bridge(text.replace(old, new), BRIDGE)])
    assert not done.proved
    assert failing in done.reason


BROKEN = [
    ("united(P,X,Y) :- owns(P,X), adjacent(X,Y), owns(P,Y).", "united(P,X,Y) :- owns(P,X), adjacent(X,Y)."),
    ("united(P,X,Y) :- owns(P,X), adjacent(X,Y), owns(P,Y).", ""),
    ("united(P,X,Z) :- united(P,X,Y), united(P,Y,Z).", "united(P,X,Z) :- united(P,X,Y), united(Q,Y,Z)."),
    ("united(P,X,Z) :- united(P,X,Y), united(P,Y,Z).", ""),
    ("first(P,X), last(P,Y)", "last(P,Y)"),
]


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize(("old", "new"), BROKEN)
def test_broken_rules_fail(old: str, new: str) -> None:
    assert old in UNION.text
    text = UNION.text.replace(old, new).replace("%! equivalence united/3.\n", "")  # the check would not let it pass
    broken = dataclasses.replace(UNION, text=text)
    assert not prove_for_all_boards(broken, load_rule_set("clusters")).proved
    outcome = prove_equivalent(broken.instantiate(Hex.square(3)), UNION, Hex.square(3), players=["red"])
    if "united(Q,Y,Z)" in new:
        # two stones of different colours never share a cell, so Q is P: equal, and the induction does not see it
        assert isinstance(outcome, Proof)
    else:
        assert isinstance(outcome, Refutation)


@pytest.mark.parametrize("pipeline", ["reorder", "ground,reorder:cost,prune", "ground,reorder,magic,stage"])
def test_passes_keep_what_the_text_says(pipeline: str) -> None:
    outcome = prove_equivalent(UNION, UNION, Hex.square(3), pipeline=Pipeline.parse(pipeline))
    assert isinstance(outcome, Proof), outcome
    assert outcome.proved

"""One question for all kinds of texts: each input space tells equal texts from different ones."""

from __future__ import annotations

import pytest

from hexlogic.encodings.checking import EncodingInstances
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.ggp.language.reading import read_kif
from hexlogic.ggp.optimise import GameStates
from hexlogic.language import Predicate
from hexlogic.language.analysis.checks import parse_checked
from hexlogic.proofs.equivalence import Boards
from hexlogic.proofs.program_equality import Instances
from hexlogic.proofs.question import equal

GAME = "(role robot) (init off) (<= (legal robot push) (true off)) (<= (next on) (does robot push))"
GAME += " (<= terminal (true on)) (<= (goal robot 100) (true on))"
PROGRAM = "#defined e/1. :- e(X), not n(X). n(1..2). p(X) :- e(X), n(X). #show p/1."


@pytest.mark.parametrize(
    ("left", "same", "other", "over"),
    [
        (
            parse_checked(PROGRAM),
            parse_checked(PROGRAM.replace("e(X), n(X).", "e(X).")),
            parse_checked(PROGRAM.replace("e(X), n(X).", "n(X).")),
            Instances(limit_s=10),
        ),
        (*map(load_rule_set, ("clusters", "follow-line-tabled", "power-set")), Boards(Hex.square(3))),
        (
            read_kif(GAME),
            read_kif(GAME),
            read_kif(GAME.replace("100", "50")),
            GameStates(games=2),
        ),
    ],
    ids=["programs", "rule sets", "sheets"],
)
def test_each_space_tells_equal_from_different(left, same, other, over) -> None:
    assert equal(left, same, over).equal
    assert equal(left, same, over).proved
    assert not equal(left, other, over).equal


def test_encodings_are_compared_by_samples() -> None:
    encoding = read_encoding_text("{ a(1..2) }.")
    over = EncodingInstances([Predicate("a", 1)], None, 10)
    verdict = equal(encoding, Rewritten(encoding), over)
    assert verdict.equal
    assert not verdict.proved
    assert not equal(read_encoding_text("{ a(1..3) }."), Rewritten(encoding), over).equal

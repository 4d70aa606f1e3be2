"""Clingo's integers wrap at 32 bits, those of other engines do not: they refuse a text for which that matters."""

from __future__ import annotations

import pytest

from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language.engines import load_engine
from hexlogic.language.parser import parse

OTHERS = ("swipl", "pydatalog", "egglog", "epilog")
WRAPS = (
    "wins(P) :- owns(P,X), 2147483647+1 < 0.",
    "wins(P) :- owns(P,X), X*1100000000 < 0.",
    "#const big = 2147483647. wins(P) :- owns(P,X), X+big < 0.",
    "large(Y) :- cell(X), Y = X*1100000000. wins(P) :- owns(P,X), large(Y), Y < 0.",
)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("text", WRAPS)
def test_an_engine_that_counts_on_gives_the_reason(name, text):
    board = load_rule_set("clusters").instantiate(Hex(2, 2))
    program = board.with_rules(tuple(rule for rule in board.rules if "cluster" not in str(rule))) + parse(text)
    reason = load_engine(name).supports(program)
    assert reason is not None
    assert "32 bits" in reason
    assert load_engine("clingo").supports(program) is None


@pytest.mark.parametrize("name", OTHERS[:3])
def test_small_and_unknown_numbers_are_taken(name):
    engine = load_engine(name)
    for text in (
        "#defined e/1. p(Y) :- e(X), Y = X*1000000000.",
        "cell(1..361). p(Y) :- cell(X), Y = X*X.",
        "n(2147483647). p(X) :- n(X), X > 0.",
        "num(1). num(X+1) :- num(X), X < 2000000000.",
    ):
        assert engine.supports(parse(text)) is None

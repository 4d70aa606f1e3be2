from __future__ import annotations

import pytest
from hypothesis import given, settings

from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language import Atom, Program
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from tests.language.programs import input_facts, safe_programs

UNFOLD = Pipeline.parse("unfold")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pair(X,Y) :- p(X), p(Y). hit :- pair(X,Y), near(X,Y). #show hit/0.", "hit :- p(X), p(Y), near(X,Y)."),
        # variables of the two rules are kept apart
        ("a(X) :- p(X,Y). w(Y) :- q(Y,X), a(X). #show w/1.", "w(Y) :- q(Y,X), p(X,Y_2)."),
        # constants and repeated variables meet
        ("a(X,X) :- p(X). w(Y) :- q(Y), a(1,Y). #show w/1.", "w(1) :- q(1), p(1)."),
        ("a(f(X)) :- p(X). w(Y) :- a(f(Y)). #show w/1.", "w(Y) :- p(Y)."),
        ("a(f(X)) :- p(X). w(Y) :- a(Y). #show w/1.", "w(f(X)) :- p(X)."),
        # arithmetic is compared, after the body that binds it
        ("a(X+1) :- p(X). w(Y) :- a(Y). #show w/1.", "w(Y) :- p(X), Y = X+1."),
        # one after the other
        ("a(X) :- p(X). b(X) :- a(X), r(X). w(X) :- b(X). #show w/1.", "w(X) :- p(X), r(X)."),
    ],
)
def test_a_single_call_is_replaced(before: str, after: str) -> None:
    assert [str(rule) for rule in UNFOLD.apply(parse(before)).rules] == [after]


@pytest.mark.parametrize(
    "text",
    [
        "a(X) :- p(X). w(X) :- a(X).",
        "a(X) :- p(X). w(X) :- a(X), q(X). #show w/1. #show a/1.",
        "a(X) :- p(X). a(X) :- q(X). w(X) :- a(X). #show w/1.",
        "a(X) :- p(X). w(X) :- a(X). v(X) :- a(X). #show w/1.",
        "a(X) :- p(X). w(X) :- q(X), not a(X). #show w/1.",
        "a(X) :- p(X). w(X) :- a(X). :- a(X), not q(X). #show w/1.",
        "#defined a/1. a(X) :- p(X). w(X) :- a(X). #show w/1.",
        "a(X) :- p(X), a(X). w(X) :- a(X). #show w/1.",
        "a(1). w(X) :- a(X). #show w/1.",
        "a(one) :- p(1). w(X) :- a(two), q(X). #show w/1.",
    ],
)
def test_programs_that_stay_as_they_are(text: str) -> None:
    program = parse(text)
    assert UNFOLD.apply(program) is program


def test_the_power_set_becomes_one_join() -> None:
    program = UNFOLD.apply(load_rule_set("power-set").instantiate(Hex.square(3)))
    assert not any(rule.head is not None and rule.head.name.startswith("selection") for rule in program.rules)


@pytest.mark.takes_seconds
@settings(max_examples=120, deadline=None)
@given(safe_programs(), input_facts)
def test_unfolding_keeps_the_answers(program: Program, facts: tuple[Atom, ...]) -> None:
    after = UNFOLD.apply(program)
    assert least_model(after, facts, only=program.queries) == least_model(program, facts, only=program.queries)

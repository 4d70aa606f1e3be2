from __future__ import annotations

import pytest
from hypothesis import given, settings

from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.language import Atom, Integer, Program
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.prune import subsumes
from tests.language.programs import input_facts, safe_programs

PRUNE = Pipeline.parse("prune")
OWNS = "#defined owns/2. cell(1..9). :- owns(P,X), not cell(X). "


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # the paper's example
        ("r(X,Y) :- p(X,Y), q(Y), q(Z).", "r(X,Y) :- p(X,Y), q(Y)."),
        # conjunctive-query minimisation
        ("t(X) :- e(X,Y), e(X,Z).", "t(X) :- e(X,Y)."),
        ("t(X) :- e(X,Y), e(Y,Z), e(X,V), e(V,W), e(W,U).", "t(X) :- e(X,V), e(V,W), e(W,U)."),
        ("t(X,Z) :- e(X,Y), e(X,Z).", "t(X,Z) :- e(X,Z)."),
        ("t(X) :- e(X,X), e(X,Y), e(Y,X).", "t(X) :- e(X,X)."),
        ("t :- e(X,Y), e(Y,Z).", "t :- e(X,Y), e(Y,Z)."),
        ("p(X) :- q(X), not r(X), not r(X).", "p(X) :- q(X), not r(X)."),
        ("p(X) :- q(X,Y), q(X,Z), Y < Z.", "p(X) :- q(X,Y), q(X,Z), Y < Z."),
        ("p(X) :- q(X,Y), q(X,Z), not r(Z).", "p(X) :- q(X,Z), not r(Z)."),
    ],
)
def test_conjunctive_query_minimisation(before: str, after: str) -> None:
    assert str(PRUNE.apply(parse(before))).strip() == after


@pytest.mark.parametrize(
    ("rules", "after"),
    [
        # declared: stones lie on cells
        (OWNS + "p(X) :- owns(P,X), cell(X).", "p(X) :- owns(P,X)."),
        (OWNS + "p(X) :- cell(X), owns(red,X).", "p(X) :- owns(red,X)."),
        (OWNS + "p(X) :- owns(P,Y), cell(X).", "p(X) :- owns(P,Y), cell(X)."),
        # derived from the rules of the other predicate, through recursion
        (
            OWNS + "g(P,X) :- owns(P,X). g(P,Y) :- g(P,X), n(X,Y), owns(P,Y). w(P) :- g(P,X), owns(P,X).",
            "w(P) :- g(P,X).",
        ),
        ("c(1..3). e(X,Y) :- c(X), c(Y), Y = X+1. p(X) :- e(X,Y), c(Y).", "p(X) :- e(X,Y)."),
        # derived from facts
        ("c(1..3). e(1,2). e(2,3). p(X) :- e(X,Y), c(Y).", "p(X) :- e(X,Y)."),
        ("c(1..2). e(1,2). e(2,3). p(X) :- e(X,Y), c(Y).", "p(X) :- e(X,Y), c(Y)."),
        ("c(1..2). p(X) :- e(X), c(2).", "p(X) :- e(X)."),
        # not guaranteed: one rule of g goes without
        (OWNS + "g(P,X) :- owns(P,X). g(P,X) :- h(P,X). w(P) :- g(P,X), owns(P,X).", "w(P) :- g(P,X), owns(P,X)."),
        # an input guarantees nothing that is not declared
        ("#defined e/2. c(1..3). p(X) :- e(X,Y), c(Y).", "p(X) :- e(X,Y), c(Y)."),
    ],
)
def test_inclusion_dependencies(rules: str, after: str) -> None:
    assert after in [str(rule) for rule in PRUNE.apply(parse(rules)).rules]


def test_circular_support_does_not_count() -> None:
    # q implies c only because p does, and p only because of the very literal in question
    text = "c(X) :- p(X). c(X) :- d(X). p(X) :- q(X), c(X)."
    assert "p(X) :- q(X), c(X)." in str(PRUNE.apply(parse(text)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("p(X) :- q(X,Y). p(X) :- q(X,X), r(X).", "p(X) :- q(X,Y).\n"),
        ("p(X) :- q(X,X), r(X). p(X) :- q(X,Y). p(a) :- q(a,b).", "p(X) :- q(X,Y).\n"),
        ("p(X) :- q(X,Y). p(X) :- q(X,Z).", "p(X) :- q(X,Y).\n"),
        ("w :- o(1), o(2), o(3). w :- o(1), o(3). v :- o(1).", "w :- o(1), o(3).\nv :- o(1).\n"),
        ("p(X) :- p(X), q(X). p(X) :- r(X).", "p(X) :- r(X).\n"),
        ("p(1). p(1).", "p(1).\n"),
        ("p(X) :- q(X), not r(X). p(X) :- q(X), r(X).", "p(X) :- q(X), not r(X).\np(X) :- q(X), r(X).\n"),
    ],
)
def test_subsumed_rules_go(before: str, after: str) -> None:
    assert str(PRUNE.apply(parse(before))) == after


def test_subsumption_is_not_symmetric() -> None:
    general, special = parse("p(X) :- q(X,Y). p(X) :- q(X,X).").rules
    assert subsumes(general, special)
    assert not subsumes(special, general)


@pytest.mark.takes_seconds
@settings(max_examples=150, deadline=None)
@given(safe_programs(), input_facts)
def test_pruning_keeps_the_least_model(program: Program, facts: tuple[Atom, ...]) -> None:
    assert least_model(PRUNE.apply(program), facts) == least_model(program, facts)


def test_nothing_to_prune_gives_the_same_program() -> None:
    program = load_rule_set("clusters").instantiate(Hex.square(3))
    assert PRUNE.apply(program) is program


def test_an_inclusion_that_rested_on_one_that_failed_is_not_kept() -> None:
    """`p` within `t` is assumed while it is tried, `q` within `t` follows from it, and then the first one fails."""
    text = (
        "#defined u/1. #defined e/1. t(X) :- e(X). p(X) :- q(X). p(X) :- u(X). q(X) :- p(X). q(X) :- t(X)."
        "b(X) :- p(X), q(X), t(X). #show b/1."
    )
    program = parse(text)
    facts = (Atom("u", (Integer(1),)),)
    assert least_model(PRUNE.apply(program), facts) == least_model(program, facts)
    assert PRUNE.apply(program) == program

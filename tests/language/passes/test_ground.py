from __future__ import annotations

import pytest
from hypothesis import given, settings

from hexlogic.errors import PipelineError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.ground import groundable
from tests.language.programs import input_facts, safe_programs

TEXT = """#const n = 3.
#defined owns/1.
cell(1..n).
next(X,Y) :- cell(X), cell(Y), Y = X+1.
far(X) :- cell(X), not next(1,X).
hit(Y) :- owns(X), next(X,Y).
#show hit/1.
"""


def test_static_predicates_become_sorted_facts() -> None:
    grounded = Pipeline.parse("ground").apply(parse(TEXT))
    assert [str(rule) for rule in grounded.rules] == [
        "cell(1..n).",
        "next(1,2).",
        "next(2,3).",
        "far(1).",
        "far(3).",
        "hit(Y) :- owns(X), next(X,Y).",
    ]


def test_only_the_named_predicates() -> None:
    grounded = Pipeline.parse("ground:next").apply(parse(TEXT))
    assert "far(X) :- cell(X), not next(1,X)." in str(grounded)
    assert "next(1,2)." in str(grounded)


def test_a_predicate_that_moves_cannot_be_grounded() -> None:
    with pytest.raises(PipelineError) as caught:
        Pipeline.parse("ground:hit").apply(parse(TEXT))
    assert str(caught.value) == ("ground: 'hit' is not a predicate that depends on no input (there are: far, next)")


def test_infinite_predicates_stay_rules() -> None:
    program = parse(
        "cell(1..2). list(nil). list(item(X,L)) :- list(L), cell(X). short(X) :- cell(X), list(item(X,nil))."
    )
    assert groundable(program) == frozenset()
    assert Pipeline.parse("ground").apply(program) is program


def test_a_predicate_without_facts_disappears() -> None:
    program = parse("cell(1). big(X) :- cell(X), X > 1. #show big/1.")
    assert str(Pipeline.parse("ground").apply(program)) == "cell(1).\n#show big/1.\n"
    assert groundable(program) == {Predicate("big", 1)}


@settings(max_examples=60, deadline=None)
@given(safe_programs(), input_facts)
def test_grounding_keeps_the_least_model(program: Program, facts: tuple[Atom, ...]) -> None:
    # with the facts as part of the program nothing is an input any more, and everything can be grounded
    from hexlogic.language import Rule

    closed = Program(tuple(map(Rule, facts)) + program.rules)
    assert least_model(Pipeline.parse("ground").apply(closed)) == least_model(closed)
    assert least_model(Pipeline.parse("ground").apply(program), facts) == least_model(program, facts)

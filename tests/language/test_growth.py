"""Terms that grow, against what clingo's grounder does within bounds that tell."""

from __future__ import annotations

import pytest

from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse

ENDLESS = [
    "n(z). n(s(X)) :- n(X).",
    "a(z). b(f(X)) :- a(X). a(X) :- b(X).",
    "p(z,z). p(f(Y),X) :- p(X,Y).",
    "p(f(z)). p(f(f(X))) :- p(f(X)), q.  q.",
    "p(z). p(Y) :- p(X), Y = f(X).",
    "n(z). n(s(X)) :- n(X). line(z). line(f(X)) :- line(X), n(X).",
]
ENDING = [
    "cell(at(1)). cell(at(Y)) :- cell(at(X)), beside(X,Y). beside(1,2). beside(2,3).",
    "true(n(1)). next(n(Y)) :- true(n(X)), up(X,Y). true(X) :- next(X). up(1,2). up(2,3).",
    "p(f(z,z)). p(f(Y,X)) :- p(f(X,Y)).",
    "p(f(f(z))). p(X) :- p(f(X)).",
    "p(z). p(f(X)) :- p(X), q(X). q(z). q(f(z)).",
    "p(f(z)). p(g(X)) :- p(f(X)). p(f(X)) :- p(g(X)).",
    "a(z). b(f(X)) :- a(X). a(X) :- b(f(X)).",
]


@pytest.mark.parametrize("text", ENDLESS)
def test_endless_recursion_is_noticed(text):
    assert growing_predicates(parse(text))


@pytest.mark.parametrize("text", ENDING)
def test_recursion_that_hands_on_what_it_takes_ends(text):
    assert not growing_predicates(parse(text))
    assert least_model(parse(text))  # clingo's grounder ends, or this would not


@pytest.mark.parametrize("text", ["p(f(1)). p(f(X+1)) :- p(f(X)).", "p(f(1)). p(f(Y)) :- p(f(X)), Y = X+1."])
def test_numbers_inside_terms_may_grow(text):
    assert growing_predicates(parse(text))


def test_only_the_component_that_grows_is_named():
    text = "a(at(X)) :- a(at(X)), e(X). n(s(X)) :- n(X). b(at(X)) :- n(X)."
    assert {str(predicate) for predicate in growing_predicates(parse(text))} == {"n/1"}

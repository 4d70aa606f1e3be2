"""Tables of the orders that each strategy chooses, and that no order changes an answer or becomes illegal."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from hexlogic.errors import UnknownNameError
from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set, rule_set_names
from hexlogic.language import Atom, Program
from hexlogic.language.analysis.binding import is_legal
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.language.passes import Pipeline
from hexlogic.language.passes.reorder import STRATEGIES
from tests.language.programs import input_facts, safe_programs

pytestmark = pytest.mark.many_cases(keep=2)

PAPER = "s(X,Y) :- p(X), r(X,Y), q(X)."
ADJACENT = "cell(1..9). column(1,1). adjacent(X,Y) :- cell(X), cell(Y), Y = X+1, not column(X,9)."
CLUSTERS = (
    "#defined owns/2. joined(P,X,X) :- owns(P,X). joined(P,X,Z) :- joined(P,X,Y), next(Y,Z), owns(P,Z)."
    "wins(P) :- joined(P,X,Y), first(P,X), last(P,Y). #show wins/1."
)
REACH = "reach(X) :- start(X). reach(Y) :- reach(X), edge(X,Y). wins :- reach(X), goal(X). #show wins/0."
SELECTION = "chain(A,B) :- owns(A), owns(B), column(A,1), column(B,2), adjacent(A,B)."
SIZES = "big(1..2). big(3). big(4). big(5). small(1). p(X,Y) :- big(X), small(Y), big(Y)."
VIEW = "wins(P) :- line(P,X,Y), first(P,X). line(P,X,Y) :- edge(P,X,Y). #show wins/1."

ORDERS = [
    ("stepwise", PAPER, "s(X,Y) :- p(X), q(X), r(X,Y)."),
    ("bound-first", PAPER, "s(X,Y) :- p(X), q(X), r(X,Y)."),
    ("textual", PAPER, "s(X,Y) :- p(X), r(X,Y), q(X)."),
    ("naive", "s(X,Y) :- p(X), q(X), r(X,Y).", "s(X,Y) :- r(X,Y), p(X), q(X)."),
    ("naive", "s(X,Y) :- r(X), q(X,Y), t(Y), Y > X.", "s(X,Y) :- q(X,Y), r(X), t(Y), Y > X."),
    ("stepwise", ADJACENT, "adjacent(X,Y) :- cell(X), not column(X,9), Y = X+1, cell(Y)."),
    ("bound-first", ADJACENT, "adjacent(X,Y) :- cell(X), not column(X,9), Y = X+1, cell(Y)."),
    ("naive", ADJACENT, "adjacent(X,Y) :- cell(X), cell(Y), Y = X+1, not column(X,9)."),
    ("stepwise", CLUSTERS, "wins(P) :- first(P,X), joined(P,X,Y), last(P,Y)."),
    ("textual", CLUSTERS, "wins(P) :- joined(P,X,Y), first(P,X), last(P,Y)."),
    ("stepwise", REACH, "wins :- reach(X), goal(X)."),
    ("stepwise", VIEW, "wins(P) :- first(P,X), line(P,X,Y)."),
    ("stepwise", SELECTION, "chain(A,B) :- owns(A), column(A,1), owns(B), column(B,2), adjacent(A,B)."),
    ("naive", SELECTION, "chain(A,B) :- adjacent(A,B), owns(A), owns(B), column(A,1), column(B,2)."),
    ("bound-first", SIZES, "p(X,Y) :- small(Y), big(Y), big(X)."),
    ("textual", "p(Y) :- Y = X+1, not q(X), r(X).", "p(Y) :- r(X), Y = X+1, not q(X)."),
]


@pytest.mark.parametrize(("strategy", "text", "chosen"), ORDERS)
def test_the_orders_that_a_strategy_chooses(strategy: str, text: str, chosen: str) -> None:
    ordered = Pipeline.parse(f"reorder:{strategy}").apply(parse(text))
    assert chosen in [str(rule) for rule in ordered.rules]


def test_every_strategy_has_a_table() -> None:
    assert {strategy for strategy, _, _ in ORDERS} == set(STRATEGIES)


def test_a_recursion_that_loses_a_binding_is_not_asked_with_it() -> None:
    # clusters pass their first cell on, so asking about one cluster is cheap; reach does not pass its cell on
    assert "first(P,X), joined" in str(Pipeline.parse("reorder").apply(parse(CLUSTERS)))
    assert "goal(X), reach" not in str(Pipeline.parse("reorder").apply(parse(REACH)))


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=50, deadline=None)
@given(program=safe_programs(), facts=input_facts)
def test_no_order_changes_an_answer_or_is_illegal(strategy: str, program: Program, facts: tuple[Atom, ...]) -> None:
    ordered = Pipeline.parse(f"reorder:{strategy}").apply(program)
    assert all(is_legal(rule) for rule in ordered.rules)
    assert [sorted(map(str, rule.body)) for rule in ordered.rules] == [
        sorted(map(str, rule.body)) for rule in program.rules
    ]
    assert least_model(ordered, facts) == least_model(program, facts)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", rule_set_names())
def test_every_rule_set_stays_legal(name: str, strategy: str) -> None:
    ordered = Pipeline.parse(f"reorder:{strategy}").apply(load_rule_set(name).instantiate(Hex.square(3)))
    assert all(is_legal(rule) for rule in ordered.rules)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_infinite_predicate_is_asked_with_what_the_text_binds(strategy: str) -> None:
    # unvisited(Y,V) has infinitely many facts: reached with the list V unbound it would be listed for ever
    ordered = Pipeline.parse(f"reorder:{strategy}").apply(load_rule_set("follow-line").instantiate(Hex.square(3)))
    step = next(rule for rule in ordered.rules if str(rule).startswith("line(P,Y,visited(Y,V)) :-"))
    body = [str(item) for item in step.body]
    assert body.index("unvisited(Y,V)") > body.index("line(P,X,V)")


def test_reordering_twice_changes_nothing() -> None:
    once = Pipeline.parse("reorder").apply(load_rule_set("clusters").instantiate(Hex.square(4)))
    assert Pipeline.parse("reorder").apply(once) == once


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown ordering strategy 'stepwize' \(did you mean stepwise"):
        Pipeline.parse("reorder:stepwize")

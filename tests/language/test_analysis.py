"""Dependency graph, strata, safety, binding, adornments, reference semantics."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings

from hexlogic.errors import EngineError, HexlogicError, RuleSyntaxError, StratificationError, UnsafeRuleError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.analysis.binding import everything_bound, first_unbound, is_legal, meet, unsafe_variables
from hexlogic.language.analysis.checks import check, parse_checked
from hexlogic.language.analysis.dependence import (
    growing_predicates,
    reachable,
    recursive_predicates,
    recursive_through,
    sccs,
    static_predicates,
    strata,
)
from hexlogic.language.ground.solving import holds, least_model
from hexlogic.language.names import fresh_predicate, fresh_variables
from hexlogic.language.parser import parse, parse_atom, parse_rule
from tests.language.programs import input_facts, safe_programs


def names(found: object) -> list[str]:
    return sorted(map(str, found))  # type: ignore[call-overload]


GAME = parse(
    "#defined owns/2. cell(1..4). next(X,Y) :- cell(X), cell(Y), Y = X+1."
    "joined(P,X,X) :- owns(P,X). joined(P,X,Z) :- joined(P,X,Y), next(Y,Z), owns(P,Z)."
    "wins(P) :- joined(P,1,4). loses(P) :- owns(P,X), not wins(P). #show wins/1. #show loses/1."
)


def test_recursion_and_strata() -> None:
    assert names(recursive_predicates(GAME)) == ["joined/3"]
    assert recursive_through(GAME, Predicate("joined", 3)) == {Predicate("joined", 3)}
    assert recursive_through(GAME, Predicate("wins", 1)) == frozenset()
    level = strata(GAME)
    assert level[Predicate("loses", 1)] == 1
    assert level[Predicate("wins", 1)] == 0
    assert names(reachable(GAME, [Predicate("next", 2)])) == ["cell/1", "next/2"]


def test_components_come_after_what_they_need() -> None:
    seen: set[Predicate] = set()
    for component in sccs(GAME):
        needed = set().union(*(reachable(GAME, [predicate]) for predicate in component))
        assert needed <= seen | component
        seen |= component


def test_what_stands_still() -> None:
    assert names(static_predicates(GAME)) == ["cell/1", "next/2"]


def test_growing_terms() -> None:
    assert names(growing_predicates(parse("n(z). n(s(X)) :- n(X). m(s(X)) :- n(X)."))) == ["n/1"]
    assert not growing_predicates(parse("n(X) :- n(s(X)). n(s(z))."))


def test_recursion_through_negation_is_refused_with_its_cycle() -> None:
    text = "p(X) :- e(X), not q(X).\nq(X) :- e(X), r(X).\nr(X) :- p(X)."
    with pytest.raises(StratificationError) as caught:
        parse_checked(text, "bad.lp")
    assert str(caught.value) == (
        "bad.lp:1:1: p/1 depends on its own negation (the cycle is p/1 -> not q/1 -> r/1 -> p/1)"
    )


@pytest.mark.parametrize(
    ("text", "unsafe"),
    [
        ("p(X) :- q(X).", ""),
        ("p(X,Y) :- q(X).", "Y"),
        ("p(X) :- not q(X).", "X"),
        ("p(Y) :- q(X), Y = X+1.", ""),
        ("p(Y) :- q(X), X = Y+1.", "Y"),
        ("p(X) :- q(X+1).", "X"),
        ("p(X) :- X = f(Y), q(Y).", ""),
        ("p(X,Y) :- q(Z), Z = f(X,Y).", ""),
        ("p(X) :- X < 3.", "X"),
        ("p(Z) :- Z = Y+1, Y = X+1, q(X).", ""),
        ("p(X).", "X"),
        (":- q(X), not r(Y).", "Y"),
    ],
)
def test_safety(text: str, unsafe: str) -> None:
    assert names(unsafe_variables(parse_rule(text))) == unsafe.split()


def test_unsafe_rules_and_stray_intervals_are_refused_with_their_place() -> None:
    with pytest.raises(UnsafeRuleError) as caught:
        parse_checked("p(1).\n\n  q(X,Y) :- p(X).", "bad.lp")
    assert str(caught.value).startswith("bad.lp:3:3: variable Y is unsafe in `q(X,Y) :- p(X).`")
    with pytest.raises(RuleSyntaxError, match=r"bad\.lp:1:1: an interval outside a fact"):
        parse_checked("p(X) :- q(X,1..3).", "bad.lp")


@pytest.mark.parametrize(
    ("text", "blocked"),
    [
        ("p(X) :- q(X), not r(X).", None),
        ("p(X) :- not r(X), q(X).", "not r(X)"),
        ("p(Y) :- Y = X+1, q(X).", "Y = X+1"),
        ("p(X) :- q(X), X < Y, q(Y).", "X < Y"),
        ("p(X) :- q(X,X+1).", "q(X,X+1)"),
        ("p(X) :- q(f(X,X+1)).", "q(f(X,X+1))"),
        ("p(X) :- q(X), r(X+1).", None),
        ("p(X) :- f(X,Y) = Z, q(X,Y).", "f(X,Y) = Z"),
        ("p(X) :- q(Z), f(X,Y) = Z.", None),
    ],
)
def test_legal_orders(text: str, blocked: str | None) -> None:
    rule = parse_rule(text)
    found = first_unbound(rule)
    assert (None if found is None else str(found)) == blocked
    assert is_legal(rule) == (blocked is None)


def test_adornments_follow_the_calls() -> None:
    text = (
        "wins(P) :- first(P,X), joined(P,X,Y), last(P,Y)."
        "joined(P,X,X) :- owns(P,X). joined(P,X,Z) :- joined(P,X,Y), next(Y,Z). #show wins/1."
    )
    program = parse(text)
    found = meet(program, everything_bound(program))
    assert found[Predicate("joined", 3)] == {0, 1}
    assert found[Predicate("last", 2)] == {0, 1}
    assert found[Predicate("next", 2)] == {0}
    assert everything_bound(parse("p(X) :- q(X).")) == {}


def test_the_least_model() -> None:
    facts = [parse_atom(f"owns(red,{cell})") for cell in (1, 2, 3, 4)]
    assert holds(GAME, parse_atom("wins(red)"), facts)
    assert not holds(GAME, parse_atom("wins(red)"), facts[:3])
    assert parse_atom("loses(red)") in least_model(GAME, facts[:3])
    assert least_model(parse("p(f(a,-1),b)."), only=[Predicate("p", 2)]) == {parse_atom("p(f(a,-1),b)")}
    with pytest.raises(EngineError, match="clingo"):
        least_model(parse("p(X)."))


def brute_force(program: Program, facts: tuple[Atom, ...]) -> set[Atom]:
    """The model by naive evaluation, stratum by stratum, over the constants 0..4 (independent of clingo)."""
    from hexlogic.language import Comparison, Integer, Literal, Variable
    from hexlogic.language.walk import rule_variables, substitute

    true = set(facts)
    level = strata(program)

    def value(term: object) -> int:
        from hexlogic.language import Arithmetic

        if isinstance(term, Arithmetic):
            return value(term.left) + value(term.right)
        assert isinstance(term, Integer)
        return term.value

    def satisfied(item: Literal | Comparison) -> bool:
        if isinstance(item, Literal):
            return (item.atom in true) == item.positive
        left, right = value(item.left), value(item.right)
        return {"=": left == right, "!=": left != right, "<": left < right, ">=": left >= right}[item.operator]

    for stratum in range(max(level.values(), default=0) + 1):
        changed = True
        while changed:
            changed = False
            for rule in program.rules:
                assert rule.head is not None
                if level[rule.head.predicate] != stratum:
                    continue
                free: list[Variable] = sorted(rule_variables(rule), key=str)
                for values in itertools.product(range(5), repeat=len(free)):
                    ground = substitute(rule, dict(zip(free, map(Integer, values), strict=True)))
                    assert ground.head is not None
                    if ground.head not in true and all(map(satisfied, ground.body)):
                        true.add(ground.head)
                        changed = True
    return true


@settings(max_examples=60, deadline=None)
@given(safe_programs(), input_facts)
def test_the_least_model_agrees_with_naive_evaluation(program: Program, facts: tuple[Atom, ...]) -> None:
    assert least_model(check(program), facts) == brute_force(program, facts)


def test_fresh_names() -> None:
    assert str(fresh_predicate(GAME, "wins", 2)) == "wins_2/2"
    rule = parse_rule("p(X) :- q(X,X_2).")
    from hexlogic.language.walk import rule_variables

    assert str(next(iter(fresh_variables("X", rule_variables(rule))))) == "X_3"


def test_every_error_is_a_hexlogic_error() -> None:
    for kind in (StratificationError, UnsafeRuleError, RuleSyntaxError, EngineError):
        assert issubclass(kind, HexlogicError)

"""Epilog text: its sentences, its names, what it refuses, and that the rules it holds mean what they meant.

The text is read back by `epilog_reader`, and clingo compares the least models;
tests/language/engines/test_epilog.py runs it.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexlogic.errors import HexlogicError
from hexlogic.games import Hex, Position
from hexlogic.games.rulesets import load_rule_set, position_facts, rule_set_names
from hexlogic.language import Atom, Integer, Predicate, Program, Rule
from hexlogic.language.dialects import render
from hexlogic.language.dialects.epilog import EpilogWriter, predicate_name
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_atom
from hexlogic.language.passes import Pipeline
from tests.language.engines.cases import CASES
from tests.language.epilog_reader import KEPT, read

REFUSED = {"order of symbols"}
ENDLESS = {"visited lists"}


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("p(X) :- q(X,Y), not r(X).", "p_1(X) :- q_2(X,Y) & ~r_1(X)"),
        ("p(1,red).", "p_2(c1,s_red)"),
        ("p(-3).", "p_1(c_3)"),
        ("p(Y) :- q(X), Y = X+1.", "p_1(Y) :- q_1(X) & evaluate(plus(X,1),Y)"),
        ("p(X) :- q(X), X*2-1 = 3.", "p_1(X) :- q_1(X) & evaluate(minus(times(X,2),1),3)"),
        (
            "p(X) :- q(X), X/2 = X\\3.",
            "p_1(X) :- q_1(X) & evaluate(remainder(X,3),T) & evaluate(trunc(quotient(X,2)),T)",
        ),
        ("p(X) :- q(X,3), X = 2, X != Y, r(Y).", "p_1(X) :- q_2(X,c3) & same(X,c2) & distinct(X,Y) & r_1(Y)"),
        ("p(X) :- q(X), X <= 4.", "p_1(X) :- q_1(X) & evaluate(min(X,4),X)"),
        ("p(X) :- q(X), 4 > X.", "p_1(X) :- q_1(X) & evaluate(min(X,4),X) & distinct(X,4)"),
        ("p(X) :- q(X), X >= -1.", "p_1(X) :- q_1(X) & evaluate(min(-1,X),-1)"),
        ("p(f(X,nil)) :- q(X), X != a'.", "p_1(f_f_2(X,s_nil)) :- q_1(X) & distinct(X,s_a.)"),
        ("length(X) :- map(X), min(X), _a'(X).", "length_1(X) :- map_1(X) & min_1(X) & u._a.q_1(X)"),
        ("p :- not q, r.", "p_0 :- ~q_0 & r_0"),
        ("p(_Y) :- q(_Y,x'), r(X').", "p_1(V_2) :- q_2(V_2,s_x.) & r_1(V)"),
    ],
)
def test_sentences(rule: str, sentence: str) -> None:
    assert render(parse(rule), "epilog") == f"{sentence}\n"


def test_cells_are_integers_only_where_they_must_be() -> None:
    program = parse("#defined owns/2. next(X,Y) :- owns(red,X), Y = X+1. side(red,1). :- owns(P,X), X > 9.")
    assert render(program, "epilog").splitlines() == [
        "% input: owns_2(s_red or c12, 12)",
        "next_2(X,Y) :- owns_2(s_red,X) & evaluate(plus(X,1),Y)",
        "side_2(s_red,c1)",
        "% not run: :- owns(P,X), X > 9.",
    ]


def test_later_facts_are_spelled_like_the_program() -> None:
    writer = EpilogWriter(parse("#defined owns/2. next(X,Y) :- owns(red,X), Y = X+1. own(P) :- owns(P,X)."))
    assert writer.atom(parse_atom("owns(blue,3)")) == "owns_2(s_blue,3)"
    assert writer.atom(parse_atom("owns(7,3)")) == "owns_2(c7,3)"
    assert writer.atom(parse_atom("unheard(3,f(-1))")) == "unheard_2(c3,f_f_1(c_1))"
    for atom in ("owns(red,blue)", "owns(red,f(1))", "next(a,2)"):
        with pytest.raises(HexlogicError, match="stands where the program needs an integer"):
            writer.atom(parse_atom(atom))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p(X) :- q(X), X < red.", "argument 1 of p/1 holds red, but the program orders these values"),
        ("p(Y) :- q(X), Y = X+1. q(red).", "argument 1 of q/1 holds red, but the program computes with these values"),
        ("p(Y) :- q(X), Y = X+1. q(f(1)).", "argument 1 of q/1 holds f/1"),
        ("p :- q(X), Y = f(X), Y < f(3).", "holds f/1, but the program orders these values"),
        ("p(1/0).", "1/0 has no value"),
    ],
)
def test_refusals(text: str, reason: str) -> None:
    with pytest.raises(HexlogicError) as caught:
        render(parse(text), "epilog")
    assert reason in str(caught.value)


def assert_same_model(program: Program, facts: list[Atom]) -> None:
    """The rules of the printed text, with facts spelled like it, have the model of the program."""
    writer = EpilogWriter(program)
    printed = read(render(program, "epilog") + "".join(f"{writer.atom(fact)}\n" for fact in facts))
    deriving = program.with_rules(tuple(rule for rule in program.rules if rule.head is not None))
    assert least_model(printed) == least_model(deriving.with_rules((*deriving.rules, *map(Rule, facts))))


@pytest.mark.parametrize("name", [name for name in CASES if name not in ENDLESS])
def test_the_small_programs_keep_their_model(name: str) -> None:
    case = CASES[name]
    if name in REFUSED:
        with pytest.raises(HexlogicError):
            render(case.program, "epilog")
        return
    for seed in range(6):
        # a symbol in a column of integers is an error (see above)
        possible = [fact for fact in case.fact_atoms if name != "equivalence" or "a" not in map(str, fact.arguments)]
        facts = random.Random(seed).sample(possible, min(9, len(possible)))
        assert_same_model(case.program, facts)


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("pipeline", ["none", "ground,reorder,prune"])
@pytest.mark.parametrize("rule_set", [name for name in rule_set_names() if name != "follow-line"])
def test_the_rule_sets_keep_their_model(rule_set: str, pipeline: str) -> None:
    game = Hex(3, 3)
    program = Pipeline.parse(pipeline).apply(load_rule_set(rule_set).instantiate(game))
    for seed in range(3):
        cells = list(game.cells)
        random.Random(seed).shuffle(cells)
        assert_same_model(program, list(position_facts(Position(game, frozenset(cells[:4]), frozenset(cells[4:7])))))


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.from_regex(r"_{0,2}[a-z][A-Za-z0-9_']{0,4}", fullmatch=True).filter(lambda name: name != "not")
            | st.sampled_from(sorted(KEPT - {"not"})),
            st.integers(0, 3),
        ),
        unique=True,
    )
)
def test_names_stay_apart_and_are_those_of_nothing_else(used: list[tuple[str, int]]) -> None:
    names = [predicate_name(Predicate(name, arity)) for name, arity in used]
    assert len(set(names)) == len(used)
    assert not KEPT & set(names)
    for (name, arity), printed in zip(used, names, strict=True):
        fact = Rule(Atom(name, (Integer(1),) * arity))
        assert read(render(Program((fact,)), "epilog")) == Program((fact,)), printed

"""Reformulations of programs that have nothing to do with games, proved for all sets of input facts."""

from __future__ import annotations

import itertools

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.language.parser import parse
from hexlogic.proofs.all_inputs import AllInputs, ProgramText
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.finding.bridge_text import find_bridge
from hexlogic.proofs.finding.moves import MOVES
from hexlogic.proofs.finding.reformulations import Reformulator
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import InputWorld
from hexlogic.proofs.question import equal
from hexlogic.proofs.smt.lemmas import LemmaProver
from tests.proofs.finding.variants import plain

BOUND_SOURCE = """#defined edge/2.
path(X,Y) :- edge(X,Y).
path(X,Z) :- path(X,Y), path(Y,Z).
reach(Y) :- path(1,Y).
#show reach/1.
"""
COMPONENTS = """#defined edge/2.
#defined node/1.
same(X,X) :- node(X).
same(X,Z) :- same(X,Y), edge(Y,Z), node(Z).
same(X,Z) :- same(X,Y), edge(Z,Y), node(Z).
smaller(X,L) :- same(X,L), same(X,K), K < L.
label(X,L) :- same(X,L), not smaller(X,L).
#show label/2.
"""
GENERATION = """#defined up/2.
#defined flat/2.
#defined down/2.
generation(X,Y) :- flat(X,Y).
generation(X,Y) :- up(X,A), generation(A,B), down(B,Y).
cousin(Y) :- generation(1,Y).
#show cousin/1.
"""


def first_found(text, limit_s=240.0):
    source = ProgramText("given", text)
    search = Reformulator(source, InputWorld(source, LemmaProver()), limit_s, engine="clingo")
    return next(search.search())


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (BOUND_SOURCE, "reach(Y) :- edge(1,Y). reach(Y) :- reach(X), edge(X,Y)."),
        (
            GENERATION,
            """generation_bf(X,Y) :- demand_generation_bf(X), flat(X,Y).
            demand_generation_bf(1). demand_generation_bf(A) :- demand_generation_bf(X), up(X,A).
            generation_bf(X,Y) :- demand_generation_bf(X), up(X,A), generation_bf(A,B), down(B,Y).
            cousin(Y) :- generation_bf(1,Y).""",
        ),
    ],
    ids=["a bound source", "the same generation"],
)
def test_what_is_asked_for_alone(text, rules):
    found = first_found(text)
    assert set(map(str, parse(found.text).rules)) == set(map(str, parse(rules).rules))
    assert found.proved


@pytest.mark.takes_seconds
def test_components_by_labels():
    found = first_found(COMPONENTS)
    assert found.move == "label"
    assert "proved" in found.sentence
    assert "same" not in found.text


@pytest.mark.parametrize(
    ("left", "right"),
    list(
        itertools.combinations(
            [
                "p(X) :- e(1,X). p(Y) :- p(X), e(X,Y).",
                "p(X) :- e(1,X). p(Y) :- p(X), e(Y,X).",
                "p(X) :- e(1,X).",
                "p(X) :- e(2,X). p(Y) :- p(X), e(X,Y).",
            ],
            2,
        )
    ),
)
def test_no_bridge_for_a_false_pair(left, right):
    texts = [ProgramText(name, f"{rules} #show p/1.") for name, rules in (("left", left), ("right", right))]
    found = find_bridge(*texts, InputWorld(texts[0]), limit_s=20.0)
    assert not isinstance(found, str)
    assert found.lines


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("p(X) :- e(X), not q(X). q(X) :- e(X), not p(X). #show p/1.", "negation"),
        ("p(X) :- e(X).", "0 queries"),
        ("p(X) :- e(X). :- p(X). #show p/1.", "constraint"),
        ("p(X+1) :- e(X). #show p/1.", "computed"),
        ("p(X) :- e(X). p(f(X)) :- p(X). #show p/1.", "without end"),
        ("q(X) :- e(X). #show p/1.", "no rule defines"),
    ],
)
def test_texts_that_no_proof_is_about_are_refused_with_the_file(text, words):
    with pytest.raises(HexlogicError, match=words) as refused:
        assert ProgramText("odd", text).program
    assert refused.value.file == "odd.lp"


def test_a_wrong_bridge_proves_nothing():
    left, right = (
        ProgramText(name, f"{rules} #show p/1.")
        for name, rules in (("left", "p(X) :- e(X,Y)."), ("right", "p(X) :- e(Y,X)."))
    )
    bridge = read_bridge(
        "% left: left\n% right: right\n% idea: none\n\n%% claim: no\np_right(X) :- p_left(X).\n", "b.lp"
    )
    assert not equal(left, right, AllInputs(bridge)).proved


def test_each_move_says_what_it_does():
    assert {"fuse", "label", "rewrite"} <= set(MOVES.names())
    assert all(move.summary for move in MOVES)


def test_samples_reach_on_from_what_a_rule_compares_with_an_integer():
    text = "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z). far(Y) :- s(X), X > 10, r(X,Y). #show far/1."
    source = ProgramText("given", f"#defined e/2. #defined s/1. {text}")
    world = InputWorld(source, LemmaProver())
    program = world.program(source)
    samples = Samples(program, world)
    wanted = plain("far(Y) :- e(X,Y), s(X), 10 < X. far(Y) :- far(X), e(X,Y).")
    assert wanted in [plain(each.program) for each in MOVES.load("fuse").propose(program, samples, world)]


@pytest.mark.parametrize("bound", [2**31 - 1, -(2**31) + 1])
def test_samples_about_the_last_integers_do_not_wrap(bound):
    source = ProgramText("given", f"#defined s/1. far(X) :- s(X), X <= {bound}. #show far/1.")
    world = InputWorld(source)
    assert Samples(world.program(source), world).count("s")

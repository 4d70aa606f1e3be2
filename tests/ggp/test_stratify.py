"""Sheets that are stratified by ground atom and not by relation: they load, and all reasoners give the same answers."""

from __future__ import annotations

import pytest

from hexlogic.errors import RuleSyntaxError, StratificationError
from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.check import Plays, check_sheet
from hexlogic.ggp.language.sheet import stratified
from hexlogic.ggp.optimise import GameStates, optimise_sheet
from hexlogic.language import Atom
from hexlogic.language.analysis.checks import check
from hexlogic.language.dialects import render
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse
from hexlogic.proofs.question import equal
from tests.ggp.reasoners_here import REASONERS

GAME = """(role r) (role s)
(<= (legal ?p go) (role ?p)) (<= (legal ?p wait) (role ?p))
(<= (next (went ?p)) (does ?p go)) (<= (next over) (role ?p))
(<= terminal (true over))
(<= (goal ?p 100) (true (went ?p)))
(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))
"""


@pytest.mark.parametrize("reasoner", REASONERS)
def test_a_goal_that_is_the_negation_of_another_one(reasoner: str):
    """Nothing is true at the beginning either, and no rule says `init`."""
    with StateMachine.from_kif(GAME, reasoner) as machine:
        assert machine.initial_state.facts == frozenset()
        moves = [machine.legal_moves(machine.initial_state, role) for role in machine.roles]
        go, wait = moves[0]
        state = machine.next_state(machine.initial_state, [go, wait])
        assert machine.is_terminal(state)
        assert [machine.goal(state, role) for role in machine.roles] == [100, 0]
        assert machine.playouts(50).steps == 50


@pytest.mark.parametrize("reasoner", REASONERS)
def test_such_a_sheet_is_checked_written_and_optimised(reasoner: str):
    assert check_sheet(GAME, plays=Plays(games=3, reasoner=reasoner)).games == 3
    sheet = read_kif(GAME)
    assert read_kif(render(sheet, "gdl")) == sheet
    done = optimise_sheet(sheet, reasoner)
    assert equal(sheet, done.sheet, GameStates(games=2)).proved


@pytest.mark.parametrize(
    ("text", "facts", "expected"),
    [
        ("g(X,0) :- r(X), not g(X,1). g(X,1) :- w(X).", "r(a). r(b). w(a).", {"g(b,0)", "g(a,1)"}),
        (
            "g(X,0) :- r(X), not g(X,1). g(X,V) :- w(X,V).",
            "r(a). r(b). w(a,1). w(b,2).",
            {"g(b,0)", "g(a,1)", "g(b,2)"},
        ),
        (
            "g(X,0) :- r(X), not g(X,1), not g(X,2). g(X,1) :- r(X), not g(X,2). g(X,2) :- w(X).",
            "r(a). r(b). w(a).",
            {"g(a,2)", "g(b,1)"},
        ),
    ],
)
def test_what_is_split_has_the_same_answers(text: str, facts: str, expected: set[str]):
    """The answers are those of the ground program, whose atoms are stratified."""
    program = stratified(parse(text + facts))
    check(program)
    found = {str(atom) for atom in least_model(program) if atom.name == "g"}
    assert found == expected
    assert all(isinstance(atom, Atom) for atom in least_model(program))


@pytest.mark.parametrize("text", ["g(X,0) :- r(X), not g(X,1). g(X,1) :- r(X), not g(X,0).", "p :- not q. q :- not p."])
def test_what_is_not_stratified_stays_refused(text: str):
    program = parse(text + " r(a).")
    assert stratified(program) == program
    with pytest.raises(StratificationError):
        check(stratified(program))


def test_what_is_stratified_is_left_alone():
    program = parse("g(X,0) :- r(X), not h(X,1). h(X,1) :- r(X).")
    assert stratified(program) is program


def test_a_nul_is_an_error_with_its_place():
    with pytest.raises(RuleSyntaxError, match="a NUL character") as caught:
        read_kif("(role r)\n(init a\0b)")
    assert (caught.value.line, caught.value.column) == (2, 8)


@pytest.mark.parametrize("reasoner", REASONERS)
def test_int_is_a_relation_like_any_other(reasoner: str):
    text = """(role r) (int 1) (int 2) (init (at 1)) (<= (legal r (go ?x)) (int ?x))
    (<= (next (at ?x)) (does r (go ?x))) (<= (next moved) (int 1))
    (<= terminal (true moved)) (<= (goal r ?x) (true (at ?x)) (int ?x))"""
    with StateMachine.from_kif(text, reasoner) as machine:
        _, second = machine.legal_moves(machine.initial_state, "r")
        assert machine.goal(machine.next_state(machine.initial_state, [second]), "r") == 2
    verdict = check_sheet(text, plays=Plays(games=2, reasoner=reasoner))
    assert (verdict.errors, verdict.games) == (0, 2)


@pytest.mark.parametrize("word", ["table", "dynamic", "mod", "is", "xor", "initialization"])
@pytest.mark.parametrize("reasoner", REASONERS)
def test_words_that_are_operators_somewhere_else(reasoner: str, word: str):
    text = f"""(role r) (init (on a {word})) (init (on b a)) (legal r go) (<= (next done) (does r go))
    (<= lies (true (on ?x ?y)) (distinct ?y {word})) (<= terminal (true done)) (<= (goal r 100) lies)
    (<= (goal r 0) (not lies))"""
    with StateMachine.from_kif(text, reasoner) as machine:
        assert machine.goal(machine.initial_state, "r") == 100

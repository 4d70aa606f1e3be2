"""The bounds of a proof's integers, proved by cvc5 and z3; bounds that are too narrow are refuted."""

from __future__ import annotations

import dataclasses

import pytest

from hexlogic.games.rulesets import board_rules
from hexlogic.language import Predicate
from hexlogic.language.parser import parse
from hexlogic.proofs.conditions import finite_integers
from hexlogic.proofs.smt.export import bound_problems
from hexlogic.proofs.smt.formulas import smtlib, tptp
from hexlogic.proofs.smt.provers import ask

MORE = """
depth(X,0) :- cell(X).
depth(X,D+1) :- depth(X,D), D+1 < {size}.
half(X/2) :- cell(X), X \\ 2 = 0.
half(X/(0-3)) :- half(X), not cell(X-1).
label(red). label(X) :- depth(Y,X), X > 3, 2*X+1 <= {size}.
low(f(X,red)) :- label(X), X < 9.
"""


def verdicts(certificate, prover):
    problems = list(bound_problems(certificate))
    assert all(tptp(problem) for problem in problems)
    return [answer.verdict for answer in ask(prover, [smtlib(problem) for problem in problems], each_s=8.0)]


@pytest.mark.parametrize("prover", ["cvc5", "z3"])
@pytest.mark.parametrize("game", ["hex", "y", "havannah", "tic-tac-toe-3d"])
def test_both_provers_prove_the_bounds_of_every_board(game, prover):
    told = verdicts(finite_integers(board_rules(game), parse("")), prover)
    assert len(told) > 20
    assert set(told) == {"proved"}


@pytest.mark.parametrize("prover", ["cvc5", "z3"])
def test_both_prove_the_bounds_of_recursion_with_guards_and_of_mixed_places(prover):
    for game in ("hex", "y"):
        board = board_rules(game)
        text = MORE.format(size=board.constants[0][0])
        assert set(verdicts(finite_integers(board, parse(text)), prover)) == {"proved"}


@pytest.mark.parametrize(
    ("predicate", "place", "narrow"),
    [("cell", 0, (1, 2147395599)), ("column", 1, (1, 46339)), ("adjacent", 1, (2, 2147395600)), ("row", 1, (2, 9))],
)
def test_bounds_that_are_too_narrow_are_refuted(predicate, place, narrow):
    certificate = finite_integers(board_rules("hex"), parse(""))
    places = dict(certificate.bounds.places)
    key = next(one for one in places if one.name == predicate)
    row = list(places[key])
    row[place] = row[place]._replace(low=narrow[0], high=narrow[1])
    wrong = dataclasses.replace(
        certificate, bounds=dataclasses.replace(certificate.bounds, places={**places, key: tuple(row)})
    )
    assert "refuted" in verdicts(wrong, "z3")


def test_a_board_that_is_too_large_is_refuted():
    """One column more than the headline says: `rows*columns` leaves 32 bits."""
    certificate = finite_integers(board_rules("hex"), parse(""))
    assert "refuted" in verdicts(dataclasses.replace(certificate, largest=certificate.largest + 1), "z3")
    assert Predicate("cell", 1) in certificate.bounds.places

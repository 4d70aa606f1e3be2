"""Board lemmas for every size: the translation is what clingo computes, and what is false is found out."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.games.rulesets import board_rules
from hexlogic.language import Atom, Comparison, Integer, Predicate, Symbol, Variable
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_rule
from hexlogic.proofs.smt.board import (
    about_the_board,
    board_problem,
    cases,
    divisions,
    lemma_problems,
    refute_board_lemma,
)
from hexlogic.proofs.smt.formulas import Connective, Named, conjunction, disjunction, quantified, smtlib
from hexlogic.proofs.smt.provers import ask

pytest.importorskip("cvc5")
pytest.importorskip("z3")

HEX = board_rules("hex")
PREDICATES = {"cell": 1, "column": 2, "row": 2, "adjacent": 2, "first": 2, "last": 2}


def agrees_with_clingo(name: str, arity: int, rows: int, columns: int, euclidean: bool) -> str:
    """A script that is unsatisfiable when the translation of a predicate holds of exactly what clingo derives."""
    sizes = (("rows", rows), ("columns", columns))
    fixed = dataclasses.replace(HEX, constants=tuple((size, Integer(value)) for size, value in sizes))
    rules = tuple(rule for rule in fixed.rules if rule.head is not None)
    atoms = [atom for atom in least_model(fixed.with_rules(rules)) if atom.predicate == Predicate(name, arity)]
    places = tuple(Variable(f"X{number}") for number in range(arity))
    lemma = parse_rule(f":- {name}({','.join(map(str, places))}).")
    problem = board_problem(lemma, HEX, sizes=sizes, euclidean=euclidean)
    listed = disjunction(
        conjunction(Comparison("=", place, term) for place, term in zip(places, atom.arguments, strict=True))
        for atom in atoms
    )
    players = name in ("first", "last")
    typed = tuple((place, "thing" if players and not number else "int") for number, place in enumerate(places))
    same = quantified("forall", typed, Connective("<=>", (Atom(name, places), listed)))
    return smtlib(dataclasses.replace(problem, goal=Named("same", "as clingo says", same)))


@pytest.mark.takes_seconds(keep=4)
@pytest.mark.parametrize("side", [3, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("euclidean", [False, True])
def test_the_translation_is_what_clingo_computes_on_every_board_up_to(side, euclidean):
    boards = list(itertools.product(range(1, side + 1), repeat=2))
    scripts = [
        agrees_with_clingo(name, arity, rows, columns, euclidean)
        for rows, columns in boards
        for name, arity in PREDICATES.items()
    ]
    answers = ask("z3", scripts, each_s=10)
    assert len(answers) == side * side * 6
    assert {answer.verdict for answer in answers} == {"proved"}


def test_a_wrong_translation_is_seen():
    script = agrees_with_clingo("adjacent", 2, 3, 3, False)
    assert "(+ X 1)" in script
    (answer,) = ask("z3", [script.replace("(+ X 1)", "(+ X 2)")], each_s=10)
    assert answer.verdict == "refuted"


def is_proved(lemma, program, prover, each_s):
    """Whether the prover proves all problems of the lemma for every size."""
    scripts = list(map(smtlib, lemma_problems(lemma, program)))
    return all(answer.verdict == "proved" for answer in ask(prover, scripts, each_s=each_s))


@pytest.mark.takes_seconds(keep=8)
@pytest.mark.parametrize("prover", ["cvc5", "z3"])
@pytest.mark.parametrize(
    "lemma",
    [
        "adjacent(Y,X) :- adjacent(X,Y).",
        ":- adjacent(X,X).",
        "cell(X) :- first(P,X).",
        "cell(X) :- last(P,X).",
        "cell(Y) :- adjacent(X,Y).",
        ":- cell(X), cell(Y), X < Y, Y < X.",
        ":- cell(X), cell(Y), X != Y, not lower(X,Y), not lower(Y,X).",
        ":- cell(X), X < 1.",
    ],
)
def test_true_lemmas_are_proved_for_every_size(lemma, prover):
    program = HEX + parse("lower(X,Y) :- cell(X), cell(Y), X < Y.")
    assert is_proved(parse_rule(lemma), program, prover, each_s=20)


@pytest.mark.takes_seconds
@pytest.mark.parametrize(
    ("lemma", "sizes"),
    [
        (":- first(P,X), last(P,X).", {"rows": 1, "columns": 1}),
        (":- row(X,4), column(X,4).", {"rows": 4, "columns": 4}),
        (":- row(X,2), column(X,9).", {"rows": 2, "columns": 9}),
        (":- row(X,9), column(X,9).", {"rows": 9, "columns": 9}),
        # true of square boards only
        ("row(X,R) :- cell(X), column(X,R), column(Y,R), row(Y,R).", None),
        ("column(X,C) :- row(X,C), adjacent(X,Y).", None),
    ],
)
def test_a_false_lemma_gets_the_sizes_of_a_board(lemma, sizes):
    assert not is_proved(parse_rule(lemma), HEX, "z3", each_s=5)
    refuted = refute_board_lemma(parse_rule(lemma), HEX, "z3", each_s=5)
    assert refuted.keys() == {"rows", "columns"}
    assert sizes is None or refuted == sizes


def test_a_lemma_that_is_true_on_squares_only():
    square = HEX + parse("corner(X) :- row(X,R), column(X,R), last(red,X), not last(blue,X).")
    assert not is_proved(parse_rule(":- corner(X)."), square, "z3", each_s=5)
    sizes = refute_board_lemma(parse_rule(":- corner(X)."), square, "z3", each_s=5)
    assert sizes["rows"] != sizes["columns"]


def test_what_is_not_about_the_board_is_refused():
    assert not about_the_board(parse_rule("cell(X) :- owns(P,X)."), HEX)
    recursive = HEX + parse("far(X,Y) :- adjacent(X,Y). far(X,Z) :- far(X,Y), adjacent(Y,Z).")
    assert not about_the_board(parse_rule("far(Y,X) :- far(X,Y)."), recursive)
    with pytest.raises(HexlogicError, match="depends on stones"):
        board_problem(parse_rule("cell(X) :- owns(P,X)."), HEX)


def test_cases_and_divisions_are_rules_that_one_can_read():
    lemma = parse_rule("adjacent(Y,X) :- adjacent(X,Y).")
    assert str(cases(lemma, HEX)[0]) == "adjacent(Y,X) :- cell(X), cell(Y), Y = X+1, not column(X,columns)."
    assert len(cases(lemma, HEX)) == 6
    assert [str(rule) for rule in divisions(lemma, HEX)] == [
        ":- cell(X), X-1 < 0.",
        ":- cell(X), columns < 1.",
    ]


@pytest.mark.takes_seconds
def test_division_rounds_as_gringo_does():
    numbers, scripts = parse("number(-9..9)."), []
    for left, right in itertools.product((-7, -1, 0, 1, 7, 8), (-3, -1, 1, 2, 3)):
        program = parse(f"quotient({left}/({right})). rest({left}\\({right})).")
        value = {atom.name: atom.arguments[0] for atom in least_model(program)}
        given = f":- number(X), number(Y), X = {left}, Y = {right}, "
        for wrong in (f"X/Y != {value['quotient']}", f"X\\Y != {value['rest']}"):
            scripts.append(smtlib(board_problem(parse_rule(f"{given}{wrong}."), numbers)))
            scripts.append(smtlib(board_problem(parse_rule(f"{given}{wrong.replace('!=', '=')}."), numbers)))
    verdicts = [answer.verdict for answer in ask("z3", scripts, each_s=10)]
    assert verdicts == ["proved", "refuted"] * 60


def test_names_and_integers_in_one_place_are_refused():
    mixed = parse("p(1). p(red). q(X) :- p(X).")
    with pytest.raises(HexlogicError, match="red and integers stand in one place"):
        board_problem(parse_rule("p(X) :- q(X)."), mixed)


def test_words_of_smt_lib_are_no_trouble():
    program = parse("and(true). distinct(X) :- and(X). let(X,assert) :- distinct(X).")
    lemmas = [parse_rule(text) for text in ("distinct(X) :- let(X,Y).", "let(X,true) :- and(X).")]
    scripts = [smtlib(board_problem(lemma, program)) for lemma in lemmas]
    for prover in ("cvc5", "z3"):
        assert [answer.verdict for answer in ask(prover, scripts, each_s=5)] == ["proved", "refuted"]
    assert Symbol("true") in board_problem(lemmas[1], program).names

"""Text to tree and back, and the errors with their places."""

from __future__ import annotations

import pytest
from hypothesis import given

from hexlogic.errors import ArityError, HexlogicError, RuleSyntaxError
from hexlogic.language import Program
from hexlogic.language.parser import parse, parse_atom, parse_predicate, parse_rule
from tests.language.programs import syntax_programs


@given(syntax_programs())
def test_printing_and_parsing_are_inverse(program: Program) -> None:
    assert parse(str(program)) == program


@given(syntax_programs())
def test_the_printed_text_is_canonical(program: Program) -> None:
    assert str(parse(str(program))) == str(program)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("p( X ):-q(X),not r(X).", "p(X) :- q(X), not r(X)."),
        ("p(1 .. n*n).", "p(1..n*n)."),
        ("p(X) :- q(X), X == 1.", "p(X) :- q(X), X = 1."),
        ("p(X) :- q(X,Y), Y = (X-1)\\n + 1.", "p(X) :- q(X,Y), Y = (X-1)\\n+1."),
        ("p(X-(Y-Z), (X-Y)-Z, 0-X, -3).", "p(X-(Y-Z),X-Y-Z,0-X,-3)."),
        ("p :- q(_, _).", "p :- q(Any1,Any2)."),
        (":- p(X), not q(X). % promise", ":- p(X), not q(X)."),
        ("p(f(g(X),nil)).", "p(f(g(X),nil))."),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(parse(text)).strip() == canonical


def test_the_interface_is_part_of_the_text() -> None:
    program = parse("#const n = 4. #defined owns/2. wins(P) :- owns(P,n). #show wins/1.")
    assert [str(predicate) for predicate in program.inputs] == ["owns/2"]
    assert [str(predicate) for predicate in program.queries] == ["wins/1"]
    assert [(name, str(value)) for name, value in program.constants] == [("n", "4")]


def test_rules_know_where_they_stand() -> None:
    places = [rule.place for rule in parse("p.\n\n  q :-\n p.", "some.lp").rules]
    assert [(place.file, place.line, place.column) for place in places if place] == [
        ("some.lp", 1, 1),
        ("some.lp", 3, 3),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a(X) :- b(X)", "x.lp:1:13: the text ends inside a rule (a rule ends with a dot)"),
        ("p.\n{q}.", "x.lp:2:1: unexpected '{' (choices are not in the rule language)"),
        (
            "p :- q; r.",
            "x.lp:1:7: unexpected ';' (conditions and disjunctions are not in the rule language; "
            "separate literals by commas)",
        ),
        (
            "p :- q, 3.",
            "x.lp:1:9: expected an atom, found the term 3 (an atom begins with a lower-case name, like cell(X))",
        ),
        ('p("x").', "x.lp:1:3: unexpected '\"' (strings are not in the rule language; use a symbol)"),
        (
            "#minimize { X : p(X) }.",
            "x.lp:1:1: unexpected '#' "
            "(of the directives only #const, #defined and #show NAME/ARITY are in the rule language)",
        ),
        ("p :- q r.", "x.lp:1:8: unexpected 'r' (expected a dot or a comma or a comparison)"),
    ],
)
def test_syntax_errors_say_what_and_where(text: str, message: str) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse(text, "x.lp")
    if message.endswith("comparison)"):
        assert str(caught.value).startswith("x.lp:1:8: unexpected 'r' (expected a dot")
    else:
        assert str(caught.value) == message


def test_one_name_has_one_arity() -> None:
    with pytest.raises(ArityError) as caught:
        parse("p(X) :- q(X).\nr :- q(1), q(1,2).", "x.lp")
    assert str(caught.value) == "x.lp:2:12: predicate q/2 is used as q/1 before (a name has one arity in a program)"
    with pytest.raises(ArityError):
        parse("#defined q/2. p(X) :- q(X).")


def test_the_small_parsers() -> None:
    assert str(parse_atom("wins(red)")) == "wins(red)"
    assert str(parse_predicate(" wins/1 ")) == "wins/1"
    assert str(parse_rule("p:-q.")) == "p :- q."
    for call, text in (
        (parse_atom, "p :- q"),
        (parse_predicate, "wins"),
        (parse_predicate, "a/1. b"),
        (parse_rule, "p. q."),
    ):
        with pytest.raises(HexlogicError):
            call(text)

"""The text that each printer writes, and that every printed program loads."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexlogic.errors import HexlogicError, UnknownNameError
from hexlogic.language import Arithmetic, Integer, Program, constants
from hexlogic.language.dialects import dialects, lower, prolog, pydatalog, render
from hexlogic.language.dialects.prolog import SWI_NAMES
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse


def rules_of(text: str, dialect: str) -> list[str]:
    """The printed lines without comments, directives and declarations."""
    lines = render(parse(text), dialect).splitlines()
    declared = {f"+ {line[2:]}" for line in lines if line.startswith("- ")}
    return [line for line in lines if not line.startswith(("%", ":-", "#", "- ")) and line not in declared]


def test_dialects() -> None:
    assert {"asp", "prolog", "pydatalog"} <= set(dialects())
    with pytest.raises(UnknownNameError, match=r"unknown dialect 'prolg' \(did you mean prolog\?\)"):
        render(Program(), "prolg")


def test_asp_is_the_canonical_text() -> None:
    program = parse("#const n=3. #defined p/1. q(X+1):-p(X),not r(X),X!=n. :- p(X), X<0. #show q/1.")
    assert render(program, "asp") == str(program)
    assert parse(render(program, "asp")) == program


@pytest.mark.parametrize(
    ("rule", "clause"),
    [
        ("p(X) :- q(X,Y), r(X).", "p(X) :- q(X,_), r(X)."),
        ("p(X) :- q(X), not r(X).", "p(X) :- q(X), \\+ r(X)."),
        ("p(Y) :- q(X), Y = X+1.", "p(Y) :- q(X), Y is X+1."),
        ("p(Y) :- q(X), q(Y), X+1 = Y.", "p(Y) :- q(X), q(Y), Y is X+1."),
        ("p(X) :- q(X), (X-1)\\9+1 = X/2.", "p(X) :- q(X), ((X-1) rem 9)+1 =:= X//2."),
        ("p(X+1) :- q(X).", "p(N) :- q(X), N is X+1."),
        ("p(X) :- q(X), not q(X-1).", "p(X) :- q(X), N is X-1, \\+ q(N)."),
        ("p(X) :- q(X,X+1).", "p(X) :- q(X,N), N is X+1."),
        ("p(X) :- q(X), X != red.", "p(X) :- q(X), X \\== red."),
        ("p(X) :- q(X), X*2 != 4.", "p(X) :- q(X), X*2 =\\= 4."),
        ("p(X) :- q(X), X <= 4, 1 < X, X >= 2.", "p(X) :- q(X), X =< 4, 1 < X, X >= 2."),
        ("p(X) :- q(X), X < red.", "p(X) :- q(X), X @< red."),
        ("p(X) :- q(Z), Z = f(X,_).", "p(X) :- q(Z), Z = f(X,_)."),
        ("p(x',_Y) :- q(_Y), q(a').", "p('x\\'',V) :- q(V), q('a\\'')."),
        ("p(X) :- print(X), is(X), user_a(X).", "p(X) :- user_print(X), user_is(X), user_user_a(X)."),
        ("p(X) :- member(X), select(X), size(X).", "p(X) :- member(X), select(X), size(X)."),
        ("p(3-5,f(2*3)).", "p(-2,f(6))."),
        ("p(X) :- q(X), X-(-1) = 3, 1 < 2.", "p(X) :- q(X), 3 is X-(-1)."),
    ],
)
def test_prolog_clauses(rule: str, clause: str) -> None:
    assert rules_of(rule, "prolog") == [clause]


def test_prolog_directives() -> None:
    text = render(
        parse(
            """#defined owns/2. #const n = 2. cell(1..n). reach(X) :- owns(red,X). far(X) :- cell(X), ghost(X).
            reach(Y) :- reach(X), next(X,Y). next(1,2). :- owns(P,X), not cell(X). #show reach/1."""
        ),
        "prolog",
    )
    assert text == (
        '% SWI-Prolog. Add the input facts below, then: swipl -g "forall(reach(A), print(reach(A)))" -t halt FILE.pl\n'
        ":- dynamic ghost/1.\n:- dynamic owns/2.\n:- table reach/1.\n:- discontiguous reach/1.\n"
        "cell(1).\ncell(2).\nreach(X) :- owns(red,X).\nfar(X) :- cell(X), ghost(X).\n"
        "reach(Y) :- reach(X), next(X,Y).\nnext(1,2).\n% not run: :- owns(P,X), not cell(X).\n"
    )


def test_prolog_tables_no_list_that_is_only_taken_apart() -> None:
    rules = "fresh(Y,nil) :- n(Y). fresh(Y,v(X,V)) :- fresh(Y,V), n(X), X != Y. "
    line = "line(X,v(X,nil)) :- n(X). line(Y,v(Y,V)) :- line(X,V), e(X,Y), fresh(Y,V). end(X) :- line(X,_). "
    printed = render(parse(rules + line + "#show end/1."), "prolog")
    assert ":- table line/2." in printed
    assert ":- table fresh/2." not in printed
    # without declared queries nobody knows that the list is bound
    assert ":- table fresh/2." in render(parse(rules + line), "prolog")


@pytest.mark.parametrize(
    ("rule", "clause"),
    [
        ("p(X) :- q(X,Y), not r(X).", "p(X) <= q(X,Y) & ~r(X)"),
        ("p(Y) :- q(X), Y = X+1.", "p(Y) <= q(X) & (Y == X+1)"),
        ("p(X) :- q(X), 3 < X, red != X.", "p(X) <= q(X) & (X > 3) & (X != 'red')"),
        ("p(red,f(1,nil)).", "+ p('red',('f',1,'nil'))"),
        ("p(Y) :- q(Y,v(X,V)), r(V).", "p(Y) <= q(Y,('v',X,V)) & r(V)"),
        ("p(X) :- q(f(X,X)).", "p(X) <= q(('f',X,T)) & (T == X)"),
        ("p(f(X,X)) :- q(X).", "p(('f',X,T)) <= q(X) & (T == X)"),
        ("p(X) :- q(X), f(X) = f(2).", "p(X) <= q(X) & (T == ('f',2)) & (T == ('f',X))"),
        ("print(X) :- lambda(X), ask(X), p_a(X).", "p_print(X) <= p_lambda(X) & p_ask(X) & p_p_a(X)"),
        ("p(True,_Y) :- q(True,_Y).", "p(V,V_2) <= q(V,V_2)"),
        ("p :- q(X), not r.", "p() <= q(X) & ~r()"),
        (
            "p(X) :- q(X), 0 = X\\2.",
            "p(X) <= q(X) & (T == (lambda X: (lambda a, b: a % b if (a < 0) == (b < 0) else -(-a % b))(X, 2)))"
            " & (T == 0)",
        ),
    ],
)
def test_pydatalog_clauses(rule: str, clause: str) -> None:
    assert rules_of(rule, "pydatalog") == [clause]


def test_pydatalog_declares_every_predicate() -> None:
    text = render(parse("#defined owns/2. p(X) :- owns(X,Y), not ghost. :- p(X)."), "pydatalog")
    assert text.splitlines()[:-1] == [
        *("+ ghost()", "- ghost()", "+ owns(0,0)", "- owns(0,0)", "+ p(0)", "- p(0)"),
        "p(X) <= owns(X,Y) & ~ghost()",
    ]
    assert text.splitlines()[-1] == "# not run: :- p(X)."
    ast.parse(text)


@given(st.integers(-30, 30), st.integers(-30, 30), st.sampled_from(["+", "-", "*", "/", "\\"]))
def test_folding_and_python_agree_with_gringo(left: int, right: int, operator: str) -> None:
    term = Arithmetic(operator, Integer(left), Integer(right))  # type: ignore[arg-type]
    if right == 0 and operator in ("/", "\\"):
        assert constants.fold(term) == term
        return
    atom = next(iter(least_model(parse(f"p({term})."))))
    assert constants.fold(term) == atom.arguments[0]
    assert Integer(eval(pydatalog._python(term))) == atom.arguments[0]


def test_lowering_keeps_the_model() -> None:
    program = parse(
        """#const n = m*2. #const m = 2. #const side = red. p(1..n,side). q(f(1..2,3..4),1..2). r(X+1) :- p(X,side).
        s(X) :- p(X,_), p(X+1,_), not r(X-1), X\\2 = 1. t(X) :- p(X,_), a = b, 3 > 2. u(f(X*2)) :- p(X,_).
        v(X) :- u(f(X))."""
    )
    assert least_model(lower(program)) == least_model(program)


def test_a_fact_without_a_value_is_an_error_with_a_place() -> None:
    with pytest.raises(HexlogicError, match=r"bad.lp:2:1: 1/0 has no value in the fact `p\(1/0\)\.`"):
        render(parse("q(1).\np(1/0).", "bad.lp"), "prolog")


@given(
    st.lists(
        st.from_regex(r"_{0,2}[a-z][A-Za-z0-9_']{0,4}", fullmatch=True) | st.sampled_from(sorted(SWI_NAMES)),
        unique=True,
    )
)
def test_renaming_never_makes_two_names_one(names: list[str]) -> None:
    assert len({prolog.predicate_name(name) for name in names}) == len(names)
    assert len({pydatalog.predicate_name(name) for name in names}) == len(names)
    assert all(pydatalog.predicate_name(name).isidentifier() for name in names)

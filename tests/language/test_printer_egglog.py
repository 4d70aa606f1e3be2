"""The text that the egglog printer writes."""

from __future__ import annotations

import pytest

from hexlogic.errors import HexlogicError
from hexlogic.language.dialects import dialects, render
from hexlogic.language.dialects.egglog import write_fact, write_query
from hexlogic.language.parser import parse, parse_atom


def rules_of(text: str) -> list[str]:
    lines = render(parse(text), "egglog").splitlines()
    return [line for line in lines if line.startswith("(rule ") and "beyond 62 bits" not in line]


def test_it_is_a_dialect() -> None:
    assert "egglog" in dialects()
    assert "egglog_rules" not in dialects()


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        ("p(X) :- q(X,Y), r(X).", ["((q/2 X Y) (r/1 X)) ((p/1 X))"]),
        ("p(red,f(X,1)) :- q(X).", ['((q/1 X)) ((p/2 (Sym "red") (Compound "f" (Cons X (Cons (Int 1) (Nil))))))']),
        ("p(X) :- q(X), X != red.", ['((q/1 X) (!= X (Sym "red"))) ((p/1 X))']),
        ("p(X) :- q(X,Y), Y = X.", ["((q/2 X X)) ((p/1 X))"]),
        ("p(X) :- q(Z), Z = f(X).", ['((q/1 (Compound "f" (Cons X (Nil))))) ((p/1 X))']),
        ("p(X) :- q(X), f(X) = f(2).", ["((q/1 (Int 2))) ((p/1 (Int 2)))"]),
        ("p(X) :- q(X), a = f(X).", []),
        ("p(X) :- q(X), f(X) = X.", []),
        ("p(X) :- q(X), not r(X,1).", ["((q/1 X)) ((set (not/r/2 X (Int 1)) 0))"]),
    ],
)
def test_rules(rule: str, written: list[str]) -> None:
    assert rules_of(rule)[-2 if "not " in rule else -1 :][: len(written)] == [
        f"(rule {text} :ruleset stratum-{int('not ' in rule)})" for text in written
    ]
    if not written:
        assert rules_of(rule) == []


def test_arithmetic_is_done_on_i64_and_guarded() -> None:
    symbol, compound, rule = rules_of("p(Y) :- q(X), Y = X+1, Y < 9.")
    assert rule == ("(rule ((q/1 X) (= X (Int X/i)) (= Y (+ X/i 1)) (< Y 9)) ((p/1 (Int Y))) :ruleset stratum-0)")
    assert symbol.startswith("(rule ((q/1 X) (= X (Sym X/s))) ((panic ")
    assert compound.startswith("(rule ((q/1 X) (= X (Compound X/f X/t))) ((panic ")


def test_what_may_have_no_value_is_computed_in_an_action_too() -> None:
    guarded = "(rule ((q/1 X) (= X (Int X/i))) ((let result (/ 6 X/i))) :ruleset stratum-0)"
    assert guarded in rules_of("p(Y) :- q(X), Y = 6/X.")
    assert not any("let" in rule for rule in rules_of("p(Y) :- q(X), Y = X/6."))
    assert any("let" in rule for rule in rules_of("p(Y) :- q(X), Y = X*X*X."))


def test_negation_runs_by_strata() -> None:
    text = render(parse("#defined q/1. #defined r/1. p(X) :- q(X), not r(X). s(X) :- q(X), not p(X)."), "egglog")
    assert "(function not/r/1 (Term) i64 :merge (max old new))" in text
    assert "(rule ((r/1 X0)) ((set (not/r/1 X0) 1)) :ruleset closed-0)" in text
    assert "(rule ((q/1 X)) ((set (not/r/1 X) 0)) :ruleset stratum-1)" in text
    assert "(rule ((q/1 X) (= 0 (not/r/1 X))) ((p/1 X)) :ruleset stratum-1)" in text
    assert "(rule ((p/1 X0)) ((set (not/p/1 X0) 1)) :ruleset closed-1)" in text
    steps = [f"(saturate (run {name}-{level}))" for level in range(3) for name in ("stratum", "closed")]
    assert f"(run-schedule (seq {' '.join(steps)}))" in text


def test_an_equivalence_is_merged() -> None:
    program = parse(
        """%! equivalence u/3.
        #defined e/3. u(P,X,Y) :- e(P,X,Y). u(P,Y,X) :- u(P,X,Y). u(P,X,Z) :- u(P,X,Y), u(P,Y,Z).
        w(P) :- u(P,X,Y), e(P,X,Y). u(red,1,2). #show w/1."""
    )
    text = render(program, "egglog")
    assert "(constructor u/3 (Term Term) Class)\n" in text
    assert [line for line in text.splitlines() if line.startswith(("(rule ", "(union "))] == [
        "(rule ((e/3 P X Y)) ((union (u/3 P X) (u/3 P Y))) :ruleset stratum-0)",
        "(rule ((= class/0 (u/3 P X)) (= class/0 (u/3 P Y)) (e/3 P X Y)) ((w/1 P)) :ruleset stratum-0)",
        '(union (u/3 (Sym "red") (Int 1)) (u/3 (Sym "red") (Int 2)))',
    ]
    merged = frozenset(program.equivalences)
    assert write_query(parse_atom("u(a,1,2)"), merged) == '(check (= (u/3 (Sym "a") (Int 1)) (u/3 (Sym "a") (Int 2))))'
    assert write_fact(parse_atom("u(a,1,2)"), merged) == '(union (u/3 (Sym "a") (Int 1)) (u/3 (Sym "a") (Int 2)))'


def test_the_whole_text() -> None:
    program = parse("#const n = 2. #defined o/1. c(1..n). w(X) :- o(X), c(X). :- o(X), not c(X). #show w/1.")
    text = render(program, "egglog")
    assert text.endswith(
        "(relation c/1 (Term))\n(relation o/1 (Term))\n(relation w/1 (Term))\n(ruleset stratum-0)\n(ruleset closed-0)\n"
        "(c/1 (Int 1))\n(c/1 (Int 2))\n(rule ((o/1 X) (c/1 X)) ((w/1 X)) :ruleset stratum-0)\n"
        "; not run: :- o(X), not c(X).\n; add the facts for o/1 here\n"
        "(run-schedule (seq (saturate (run stratum-0)) (saturate (run closed-0))))\n(print-function w/1 10000)\n"
    )


def test_a_fact_without_a_value() -> None:
    with pytest.raises(HexlogicError, match=r"bad.lp:1:1: 1/0 has no value"):
        render(parse("p(1/0).", "bad.lp"), "egglog")

"""Steps for what public encodings write keep the answer sets: odd values, recursion, choices, several derivations."""

from __future__ import annotations

import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.domains import certain
from hexlogic.encodings.optimising import optimise_text
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import Rewritten, rewrite
from hexlogic.language import Predicate
from hexlogic.language.ground.profile import Statistics
from tests.encodings.random_encodings import answer_sets

_MANY = 3000
ODD = 'n(1..2). n(a). n("b"). n(f(1)). n(#inf). n(#sup). '
PICK = "{ p(X) : n(X) } 2. "
EDGES = "{ e(X,Y) : n(X), n(Y) } 4. n(1..3). "
CELLS = "{ q(X,Y) : c(X,Y) } 3. c(1..2,1..2). c(a,1). c(1,#inf). "
QUEENS = "{ q(R,C) : n(C) } 1 :- n(R). n(1..4). "

RULES = "p(A,B) :- at(A,S), at(B,T), S < T. p(A,B) :- at(A,S), at(B,S), A < B."

KEPT = [
    ("guard", PICK + ODD + ":- N = #count { X : p(X) }, N > 1."),
    ("guard", PICK + ODD + "l(1). l(2). :- N = #sum { X : p(X) }, l(L), 0 <= N, N < L."),
    ("guard", PICK + ODD + "q(L) :- N = #max { X : p(X) }, n(L), N >= L."),
    ("guard", PICK + ODD + ":~ n(L), N = { p(X) }, N != 1. [L@2]"),
    ("guard", PICK + "n(1..3). { r(L) : n(L) } :- N = { p(X) }, N != 2. #show r/1. #show p/1."),
    ("shift", CELLS + ":- q(X,Y), q(A,B), |X-A|+|Y-B| = 1."),
    ("shift", CELLS + "near(X,A) :- q(X,Y), q(A,B), 2 > |A-X|+|Y-B|, (X,Y) != (A,B)."),
    ("shift", CELLS + "s(0,1). s(1,0). s(b,1). h(X,Y) :- q(X,Y), s(D,E), q(X+D,Y+E)."),
    ("shift", CELLS + "s((0,1)). s((b,1)). h(X,Y) :- q(X,Y), s((D,E)), c(X+D,Y+E)."),
    ("count", QUEENS + ":- q(R,C), q(S,C), R != S."),
    ("count", "{ q(R,1..3) } 1 :- R = 1..3. :- q(R,C), q(S,C), R != S."),
    ("count", "{ q(R,C+1) : n(C) } :- n(R), not o. n(1..2). { o }. q(3,R) :- R = 2..3, o. :- q(R,C), q(S,C), R != S."),
    ("count", "{ q(m(R,C)) : n(C) } :- n(R). n(1..3). :- q(m(R,C)), q(m(S,C)), R != S."),
    (
        "count",
        "{ m(H,A) : n(A) } :- n(H). { g(D,m(H,A)) : n(D) } :- m(H,A). n(1..2). :- g(D,m(H,A)), g(D,m(H,B)), A != B.",
    ),
    (
        "count",
        "{ go(R,N,T) : n(N) } :- r(R,H), T = 1..H. n(1..2). r(a,2). at(R,N,T) :- go(R,N,T). at(b,1..2,0) :- go(_,1,1). "
        ":- at(R,N,T), at(R,M,T), N != M.",
    ),
    (
        "count",
        "{ go(X,Y) : n(Y) } :- n(X). n(1..2). at(X,Y) :- go(X,Y). at(X,Y) :- back(Y,X). back(X,Y) :- at(Y,X). "
        ":- at(X,C), at(Y,C), X != Y.",
    ),
    ("count", QUEENS + "t(1,2..3). t(2,4). :- q(R,C), q(S,D), q(P,E), t(T,C), t(T,D), t(T,E), R != S, S != P, R != P."),
    (
        "order",
        "{ s(P,X) : t(X) } 1 :- P = 1..3. t(0..2). t(a). t(#sup). t(#inf). :- s(1,A), s(2,B), s(3,C), A > B+C-1.",
    ),
    ("order", "{ s(P,X) : t(X) } 1 :- P = 1..2. t(0..3). t(#inf). o(1,2). :- o(A,B), s(A,X), s(B,Y), Y-X < 2."),
    ("order", "{ s(P,1..4) } 1 :- P = 1..2. o(1,2,2). o(2,1,#sup). :- o(A,B,D), s(A,X), s(B,Y), X-Y+1 <= D."),
    ("key", QUEENS + ":- q(R,C), q(S,D), R != S, R-C = S-D."),
    (
        "key",
        "{ q(R,C) : n(C) } 1 :- n(R). n(1..2). n(a). n(#sup). p(R) :- q(R,C), q(S,D), R != S, R/2 = S/2, C/2 = D/2.",
    ),
    ("key", "{ q(R,1..3) : R > 1 } :- R = 1..3, not o. { o }. q(o,2) :- o. :- q(R,C), q(S,D), R != S, C*R = D*S."),
    *(
        ("asked", f"{{ at(C,D) : d(D) }} 1 :- c(C). c(1..4). d(1..3). w(1,2). w(2,4). {RULES} {asking} #show at/2.")
        for asking in (
            ":- w(A,B), not p(A,B).",
            ":- w(A,B), not p(A,B). :- p(_,1).",
            ":- w(A,B), p(A,B), not p(A,4). :- p(1,3).",
            "late(A) :- w(A,_), #count { B : p(A,B) } > 1. #show late/1.",
            ":~ c(A), w(A,B), p(B,A+1). [1,A]",
            "u(A) :- c(A), A < 3. { x } :- u(A), p(A,3). #show x/0.",
            "#minimize { 1,A,B : p(A,B), w(A,B) }.",
        )
    ),
    (
        "asked",
        "{ x(1..2) }. r(1,1..2). a(R,F) :- r(R,F). a(R,F) :- a(R,G), F = G-1, F > 0. b(R,F) :- r(R,F). "
        "b(R,F) :- b(R,G), F = G-1, F > 0. c(F) :- a(R,F), b(R,F), x(F). #show c/1.",
    ),
    ("count", PICK + "n(1..3). l(1..2). q :- p(X), p(Y), X != Y. { r(L) } :- p(X), p(Y), X != Y, l(L). :- q, r(1)."),
    ("count", PICK + "n(1..3). a(L) | b(L) :- p(X), p(Y), X < Y, not c(X), not c(Y), l(L). l(1). { c(1) }."),
    ("mirror", EDGES + "e(X,Y) :- e(Y,X). { s(X,1..2) : n(X) } 2. :- e(X,Y), s(X,S), s(Y,T), |S-T| < 2."),
    *(
        ("order", f"o(1,2). o(2,1). {{ s(P,X) : n(X) }} 1 :- P = 1..2. {given} :- o(A,B), {test}.")
        for given in (ODD, "n(1..3).", "n(2).")
        for test in ("s(A,X), s(B,Y), Y < X", "s(A,X), s(B,Y), X >= Y", "n(X), s(A,X), s(B,Y), Y <= X")
    ),
]


def rewritten(text: str, *steps: str) -> tuple[Rewritten, Analysis]:
    encoding = read_encoding_text(text)
    statistics = Statistics(
        {Predicate("s", 2): 9000.0, Predicate("o", 2): 50.0, Predicate("at", 2): 9000.0, Predicate("w", 2): 2.0}
    )
    statistics.columns |= {(Predicate(name, 2), place): 50.0 for name in ("at", "w") for place in (0, 1)}
    analysis = Analysis(encoding)
    return rewrite(encoding, steps, statistics, analysis), analysis


@pytest.mark.parametrize(("step", "text"), KEPT)
def test_answer_sets_stay(step, text) -> None:
    new, analysis = rewritten(text, step)
    assert {rewriting.step for rewriting in new.rewritings} == {step}
    seen = frozenset((each.name, each.arity, True) for each in analysis.predicates - new.hidden)
    before = answer_sets(text, seen, _MANY)
    assert before
    assert answer_sets(new.text, seen, _MANY) == before


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("guard", "p(1) :- N = #sum { X : p(X) }, N >= 0."),
        ("guard", "a | b :- N = #count { X : p(X) }, N > 1. { p(1..2) }."),
        ("guard", ":- N = #count { X : p(X) }, N > 1, q(N). { p(1..2) }. q(2)."),
        ("guard", ":- not N = #count { X : p(X) }, N > 1, q(N). { p(1..2) }. q(2)."),
        ("guard", "#program s(t). :- N = #count { X : p(X) }, N > t. { p(1..2) }."),
        ("shift", CELLS + ":- q(X,Y), q(A,B), |X-A|+|Y-B| = 9."),
        ("shift", CELLS + ":- q(X,Y), q(A,B), |X-A|+|Y-B| > 1."),
        ("shift", CELLS + "q(3,X) :- q(X,1). :- q(X,Y), q(A,B), |X-A|+|X-B| = 1."),
        ("asked", f"{{ at(1..2,1..3) }}. {RULES} w(1,2). w(B,A) :- p(A,B). :- w(A,B), not p(A,B). #show at/2."),
        ("asked", f"{{ at(1..2,1..3) }}. {RULES} w(1,2). {{ x : p(A,1) }} :- w(A,_). #show at/2."),
        ("asked", f"{{ at(1..2,1..3) }}. {RULES} {{ w(1,2) }}. :- w(A,B), not p(A,B). #show at/2."),
        ("count", "{ p(1..3) } 2. q(X) :- q(Y), p(X), p(Y), p(Z), Y < Z. p(X) :- q(X), p(Y), p(Z), Y < Z. q(1)."),
        ("order", "{ s(P,X) : n(X) } 1 :- P = 1..2. n(1..3). o(1,2). late :- o(A,B), s(A,X), s(B,Y), Y < X."),
    ],
)
def test_what_a_step_leaves_alone(step, text) -> None:
    assert rewritten(text, step)[0].text == text


@pytest.mark.parametrize(
    ("rules", "is_certain"),
    [
        ("p(X) :- n(X), not o(X). o(2).", True),
        ("p(X) :- n(X). p(Y) :- p(X), Y = X+1, n(Y).", True),
        ("p(X) :- n(X), 1 < #count { Y : n(Y) }.", True),
        ("p(X) :- n(X), not p(X+1).", False),
        ("p(X) :- n(X), { p(Y) } 1.", False),
        ("p(X) :- n(X), { a(Y) } 1. { a(1) }.", False),
        ("p(X) :- n(X). { p(9) }.", False),
        ("p(X) :- n(X). #external p(9).", False),
        ("p(X) :- n(X), o(X). o(1) | o(2).", False),
        ("p(X) :- n(X). #program s(t). p(t).", False),
        ("p(X) :- n(X), &t { X } = 1. #theory t { x { }; &t/0 : x, {=}, x, body }.", False),
    ],
)
def test_what_gringo_computes(rules, is_certain) -> None:
    encoding = read_encoding_text("n(1..3). " + rules)
    assert (Predicate("p", 1) in certain(Analysis(encoding))) == is_certain


def test_what_a_domain_is_not_known_of() -> None:
    """Then the counted atoms themselves bind what is outside, and the text may propagate less."""
    for more, is_known in (
        ("", True),
        ("{ q(R,C) : n(C) } :- n(R).", True),
        ("{ q(R,C) : o(C) } :- n(R). { o(7) }.", True),
        ("{ q(R,C) : o(C) } :- n(R). { o(7) }. #external o(8).", False),
        ("{ q(R,C) : o(C) } :- n(R). o(C) :- v(C). v(C) :- u(C). { u(C) } :- n(C).", True),
        ("{ q(R,C) : o(C) } :- n(R). o(C) :- v(C). v(C) :- u(C). u(C) :- w(C). { w(C) } :- n(C).", False),
        ("q(R,C) :- o(C,R). o(C,R) :- q(R,C).", False),
        ("q(R,C) :- o(R,C-1), n(R). { o(7,7) }.", False),
        ("#external q(5,6).", False),
        ("q(5,6) | o.", False),
        ("#program s(t). q(t,t).", False),
    ):
        new, _ = rewritten(QUEENS + ":- q(R,C), q(S,C), R != S. " + more, "count")
        assert ("q(_,C), #count" not in new.text) == is_known == all(each.propagates for each in new.rewritings)


def test_facts_of_a_predicate_that_nothing_asks_about_may_stay() -> None:
    done = optimise_text("{ a(1..2) }. :- a(1), a(2). h(0). h(X) :- a(X), a(Y), X <= Y. #show a/1.", limit_s=30)
    assert [rewriting.step for rewriting in done.rewritings] == ["unused"]
    assert done.check is not None
    assert done.check.equal


@pytest.mark.takes_seconds
def test_pairs_are_counted_where_that_propagates() -> None:
    sudoku = (
        "n(1..9). { c(X,Y,V) : n(V) } = 1 :- n(X), n(Y). :- c(X,Y,V), c(X,Z,V), Y != Z. :- c(X,Y,V), c(Z,Y,V), X != Z. "
        ":- c(X,Y,V), c(A,B,V), (X-1)/3 = (A-1)/3, (Y-1)/3 = (B-1)/3, (X,Y) != (A,B). #show c/3."
    )
    done = optimise_text(sudoku, limit_s=30)
    assert done.chosen is not None
    assert not done.chosen.is_lossy
    assert done.after.rules < done.before.rules / 10  # type: ignore[union-attr]

"""Intervals that overlap: the given comparisons against integers that are looked up, with brute force by clingo."""

from __future__ import annotations

import random

import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.clingo_runs import PLAIN, compare
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import rewrite
from hexlogic.language.ground.profile import Statistics

BODIES = [
    ":- on(A,M), on(B,M), A < B, s(A,TA), s(B,TB), d(A,DA), d(B,DB), TA < TB+DB, TB < TA+DA.",
    ":- on(A,M), on(B,M), A != B, s(A,TA), d(A,D), s(B,TB), d(B,E), TA <= TB+E-1, TA+D > TB, not free(A).",
    ":- s(A,TA), s(B,TB), A < B, TA < TB+2, TB <= TA+1.",
    ":- s(A,TA), s(B,TB), A < B, d(A,DA), TB < TA+DA, TA < TB+2.",
    ":- s(A,TA), d(A,DA), s(B,TB), A != B, TA <= TB, TB < TA+DA.",
    "late(B) :- s(A,TA), d(A,DA), s(B,TB), A != B, TA-1 < TB, TB <= TA*DA.",
    "busy(A,T) :- s(A,TA), d(A,DA), time(T), T >= TA, TA+DA > T.",
    ":~ s(A,TA), d(A,DA), s(B,TB), A != B, TA <= TB, TB < TA+DA. [1,B]",
    ":- s(A,X), s(B,Y), A < B, d(A,C), d(B,D), X < Y+D, Y < X+C, on(A,V), on(B,W), d(A,E), d(B,F), V < W+F, W < V+E.",
]
COMPARED = [
    ":- s(A,X), s(B,Y), d(A,D), Y < X+D.",
    ":- s(A,X), s(B,Y), d(A,D), A != B, Y <= X-D, not free(A).",
    ":- s(A,X), s(B,Y), X-1 >= Y, A < B.",
]
DISTANCES = [
    ":- s(A,TA), s(B,TB), A < B, |TA-TB| < 2.",
    ":- s(A,TA), s(B,TB), A < B, d(A,DA), |TB-TA| <= DA-1.",
    ":- s(_,TA), s(_,TB), 2 < |TA-TB|.",
    "late(A) :- s(A,TA), s(B,TB), A < B, 3 >= |TA-TB|.",
    ":~ s(_,TA), s(_,TB), |TA-TB| > 1. [1]",
]
LEFT = [
    ":- s(A,TA), s(B,TB), e(A,EA), e(B,EB), A < B, TA < EB, TB < EA.",
    "p(A) :- s(A,TA), s(B,TB), A < B, TA < TB+2, TB <= TA+1.",
    ":- s(A,TA), s(B,TB), A < B, d(A,DA), TB < TA+DA, TA < TB+2, near(TA,TB).",
    ":- s(A,TA), e(A,EA), s(B,TB), TA <= TB, TB < EA.",
]


def rewritten(text: str, *steps: str) -> str:
    encoding = read_encoding_text(text)
    return rewrite(encoding, steps or ("overlap",), Statistics(), Analysis(encoding)).text


CASES = [(("overlap",), body) for body in BODIES]
CASES += [(("distance", *more), body) for body in DISTANCES for more in ((), ("overlap", "order"))]


@pytest.mark.parametrize(("steps", "body"), CASES)
def test_what_is_looked_up_is_what_was_compared(steps, body) -> None:
    """Lengths may be 0, negative or no integers, and so may times."""
    draw = random.Random(5)
    for _ in range(4):
        facts = [f"d({task},{draw.choice([-2, -1, 0, 1, 2, 3, 'x'])})." for task in (1, 2, 3)]
        facts.append(f"time({';'.join(map(str, draw.sample([-1, 0, 1, 2, 3, 4, 'a', '(1,2)'], 5)))}).")
        facts.append(
            "{ on(1..3,1..2); free(1..2) }. { s(T,X) : time(X) } = 1 :- T = 1..3. { d(1,2) }. #show s/2. #show busy/2."
        )
        given = "\n".join([*facts, body])
        new = rewritten(given, *steps)
        assert new != given
        seen = [("d", 2, True), ("s", 2, True), ("on", 2, True), ("late", 1, True), ("busy", 2, True)]
        task = {"run": PLAIN, "predicates": seen, "shown": False, "limit_s": 30.0}
        assert compare(left=given, right=new, **task)


@pytest.mark.parametrize("body", COMPARED)
def test_an_order_encoding_for_any_values(body) -> None:
    """Values and bounds that are no integers too: `#inf` is below and `#sup` above each number."""
    draw = random.Random(3)
    for _ in range(6):
        facts = [f"d({task},{draw.choice([-2, 0, 1, 3, 'x', '#inf', '#sup'])})." for task in (1, 2, 3)]
        facts.append(f"time({';'.join(map(str, draw.sample([-1, 0, 1, 2, 3, 'a', '#inf', '#sup'], 5)))}).")
        given = "\n".join([*facts, "{ free(1..2) }. { s(T,X) : time(X) } = 1 :- T = 1..3.", body])
        new = rewritten(given, "order")
        assert "less" in new
        task = {"run": PLAIN, "predicates": [("s", 2, True), ("free", 1, True)], "shown": False, "limit_s": 30.0}
        assert compare(left=given, right=new, **task)


@pytest.mark.parametrize("body", LEFT)
def test_ends_that_may_be_no_integers_are_left_alone(body) -> None:
    assert rewritten(body) == body


@pytest.mark.parametrize(
    "body", [":- s(A,X), s(B,Y), |X-Y| < k.", "p :- s(A,X), s(B,Y), |X-Y| > 2.", ":- s(A,X), s(B,Y), |X-Y| > 2, A < B."]
)
def test_distances_that_are_left_alone(body) -> None:
    """A constant may be a name, which is greater than each number."""
    assert rewritten(body, "distance") == body

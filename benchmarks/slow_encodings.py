"""The table of docs/slow-encodings.md: encodings that ground slowly, and what `hexlogic optimise` makes of them.

    python benchmarks/slow_encodings.py [PART OF A NAME]

prints ground rules before and after, how many times as fast grounding and solving are (CPU seconds, the medians of the
command's own race), and the steps. One run takes two minutes.
"""

import sys
from collections.abc import Iterator

from hexlogic.encodings.clingo_runs import ClingoCost
from hexlogic.encodings.optimising import optimise_text

_TASKS = "task(1..{tasks}). time(1..{times}). 1 {{ start(T,X) : time(X) }} 1 :- task(T). "
_SUM = "n(1..{count}). w(I,I) :- n(I). {{ in(I) : n(I) }}. :- #count {{ I : in(I) }} < 3. #show in/1. "
_TOTAL = "#sum { W,I : in(I), w(I,W) }"
_LEAGUE = "team(1..20). day(1..38). { plays(G,m(A,B)) : day(G) } = 1 :- team(A), team(B), A != B. "

ROWS = {
    "closure with `abs` in its base, 8 x 8": (
        "c(1..8,1..8). { o(X,Y) : c(X,Y) }. r(X,Y,A,B) :- o(X,Y), o(A,B), |X-A|+|Y-B| = 1. "
        "r(X,Y,A,B) :- r(X,Y,P,Q), r(P,Q,A,B)."
    ),
    "cells at distance 1, 60 x 60": "c(1..60,1..60). n(X,Y,A,B) :- c(X,Y), c(A,B), |X-A|+|Y-B| = 1.",
    "the same with `D = X-A, E = Y-B`": "c(1..60,1..60). n(X,Y,A,B) :- c(X,Y), c(A,B), D = X-A, E = Y-B, |D|+|E| = 1.",
    "`D = X-A, E = Y-B, |D+E| = 1`, 40 x 40": (
        "c(1..40,1..40). n(X,Y,A,B) :- c(X,Y), c(A,B), D = X-A, E = Y-B, |D+E| = 1."
    ),
    "`step(X-A,Y-B)`, 60 x 60": (
        "c(1..60,1..60). step(0,1). step(1,0). step(1,1). n(X,Y,A,B) :- c(X,Y), c(A,B), step(X-A,Y-B)."
    ),
    "5 towers at distance 8, 16 x 16": (
        "c(1..16,1..16). tower(1..5). 1 { at(T,X,Y) : c(X,Y) } 1 :- tower(T). "
        ":- at(T,X,Y), at(U,A,B), T < U, |X-A|+|Y-B| < 8. #show at/3."
    ),
    "precedence, 30 tasks, 70 times": (
        _TASKS.format(tasks=30, times=70)
        + "prec(A,B,2) :- task(A), task(B), B = A+1. prec(A,B,3) :- task(A), task(B), B = A+2. "
        ":- prec(A,B,D), start(A,TA), start(B,TB), TB < TA+D. #show start/2."
    ),
    "overlap, 12 tasks, 48 times": (
        _TASKS.format(tasks=12, times=48)
        + "dur(T,2+T\\2) :- task(T). :- start(A,TA), dur(A,DA), start(B,TB), dur(B,DB), A < B, TA < TB+DB, TB < TA+DA. "
        "#show start/2."
    ),
    "a chain of 40 values of 60": (
        "p(1..40). v(1..60). 1 { at(P,V) : v(V) } 1 :- p(P). next(P,P+1) :- p(P), p(P+1). "
        ":- next(P,Q), at(P,V), at(Q,W), W < V. #show at/2."
    ),
    "queens with absolute values, 36": (
        "n(1..36). 1 { q(R,C) : n(C) } 1 :- n(R). :- q(R,C), q(S,C), R != S. "
        ":- q(R,C), q(S,D), R != S, |R-S| = |C-D|. #show q/2."
    ),
    "sudoku, 16 x 16": (
        "n(1..16). { c(X,Y,V) : n(V) } = 1 :- n(X), n(Y). :- c(X,Y,V), c(X,Z,V), Y != Z. "
        ":- c(X,Y,V), c(Z,Y,V), X != Z. :- c(X,Y,V), c(A,B,V), (X-1)/4 = (A-1)/4, (Y-1)/4 = (B-1)/4, "
        "(X,Y) != (A,B). #show c/3."
    ),
    "a bound on a sum of 50": _SUM.format(count=50) + f"s(S) :- S = {_TOTAL}. :- s(S), S > 200.",
    "two bounds in bodies, 55": _SUM.format(count=55) + f":- S = {_TOTAL}, S > 900. :- S = {_TOTAL}, S < 200.",
    "a minimised sum of 133": _SUM.format(count=133) + f"s(S) :- S = {_TOTAL}. #minimize {{ S : s(S) }}.",
    "sums of rows and columns, 4 x 4": (
        "n(1..4). v(1..9). 1 { x(R,C,V) : v(V) } 1 :- n(R), n(C). :- x(R,C,V), x(R,D,V), C < D. "
        "row(R,S) :- n(R), S = #sum { V,C : x(R,C,V) }. col(C,S) :- n(C), S = #sum { V,R : x(R,C,V) }. "
        ":- row(R,S), col(C,T), S != T. #show x/3."
    ),
    "closure asked from one of 100 nodes": (
        "node(0..99). arc(X,(X*7+K*13+1)\\100) :- node(X), K = 0..2. { e(X,Y) : arc(X,Y) }. r(X,Y) :- e(X,Y). "
        "r(X,Z) :- r(X,Y), e(Y,Z). :- node(X), X != 0, not r(0,X). #show e/2."
    ),
    "compound terms": _LEAGUE + ":- plays(G,m(A,B)), plays(G,m(A,C)), B != C. #show plays/2.",
    "pairs in terms": (
        _LEAGUE + ":- plays(G,m(A,B)), plays(G,m(C,B)), A != C. :- plays(G,m(A,B)), plays(G,m(B,C)). "
        ":- plays(G,m(A,B)), plays(G,m(A,C)), B != C. #show plays/2."
    ),
    "1,000 symmetric edges, 24 colours": (
        "n(0..199). k(1..24). e(X,(X*K+3)\\200) :- n(X), K = (3;7;11;13;17). e(X,Y) :- e(Y,X). "
        "1 { col(X,C) : k(C) } 1 :- n(X). :- e(X,Y), col(X,C), col(Y,C), X != Y. #show col/2."
    ),
    "three lessons of a teacher on one day": (
        "l(1..60). d(1..5). gives(L\\3,L) :- l(L). 1 { on(L,D) : d(D) } 1 :- l(L). "
        ":- gives(T,A), gives(T,B), gives(T,C), on(A,D), on(B,D), on(C,D), A < B, B < C. #show on/2."
    ),
}


def rows(wanted: str = "") -> Iterator[str]:
    """The lines of the table whose names have a part."""
    for name, text in ROWS.items():
        if wanted in name:
            done = optimise_text(text)
            before, after = done.before, done.after
            assert isinstance(before, ClingoCost), f"{name}: {before.reason}"
            assert isinstance(after, ClingoCost), f"{name}: {after.reason}"
            steps = ", ".join(dict.fromkeys(f"`{rewriting.step}`" for rewriting in done.rewritings))
            times = before.cpu_s / after.cpu_s
            yield f"| {name} | {before.rules:,} | {after.rules:,} | {times:.2g} | {steps} |"


if __name__ == "__main__":
    for line in rows(*sys.argv[1:]):
        print(line, flush=True)

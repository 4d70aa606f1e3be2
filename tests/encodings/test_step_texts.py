"""What each step makes of a text: bodies in `base` and in other parts."""

from __future__ import annotations

import pytest

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.clingo_jobs import same_answer_sets
from hexlogic.encodings.reading import read_encoding_text
from hexlogic.encodings.rewriting import rewrite
from hexlogic.encodings.steps import step_names
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.names import RESERVED
from tests.readable import readable

AT = "{ at(P,C) : cell(C) } 1 :- piece(P). "
TOTAL = "total(a,S) :- S = #sum { V : a(V) }. total(b,S) :- S = #sum { V : b(V) }. "
GO = "{ go(R,T) : robot(R) } :- step(T). "


def changed(text: str, *steps: str) -> str:
    encoding = read_encoding_text(text)
    return rewrite(encoding, steps, Statistics(), Analysis(encoding)).text


CASES = [
    ("unused", "{ a(1..2) }. b(X) :- a(X). c(X) :- b(X). #show a/1.", "{ a(1..2) }.   #show a/1."),
    ("anonymous", "{ a(X) } :- b(X,Y), c(X).", "{ a(X) } :- b(X,_), c(X)."),
    ("anonymous", ":- #sum { W : w(W,X), v(X,Y) } > 1.", ":- #sum { W : w(W,X), v(X,_) } > 1."),
    ("symmetric", ":- at(X,C), at(Y,C), X != Y.", ":- at(X,C), at(Y,C), X < Y."),
    (
        "symmetric",
        ":- p(X), p(Y), p(Z), X != Y, Y != Z, X != Z.",
        ":- p(X), p(Y), p(Z), X < Y, Y < Z.",
    ),
    ("symmetric", ":~ p(X), p(Y), X != Y. [1,X]", ":~ p(X), p(Y), X != Y. [1,X]"),
    ("symmetric", ":- p(X), p(Y), r(X), X != Y.", ":- p(X), p(Y), r(X), X != Y."),
    (
        "chase",
        ":- f(X,A), f(X,B), A != B. g(X) :- f(X,A), f(X,B), h(A,B).",
        ":- f(X,A), f(X,B), A != B. g(X) :- f(X,B), h(B,B).",
    ),
    ("replace", "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), r(Y,Z).", "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z)."),
    (
        "replace",
        "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), r(Y,Z). {e(X,Y)} :- r(X,Y).",
        "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), r(Y,Z). {e(X,Y)} :- r(X,Y).",
    ),
    (
        "distance",
        ":- q(R,C), q(S,D), R != S, |R-S| = |D-C|.",
        "sign(Sign) :- Sign = (1;-1).\n:- q(R,C), q(S,D), R != S, sign(Sign), R-Sign*C = S-Sign*D.",
    ),
    (
        "distance",
        "p(R) :- q(R,C), q(S,D), R-S = |C-D|.",
        "sign(Sign) :- Sign = (1;-1).\np(R) :- q(R,C), q(S,D), sign(Sign), R-Sign*C = S-Sign*D, R-S >= 0.",
    ),
    *(
        ("asked", f"{{ e(1..3,1..3) }}. {rules} {asking} #show e/2.", f"{{ e(1..3,1..3) }}. {new} {asking} #show e/2.")
        for rules, new, asking in (
            (
                "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z).",
                "r(X,Y) :- e(X,Y), X = 1. r(X,Z) :- r(X,Y), e(Y,Z).",
                ":- not r(1,3).",
            ),
            (
                "r(X,Y) :- e(X,Y). r(X,Z) :- e(X,Y), r(Y,Z).",
                "r(X,Y) :- e(X,Y), go(Y). r(X,Z) :- e(X,Y), r(Y,Z).",
                "go(2). p :- r(X,Y), go(Y).",
            ),
            (
                "r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z).",
                "r(X,Y) :- e(X,Y), f(X). r(X,Z) :- r(X,Y), e(Y,Z).",
                ":- r(X,_), f(X). f(X) :- g(X), X > 1. g(1..3).",
            ),
            *(
                ("r(X,Y) :- e(X,Y). r(X,Z) :- r(X,Y), e(Y,Z).",) * 2 + (kept,)
                for kept in (
                    ":- not r(1,3). #heuristic r(X,Y). [1,true]",
                    "{ h : r(1,1) }.",
                    "{ go(1) }. :- r(X,Y), go(X).",
                    ":- r(1,1). #show r/2.",
                    ":- e(X,X), #count { Y : r(X,Y) } > 2.",
                    ":- -r(1,2), not r(1,3). { -r(1,2) }.",
                )
            ),
        )
    ),
    ("mirror", "e(X,Y) :- e(Y,X). :- e(X,Y), c(X), c(Y).", "e(X,Y) :- e(Y,X). :- e(X,Y), c(X), c(Y), X <= Y."),
    *(
        ("mirror", f"{rules} :- a(X,Y), c(X), c(Y).", f"{rules} :- a(X,Y), c(X), c(Y){', X <= Y' * is_symmetric}.")
        for rules, is_symmetric in (
            ("a(X,Y) :- e(X,Y,_). a(X,Y) :- e(Y,X,_).", True),
            ("a(P,Q) :- at(P,X,Y), at(Q,A,B), |X-A|+|Y-B| = 1.", True),
            ("a(P,Q) :- at(P,X,Y), at(Q,A,B), |X-A|+|Y-B| = 1, P < Q.", False),
            ("a(X,Y) :- e(X,Y,_). a(X,Y) :- e(Y,X,_). { a(1,2) }.", False),
            ("a(X,Y) :- e(X,Y). a(X,Y) :- a(Y,Z), e(Z,X).", False),
        )
    ),
    ("mirror", "e(X,Y) :- e(Y,X). :- e(X,Y), c(X).", "e(X,Y) :- e(Y,X). :- e(X,Y), c(X)."),
    ("mirror", "e(X,Y) :- e(Y,X). s(X) :- e(X,Y), c(X), c(Y).", "e(X,Y) :- e(Y,X). s(X) :- e(X,Y), c(X), c(Y)."),
    (
        "bounds",
        "t(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. :- t(X,S), c(X,L), S > L. #show p/3.",
        " :- c(X,L); d(X); #sum { W,X_: p(X,X_,W) } > L. #show p/3.",
    ),
    *(
        (
            "bounds",
            f"t(K,S) :- d(K), S = #sum {{ W,X : p(K,X,W) }}. :- t(A,S), t(B,T), c(L), A < B, {compared}. #show p/3.",
            f" :- c(L); A < B; d(A); d(B); {after}. #show p/3.",
        )
        for compared, after in (
            ("S-T > 9", "#sum { W,0,X: p(A,X,W); -(W_),1,X_: p(B,X_,W_) } > 9"),
            ("L < T-S", "L < #sum { -(W),0,X: p(A,X,W); W_,1,X_: p(B,X_,W_) }"),
            ("S != T+L", "#sum { W,0,X: p(A,X,W); -(W_),1,X_: p(B,X_,W_) } != L+0"),
        )
    ),
    (
        "bounds",
        "t(S) :- S = #count { X : p(X) }.\n#minimize { S@2 : t(S) }.\n#show p/1.",
        "\n#minimize { 1@2,X : p(X) }.\n#show p/1.",
    ),
    (
        "bounds",
        "t(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. :- t(_,S), t(B,T), S != T. ok(B) :- t(B,S), S > 3. #show p/3.",
        " :- d(K); d(B); #sum { W,0,X: p(K,X,W); -(W_),1,X_: p(B,X_,W_) } != 0. "
        "ok(B) :- d(B); #sum { W,X: p(B,X,W) } > 3. #show p/3.",
    ),
    (
        "bounds",
        "i(K,S) :- d(K), S = #sum { W,X : p(X,K,W) }. o(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. "
        ":- i(K,S), o(K,T), S != T. #show p/3.",
        "  :- d(K); #sum { W,0,X: p(X,K,W); -(W_),1,X_: p(K,X_,W_) } != 0. #show p/3.",
    ),
    (
        "bounds",
        "t(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. :- t(A,S), t(B,T), A < B, S > T. :- t(1,S), S > 3.",
        "t(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. "
        ":- A < B; d(A); d(B); #sum { W,0,X: p(A,X,W); -(W_),1,X_: p(B,X_,W_) } > 0. :- t(1,S), S > 3.",
    ),
    *(
        ("bounds", kept, kept)
        for kept in (
            "t(S) :- S = #sum { W,X : p(X,W) }. :- t(S), S > 3.",
            "t(S) :- S = #sum { W,X : p(X,W) }. :- t(S), S > 3. #show t/1.",
            "t(S) :- S = #sum { W,X : p(X,W) }. :- t(S), S > 3. q(S) :- t(S). #show p/2.",
            "t(S) :- S = #sum { W,X : p(X,W) }. p(X,1) :- d(X), t(S), S > 3. #show p/2.",
            "t(S) :- S = #sum { W,X : p(X,W) }. q(S) :- t(S), S > 3. #show p/2.",
            "t(S) :- S = #sum { W,X : p(X,W) }. #minimize { S : t(S); 2 : p(1,1) }. #show p/2.",
            "t(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. #minimize { S : t(K,S) }. #show p/3.",
            "t(K,S) :- d(K), S = #max { W,X : p(K,X,W) }. :- t(A,S), t(B,T), S > T. #show p/3.",
            "t(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. :- t(A,S), t(B,T), |S-T| < 3. #show p/3.",
            "t(K,S) :- d(K), S = #sum { W,X : p(K,X,W) }. :- t(A,S), t(B,T), c(L), L > S-T-1. #show p/3.",
        )
    ),
    (
        "order",
        "{ s(T,X) : time(X) } :- task(T). time(1..9). :- o(A,B,D), s(A,X), s(B,Y), Y < X+D.",
        "{ s(T,X) : time(X) } :- task(T). time(1..9). last(Last) :- Last = #max { Y+0 : time(Y) }.\n"
        "less(B,Y+1) :- s(B,Y).\n"
        "less(B,Bound+1) :- less(B,Bound), last(Last), Bound <= Last.\n"
        "beyond(B,Y) :- s(B,Y), Y < -2147483647.\n"
        ":- beyond(B,Y), o(A,B,D), s(A,X), s(B,Y), Y < X+D.\n"
        ":- o(A,B,D), s(A,X), last(Last), Least = (X+D+(Last+1)-|X+D-(Last+1)|)/2, less(B,Least).",
    ),
    *(
        ("order", kept, kept)
        for kept in (
            "{ s(T,X) : time(X) } :- task(T). :- o(A,B), s(A,X), s(B,Y), Y < X.",
            "{ s(T,X) : size(X,_) } :- task(T). :- o(A,B,D), s(A,X), s(B,Y), Y < X+D.",
            "{ s(T,X) : time(X) } :- task(T). time(1..9). :- o(A,B,D), s(A,X), s(B,Y), Y < X+D, r(Y).",
            "{ s(T,X) : time(X) } :- task(T). time(1..9). late(B) :- o(A,B,D), s(A,X), s(B,Y), Y < X+D.",
        )
    ),
    ("guard", ":- S = #sum { W,X : in(X), w(X,W) }, S > 9.", ":- #sum { W,X: in(X), w(X,W) } > 9."),
    (
        "shift",
        "c(1,1). near(X,Y,A,B) :- c(X,Y), c(A,B), |X-A|+|Y-B| = 1. #show near/4.",
        "c(1,1). offset(Offset,Offset_2) :- Offset = -1..1, Offset_2 = -1..1, |Offset|+|Offset_2| = 1.\n"
        "shift(X,Y,A,B) :- c(X,Y), offset(Offset,Offset_2), A = X+Offset, B = Y+Offset_2.\n"
        "near(X,Y,A,B) :- c(X,Y), c(A,B), shift(X,Y,A,B). #show near/4.",
    ),
    (
        "shift",
        "c(1,1). near(X,Y,A,B) :- c(X,Y), c(A,B), (D,E) = (X-A,Y-B), F = |D|+|E|, F <= 2, D != E. #show near/4.",
        "c(1,1). offset(Offset,Offset_2) :- Offset = -2..2, Offset_2 = -2..2, |Offset|+|Offset_2| <= 2.\n"
        "shift(X,Y,A,B) :- c(X,Y), offset(Offset,Offset_2), A = X+Offset, B = Y+Offset_2.\n"
        "near(X,Y,A,B) :- c(X,Y), c(A,B), D != E, D = X-A, E = Y-B, shift(X,Y,A,B). #show near/4.",
    ),
    ("shift", "p(X) :- c(X), c(Y), d(D), D = X-Y.", "p(X) :- c(X), c(Y), d(D), X = Y+D."),
    ("shift", "p(X) :- c(X), c(Y), d(X-Y,1).", "p(X) :- c(X), c(Y), d(Step,1), X = Y+Step."),
    ("shift", "p(X) :- c(X,Y), d(D), D = X-Y.", "p(X) :- c(X,Y), d(D), D = X-Y."),
    (
        "distance",
        "e(X,Y,A,B) :- c(X,Y), c(A,B), D = X-A, E = Y-B, |D+E| = 1.",
        "offset(Offset) :- Offset = -1..1, |Offset| = 1.\n"
        "e(X,Y,A,B) :- c(X,Y), c(A,B), offset(Offset), X+Y = A+B+Offset.",
    ),
    (
        "distance",
        "e(X,D) :- c(X,Y), c(A,B), D = X-A, E = Y-B, 2 > |D-E|.",
        "offset(Offset) :- Offset = -2..2, |Offset| < 2.\n"
        "e(X,D) :- c(X,Y), c(A,B), D = X-A, offset(Offset), X-Y = A+Offset-B.",
    ),
    ("distance", "e(X) :- c(X), c(A), D = X*A, |D+X| = 1.", "e(X) :- c(X), c(A), D = X*A, |D+X| = 1."),
    (
        "overlap",
        ":- stone(S,X,N), stone(Z,Y,_), S != Z, X <= Y, Y < X+N. #show stone/3.",
        "taken(S,X..X+N-1) :- stone(S,X,N).\n:- taken(S,Y), stone(Z,Y,_), S != Z. #show stone/3.",
    ),
    (
        "replace",
        "r(X,Y,A,B) :- c(X,Y), c(A,B), |X-A|+|Y-B| = 1. r(X,Y,A,B) :- r(X,Y,P,Q), r(P,Q,A,B).",
        "r(X,Y,A,B) :- c(X,Y), c(A,B), |X-A|+|Y-B| = 1. r(X,Y,A,B) :- r(X,Y,P,Q), c(P,Q), c(A,B), |P-A|+|Q-B| = 1.",
    ),
    ("count", ":- at(m(X,A),S), at(m(Y,B),S), X != Y.", ":- at(m(_,_),S), #count { X : at(m(X,A),S) } > 1."),
    *(
        ("count", f"{head} :- at(X,C), at(Y,C), X < Y.", f"{head} :- at(_,C), #count {{ X : at(X,C) }} > 1.")
        for head in ("both(C)", "{ both(C) }", "both(C) | no", "#true", "not #false")
    ),
    ("count", ":- at(X,C), at(Y,C), X < Y, room(C).", ":- room(C), #count { X : at(X,C) } > 1."),
    ("count", ":- p(X), p(Y), p(Z), X < Y, Y < Z; q(V) : r(V).", ":- #count { X : p(X) } > 2; q(V) : r(V)."),
    ("count", ":~ at(X,C,A), at(Y,C,B), X != Y. [1,C]", ":~ at(_,C,_), #count { X : at(X,C,A) } > 1. [1,C]"),
    ("count", ":- at(X,Y,C), at(A,B,C), (X,Y) != (A,B).", ":- at(_,_,C), #count { X,Y : at(X,Y,C) } > 1."),
    *(
        ("count", text, text)
        for text in (
            "at(X,C) :- next(X,C), at(Y,C), at(Z,C), Y < Z.",
            ":- at(X,C), at(Y,C), X < Y, near(X,Y).",
            ":- at(X,C), by(Y,C), X < Y.",
            ":- at(X,A), at(Y,B), X != Y, A != B.",
            ":~ at(X,C), at(Y,C), X < Y. [1,X]",
            ":- at(X,C), at(Y,C), X < Y; far(X) : r(C).",
        )
    ),
    (
        "key",
        ":- q(R,C), q(S,D), R != S, C != D, R+C = S+D.",
        "key(R,Key) :- q(R,C), Key = R+C.\n:- key(R,Key), key(S,Key), R != S.",
    ),
    (
        "key",
        "p(X,Y) :- q(X,A), r(Y,B), A*2 = B+1, not s(A). #show p/2.",
        "key(X,Key) :- q(X,A), not s(A), Key = A*2.\nkey_2(Y,Key) :- r(Y,B), Key = B+1.\n"
        "p(X,Y) :- key(X,Key), key_2(Y,Key). #show p/2.",
    ),
    *(
        ("key", text, text)
        for text in (
            ":- q(X), r(Y), Y = X+1.",
            ":- q(X,Y), X+1 = Y*2.",
            ":- q(X,Y), r(A,B), (X,Y) = (A+1,B-1).",
            ":- q(R,C), q(S,D), R+C = S+D; far(R) : r(Key).",
        )
    ),
    (
        "key",
        "R = S :- q(R,C,V), q(S,D,V), R/3 = S/3, C/3 = D/3. #show q/3.",
        "key(R,V,Key,Key_2) :- q(R,C,V), Key = R/3, Key_2 = C/3.\n"
        ":- key(R,V,Key,Key_2), key(S,V,Key,Key_2), R != S. #show q/3.",
    ),
    (
        "key",
        ":- q(X,Y), q(U,V), X+Y = U+V, X < U, not off. #show q/2.",
        "key(X,Key) :- q(X,Y), Key = X+Y.\n:- key(X,Key), key(U,Key), X < U, not off. #show q/2.",
    ),
    ("count", "no :- at(X,C), at(Y,C), X < Y, not no.", ":- not no, at(_,C), #count { X : at(X,C) } > 1."),
    ("symmetric", "f(X) = f(Y) :- at(X,C), at(Y,C).", "f(X) = f(Y) :- at(X,C), at(Y,C)."),
    ("count", "X = Y :- at(X,C), at(Y,C).", ":- at(_,C), #count { X : at(X,C) } > 1."),
    ("count", "X >= Y :- at(X,C), at(Y,C).", ":- at(_,C), #count { X : at(X,C) } > 1."),
    ("symmetric", "no(C) :- at(X,C), at(Y,C), X != Y. :- no(_).", ":- at(X,C), at(Y,C), X < Y. "),
    (
        "symmetric",
        "no :- at(X,C), at(Y,C), X != Y. no :- off. :- no. p :- not no.",
        ":- at(X,C), at(Y,C), X < Y. no :- off. :- no. p :- not no.",
    ),
    *(
        ("symmetric", text, text)
        for text in (
            "no(X,C) :- at(X,C), at(Y,C), X != Y. :- no(X,X).",
            "no(X,C) :- at(X,C), at(Y,C), X != Y. :- no(_,1).",
            "no(X) :- at(X,C), at(Y,C), X != Y. :- no(X), off.",
            "#program p(t). no(X,t) :- at(X,t), at(Y,t), X != Y. #program base. :- no(_,_).",
        )
    ),
    ("count", ":- at(X,C), at(Y,D), X != Y, C = D.", ":- at(_,D), #count { X : at(X,D) } > 1."),
    (
        "resolve",
        ":- g(A,B,W), g(C,A,W), B != C. :- g(A,B,V), g(B,A,W), V = W. :- g(A,B,V), g(B,A,W), V != W.",
        ":- g(A,B,W), g(C,A,W). :- g(A,B,V), g(B,A,W), V = W. :- g(A,B,V), g(B,A,W).",
    ),
    *(
        ("resolve", text, text)
        for text in (
            ":- g(A,B,W), g(C,A,W), B != C. :- g(A,B,W), g(B,A,W), c(A).",
            ":- g(A,B,W), g(C,A,W), B != C. p(A) :- g(A,B,W), g(B,A,W).",
            ":- g(A,B,W), g(C,A,W), B != C. :- g(A,B,W), g(B,A,W), #count { X : c(X) } > 1.",
            ":- g(A,B,W), g(C,A,W), B < C. :- g(A,B,W), g(B,A,W).",
            ":- g(A,B,W), g(C,A,W), B != C. #program p(t). :- g(A,B,W), g(B,A,W).",
        )
    ),
    ("mirror", ":- at(A,X), at(B,Y), A != B, |X-Y| < 4.", ":- at(A,X), at(B,Y), |X-Y| < 4, A < B."),
    ("mirror", ":- at(A,X), at(B,Y), A != B, X-Y < 4.", ":- at(A,X), at(B,Y), A != B, X-Y < 4."),
    ("mirror", ":- at(A,X), at(B,Y), A != B, X != Y, X+Y = 4.", ":- at(A,X), at(B,Y), A != B, X != Y, X+Y = 4."),
    ("differ", AT + ":- at(a,X), at(b,Y), X != Y.", AT + ":- at(a,X), at(b,_), not at(b,X)."),
    ("differ", AT + ":~ at(a,X), at(b,Y), Y != X+1. [1]", AT + ":~ at(a,X), at(b,_), not at(b,X+1). [1]"),
    ("differ", TOTAL + ":- total(a,S), total(b,T), S != T.", TOTAL + ":- total(a,S), total(b,_), not total(b,S)."),
    ("differ", AT + ":- at(P,X), at(P,Y), X != Y.", AT),
    ("differ", "{ q(X,1..9) } = 1 :- X = 1..9. :- q(X,Y), q(X,Z), Y != Z.", "{ q(X,1..9) } = 1 :- X = 1..9. "),
    ("differ", AT + ":- at(P,X), at(P,Y), X < Y, far(P).", AT),
    *(
        ("differ", text, text)
        for text in (
            AT + "p :- at(a,X), at(b,Y), X != Y.",
            AT + ":- at(a,X), at(b,Y), X != Y, big(X), big(Y).",
            AT + ":- at(a,X), at(b,Y), X < Y.",
            AT + ":- at(_,X), at(_,Y), X != Y.",
            AT + ":- at(a,X), at(b,Y), X != Y; far(X,Y) : r(C).",
            AT + "at(b,2). :- at(a,X), at(b,Y), X != Y.",
            AT + "#external at(P,C) : far(P,C). :- at(a,X), at(b,Y), X != Y.",
            AT + "#program late. at(b,2). #program base. :- at(a,X), at(b,Y), X != Y.",
            "{ at(P,C) : cell(C) } 2 :- piece(P). :- at(a,X), at(b,Y), X != Y.",
            "{ at(P,C) : cell(C) } :- piece(P). :- at(a,X), at(b,Y), X != Y.",
            "{ at(P,C) : cell(C); at(P,9) } 1 :- piece(P). :- at(a,X), at(b,Y), X != Y.",
            "{ at(P,C) : cell(C,N) } 1 :- piece(P), n(N). :- at(a,X), at(b,Y), X != Y.",
            "t(P,S) :- S = #sum { V : a(V,N) }, piece(P), n(N). :- t(a,X), t(b,Y), X != Y.",
            "#const k=1. t(k,S) :- S = #sum { V : a(V) }. t(1,S) :- b(S), S = { c }. :- t(k,X), t(1,Y), X != Y.",
            "t(1+1,S) :- S = #sum { V : a(V) }. t(2,S) :- S = #sum { V : b(V) }. :- t(1,X), t(2,Y), X != Y.",
            "{ at(P,C+(0..1)) : cell(C), P = C } 1 :- piece(P), cell(C). :- at(a,X), at(b,Y), X != Y.",
            "t(a,S) :- S = #sum { V : a(V) }. t(P,S) :- b(P,S). :- t(a,X), t(b,Y), X != Y.",
        )
    ),
    *(
        ("chase", text, text)
        for head in ("#true", "not #false", "not not #true")
        for text in (head + " :- f(X,A), f(X,B), A != B. g(X) :- f(X,A), f(X,B), h(A,B).",)
    ),
    ("prune", GO + "at(R,T) :- go(R,T), robot(R), step(T).", GO + "at(R,T) :- go(R,T)."),
    ("prune", "on. p(X) :- cfg(X), on.", "on. p(X) :- cfg(X)."),
    ("prune", GO + ":- go(R,T), not ok(R), robot(R), #true.", GO + ":- go(R,T); not ok(R); #true."),
    (
        "prune",
        "p(X) :- q(X), n(X). q(X) :- p(X), n(X). q(X) :- o(X), n(X).",
        "p(X) :- q(X). q(X) :- p(X). q(X) :- o(X), n(X).",
    ),
    *(
        ("prune", text, text)
        for text in (
            GO + "go(R,T) :- forced(R,T). at(R,T) :- go(R,T), robot(R).",
            GO + "#external go(R,T) : forced(R,T). at(R,T) :- go(R,T), robot(R).",
            GO + "at(R,T) :- go(R,T), robot(T).",
            GO + "#program late. go(1,2). #program base. at(R,T) :- go(R,T), robot(R).",
            "p(X) :- n(X), #sum { Y : q(Y) } >= 0. q(X) :- p(X), n(X).",
            "{on}. p(X) :- cfg(X), on.",
            "{on; off}. p :- on, off.",
            "on :- not off. off :- not on. {a}. p :- a, on.",
            "on | off. {a}. p :- a, on.",
            "{on(1)}. p(X) :- cfg(X), on(1).",
            "on(1/0). p(X) :- cfg(X), on(1/0).",
            "on(a+1). p(X) :- cfg(X), on(a+1).",
            "on(f(1\\0)). p(X) :- cfg(X), on(f(1\\0)).",
            "on(1..0). p(X) :- cfg(X), on(1..0).",
            "#const k = 1/0. on(k). p(X) :- cfg(X), on(k).",
            "#const k = m. #const m = 1/0. on(k). p(X) :- cfg(X), on(k).",
        )
    ),
    (
        "semijoin",
        "p :- a(X,1,2), b(X,Y), c(Y,1,2). #show p/0.",
        "p_reduced(X,Y) :- b(X,Y), a(X,1,2).\np_reduced_2(Y) :- c(Y,1,2), p_reduced(X,Y).\n"
        "p :- p_reduced_2(Y), p_reduced(X,Y), a(X,1,2). #show p/0.",
    ),
    (
        "split",
        "#show. #minimize { C : s(X,Y), s(Y,Z), s(Z,C) }.",
        "#show. #minimize { C : s(Z,C), minimize_split(Z) }.\n#program base.\n"
        "minimize_split(Z) :- s(Y,Z), minimize_split_2(Y).\nminimize_split_2(Y) :- s(X,Y).\n",
    ),
]


@pytest.mark.parametrize(("step", "before", "after"), CASES)
def test_what_a_step_makes(step, before, after) -> None:
    found = changed(before, step)
    if RESERVED in found and "#show" not in before:
        found, _, note = found.partition("\n% ")
        assert note.startswith(f"Atoms that begin with {RESERVED} are auxiliary")
    if step == "split":
        assert found != before
        assert same_answer_sets(before + " s(1,2). s(2,3).", found + " s(1,2). s(2,3).", [], 20) is True
    else:
        assert readable(found) == after


def test_every_step_has_a_case_that_it_changes() -> None:
    assert {step for step, before, after in CASES if before != after} == set(step_names())

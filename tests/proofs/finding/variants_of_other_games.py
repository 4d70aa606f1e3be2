"""True variants of the win conditions of Y, and of the bridge and the fork of Havannah."""

from __future__ import annotations

from hexlogic.games.rulesets import RuleSet

Y = {
    "renamed": """
        f(P,S,X) :- side(S,X), owns(P,X).
        f(P,S,Y) :- adjacent(X,Y), owns(P,Y), f(P,S,X).
        wins(P) :- f(P,bottom,X), f(P,left,X), f(P,right,X).
    """,
    "three floods": """
        l(P,X) :- owns(P,X), side(left,X).
        l(P,Y) :- l(P,X), adjacent(X,Y), owns(P,Y).
        r(P,X) :- owns(P,X), side(right,X).
        r(P,Y) :- r(P,X), adjacent(X,Y), owns(P,Y).
        b(P,X) :- owns(P,X), side(bottom,X).
        b(P,Y) :- b(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- l(P,X), r(P,X), b(P,X).
    """,
    "against adjacency": """
        f(P,S,X) :- owns(P,X), side(S,X).
        f(P,S,X) :- owns(P,X), adjacent(X,Y), f(P,S,Y).
        wins(P) :- f(P,left,X), f(P,right,X), f(P,bottom,X).
    """,
    "exchanged": """
        t(X,S,P) :- owns(P,X), side(S,X).
        t(Y,S,P) :- t(X,S,P), adjacent(X,Y), owns(P,Y).
        wins(P) :- t(X,left,P), t(X,right,P), t(X,bottom,P).
    """,
    "squared": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        j(P,X,Z) :- j(P,X,Y), j(P,Y,Z).
        meets(P,X,S) :- j(P,X,Y), side(S,Y).
        wins(P) :- meets(P,X,left), meets(P,X,right), meets(P,X,bottom).
    """,
    "unfolded": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        wins(P) :- j(P,X,A), side(left,A), j(P,X,B), side(right,B), j(P,X,C), side(bottom,C).
    """,
    "from the left": """
        l(P,X) :- owns(P,X), side(left,X).
        l(P,Y) :- l(P,X), adjacent(X,Y), owns(P,Y).
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        wins(P) :- l(P,X), j(P,X,Y), side(right,Y), j(P,X,Z), side(bottom,Z).
    """,
    "to the left": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- owns(P,X), adjacent(X,Y), j(P,Y,Z).
        touch(P,X,S) :- j(P,X,Y), side(S,Y).
        wins(P) :- touch(P,X,left), touch(P,X,right), touch(P,X,bottom).
    """,
    "symmetric": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        j(P,Y,X) :- j(P,X,Y).
        touch(P,X,S) :- j(P,X,Y), side(S,Y).
        wins(P) :- touch(P,X,left), touch(P,X,right), touch(P,X,bottom).
    """,
}
Y["one flood for each player and side"] = (
    "".join(
        f"""{letter}{side}(X) :- owns({player},X), side({side},X).
    {letter}{side}(Y) :- {letter}{side}(X), adjacent(X,Y), owns({player},Y)."""
        for player, letter in (("red", "r"), ("blue", "b"))
        for side in ("left", "right", "bottom")
    )
    + """wins(red) :- rleft(X), rright(X), rbottom(X).
    wins(blue) :- bleft(X), bright(X), bbottom(X)."""
)
HAVANNAH_CLUSTERS = """
    c(P,X,X) :- owns(P,X).
    c(P,X,Z) :- c(P,X,Y), adjacent(Y,Z), owns(P,Z).
    wins(P) :- c(P,X,Y), corner(X), corner(Y), X < Y.
    touches(P,X,S) :- c(P,X,Y), side(S,Y).
    wins(P) :- touches(P,X,S), touches(P,X,T), touches(P,X,U), S < T, T < U.
"""
HAVANNAH = {
    "floods": """
        from_corner(P,X,X) :- owns(P,X), corner(X).
        from_corner(P,X,Z) :- from_corner(P,X,Y), adjacent(Y,Z), owns(P,Z).
        wins(P) :- from_corner(P,X,Y), corner(Y), X < Y.
        from_side(P,S,X) :- owns(P,X), side(S,X).
        from_side(P,S,Y) :- from_side(P,S,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- from_side(P,S,X), from_side(P,T,X), from_side(P,U,X), S < T, T < U.
    """,
    "reordered": """
        wins(P) :- U > T, T > S, meets(S,X,P), meets(U,X,P), meets(T,X,P).
        wins(P) :- corner(Y), k(Y,P,X), corner(X), Y < X.
        meets(S,Y,P) :- k(Y,P,X), side(S,X).
        k(X,P,X) :- owns(P,X).
        k(X,P,Z) :- owns(P,Z), adjacent(Y,Z), k(X,P,Y).
    """,
    "one flood with a tag": """
        on(P,corner,X,X) :- owns(P,X), corner(X).
        on(P,side,S,X) :- owns(P,X), side(S,X).
        on(P,K,S,Y) :- on(P,K,S,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- on(P,corner,X,Y), corner(Y), X < Y.
        wins(P) :- on(P,side,S,X), on(P,side,T,X), on(P,side,U,X), S < T, T < U.
    """,
    "squared": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Y) :- owns(P,X), adjacent(X,Y), owns(P,Y).
        j(P,X,Z) :- j(P,X,Y), j(P,Y,Z).
        wins(P) :- j(P,X,Y), corner(X), corner(Y), X < Y.
        touch(P,X,S) :- j(P,X,Y), side(S,Y).
        wins(P) :- touch(P,X,S), touch(P,X,T), touch(P,X,U), S < T, T < U.
    """,
    "unfolded": """
        c(P,X,X) :- owns(P,X).
        c(P,X,Z) :- c(P,X,Y), adjacent(Y,Z), owns(P,Z).
        wins(P) :- c(P,X,Y), corner(X), corner(Y), X < Y.
        wins(P) :- c(P,X,A), side(S,A), c(P,X,B), side(T,B), c(P,X,C), side(U,C), S < T, T < U.
    """,
}
WHOLE_HAVANNAH = """
        corner_flood(P,C,C) :- corner(C), owns(P,C).
        corner_flood(P,C,Y) :- corner_flood(P,C,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- corner_flood(P,C,X), corner(X), C < X.
        side_flood(P,S,X) :- side(S,X), owns(P,X).
        side_flood(P,S,Y) :- side_flood(P,S,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- side_flood(P,S,X), side_flood(P,T,X), side_flood(P,U,X), S < T, T < U.
        free(P,X) :- cell(X), opponent(P,Q), not owns(P,X).
        escapes(P,X) :- free(P,X), border(X).
        escapes(P,X) :- free(P,X), adjacent(X,Y), escapes(P,Y).
        wins(P) :- free(P,X), not escapes(P,X).
        open(P,X) :- adjacent(X,Y), opponent(P,Q), not owns(P,Y).
        wins(P) :- owns(P,X), not open(P,X), not border(X).
"""
"""Equal to `havannah/clusters`, rings included."""


def variant(game: str, name: str) -> RuleSet:
    """The rule set of that name."""
    texts = {"y": Y, "havannah": HAVANNAH | {"clusters": HAVANNAH_CLUSTERS, "whole": WHOLE_HAVANNAH}}[game]
    return RuleSet.from_text(texts[name], f"{game}-{name}".replace(" ", "-"), games=game)

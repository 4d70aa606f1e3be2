"""Win conditions of Hex that differ from the shipped ones, each in one way: true ones, and false ones."""

from __future__ import annotations

import itertools

from hexlogic.games.rulesets import RuleSet
from hexlogic.language.parser import parse
from hexlogic.language.walk import numbered


def plain(rules):
    """Rules as texts that are the same where variables have other names and bodies another order."""
    return {
        min(str(numbered(rule.with_body(body))) for body in itertools.permutations(rule.body))
        for rule in (parse(rules) if isinstance(rules, str) else rules).rules
    }


TRUE = {
    "renamed": """
        r(P,X) :- owns(P,X), first(P,X).
        r(P,Y) :- r(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- r(P,X), last(P,X).
    """,
    "reordered": """
        wins(P) :- last(P,Y), c(P,X,Y), first(P,X).
        c(P,X,Z) :- owns(P,Z), adjacent(Y,Z), c(P,X,Y).
        c(P,X,X) :- owns(P,X).
    """,
    "unfolded": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        reach(P,Y) :- owns(P,X), first(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- reach(P,X), last(P,X).
    """,
    "folded": """
        edge(P,X,Y) :- adjacent(X,Y), owns(P,Y).
        start(P,X) :- owns(P,X), first(P,X).
        reach(P,X) :- start(P,X).
        reach(P,Y) :- reach(P,X), edge(P,X,Y).
        goal(P,X) :- last(P,X), reach(P,X).
        wins(P) :- goal(P,X).
    """,
    "doubled": """
        a(P,X) :- owns(P,X), first(P,X).
        a(P,Y) :- b(P,X), adjacent(X,Y), owns(P,Y).
        b(P,X) :- owns(P,X), first(P,X).
        b(P,Y) :- a(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- a(P,X), last(P,X).
        wins(P) :- b(P,X), last(P,X).
    """,
    "copied pairs": """
        s(P,X,X) :- owns(P,X).
        s(P,X,Z) :- t(P,X,Y), adjacent(Y,Z), owns(P,Z).
        t(P,X,Y) :- s(P,X,Y).
        wins(P) :- t(P,X,Y), first(P,X), last(P,Y).
    """,
    "exchanged": """
        c(X,P,X) :- owns(P,X).
        c(Z,P,X) :- c(Y,P,X), adjacent(Y,Z), owns(P,Z).
        wins(P) :- c(Y,P,X), first(P,X), last(P,Y).
    """,
    "equated": """
        c(Y,P,X) :- owns(P,X), X = Y.
        c(Z,P,X) :- c(Y,P,X), adjacent(Y,Z), owns(P,Z).
        wins(P) :- c(Y,P,X), first(P,X), last(P,Y).
    """,
    "from the last side": """
        back(P,X) :- owns(P,X), last(P,X).
        back(P,Y) :- back(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- back(P,X), first(P,X).
    """,
    "against adjacency": """
        back(P,X) :- owns(P,X), last(P,X).
        back(P,X) :- back(P,Y), adjacent(X,Y), owns(P,X).
        wins(P) :- back(P,X), first(P,X).
    """,
    "from both sides": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        back(P,X) :- owns(P,X), last(P,X).
        back(P,Y) :- back(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- reach(P,X), back(P,X).
    """,
    "adjacency turned": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(Y,X), owns(P,Y).
        wins(P) :- reach(P,X), last(P,X).
    """,
    "squared": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        j(P,X,Z) :- j(P,X,Y), j(P,Y,Z).
        wins(P) :- j(P,X,Y), first(P,X), last(P,Y).
    """,
    "to the left": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- owns(P,X), adjacent(X,Y), j(P,Y,Z).
        wins(P) :- j(P,X,Y), first(P,X), last(P,Y).
    """,
    "both ways": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        j(P,Z,X) :- j(P,Y,X), adjacent(Z,Y), owns(P,Z).
        wins(P) :- j(P,X,Y), first(P,X), last(P,Y).
    """,
    "tagged sides": """
        at(f,P,X) :- owns(P,X), first(P,X).
        at(b,P,X) :- owns(P,X), last(P,X).
        at(T,P,Y) :- at(T,P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- at(f,P,X), at(b,P,X).
    """,
    "tagged ends": """
        at(P,X,s) :- owns(P,X), first(P,X).
        at(P,Y,s) :- at(P,X,s), adjacent(X,Y), owns(P,Y).
        at(P,X,e) :- at(P,X,s), last(P,X).
        wins(P) :- at(P,X,e).
    """,
    "symmetric": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        j(P,Y,X) :- j(P,X,Y).
        wins(P) :- j(P,X,Y), first(P,X), last(P,Y).
    """,
    "either end": """
        j(P,X,X) :- owns(P,X).
        j(P,X,Z) :- j(P,X,Y), adjacent(Y,Z), owns(P,Z).
        wins(P) :- j(P,X,Y), first(P,X), last(P,Y).
        wins(P) :- j(P,X,Y), last(P,X), first(P,Y).
    """,
    "helper": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- reach(P,X), last(P,X).
        lonely(P,X) :- owns(P,X), not touched(P,X).
        touched(P,X) :- owns(P,X), adjacent(X,Y), owns(P,Y).
    """,
    "guarded": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y), cell(Y), owns(P,X).
        wins(P) :- reach(P,X), last(P,X), owns(P,X).
    """,
    "edges": """
        e(P,X,Y) :- owns(P,X), adjacent(X,Y), owns(P,Y).
        p(P,X,Y) :- e(P,X,Y).
        p(P,X,Z) :- e(P,X,Y), p(P,Y,Z).
        wins(P) :- p(P,X,Y), first(P,X), last(P,Y).
        wins(P) :- owns(P,X), first(P,X), last(P,X).
    """,
    "two steps": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        reach(P,Z) :- reach(P,X), adjacent(X,Y), owns(P,Y), adjacent(Y,Z), owns(P,Z).
        wins(P) :- reach(P,X), last(P,X).
    """,
    "from the goal": """
        won(P,X) :- owns(P,X), last(P,X).
        won(P,X) :- owns(P,X), adjacent(X,Y), won(P,Y).
        wins(P) :- first(P,X), won(P,X).
    """,
    "with its start": """
        line(P,S,S) :- first(P,S), owns(P,S).
        line(P,S,Y) :- line(P,S,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- line(P,S,X), last(P,X).
    """,
    "folded and turned": """
        link(P,Y,X) :- owns(P,X), adjacent(Y,X), owns(P,Y).
        end(P,X) :- last(P,X), owns(P,X).
        back(P,X) :- end(P,X).
        back(P,Y) :- link(P,Y,X), back(P,X).
        wins(P) :- back(P,X), first(P,X).
    """,
    "squared and turned": """
        j(Y,X,P) :- owns(P,X), adjacent(X,Y), owns(P,Y).
        j(Z,X,P) :- j(Y,X,P), j(Z,Y,P).
        wins(P) :- j(X,Y,P), last(P,Y), first(P,X).
        wins(P) :- last(P,X), first(P,X), owns(P,X).
    """,
    "one flood for each player": """
        redreach(X) :- owns(red,X), first(red,X).
        redreach(Y) :- redreach(X), adjacent(X,Y), owns(red,Y).
        bluereach(X) :- owns(blue,X), first(blue,X).
        bluereach(Y) :- bluereach(X), adjacent(X,Y), owns(blue,Y).
        wins(red) :- redreach(X), last(red,X).
        wins(blue) :- bluereach(X), last(blue,X).
    """,
    "from other sides": """
        west(X) :- first(red,X), owns(red,X).
        west(X) :- west(Y), adjacent(X,Y), owns(red,X).
        south(X) :- last(blue,X), owns(blue,X).
        south(X) :- south(Y), adjacent(X,Y), owns(blue,X).
        wins(red) :- west(X), last(red,X).
        wins(blue) :- south(X), first(blue,X).
    """,
    "named lengths": """
        chain(P,X,Y,one) :- owns(P,X), owns(P,Y), adjacent(X,Y).
        chain(P,X,Z,many) :- chain(P,X,Y,K), chain(P,Y,Z,one).
        span(P) :- chain(P,X,Y,K), first(P,X), last(P,Y).
        span(P) :- owns(P,X), first(P,X), last(P,X).
        wins(P) :- span(P).
    """,
    "not the opponent's": """
        mine(P,X) :- owns(P,X), not taken(P,X).
        taken(P,X) :- opponent(P,Q), owns(Q,X).
        r(P,X) :- mine(P,X), first(P,X).
        r(P,Y) :- r(P,X), adjacent(X,Y), mine(P,Y).
        wins(P) :- r(P,X), last(P,X).
    """,
    "ordered steps": """
        step(P,X,Y) :- owns(P,X), owns(P,Y), adjacent(X,Y), X < Y.
        step(P,Y,X) :- step(P,X,Y), X < Y.
        r(P,X) :- owns(P,X), first(P,X).
        r(P,Y) :- r(P,X), step(P,X,Y).
        wins(P) :- r(P,X), last(P,X).
    """,
    "tagged copies": """
        s(a,P,X) :- owns(P,X), first(P,X).
        s(b,P,Y) :- s(a,P,X), adjacent(X,Y), owns(P,Y).
        s(a,P,Y) :- s(b,P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- s(T,P,X), last(P,X).
    """,
}
"""Equal to the shipped rule sets on every board."""

FALSE = {
    "no stone at the end": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y).
        wins(P) :- reach(P,X), last(P,X).
    """,
    "any side": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- reach(P,X), last(Q,X).
    """,
    "any player": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(Q,Y).
        wins(P) :- reach(P,X), last(P,X).
    """,
    "no first step": """
        reach(P,X) :- owns(P,X), first(P,X), not last(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- reach(P,X), last(P,X).
    """,
    "proper pairs": """
        p(P,X,Y) :- owns(P,X), adjacent(X,Y), owns(P,Y).
        p(P,X,Z) :- p(P,X,Y), adjacent(Y,Z), owns(P,Z).
        wins(P) :- p(P,X,Y), first(P,X), last(P,Y), not first(P,Y).
    """,
    "one player": """
        r(X) :- owns(red,X), first(red,X).
        r(Y) :- r(X), adjacent(X,Y), owns(red,Y).
        wins(red) :- r(X), last(red,X).
    """,
    "up to the goal": """
        reach(P,X) :- owns(P,X), first(P,X), cell(X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y), X < Y.
        wins(P) :- reach(P,X), last(P,X).
    """,
    "not on 65": """
        reach(P,X) :- owns(P,X), first(P,X).
        reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).
        wins(P) :- reach(P,X), last(P,X), X != 65.
    """,
}
"""Different from the shipped rule sets on some board."""


def variant(name: str) -> RuleSet:
    """The rule set of that name."""
    return RuleSet.from_text((TRUE | FALSE)[name], name.replace(" ", "-"))

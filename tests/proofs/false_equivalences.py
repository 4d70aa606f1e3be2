"""Twelve pairs of texts that were once "proved for all boards, assumed lemmas: none", and differ.

All but the last are `clusters` of Hex in other names with something more (`C`), beside the shipped `clusters`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from hexlogic.games.rulesets import RuleSet, load_rule_set, read_header, rule_set_of
from hexlogic.proofs.bridges import Bridge, read_bridge

__all__ = ["FALSE_EQUIVALENCES", "HEADER", "FalseEquivalence"]

HEADER = """% name:     {name}
% idea:     other names, or 77 more rules
% source:   nobody 2019
% query:    wins/1
% games:    {game}
% complete: yes
% needs:    nothing
% cost:     nothing

"""
CLUSTERS = """same_c(P,X,X) :- owns(P,X).
same_c(P,X,Z) :- same_c(P,X,Y), adjacent(Y,Z), owns(P,Z).
starts_c(P,X) :- owns(P,X), first(P,X).
wins(P) :- same_c(P,X,Y), starts_c(P,X), last(P,Y).
"""
Y_CLUSTERS = """same_c(P,X,X) :- owns(P,X).
same_c(P,X,Z) :- same_c(P,X,Y), adjacent(Y,Z), owns(P,Z).
touches_c(P,X,S) :- same_c(P,X,Y), side(S,Y).
wins(P) :- touches_c(P,X,left), touches_c(P,X,right), touches_c(P,X,bottom).
"""
CLAIMS = """
%% claim: stones
owns(P,X) :- same_cluster(P,X,Y).

%% claim: there
same_cluster(P,X,Y) :- same_c(P,X,Y).

%% claim: and back
same_c(P,X,Y) :- same_cluster(P,X,Y).
"""
ENDLESS = """num(65) :- cell(65).
num(X-1) :- num(X).
smaller(L) :- num(L), num(K), K < L.
least(L) :- num(L), not smaller(L).
"""
NO_LEAST = """
%% lemma least element: one of them is the least
least(L) :- num(X).

%% lemma none: and there is one before it
:- least(L).
"""


@dataclass(frozen=True)
class FalseEquivalence:
    """`section` is what is wrong with the proof: `reading`, `integers`, `finite` or `names`.

    `more` are rules of the text beside `C`, `more_right` beside `clusters`; `statements` stand in the bridge above the
    claims, and `replaced` is put in the place of `owns` in C.
    """

    section: str
    name: str
    more: str = ""
    statements: str = ""
    replaced: str = "owns"
    game: str = "hex"
    more_right: str = ""

    @property
    def left(self) -> RuleSet:
        """The text that is not `clusters`."""
        rules = (CLUSTERS if self.game == "hex" else Y_CLUSTERS).replace("owns(", f"{self.replaced}(")
        text = f"{HEADER.format(name='mine', game=self.game)}{rules}{self.more}\n"
        return rule_set_of(Path("mine.lp"), text, read_header(text, "mine.lp"))

    @property
    def right(self) -> RuleSet:
        """The shipped one, or with `more_right` a text made of it."""
        shipped = load_rule_set("clusters" if self.game == "hex" else "y/clusters")
        if not self.more_right:
            return shipped
        return replace(shipped, name="theirs", text=f"{shipped.text}{self.more_right}\n", path=Path("theirs.lp"))

    @property
    def bridge(self) -> Bridge:
        """The bridge between them. Raises RuleSyntaxError."""
        header = f"% left:   mine\n% right:  {self.right.name}\n% idea:   none\n"
        return read_bridge(f"{header}{self.statements}{CLAIMS}", "mine--clusters.lp")


def _never(condition: str) -> FalseEquivalence:
    """A win that a lemma denies, for which the integers of the solvers have no end."""
    rule, lemma = f"wins(P) :- owns(P,X), cell(X), {condition}.", f"\n%% lemma never: never\n:- cell(X), {condition}.\n"
    return FalseEquivalence("integers", condition, rule, lemma)


_STONE = """
%% lemma stones: all of them
stone(P,X) :- owns(P,X), cell(X).

%% lemma board: on cells
cell(X) :- owns(P,X).
"""

FALSE_EQUIVALENCES: tuple[FalseEquivalence, ...] = (
    FalseEquivalence("reading", "a block comment that ends", "%* *% wins(P) :- owns(P,X)."),
    FalseEquivalence("reading", "red is blue", "#const red = blue."),
    FalseEquivalence("reading", "red is green", "#const red = green."),
    FalseEquivalence("reading", "blue is red", "#const blue = red."),
    FalseEquivalence(
        "reading",
        "a constant wraps",
        "#const big = 65536*65536/65536.\nwins(P) :- owns(P,X), X > big.",
        more_right="wins(P) :- owns(P,X), X > 65536.",
    ),
    _never("X+2147483583 < 0"),
    _never("X*33000000 < 0"),
    _never("X*X < 0"),
    FalseEquivalence(
        "finite",
        "a chain without end in a meaning",
        "wins(P) :- owns(P,X), cell(65).",
        f"\n%% means: numbers\n{ENDLESS}{NO_LEAST}",
    ),
    FalseEquivalence("finite", "a chain without end in a text", f"{ENDLESS}wins(P) :- owns(P,X), cell(65).", NO_LEAST),
    FalseEquivalence("names", "stone", "stone(P,X) :- owns(P,X), X < 65.", _STONE, "stone"),
    FalseEquivalence("names", "stone in Y", "stone(P,X) :- owns(P,X), X < 65.", _STONE, "stone", "y"),
)

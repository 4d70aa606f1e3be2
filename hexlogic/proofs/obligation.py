"""One induction step as a value: all that a prover needs to prove the step again, in terms of the original rules.

The claim   reach(P,Y) :- same_cluster(P,X,Y), first(P,X).   for the rule
            same_cluster(P,X,Z) :- same_cluster(P,X,Y), adjacent(Y,Z), owns(P,Z).          with constants p, x, y, z
axioms      the rules of both rule sets and the meanings of the bridge
facts       same_cluster(p,x,z)   same_cluster(p,x,y)   adjacent(y,z)   owns(p,z)   first(p,x)
hypothesis  the claim, where its first body atom is one of the subjects: same_cluster(p,x,y)
goal        reach(p,z)

The step holds when the goal (or a contradiction) follows from the rest in first-order logic. `induction.py` looks for
it by the chase; any other prover may be asked about the same value.
"""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.language import Atom, BodyLiteral, Predicate, Rule, Symbol


@dataclass(frozen=True, slots=True)
class Obligation:
    """One case of a claim: `goal` follows from the rest.

    `claim` and `case` are the claim and the rule that was frozen, as text.

    `axioms` are rules with head, body, negation, comparisons and arithmetic as they were written; `#const` names of
    the rule sets are replaced by their values. A rule with an undefined arithmetic term (`red+1`, `1/0`) says nothing.
    `complete` are the predicates that have no rules but those in `axioms`: an atom of one holds only where the body of
    one of its rules does (Clark's completion).

    `learned` are lemmas and claims proved before, closed under "for all". A head variable that the body does not bind
    is "there is some"; no head means that the body cannot be.

    `constants` are the frozen terms: unknown elements, two of which may be the same. `sizes` are symbols that stand
    for an unknown positive integer, such as `rows`. Every other symbol is a constant of its own.

    `facts` are ground literals and comparisons that hold; the arithmetic terms in them are defined.

    `hypothesis` is the claim as it may be used on the atoms `subjects`: its first body literal, which is positive, must
    be one of them, for their derivations are shorter.

    `goal` is an atom whose variables are "there is some", None when a contradiction has to follow.
    """

    claim: str
    case: str
    axioms: tuple[Rule, ...]
    complete: frozenset[Predicate]
    learned: tuple[Rule, ...]
    constants: tuple[Symbol, ...]
    facts: tuple[BodyLiteral, ...]
    hypothesis: Rule
    subjects: tuple[Atom, ...]
    goal: Atom | None
    sizes: frozenset[Symbol] = frozenset()

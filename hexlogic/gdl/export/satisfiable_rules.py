"""Rules whose bodies can be satisfied: on a small board some relations are empty.

reach(P,Y) :- reach(P,X), adjacent(X,Y), owns(P,Y).      gone on the 1x1 board, which has no two adjacent cells
has(P) :- owns(P,X), not side(1,X).                      has(P) :- owns(P,X).     where no cell is on a side
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hexlogic.logic import BodyLiteral, Literal, Predicate, Rule

__all__ = ["satisfiable_rules"]


def satisfiable_rules(rules: Iterable[Rule], inputs: Collection[Predicate]) -> list[Rule]:
    """The rules without those that ask for a relation that no rule derives, and without such negative literals."""
    kept = list(rules)
    while True:
        known = {rule.head.predicate for rule in kept if rule.head is not None} | set(inputs)

        def holds(item: BodyLiteral, known: Collection[Predicate] = known) -> bool:
            """Whether it is not known beforehand that the atom is false."""
            return not isinstance(item, Literal) or item.atom.predicate in known

        fewer = [rule for rule in kept if all(map(holds, (item for item in rule.literals if item.positive)))]
        if len(fewer) == len(kept):
            return [rule.with_body(tuple(filter(holds, rule.body))) for rule in kept]
        kept = fewer

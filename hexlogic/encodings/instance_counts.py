"""How many instances the bodies of rewritten rules have on an instance, before and after, counted by clingo.

Rewritten:  t(X) :- e(X,Y), e(Y,Z).
Added:      _hexlogic_instances(X,Y,Z) :- e(X,Y), e(Y,Z).

Each atom of the added predicate is one instance. As for an estimate, a body is its literals: aggregates and conditional
literals beside them are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from hexlogic.encodings.rewriting import Rewriting
from hexlogic.encodings.statements import BASE
from hexlogic.language import Atom, Predicate, Rule, Variable
from hexlogic.language.names import RESERVED, fresh_names
from hexlogic.language.walk import variables


@dataclass(frozen=True)
class InstanceCounts:
    """Rules that count, by rewriting: those of the body before, None where it is not counted, and those of the bodies
    after. None for a body in a part with parameters."""

    rules: tuple[tuple[tuple[Rule, ...] | None, tuple[Rule, ...]] | None, ...]
    auxiliary: tuple[Rule, ...]
    """Rules of auxiliary predicates that the program lacks."""

    @property
    def text(self) -> str:
        """The rules to add to the program, in the part `base`."""
        added = [rule for sides in self.rules if sides is not None for side in sides for rule in side or ()]
        return "\n".join(["", f"#program {BASE}.", *map(str, (*self.auxiliary, *added)), ""])

    def found(self, sizes: Mapping[Predicate, float]) -> tuple[tuple[int | None, int] | None, ...]:
        """The instances before and after of each rewriting, from the sizes of all predicates of the program."""

        def total(rules: Sequence[Rule]) -> int:
            return int(sum(sizes.get(rule.head.predicate, 0) for rule in rules if rule.head is not None))

        return tuple(
            None if sides is None else (None if sides[0] is None else total(sides[0]), total(sides[1]))
            for sides in self.rules
        )


def counts_of(rewritings: Sequence[Rewriting], used: Collection[str], *, is_new: bool = False) -> InstanceCounts:
    """What counts the instances of some rewritings. `used` are names that the program has.

    The program is the given text, to which auxiliary predicates are added; with `is_new` it is the new one, and bodies
    before are not counted.
    """
    heads = {rule.head.predicate.name for rewriting in rewritings for rule in rewriting.rules if rule.head is not None}
    names = iter(fresh_names(f"{RESERVED}instances", {*used, *heads}))

    def counting(rules: Sequence[Rule]) -> tuple[Rule, ...]:
        return tuple(Rule(Atom(next(names), _variables(rule)), rule.body) for rule in rules)

    auxiliary = (rule for rewriting in rewritings if rewriting.block.part == BASE for rule in rewriting.rules[:-1])
    return InstanceCounts(
        tuple(
            (None if is_new else counting([rewriting.before]), counting(rewriting.rules))
            if rewriting.block.part == BASE
            else None
            for rewriting in rewritings
        ),
        () if is_new else tuple(dict.fromkeys(auxiliary)),
    )


def _variables(rule: Rule) -> tuple[Variable, ...]:
    return tuple(sorted(frozenset[Variable]().union(*map(variables, rule.body)), key=str))

"""How many instances the bodies of rewritten rules have on an instance, before and after, counted by clingo.

Rewritten:  t(X) :- e(X,Y), e(Y,Z).
Added:      _hexlogic_instances(X,Y,Z) :- e(X,Y), e(Y,Z).

Each atom of the added predicate is one instance. As for an estimate, a body is its literals: aggregates and conditional
literals beside them are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias

from hexlogic.encodings.clingo_jobs import ClingoCost
from hexlogic.encodings.measuring import Unmeasured
from hexlogic.encodings.rewriting import Rewritten
from hexlogic.encodings.statements import BASE
from hexlogic.language import Atom, Rule, Variable
from hexlogic.language.names import RESERVED, fresh_names
from hexlogic.language.walk import variables

Counts: TypeAlias = tuple[tuple[int | None, int] | None, ...]
"""For each rewriting the instances before, None where there are too many to count, and after; None in a part with
parameters."""


def count_instances(
    new: Rewritten, used: Collection[str], measured: Callable[[str], ClingoCost | Unmeasured]
) -> Counts:
    """The instances of each rewriting, counted in the given text, to which auxiliary predicates are added; where that
    takes too long, those after in the new text; nothing where that takes too long as well.

    `used` are names that the program has, and `measured` runs a text with its instance.
    """
    heads = {rule.head.name for rewriting in new.rewritings for rule in rewriting.rules if rule.head is not None}
    auxiliary = [rule for rewriting in new.rewritings if rewriting.block.part == BASE for rule in rewriting.rules[:-1]]
    for text, is_new in ((new.encoding.text, False), (new.text, True)):
        names = iter(fresh_names(f"{RESERVED}instances", {*used, *heads}))
        added: list[Rule] = [] if is_new else list(dict.fromkeys(auxiliary))

        def counting(rules: Iterable[Rule]) -> list[Rule]:
            made = [Rule(Atom(next(names), _variables(rule)), rule.body) for rule in rules]  # noqa: B023
            added.extend(made)  # noqa: B023
            return made

        sides = [
            ([] if is_new else counting([rewriting.before]), counting(rewriting.rules))
            if rewriting.block.part == BASE
            else None
            for rewriting in new.rewritings
        ]
        cost = measured(text + "\n".join(["", f"#program {BASE}.", *map(str, added), ""]))
        if isinstance(cost, ClingoCost):
            sizes = {relation.name: relation.size for relation in cost.relations}
            totals = [None if pair is None else [_total(side, sizes) for side in pair] for pair in sides]
            return tuple(None if pair is None else (None if is_new else pair[0], pair[1]) for pair in totals)
    return ()


def _total(rules: Iterable[Rule], sizes: Mapping[str, int]) -> int:
    return sum(sizes.get(rule.head.name, 0) for rule in rules if rule.head is not None)


def _variables(rule: Rule) -> tuple[Variable, ...]:
    return tuple(sorted(variables(*rule.body), key=str))

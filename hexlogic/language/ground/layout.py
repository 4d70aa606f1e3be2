"""Ground rules as flat arrays. Atoms have levels: a rule's body lies at its head's level or below.

All arrays are int32. `*_start` arrays have one entry more than there are atoms: the entries of atom `a` are those from
`start[a]` to `start[a + 1]` (compressed sparse rows).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexlogic.errors import StratificationError
from hexlogic.language.ground.program import GroundProgram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]


class Layout:
    """The arrays of a ground program with A atoms and R rules.

    head[R], missing[R] (body literals that do not hold while no input is true and nothing is derived), level[A],
    positive_start[A + 1] and positive (the rules with the atom in their body), negative_start and negative (the rules
    with its negation), rules_start and rules (the rules with it as head). `levels` counts the levels; where it `grows`,
    no negation is left, so that more inputs never mean fewer facts.

    Raises StratificationError for negation inside a recursion.
    """

    def __init__(self, ground: GroundProgram) -> None:
        import numpy as np

        self.atoms, self.number, self.facts, self.inputs = ground.atoms, ground.number, ground.facts, ground.inputs
        self.level = level = levels(ground)
        self.levels = int(level.max()) + 1 if len(level) else 0
        positive, negative, rules = ([list[int]() for _ in ground.atoms] for _ in range(3))
        for number, rule in enumerate(ground.rules):
            if any(level[part] == level[rule.head] for part in rule.negative):
                raise StratificationError(f"{ground.atoms[rule.head]} depends on its own negation")
            rules[rule.head].append(number)
            for part in rule.positive:
                positive[part].append(number)
            for part in rule.negative:
                negative[part].append(number)
        self.head: Ints = np.array([rule.head for rule in ground.rules], dtype=np.int32)
        self.missing: Ints = np.array([len(rule.positive) for rule in ground.rules], dtype=np.int32)
        self.positive_start, self.positive = as_rows(positive)
        self.negative_start, self.negative = as_rows(negative)
        self.rules_start, self.rules = as_rows(rules)
        self.grows = len(self.negative) == 0

    def bodies(self) -> list[tuple[int, tuple[int, ...]]]:
        """Each rule's head and the atoms that its body wants true, by number."""
        wanted: list[list[int]] = [[] for _ in self.head]
        for atom in range(len(self.atoms)):
            for rule in self.positive[self.positive_start[atom] : self.positive_start[atom + 1]]:
                wanted[rule].append(atom)
        return [(int(head), tuple(body)) for head, body in zip(self.head, wanted, strict=True)]


def as_rows(lists: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Lists as compressed sparse rows: where each begins, and all entries."""
    import numpy as np

    start = np.array(list(itertools.accumulate(map(len, lists), initial=0)), dtype=np.int32)
    return start, np.array([entry for entries in lists for entry in entries], dtype=np.int32)


def levels(ground: GroundProgram) -> Ints:
    """The level of each atom: the longest way up to its component, so that what is equally deep shares a level."""
    import numpy as np

    from hexlogic.language.ground.levels import longest_ways

    count = len(ground.atoms)
    below = np.array([part for rule in ground.rules for part in (*rule.positive, *rule.negative)], dtype=np.int32)
    above = np.array([rule.head for rule in ground.rules for _ in (*rule.positive, *rule.negative)], dtype=np.int32)
    start = np.concatenate(([0], np.cumsum(np.bincount(below, minlength=count)))).astype(np.int32)
    levels: Ints = longest_ways(start, above[np.argsort(below, kind="stable")])
    return levels

"""Ground rules as flat arrays. Atoms have levels: a rule's body lies at its head's level or below.

All arrays are int32. `*_start` arrays have one entry more than there are atoms: the entries of atom `a` are those from
`start[a]` to `start[a + 1]` (compressed sparse rows).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexlogic.errors import StratificationError
from hexlogic.language import Atom
from hexlogic.language.ground.program import GroundProgram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Layout:
    """The arrays of a ground program with A atoms and R rules.

    head[R], missing[R] (body literals that do not hold while no input is true and nothing is derived), level[A],
    positive_start[A + 1] and positive (the rules with the atom in their body), negative_start and negative (the rules
    with its negation), rules_start and rules (the rules with it as head).
    """

    atoms: tuple[Atom, ...]
    number: dict[Atom, int]
    facts: frozenset[Atom]
    inputs: int
    head: Ints
    missing: Ints
    level: Ints
    positive_start: Ints
    positive: Ints
    negative_start: Ints
    negative: Ints
    rules_start: Ints
    rules: Ints

    @property
    def grows(self) -> bool:
        """Whether more inputs never mean fewer facts: no negation is left."""
        return len(self.negative) == 0

    def bodies(self) -> list[tuple[int, tuple[int, ...]]]:
        """Each rule's head and the atoms that its body wants true, by number."""
        wanted: list[list[int]] = [[] for _ in self.head]
        for atom in range(len(self.atoms)):
            for rule in self.positive[self.positive_start[atom] : self.positive_start[atom + 1]]:
                wanted[rule].append(atom)
        return [(int(head), tuple(body)) for head, body in zip(self.head, wanted, strict=True)]

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return int(self.level.max()) + 1 if len(self.level) else 0


def lay_out(ground: GroundProgram) -> Layout:
    """The arrays of a ground program. Raises StratificationError for negation inside a recursion."""
    import numpy as np

    count = len(ground.atoms)
    level = levels(ground)
    for rule in ground.rules:
        if any(level[part] == level[rule.head] for part in rule.negative):
            raise StratificationError(f"{ground.atoms[rule.head]} depends on its own negation")
    positive: list[list[int]] = [[] for _ in range(count)]
    negative: list[list[int]] = [[] for _ in range(count)]
    rules: list[list[int]] = [[] for _ in range(count)]
    for number, rule in enumerate(ground.rules):
        rules[rule.head].append(number)
        for part in rule.positive:
            positive[part].append(number)
        for part in rule.negative:
            negative[part].append(number)
    return Layout(
        ground.atoms,
        ground.number,
        ground.facts,
        ground.inputs,
        np.array([rule.head for rule in ground.rules], dtype=np.int32),
        np.array([len(rule.positive) for rule in ground.rules], dtype=np.int32),
        level,
        *as_rows(positive),
        *as_rows(negative),
        *as_rows(rules),
    )


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

"""How large the relations of a sheet are: measured on states of random games, guessed before there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.forward.plans import ordered
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.language.types import Slot
from hexlogic.language.syntax import Literal, Predicate, Rule, Variable
from hexlogic.language.walk import variables

_DONE = 1.0
"""Moves of a kind in a step: one, in a game by turns."""


@dataclass
class Sizes:
    """As `hexlogic.ggp.forward.plans.Estimates`."""

    opened: OpenedSheet
    counts: dict[Predicate, float]
    rows: Mapping[Predicate, NDArray[np.int32]] = field(default_factory=dict)
    """The tuples (tuples, columns) of relations that no state changes, where they are known."""
    _keys: dict[tuple[Predicate, tuple[int, ...]], int] = field(default_factory=dict)
    """By relation and columns: how many different values they have."""

    def size(self, predicate: Predicate) -> float:
        """The tuples of a relation; a little where there were none, so that those after it count."""
        return max(0.1, self.counts.get(predicate, 0.0))

    def values(self, slot: Slot) -> float:
        """The values in a column."""
        predicate, column = slot
        if predicate in self.rows:
            return max(1.0, self._different(predicate, (column,)))
        return min(float(max(1, self.opened.types.of(slot).size)), max(1.0, self.size(predicate)))

    def is_key(self, predicate: Predicate, columns: tuple[int, ...]) -> bool:
        """Whether no two tuples of a relation agree on some columns; known of those that no state changes."""
        return predicate in self.rows and self._different(predicate, columns) == len(self.rows[predicate])

    def _different(self, predicate: Predicate, columns: tuple[int, ...]) -> int:
        if (predicate, columns) not in self._keys:
            rows = self.rows[predicate]
            keys: NDArray[np.int64] = np.zeros(len(rows), dtype=np.int64)
            for column in columns:
                own = rows[:, column]
                keys = keys * (int(own.max(initial=0)) + 1) + own
            self._keys[predicate, columns] = len(np.unique(keys))
        return self._keys[predicate, columns]


def guessed(opened: OpenedSheet) -> Sizes:
    """Sizes before anything was measured: those of the first state, and what joins should give."""
    counts: dict[Predicate, float] = dict.fromkeys(opened.done, _DONE)
    counts |= dict.fromkeys(opened.state, 1.0)
    for fact in opened.initial:
        counts[opened.atom("true", fact).predicate] += 1
    sizes = Sizes(opened, counts)
    definitions = opened.program.definitions
    for phase in opened.phases:
        for component in phase:
            for _ in range(2):
                _guess(sizes, {predicate: definitions.get(predicate, []) for predicate in sorted(component)})
    return sizes


def _guess(sizes: Sizes, definitions: Mapping[Predicate, Sequence[Rule]]) -> None:
    for predicate, rules in definitions.items():
        found = 0.0
        for rule in rules:
            answers = 1.0
            bound: set[Variable] = set()
            for item in ordered(rule.body, None, sizes):
                if isinstance(item, Literal) and item.positive:
                    answers *= sizes.size(item.atom.predicate)
                    for column, term in enumerate(item.atom.arguments):
                        if variables(term) <= bound:
                            answers /= sizes.values((item.atom.predicate, column))
                else:
                    answers *= 0.7
                bound |= variables(item)
            found += answers
        whole = prod(max(1, sizes.opened.types.of((predicate, place)).size) for place in range(predicate.arity))
        sizes.counts[predicate] = min(found, float(whole))

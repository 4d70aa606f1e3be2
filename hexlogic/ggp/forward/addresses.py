"""Where the records of relations and tables lie in `wide`: fixed numbers, which code can hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from hexlogic.ggp.forward import records
from hexlogic.ggp.forward.plans import Relations
from hexlogic.language.syntax import Predicate

_ALWAYS_WHOLE = 64
_WHOLE = 12
"""Entries of a table for each tuple up to which all entries are cleared, and not those of the tuples one by one."""


class Addresses:
    """The records of some relations; `size` says how many tuples of one there should be in a state."""

    def __init__(self, relations: Relations, size: Callable[[Predicate], float]) -> None:
        self.relations = relations
        self.predicates = sorted(relations.numbers, key=relations.numbers.__getitem__)
        self.tables: list[list[int]] = []
        """By relation the address of the record of each table."""
        self.dense: set[int] = set()
        """Tables with an entry for each key, whatever the room, by the address of the record."""
        self.whole: dict[int, int] = {}
        """Those that are cleared whole, and how many entries they have."""
        address = records.HEADER + records.RECORD * len(self.predicates)
        for predicate in self.predicates:
            own = []
            for columns in relations.tables[predicate]:
                own.append(address)
                keys = self._keys(predicate, columns)
                if keys <= records.DENSE:
                    self.dense.add(address)
                    if keys <= max(_ALWAYS_WHOLE, _WHOLE * size(predicate)):
                        self.whole[address] = keys
                address += records.RECORD
            self.tables.append(own)

    def record(self, relation: int) -> int:
        """The record of a relation."""
        return records.HEADER + records.RECORD * relation

    def factors(self, relation: int, table: int) -> list[int]:
        """The factors of a table's columns in their key."""
        predicate = self.predicates[relation]
        return self.relations.factors(predicate, self.relations.tables[predicate][table])

    def _keys(self, predicate: Predicate, columns: Sequence[int]) -> int:
        types = self.relations.types
        return prod(max(1, types.of((predicate, column)).size) for column in columns)

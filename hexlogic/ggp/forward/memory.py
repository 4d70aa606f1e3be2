"""The memory of a sheet's relations: which word says what, where the records lie, and the arrays.

Memory is two arrays. `wide` (int64) holds the records and the keys of hash tables; `narrow` (int32) the tuples and the
tables over them. A *table* of a relation finds the tuples that agree on some columns: by the number that these columns
make (the *key*) an entry holds the newest such tuple plus one, 0 for none, and each tuple leads to the next older one.
The first table of a relation is over all columns, and tells whether a tuple is there. An entry is found by the key
itself, or by hashing where there are too many keys. Each tuple keeps the entries where it stands, so that a relation is
emptied in the time that it takes to look at its tuples; not in small tables, which are cleared whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.plans import Relations
from hexlogic.language.syntax import Predicate

RELATIONS, TABLES, SCRATCH, FULL, MOVES, GOALS, VALUES, BUDGET, JUDGED, CODE = range(10)
HEADER: Final = 16
"""The first words of `wide`: where the records of relations, of tables and the scratch begin; the relation that is
full, plus one; where the lists of moves, of goals and of their values begin (see `hexlogic.ggp.forward.kernel`); how
many tuples may still be looked at; whether the goals of the state are derived; the addresses of the code."""
DERIVE_ONCE, LOOK, STEP, GOAL, ADVANCE, EMPTY = range(6)
"""The parts of the code: what no state changes; what is asked in each state, for a step, and at the end; on to the next
state; empty all that depends on the state."""
SPENT: Final = -1
"""In place of a full relation: the budget is spent."""
RECORD: Final = 8
ARITY, CAPACITY, FIRST, COUNT, COLUMNS, TUPLES, PROCESSED, INSERT = range(8)
"""A record of a relation: its columns, the tuples it can hold, its first table and their number, where its tuples
begin in `narrow`, how many there are, up to which one recursion has come, and the address of the code that inserts the
tuple in the scratch (0: there is none)."""
ENTRIES, MASK, KEYS, NEXT, ENTRY, PARTS, PART = range(7)
"""A record of a table: where its entries begin in `narrow`; the mask of its hash or -1, and where its keys begin in
`wide`; by tuple the next older one and the entry (`narrow`); its columns: how many, and where they are (`wide`), each
with its factor."""
DENSE: Final = 1 << 20
"""Keys up to which a table has an entry for each, whatever the room of its relation."""
SPREAD: Final = 0x9E3779B97F4A7C15
SPREAD_SHIFT: Final = 29
"""The first place of a key in a hash table: the upper bits of the key times SPREAD."""
_MOST_KEYS = 1 << 56
_MOST_TERMS = 1 << 31
"""Terms of a column, whose numbers have 32 bits."""
_MOST_ENTRIES = 1 << 29
"""Entries of `narrow`; 2 GB."""


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
        address = HEADER + RECORD * len(self.predicates)
        for predicate in self.predicates:
            own = []
            for columns in relations.tables[predicate]:
                own.append(address)
                keys = prod(relations.sizes(predicate, columns))
                if keys <= DENSE:
                    self.dense.add(address)
                    if keys <= max(_ALWAYS_WHOLE, _WHOLE * size(predicate)):
                        self.whole[address] = keys
                address += RECORD
            self.tables.append(own)

    def record(self, relation: int) -> int:
        """The record of a relation."""
        return HEADER + RECORD * relation

    def factors(self, relation: int, table: int) -> list[int]:
        """The factors of a table's columns in their key."""
        predicate = self.predicates[relation]
        return self.relations.factors(predicate, self.relations.tables[predicate][table])


def lay_out(
    addresses: Addresses,
    capacities: Mapping[Predicate, int],
    inserts: Mapping[int, int],
    lists: Sequence[Sequence[int]],
    code: Sequence[int],
    budget: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The arrays, narrow and wide, in which all relations are empty. `inserts` are addresses of code by relation,
    `lists` what the words of the header from MOVES on point to, `code` the addresses of its parts; `budget` tuples may
    be looked at.

    Raises EngineError where they would be too large."""
    relations, predicates = addresses.relations, addresses.predicates
    columns_of_all = [columns for predicate in predicates for columns in relations.tables[predicate]]
    at_tables = addresses.record(len(predicates))
    at_scratch = at_tables + RECORD * len(columns_of_all)
    at_lists = at_scratch + max((predicate.arity for predicate in predicates), default=0)
    end = at_lists + sum(map(len, lists))
    records: list[int] = []
    table_records: list[int] = []
    parts: list[int] = []
    keys = end + 2 * sum(map(len, columns_of_all))
    first_keys, narrow, first = keys, 0, 0
    for predicate in predicates:
        own = relations.tables[predicate]
        capacity = capacities[predicate]
        inserting = inserts.get(relations.numbers[predicate], 0)
        records += [predicate.arity, capacity, first, len(own), narrow, 0, 0, inserting]
        first += len(own)
        narrow += capacity * predicate.arity
        for columns in own:
            sizes = relations.sizes(predicate, columns)
            count = prod(sizes)
            if count > _MOST_KEYS or max(sizes, default=0) > _MOST_TERMS:
                raise EngineError(f"{predicate} may have too many atoms")
            at = end + len(parts)
            for column, factor in zip(columns, relations.factors(predicate, columns), strict=True):
                parts += [column, factor]
            if count <= max(DENSE, 8 * capacity):
                entries, mask = count, -1
            else:
                entries = 1 << (2 * capacity).bit_length()
                mask = entries - 1
            table_records += [narrow, mask, keys, narrow + entries, narrow + entries + capacity, len(columns), at, 0]
            narrow += entries + 2 * capacity
            keys += entries if mask >= 0 else 0
            if narrow > _MOST_ENTRIES:
                raise EngineError(f"{predicate} has too many atoms")
    wide = np.full(keys, -1, dtype=np.int64)
    wide[:HEADER] = 0
    wide[:3] = HEADER, at_tables, at_scratch
    wide[BUDGET] = budget
    wide[CODE : CODE + len(code)] = code
    wide[HEADER:at_tables] = records
    wide[at_tables:at_scratch] = table_records
    at = at_lists
    for number, words in enumerate(lists):
        wide[MOVES + number] = at
        wide[at : at + len(words)] = words
        at += len(words)
    wide[end:first_keys] = parts
    return np.zeros(narrow, dtype=np.int32), wide

"""The two arrays of a sheet's relations, as `hexlogic.ggp.forward.records` describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.plans import Relations
from hexlogic.ggp.forward.records import BUDGET, CODE, DENSE, HEADER, MOVES, RECORD
from hexlogic.language.syntax import Predicate

_MOST_KEYS = 1 << 56
_MOST_TERMS = 1 << 31
"""Terms of a column, whose numbers have 32 bits."""
_MOST_ENTRIES = 1 << 29
"""Entries of `narrow`; 2 GB."""


@dataclass(frozen=True)
class Memory:
    """The arrays."""

    wide: NDArray[np.int64]
    narrow: NDArray[np.int32]


def lay_out(
    relations: Relations,
    capacities: Mapping[Predicate, int],
    inserts: Mapping[int, int],
    lists: Sequence[Sequence[int]],
    code: Sequence[int],
    budget: int,
) -> Memory:
    """The memory in which all relations are empty. `inserts` are addresses of code by relation, `lists` what the words
    of the header from MOVES on point to, `code` the addresses of its parts; `budget` tuples may be looked at.

    Raises EngineError where it would be too large."""
    predicates = sorted(relations.numbers, key=relations.numbers.__getitem__)
    tables = [(predicate, columns) for predicate in predicates for columns in relations.tables[predicate]]
    at_tables = HEADER + RECORD * len(predicates)
    at_scratch = at_tables + RECORD * len(tables)
    at_lists = at_scratch + max((predicate.arity for predicate in predicates), default=0)
    end = at_lists + sum(map(len, lists))
    records: list[int] = []
    table_records: list[int] = []
    parts: list[int] = []
    keys = end + 2 * sum(len(columns) for _, columns in tables)
    first_keys, narrow, first = keys, 0, 0
    for predicate in predicates:
        own = relations.tables[predicate]
        capacity = capacities[predicate]
        inserting = inserts.get(relations.numbers[predicate], 0)
        records += [predicate.arity, capacity, first, len(own), narrow, 0, 0, inserting]
        first += len(own)
        narrow += capacity * predicate.arity
        for columns in own:
            sizes = [max(1, relations.types.of((predicate, column)).size) for column in columns]
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
    return Memory(wide, np.zeros(narrow, dtype=np.int32))

"""The two arrays of a sheet's relations and plans, as the kernel reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.gdl.forward.kernel import BUDGET, HEADER, RECORD
from hexlogic.gdl.forward.plans import Code, Register, Relations
from hexlogic.logic.syntax import Predicate

__all__ = ["Label", "Memory", "lay_out"]

_DENSE = 1 << 20
"""Keys up to which a table has an entry for each."""
_MOST_KEYS = 1 << 62
_MOST_TERMS = 1 << 31
"""Terms of a column, whose numbers have 32 bits."""
_MOST_ENTRIES = 1 << 29
"""Entries of `narrow`; 2 GB."""
_STACK = 1_024


class Label(int):
    """In code: the place of the code with that number."""


@dataclass(frozen=True)
class Memory:
    """The arrays, and where each piece of code begins."""

    wide: NDArray[np.int64]
    narrow: NDArray[np.int32]
    places: tuple[int, ...]


def lay_out(
    relations: Relations,
    capacities: Mapping[Predicate, int],
    code: Sequence[Code],
    header: Sequence[int],
    budget: int,
) -> Memory:
    """The memory in which all relations are empty. `code` are pieces in which a Register is the number of a register
    and a Label that of a piece; `header` says which piece each entry of the header from the fifth on points to, and
    `budget` how many tuples may be looked at.

    Raises EngineError where it would be too large."""
    predicates = sorted(relations.numbers, key=relations.numbers.__getitem__)
    tables = [(predicate, columns) for predicate in predicates for columns in relations.tables[predicate]]
    at_tables = HEADER + RECORD * len(predicates)
    at_stack = at_tables + RECORD * len(tables)
    at_registers = at_stack + _STACK
    end = at_registers + len(relations.registers)
    places: list[int] = []
    for piece in code:
        places.append(end)
        end += len(piece)

    def word(value: int) -> int:
        if isinstance(value, Register):
            return at_registers + int(value)
        return places[value] if isinstance(value, Label) else int(value)

    records: list[int] = []
    table_records: list[int] = []
    parts: list[int] = []
    keys = end + 2 * sum(len(columns) for _, columns in tables)
    first_keys, narrow, first = keys, 0, 0
    for predicate in predicates:
        own = relations.tables[predicate]
        capacity = capacities[predicate]
        records += [predicate.arity, capacity, first, len(own), narrow, 0, 0, 0]
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
            if count <= max(_DENSE, 8 * capacity):
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
    wide[:3] = HEADER, at_tables, at_stack
    wide[BUDGET] = budget
    wide[4 : 4 + len(header)] = [places[piece] for piece in header]
    wide[HEADER:at_tables] = records
    wide[at_tables:at_stack] = table_records
    wide[at_stack:at_registers] = 0
    wide[at_registers : at_registers + len(relations.registers)] = relations.registers
    at = at_registers + len(relations.registers)
    for piece in code:
        wide[at : at + len(piece)] = [word(value) for value in piece]
        at += len(piece)
    wide[end:first_keys] = parts
    return Memory(wide, np.zeros(narrow, dtype=np.int32), tuple(places))

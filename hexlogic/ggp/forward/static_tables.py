"""Relations that no state changes, as constant arrays at fixed addresses: what a join asks of one is a row of a table.

adjacent(X,Y), X bound      first[X] .. first[X + 1] are the places of its Y, one after the other
succ(X,Y), X bound          the one Y of each X, or -1: no loop
adjacent(X,Y), both bound   1 or 0
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.language.types import Types, factors
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Predicate

MOST_KEYS: Final = 1 << 20
"""Possible tuples of a relation that has such tables."""


@dataclass(frozen=True)
class StaticTable:
    """The rows of a relation by a key over some columns. `columns` are the addresses of int32 arrays, one for each
    column to read: by key, -1 where there is no row, when `first` is 0; else by place, and `first` is the address of
    the place where the rows of each key begin. Without columns to read the one array has 1 for each key with a row."""

    factors: list[int]
    first: int
    columns: list[int]
    rows: int


class StaticTables:
    """The tables that rules ask for; they live as long as this. `tuples[p]` (int32[rows, arity]) are the tuples of a
    relation as numbers of terms."""

    def __init__(self, tuples: Mapping[Predicate, NDArray[np.int32]], types: Types) -> None:
        self.tuples: dict[Predicate, NDArray[np.int32]] = dict(tuples)
        self.types = types
        self._arrays: list[NDArray[np.int32]] = []
        self._tables: dict[tuple[object, ...], StaticTable] = {}

    def __contains__(self, predicate: Predicate) -> bool:
        return predicate in self.tuples

    def add(self, predicate: Predicate, rows: NDArray[np.int32], sizes: Statistics) -> None:
        """Add a relation; its sizes are noted."""
        self.tuples[predicate] = rows
        sizes.sizes[predicate] = float(len(rows))
        for column in range(predicate.arity):
            sizes.columns[predicate, column] = float(max(1, len(np.unique(rows[:, column]))))

    def table(
        self, predicate: Predicate, fixed: Mapping[int, int], keys: tuple[int, ...], read: tuple[int, ...]
    ) -> StaticTable:
        """The table over the tuples with these numbers in the columns `fixed`."""
        name = (predicate, tuple(sorted(fixed.items())), keys, read)
        if name not in self._tables:
            rows = self.tuples[predicate]
            for column, number in fixed.items():
                rows = rows[rows[:, column] == number]
            terms = [max(1, self.types.of((predicate, column)).size) for column in keys]
            key_factors = factors(terms)
            key = rows[:, list(keys)].astype(np.int64) @ np.array(key_factors, np.int64)
            found = np.unique(np.column_stack([key, rows[:, list(read)]]), axis=0)
            self._tables[name] = self._laid_out(found, prod(terms), key_factors)
        return self._tables[name]

    def _laid_out(self, rows: NDArray[np.int64], keys: int, key_factors: list[int]) -> StaticTable:
        """The table of sorted rows, the key before the columns to read."""
        key, columns = rows[:, 0], rows[:, 1:].T
        if columns.shape[0] == 0:
            return StaticTable(key_factors, 0, [self._by_key(key, np.ones_like(key), keys, 0)], len(rows))
        if len(key) == len(np.unique(key)):
            return StaticTable(key_factors, 0, [self._by_key(key, each, keys, -1) for each in columns], len(rows))
        first = np.searchsorted(key, np.arange(keys + 1))
        return StaticTable(key_factors, self._kept(first), list(map(self._kept, columns)), len(rows))

    def _by_key(self, key: NDArray[np.int64], values: NDArray[np.int64], keys: int, default: int) -> int:
        array: NDArray[np.int64] = np.full(keys, default, np.int64)
        array[key] = values
        return self._kept(array)

    def _kept(self, values: NDArray[np.int64]) -> int:
        """The address of a copy that stays."""
        self._arrays.append(np.ascontiguousarray(values, np.int32))
        return int(self._arrays[-1].ctypes.data)

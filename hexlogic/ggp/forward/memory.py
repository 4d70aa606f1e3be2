"""The memory of a sheet's relations: which word says what, where the records lie, and the arrays.

Memory is two arrays. `wide` (int64) holds the records and the keys of hash tables; `narrow` (int32) the tuples and the
tables over them. A *table* of a relation finds the tuples that agree on some columns: by the number that these columns
make (the *key*) an entry holds the newest such tuple plus one, 0 for none, and each tuple leads to the next older one.
The first table tells whether a tuple is there: it is over all columns, or over some that leave
one tuple. An entry is found by the key
itself, or by hashing where there are too many keys. Each tuple keeps its entries in hash tables. There is room for one
tuple more, which is written and does not count. In relations that lose single tuples each leads to the next newer one
in the place of its entry. A relation is emptied in the time that it takes to look at its tuples.

`legal` and `goal` also have a list for each role: a table whose entries are counts, and in NEXT, one stretch a role,
the numbers of the tuples; in ENTRY by tuple its place in the list.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import prod
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.estimates import Asked
from hexlogic.ggp.forward.static_tables import StaticTables
from hexlogic.ggp.language.types import factors
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Predicate, Rule

FULL, SCRATCH, BUDGET, JUDGED, LISTED, MOVES, GOALS, VALUES, CODE = range(9)
HEADER: Final = 16
"""The first words of `wide`: the record of the relation that is full, or SPENT; where the scratch begins; how many
tuples may still be looked at; whether the goals of the state are derived; whether its moves are; where the lists of
moves, of goals and of their values begin (see `hexlogic.ggp.forward.kernel`); the addresses of the code."""
DERIVE_ONCE, LOOK, STEP, GOAL, LIST, ADVANCE, EMPTY, KEEP = range(8)
"""The parts of the code: what no state changes; what is asked in each state, for a step, and at the end; moves that are
tried else; on to the next state; empty all that depends on the state; derive what is kept from state to state."""
SPENT: Final = -1
"""In place of a full relation: the budget is spent."""
_RECORD: Final = 8
CAPACITY, COLUMNS, TUPLES, PROCESSED, INSERT, ARITY, FACTORS, TRY = range(8)
"""A record of a relation: the tuples it can hold, where its tuples begin in `narrow`, how many there are, up to which
one recursion has come, the address of the code that inserts the tuple in the scratch (0: there is none), its columns,
where the factors of the columns in the key of a tuple stand, and of moves the address of the code that tries one."""
ENTRIES, MASK, KEYS, NEXT, ENTRY = range(5)
"""A record of a table: where its entries begin in `narrow`; the mask of its hash or -1, and where its keys begin in
`wide`; by tuple the next older one and the entry (`narrow`)."""
DENSE: Final = 1 << 20
"""Keys up to which a table has an entry for each, whatever the room of its relation."""
ALWAYS_ROOM: Final = 4_096
"""Possible tuples up to which a relation has room for all."""
LEAST_ROOM: Final = 16
"""The room of a list that can have one tuple."""
_MOST_ROLES = 1 << 10
_MOST_KEYS = 1 << 56
_MOST_TERMS = 1 << 31
"""Terms of a column, whose numbers have 32 bits."""
_MOST_ENTRIES = 1 << 29
"""Entries of `narrow`; 2 GB."""


_NO_KEYS: Final[Mapping[Predicate, tuple[int, ...]]] = MappingProxyType({})


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A table over some columns; `keys` is how many keys there can be."""

    address: int
    columns: tuple[int, ...]
    factors: list[int]
    keys: int

    @property
    def is_dense(self) -> bool:
        """Whether it has an entry for each key, whatever the room."""
        return self.keys <= DENSE


@dataclass(eq=False, slots=True)
class Relation:
    """A relation with the address of its record. `terms`: how many can stand in each column, 1 at least."""

    predicate: Predicate
    address: int
    terms: list[int]
    tables: list[Table] = field(default_factory=list)
    """None for a *list*: it is only gone through, and may have a tuple twice, unless it is proved not to."""
    by_role: Table | None = None
    """The lists of its tuples, by the first column."""
    is_asked: bool = False
    """Whether it needs `put_if`."""
    counts: Table | None = None
    """Of a relation that is kept: in how many ways each tuple is derived."""

    @property
    def is_dense(self) -> bool:
        """Whether all its tables have an entry for each key."""
        return bool(self.tables) and self.tables[0].is_dense

    @property
    def is_never_full(self) -> bool:
        """Whether it has room for all tuples that there can be."""
        return bool(self.tables) and prod(self.terms) <= ALWAYS_ROOM


class Relations:
    """The relations of a sheet, made when they are named first. Not in memory are `statics`, which no state changes,
    and `tested`, which are asked. Those in `listed` are lists, and so are those in `unique`, which get each tuple once,
    as long as nobody asks for tuples by their terms. `keys` are columns that leave one tuple, where not all have to."""

    def __init__(
        self,
        statics: StaticTables,
        tested: Mapping[Predicate, Asked],
        definitions: Mapping[Predicate, Sequence[Rule]],
        listed: Iterable[Predicate],
        unique: Collection[Predicate] = (),
        keys: Mapping[Predicate, tuple[int, ...]] = _NO_KEYS,
    ) -> None:
        self.definitions = definitions
        self.statics, self.tested, self.types = statics, tested, statics.types
        self.unique, self._listed, self._keys = frozenset(unique), {*listed, *unique}, keys
        self.tests = {predicate: f"holds_{number}" for number, predicate in enumerate(tested)}
        """The names of the functions that tell whether a tuple of an asked relation is there."""
        self._relations: dict[Predicate, Relation] = {}
        self.tallies: list[tuple[Rule, int]] = []
        """Where the tuples that a function of a rule looks at, and makes, are counted."""
        self.end = HEADER
        """Where the records end."""

    def __iter__(self) -> Iterator[Relation]:
        return iter(self._relations.values())

    def __contains__(self, predicate: Predicate) -> bool:
        return predicate in self._relations

    def of(self, predicate: Predicate) -> Relation:
        """A relation, with a table that tells whether a tuple is there, but for lists."""
        if predicate not in self._relations:
            terms = [max(1, self.types.of((predicate, column)).size) for column in range(predicate.arity)]
            self._relations[predicate] = Relation(predicate, self._address(), terms)
            if predicate not in self._listed:
                self.whole(predicate)
        return self._relations[predicate]

    def table(self, predicate: Predicate, columns: tuple[int, ...]) -> Table:
        """The table over some columns."""
        relation = self.of(predicate)
        self.whole(predicate)
        table = next((table for table in relation.tables[1:] if table.columns == columns), None)
        if table is None:
            table = self._table(relation, columns)
            relation.tables.append(table)
        return table

    def whole(self, predicate: Predicate) -> Table:
        """The table that tells whether a tuple is there."""
        relation = self.of(predicate)
        if not relation.tables:
            relation.tables.append(self._table(relation, self._keys.get(predicate, tuple(range(predicate.arity)))))
        return relation.tables[0]

    def whole_in(self, predicate: Predicate, columns: Collection[int]) -> Table | None:
        """The table that tells whether a tuple is there, where it is over some of these columns."""
        return next((table for table in self.of(predicate).tables[:1] if {*table.columns} <= {*columns}), None)

    def by_role(self, predicate: Predicate) -> Table:
        """The lists of the tuples of `legal` or `goal` by role. Raises EngineError where there are too many."""
        relation = self.of(predicate)
        if relation.by_role is None:
            relation.by_role = self._table(relation, (0,))
        if relation.by_role.keys > _MOST_ROLES:
            raise EngineError(f"too many terms may be a role of {predicate}")
        return relation.by_role

    def counts(self, predicate: Predicate) -> Table:
        """The counts of the derivations of each tuple."""
        relation = self.of(predicate)
        if relation.counts is None:
            relation.counts = replace(relation.tables[0], address=self._address())
        return relation.counts

    def tally(self, rule: Rule) -> int:
        """The address of new counters for a function of a rule."""
        self.tallies.append((rule, self._address()))
        return self.tallies[-1][1]

    def noting(self, predicate: Predicate) -> Relation:
        """The list of the tuples of a kept relation whose counts have changed."""
        noting = Predicate(internal_name("noted", predicate.name), predicate.arity)
        self._listed.add(noting)
        self.types.share(noting, {place: (predicate, place) for place in range(predicate.arity)})
        return self.of(noting)

    def _address(self) -> int:
        self.end += _RECORD
        return self.end - _RECORD

    def _table(self, relation: Relation, columns: tuple[int, ...]) -> Table:
        terms = [relation.terms[column] for column in columns]
        return Table(self._address(), columns, factors(terms), prod(terms))


def lay_out(
    relations: Relations, rooms: Mapping[Predicate, int], lists: Sequence[Sequence[int]], budget: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The arrays, narrow and wide, in which all relations are empty; the addresses of code are not set. `lists` are
    what the words of the header from MOVES on point to; `budget` tuples may be looked at.

    Raises EngineError where they would be too large."""
    at_lists = relations.end + max((relation.predicate.arity for relation in relations), default=0)
    at_factors = at_lists + sum(map(len, lists))
    at_keys = at_factors + sum(relation.predicate.arity for relation in relations)
    records: NDArray[np.int64] = np.zeros(relations.end, dtype=np.int64)
    records[SCRATCH], records[BUDGET] = relations.end, budget
    records[MOVES : MOVES + len(lists)] = [at_lists, *(at_lists + np.cumsum([*map(len, lists)])[:-1])]
    all_factors: list[int] = []
    keys, narrow = at_keys, 0
    for relation in relations:
        room, arity = rooms[relation.predicate], relation.predicate.arity
        record = [room, narrow, 0, 0, 0, arity, at_factors + len(all_factors)]
        records[relation.address : relation.address + len(record)] = record
        all_factors += factors(relation.terms)
        narrow += (room + 1) * arity
        for table in relation.tables:
            if table.keys > _MOST_KEYS or max(relation.terms, default=0) > _MOST_TERMS:
                raise EngineError(f"{relation.predicate} may have too many atoms")
            is_hashed = table.keys > max(DENSE, 8 * room)
            entries = 1 << (2 * room).bit_length() if is_hashed else table.keys
            record = [narrow, entries - 1 if is_hashed else -1, keys, narrow + entries, narrow + entries + room + 1]
            records[table.address : table.address + len(record)] = record
            narrow += entries + 2 * (room + 1)
            keys += entries if is_hashed else 0
        if (lists_of := relation.by_role) is not None:
            at_list = narrow + lists_of.keys
            record = [narrow, -1, keys, at_list, at_list + lists_of.keys * (room + 1)]
            records[lists_of.address : lists_of.address + len(record)] = record
            narrow += lists_of.keys * (2 + room) + room + 1
        if relation.counts is not None:
            records[relation.counts.address + ENTRIES] = narrow
            narrow += relation.counts.keys
        if narrow > _MOST_ENTRIES:
            raise EngineError(f"{relation.predicate} has too many atoms")
    wide = np.full(keys, -1, dtype=np.int64)
    wide[: relations.end] = records
    wide[at_lists:at_keys] = [*chain(*lists), *all_factors]
    tuples: NDArray[np.int32] = np.zeros(narrow + 1, dtype=np.int32)
    tuples[-1] = 1  # a gate that is open
    return tuples, wide

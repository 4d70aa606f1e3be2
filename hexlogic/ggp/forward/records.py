"""The records of relations and tables in the memory of a sheet: which word says what.

Memory is two arrays. `wide` (int64) holds the records and the keys of hash tables; `narrow` (int32) the tuples and the
tables over them. A *table* of a relation finds the tuples that agree on some columns: by the number that these columns
make (the *key*) an entry holds the newest such tuple plus one, 0 for none, and each tuple leads to the next older one.
The first table of a relation is over all columns, and tells whether a tuple is there. An entry is found by the key
itself, or by hashing where there are too many keys. Each tuple keeps the entries where it stands, so that a relation is
emptied in the time that it takes to look at its tuples; not in small tables, which are cleared whole.
"""

from __future__ import annotations

from typing import Final

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

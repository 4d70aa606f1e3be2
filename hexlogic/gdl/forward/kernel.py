"""The kernel: runs the plans of a sheet on the relations of a state. numba, two arrays of memory.

`wide` (int64) holds the records of relations and tables, the plans as code, registers, and the keys of hash tables;
`narrow` (int32) the tuples and the tables over them.

A *table* of a relation finds the tuples that agree on some columns: by the number that these columns make (`key`) an
entry holds the newest such tuple plus one, 0 for none, and each tuple leads to the next older one. The first table of a
relation is over all columns, and tells whether a tuple is there. An entry is found by the key itself, or by hashing
where there are too many keys. Each tuple keeps the entries where it stands, so that a relation is emptied in the time
that it takes to look at its tuples.

A *plan* is a join in a fixed order, run by backtracking: scans over tables, tests, and a head to insert. Recursion is
semi-naive tuple by tuple: each tuple of a recursive relation, in the order of their coming, is joined with all that is
there by then.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit

from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.gdl.propnet.randomness import draw_below, seeded

__all__ = [
    "BUDGET",
    "CHECK",
    "COMPARE",
    "CONSTRUCT",
    "DESTRUCT",
    "EMIT",
    "END",
    "FIX",
    "FULL",
    "HEADER",
    "MOVE",
    "OVERFLOW",
    "RECORD",
    "RUN",
    "SCAN",
    "SPENT",
    "advance",
    "draw",
    "empty",
    "evaluate",
    "goal",
    "insert",
    "load",
    "playouts",
]

SCAN, CHECK, COMPARE, CONSTRUCT, DESTRUCT, EMIT, MOVE = range(7)
"""Instructions:

    SCAN relation table keys loads (source factor)* (column target is-test)*      table -1: all tuples
    CHECK relation wanted keys (source factor)*
    COMPARE left right wanted
    CONSTRUCT target first parts (source factor)*
    DESTRUCT source first size parts (factor modulus target is-test)*
    EMIT relation depth columns source*      `depth`: the scans that are gone on with after the head is there
    MOVE target source
"""
RUN, FIX, END = range(3)
"""Entries of a phase:  RUN plan;  FIX relations (relation plans plan*)*;  END."""

_RELATIONS, _TABLES, _STACK, FULL, _STATE, _DONE, _MOVES, _GOALS, _ALL, BUDGET = range(10)
HEADER: Final = 16
"""The first entries of `wide`: where the records of relations, of tables and the stack begin; the relation that is
full, plus one; where the lists of (true, next, is-kept), of what a step empties, of (legal, does) and of (goal,
terminal) begin, and that of all relations that depend on the state; how many tuples may still be looked at."""
SPENT: Final = -1
"""In place of a full relation: the budget is spent."""
OVERFLOW: Final = -9
"""What playouts answer when a relation is full."""
RECORD: Final = 8
_ARITY, _CAPACITY, _FIRST, _COUNT, _COLUMNS, _TUPLES, _PROCESSED = range(7)
"""A record of a relation: its columns, the tuples it can hold, its first table and their number, where its tuples
begin in `narrow`, how many there are, and up to which one recursion has come."""
_ENTRIES, _MASK, _KEYS, _NEXT, _ENTRY, _PARTS, _PART = range(7)
"""A record of a table: where its entries begin in `narrow`; the mask of its hash or -1, and where its keys begin in
`wide`; by tuple the next older one and the entry (`narrow`); its columns: how many, and where they are (`wide`), each
with its factor."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@njit(cache=True, inline="always")
def _entry(narrow: Any, wide: Any, table: Any, key: Any) -> Any:
    """The entry for a key: where it is, or where it would be."""
    mask = wide[table + _MASK]
    if mask < 0:
        return wide[table + _ENTRIES] + key
    keys = wide[table + _KEYS]
    place = np.int64((np.uint64(key) * _SPREAD) >> _SHIFT) & mask
    while wide[keys + place] != key and wide[keys + place] != -1:
        place = (place + 1) & mask
    return wide[table + _ENTRIES] + place


@njit(cache=True)
def _insert(narrow: Any, wide: Any, relation: Any, source: Any) -> Any:
    """Insert the tuple whose values stand at the addresses that `wide` lists from `source` on; False when it is there,
    or when the relation is full."""
    record = wide[_RELATIONS] + RECORD * relation
    table = wide[_TABLES] + RECORD * wide[record + _FIRST]
    key = np.int64(0)
    part = wide[table + _PART]
    for column in range(wide[record + _ARITY]):
        key += wide[wide[source + column]] * wide[part + 2 * column + 1]
    entry = _entry(narrow, wide, table, key)
    if narrow[entry]:
        return False
    count = wide[record + _TUPLES]
    if count == wide[record + _CAPACITY]:
        wide[FULL] = relation + 1
        return False
    wide[record + _TUPLES] = count + 1
    arity = wide[record + _ARITY]
    columns = wide[record + _COLUMNS] + count * arity
    for column in range(arity):
        narrow[columns + column] = wide[wide[source + column]]
    narrow[entry] = count + 1
    narrow[wide[table + _ENTRY] + count] = entry
    if wide[table + _MASK] >= 0:
        wide[wide[table + _KEYS] + entry - wide[table + _ENTRIES]] = key
    for _ in range(1, wide[record + _COUNT]):
        table += RECORD
        key = np.int64(0)
        part = wide[table + _PART]
        for number in range(wide[table + _PARTS]):
            key += narrow[columns + wide[part + 2 * number]] * wide[part + 2 * number + 1]
        entry = _entry(narrow, wide, table, key)
        narrow[wide[table + _NEXT] + count] = narrow[entry]
        narrow[entry] = count + 1
        narrow[wide[table + _ENTRY] + count] = entry
        if wide[table + _MASK] >= 0:
            wide[wide[table + _KEYS] + entry - wide[table + _ENTRIES]] = key
    return True


@njit(cache=True)
def empty(narrow: Any, wide: Any, relation: Any) -> None:
    """Take all tuples out of a relation."""
    record = wide[_RELATIONS] + RECORD * relation
    count = wide[record + _TUPLES]
    if count == 0:
        return
    table = wide[_TABLES] + RECORD * wide[record + _FIRST]
    for _ in range(wide[record + _COUNT]):
        entries = wide[table + _ENTRY]
        if wide[table + _MASK] < 0:
            for number in range(count):
                narrow[narrow[entries + number]] = 0
        else:
            shift = wide[table + _KEYS] - wide[table + _ENTRIES]
            for number in range(count):
                narrow[narrow[entries + number]] = 0
                wide[shift + narrow[entries + number]] = -1
        table += RECORD
    wide[record + _TUPLES] = 0
    wide[record + _PROCESSED] = 0


@njit(cache=True, inline="always")
def _take(narrow: Any, wide: Any, columns: Any, loads: Any, count: Any) -> Any:
    """Load columns of a tuple into registers; False where one that is tested differs."""
    for _ in range(count):
        value, target = narrow[columns + wide[loads]], wide[loads + 1]
        if wide[loads + 2]:
            if wide[target] != value:
                return False
        else:
            wide[target] = value
        loads += 3
    return True


@njit(cache=True)
def _run(narrow: Any, wide: Any, plan: Any, tuple_: Any) -> None:
    """Run a plan: `relation loads (column target is-test)* instructions`. A plan for recursion begins with a tuple of a
    relation; for others the relation is -1."""
    relation, loads = wide[plan], wide[plan + 1]
    relations, tables = wide[_RELATIONS], wide[_TABLES]
    if relation >= 0:
        record = relations + RECORD * relation
        columns = wide[record + _COLUMNS] + tuple_ * wide[record + _ARITY]
        if not _take(narrow, wide, columns, plan + 2, loads):
            return
    at = plan + 2 + 3 * loads
    stack = wide[_STACK]
    depth = 0
    looked = np.int64(0)
    while True:
        going = True
        operation = wide[at]
        if operation == SCAN:
            record = relations + RECORD * wide[at + 1]
            keys = wide[at + 3]
            if wide[at + 2] < 0:
                cursor = wide[record + _TUPLES]
            else:
                key = np.int64(0)
                for place in range(at + 5, at + 5 + 2 * keys, 2):
                    key += wide[wide[place]] * wide[place + 1]
                table = tables + RECORD * (wide[record + _FIRST] + wide[at + 2])
                cursor = np.int64(narrow[_entry(narrow, wide, table, key)])
            wide[stack + 2 * depth] = at
            wide[stack + 2 * depth + 1] = cursor
            depth += 1
            going = False
        elif operation == CHECK:
            record = relations + RECORD * wide[at + 1]
            keys = wide[at + 3]
            key = np.int64(0)
            for place in range(at + 4, at + 4 + 2 * keys, 2):
                key += wide[wide[place]] * wide[place + 1]
            table = tables + RECORD * wide[record + _FIRST]
            going = (narrow[_entry(narrow, wide, table, key)] != 0) == (wide[at + 2] != 0)
            at += 4 + 2 * keys
        elif operation == COMPARE:
            going = (wide[wide[at + 1]] == wide[wide[at + 2]]) == (wide[at + 3] != 0)
            at += 4
        elif operation == EMIT:
            _insert(narrow, wide, wide[at + 1], at + 4)
            if wide[FULL]:
                return
            depth = min(depth, wide[at + 2])
            going = False
        elif operation == CONSTRUCT:
            total = wide[at + 2]
            parts = wide[at + 3]
            for place in range(at + 4, at + 4 + 2 * parts, 2):
                total += wide[wide[place]] * wide[place + 1]
            wide[wide[at + 1]] = total
            at += 4 + 2 * parts
        elif operation == DESTRUCT:
            rest = wide[wide[at + 1]] - wide[at + 2]
            parts = wide[at + 4]
            going = 0 <= rest < wide[at + 3]
            if going:
                for place in range(at + 5, at + 5 + 4 * parts, 4):
                    value = rest // wide[place] % wide[place + 1]
                    if wide[place + 3]:
                        if wide[wide[place + 2]] != value:
                            going = False
                            break
                    else:
                        wide[wide[place + 2]] = value
            at += 5 + 4 * parts
        else:
            wide[wide[at + 1]] = wide[wide[at + 2]]
            at += 3
        while not going:
            if depth == 0:
                wide[BUDGET] -= looked
                return
            at = wide[stack + 2 * depth - 2]
            cursor = wide[stack + 2 * depth - 1]
            if cursor == 0:
                depth -= 1
                continue
            looked += 1
            if looked > wide[BUDGET]:
                wide[FULL] = SPENT
                return
            record = relations + RECORD * wide[at + 1]
            columns = wide[record + _COLUMNS] + (cursor - 1) * wide[record + _ARITY]
            if wide[at + 2] < 0:
                wide[stack + 2 * depth - 1] = cursor - 1
            else:
                table = tables + RECORD * (wide[record + _FIRST] + wide[at + 2])
                wide[stack + 2 * depth - 1] = narrow[wide[table + _NEXT] + cursor - 1]
            keys, loads = wide[at + 3], wide[at + 4]
            going = _take(narrow, wide, columns, at + 5 + 2 * keys, loads)
            at += 5 + 2 * keys + 3 * loads


@njit(cache=True, nogil=True)
def evaluate(narrow: Any, wide: Any, phase: Any) -> None:
    """Derive the relations of a phase, given by the address of its entries. A relation that is full is told in
    `wide[FULL]`, and then nothing more is done."""
    at = phase
    while wide[at] != END and not wide[FULL]:
        if wide[at] == RUN:
            _run(narrow, wide, wide[at + 1], 0)
            at += 2
            continue
        members = wide[at + 1]
        first = at + 2
        busy = True
        while busy and not wide[FULL]:
            busy = False
            at = first
            for _ in range(members):
                record = wide[_RELATIONS] + RECORD * wide[at]
                plans = wide[at + 1]
                while wide[record + _PROCESSED] < wide[record + _TUPLES]:
                    busy = True
                    number = wide[record + _PROCESSED]
                    wide[record + _PROCESSED] = number + 1
                    for place in range(at + 2, at + 2 + plans):
                        _run(narrow, wide, wide[place], number)
                    if wide[FULL]:
                        return
                at += 2 + plans


@njit(cache=True)
def insert(narrow: Any, wide: Any, relation: Any, values: Any) -> None:
    """Insert a tuple (int64[columns])."""
    room = wide[_STACK]
    for place in range(len(values)):
        wide[room + place] = room + 64 + place
        wide[room + 64 + place] = values[place]
    _insert(narrow, wide, relation, room)


@njit(cache=True)
def load(narrow: Any, wide: Any, state: Any) -> None:
    """Empty all that depends on the state and bring in the tuples of a state: `relation columns value*`, one after the
    other (int64)."""
    listed = wide[_ALL]
    for place in range(listed + 1, listed + 1 + wide[listed]):
        empty(narrow, wide, wide[place])
    at = 0
    while at < len(state):
        insert(narrow, wide, state[at], state[at + 2 : at + 2 + state[at + 1]])
        at += 2 + state[at + 1]


@njit(cache=True)
def _add(narrow: Any, wide: Any, relation: Any, other: Any) -> None:
    """Insert the tuples of another relation, given by its record."""
    room = wide[_STACK]
    arity = wide[other + _ARITY]
    for column in range(arity):
        wide[room + column] = room + 64 + column
    columns = wide[other + _COLUMNS]
    for _ in range(wide[other + _TUPLES]):
        for column in range(arity):
            wide[room + 64 + column] = narrow[columns + column]
        _insert(narrow, wide, relation, room)
        columns += arity


@njit(cache=True)
def advance(narrow: Any, wide: Any) -> None:
    """Make the next state the present one: what is next becomes true, and all else that depends on the state is
    emptied. A relation whose facts stay for ever only gets the new ones."""
    listed = wide[_STATE]
    for place in range(listed + 1, listed + 1 + 3 * wide[listed], 3):
        one = wide[_RELATIONS] + RECORD * wide[place]
        other = wide[_RELATIONS] + RECORD * wide[place + 1]
        if wide[place + 2]:
            _add(narrow, wide, wide[place], other)
            empty(narrow, wide, wide[place + 1])
        else:
            empty(narrow, wide, wide[place])
            for entry in range(RECORD):
                wide[one + entry], wide[other + entry] = wide[other + entry], wide[one + entry]
        wide[one + _PROCESSED] = 0
    listed = wide[_DONE]
    for place in range(listed + 1, listed + 1 + wide[listed]):
        empty(narrow, wide, wide[place])


@njit(cache=True)
def draw(narrow: Any, wide: Any, roles: Any, random: Any) -> Any:
    """Let each role do a legal move drawn at random; False where one has none.

    The list of moves: kinds, then for each kind `legal does table`, and the number of each role there (-1: none)."""
    listed = wide[_MOVES]
    kinds = wide[listed]
    for role in range(roles):
        count = 0
        for turn in range(2):
            wanted = np.int64(draw_below(random, count)) if turn and count > 1 else np.int64(0)
            at = listed + 1
            for _ in range(kinds):
                key = wide[at + 3 + role]
                if key >= 0:
                    record = wide[_RELATIONS] + RECORD * wide[at]
                    table = wide[_TABLES] + RECORD * (wide[record + _FIRST] + wide[at + 2])
                    cursor = np.int64(narrow[_entry(narrow, wide, table, key)])
                    while cursor:
                        if turn == 0:
                            count += 1
                        elif wanted == 0:
                            columns = wide[record + _COLUMNS] + (cursor - 1) * wide[record + _ARITY]
                            insert(narrow, wide, wide[at + 1], narrow[columns : columns + wide[record + _ARITY]])
                            wanted = np.int64(-1)
                            break
                        else:
                            wanted -= 1
                        cursor = np.int64(narrow[wide[table + _NEXT] + cursor - 1])
                at += 3 + roles
                if wanted < 0:
                    break
            if count == 0:
                return False
    return True


@njit(cache=True, inline="always")
def is_over(narrow: Any, wide: Any) -> Any:
    """Whether the game is over in the state, whose first phase was evaluated."""
    return wide[wide[_RELATIONS] + RECORD * wide[wide[_GOALS] + 2] + _TUPLES] != 0


@njit(cache=True)
def goal(narrow: Any, wide: Any, role: Any, values: Any) -> Any:
    """The one goal of a role, or NO_GOAL; `values` (int64) are the goals by their numbers. The list of goals:
    `goal table terminal`, and the number of each role there."""
    listed = wide[_GOALS]
    record = wide[_RELATIONS] + RECORD * wide[listed]
    table = wide[_TABLES] + RECORD * (wide[record + _FIRST] + wide[listed + 1])
    key = wide[listed + 3 + role]
    if key < 0:
        return np.int64(NO_GOAL)
    cursor = narrow[_entry(narrow, wide, table, key)]
    if cursor == 0 or narrow[wide[table + _NEXT] + cursor - 1]:
        return np.int64(NO_GOAL)
    return np.int64(values[narrow[wide[record + _COLUMNS] + (cursor - 1) * 2 + 1]])


@njit(cache=True, nogil=True)
def playouts(
    narrow: Any, wide: Any, phases: Any, state: Any, games: Any, seed: Any, longest: Any, values: Any, goals: Any
) -> Any:
    """Play random games from a state (as `load` wants it); all steps, or what went wrong in one: NO_MOVE, ENDLESS,
    NO_GOAL or OVERFLOW. `phases` are the addresses of what is looked at, what follows, and the goals; `values` are as
    `goal` wants them. `goals` (int64[roles]) are added up."""
    random = seeded(seed)
    total = 0
    roles = len(goals)
    for _ in range(games):
        load(narrow, wide, state)
        steps = 0
        while True:
            evaluate(narrow, wide, phases[0])
            if wide[FULL]:
                return OVERFLOW
            if is_over(narrow, wide):
                break
            if steps == longest:
                return ENDLESS
            if not draw(narrow, wide, roles, random):
                return NO_MOVE
            evaluate(narrow, wide, phases[1])
            if wide[FULL]:
                return OVERFLOW
            advance(narrow, wide)
            if wide[FULL]:
                return OVERFLOW
            steps += 1
        evaluate(narrow, wide, phases[2])
        if wide[FULL]:
            return OVERFLOW
        total += steps
        for role in range(roles):
            value = goal(narrow, wide, role, values)
            if value == NO_GOAL:
                return NO_GOAL
            goals[role] += value
    return total

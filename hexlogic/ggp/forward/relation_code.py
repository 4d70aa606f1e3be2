"""Relations in functions of LLVM: tuples are found, inserted and removed, and the facts of `next` become those of
`true`. All functions take the memory of a sheet (see `hexlogic.ggp.forward.memory`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from hexlogic.ggp.forward import memory
from hexlogic.ggp.forward.llvm_code import GIVEN, MEMORY, NARROW, WIDE, LlvmFunction
from hexlogic.ggp.forward.memory import Relation, Table

_SPREAD: Final = 0x9E3779B97F4A7C15 - (1 << 64)
_SPREAD_SHIFT: Final = 29
"""The first place of a key in a hash table: the upper bits of the key times the number."""
_STORED = 16
"""Entries that one instruction clears."""
_UNROLLED = 8
"""Such instructions in a row; more are a loop."""


class RelationCode(LlvmFunction):
    """A function that works on relations."""

    def entry(self, table: Table, key: str) -> str:
        """The address of the entry for a key."""
        if table.is_dense:
            return self.add(self.base(table.address + memory.ENTRIES, is_moved=table.is_moved), key)
        return self.let(f"call i64 @entry({WIDE} %wide, i64 {table.address}, i64 {key})")

    def key(self, table: Table, values: Sequence[str]) -> str:
        """The key that the values of a table's columns make."""
        return self.total(list(zip(values, table.factors, strict=True)))

    def newest(self, table: Table, values: Sequence[str]) -> str:
        """The newest tuple with these values in a table's columns, plus one; 0 for none."""
        return self.narrow(self.entry(table, self.key(table, values)))

    def columns(self, relation: Relation, number: str, columns: Iterable[int]) -> list[str]:
        """Columns of a tuple."""
        first = self.base(relation.address + memory.COLUMNS, is_moved=relation.is_moved)
        first = self.add(first, self.let(f"mul i64 {number}, {relation.predicate.arity}"))
        return [self.narrow(self.add(first, column)) for column in columns]

    def put(self, relation: Relation, values: Iterable[str], is_wanted: str = "1") -> None:
        """Insert a tuple if it is wanted."""
        arguments = ", ".join([GIVEN, *(f"i64 {value}" for value in (is_wanted, *values))])
        self.do(f"call void @put_{relation.address}({arguments})")

    def remove(self, relation: Relation, values: Iterable[str]) -> None:
        """Take out a tuple."""
        arguments = ", ".join([GIVEN, *(f"i64 {value}" for value in values)])
        self.do(f"call void @remove_{relation.address}({arguments})")

    def empty(self, relation: Relation) -> None:
        """Take all tuples out of a relation."""
        self.do(f"call void @empty_{relation.address}({GIVEN})")

    def end(self) -> LlvmFunction:
        """Return from the function, which is complete then."""
        self.do("ret void")
        return self


def entry_function() -> LlvmFunction:
    """`entry`, the address of the entry for a key in a table that may have a hash."""
    code = LlvmFunction(f"internal i64 @entry({WIDE} noalias %wide, i64 %table, i64 %key)")
    entries, mask, keys = (code.wide(code.add("%table", word)) for word in (memory.ENTRIES, memory.MASK, memory.KEYS))
    code.branch(code.let(f"icmp slt i64 {mask}, 0"), "direct", "hash")
    code.block("direct")
    code.do(f"ret i64 {code.add(entries, '%key')}")
    code.block("hash")
    mixed = code.let(f"lshr i64 {code.let(f'mul i64 %key, {_SPREAD}')}, {_SPREAD_SHIFT}")
    start = code.let(f"and i64 {mixed}, {mask}")
    code.begin("probe")
    code.do(f"%place = phi i64 [ {start}, %hash ], [ %following, %other ]")
    key = code.wide(code.add(keys, "%place"))
    code.need(code.differ(key, "%key"), "there")
    code.branch(code.equal(key, -1), "there", "other")
    code.block("other")
    code.do(f"%following = and i64 {code.add('%place', 1)}, {mask}")
    code.jump("probe")
    code.block("there")
    code.do(f"ret i64 {code.add(entries, '%place')}")
    return code


def put_function(relation: Relation) -> LlvmFunction:
    """`put_R` inserts a tuple, given as arguments, if `%is_wanted` (0 or 1), and unless it is there or there is no
    room. Whether a move is legal is as good as random: without a branch the tuple is written in any case, and counts if
    it is new."""
    record, arity, is_moved = relation.address, relation.predicate.arity, relation.is_moved
    arguments = [f"%a{column}" for column in range(arity)]
    parameters = ", ".join([MEMORY, "i64 %is_wanted", *(f"i64 {argument}" for argument in arguments)])
    code = RelationCode(f"internal void @put_{record}({parameters})")
    count = code.wide(record + memory.TUPLES)
    number = code.add(count, 1)
    first = code.entry(relation.tables[0], code.key(relation.tables[0], arguments))
    is_new = code.let(f"zext i1 {code.equal(code.narrow(first), 0)} to i64")
    is_new = code.let(f"and i64 {is_new}, %is_wanted")
    is_put = code.differ(is_new, 0)
    following = code.add(count, is_new)
    if not relation.is_never_full:
        room = code.base(record + memory.CAPACITY, is_moved=is_moved)
        code.need(code.let(f"icmp sle i64 {following}, {room}"), "full")
    code.set_wide(record + memory.TUPLES, following)
    begin = code.add(code.base(record + memory.COLUMNS, is_moved=is_moved), code.let(f"mul i64 {count}, {arity}"))
    for column, value in enumerate(arguments):
        code.set_narrow(code.add(begin, column), value)
    for place, table in enumerate(relation.tables):
        key = code.key(table, [arguments[column] for column in table.columns])
        entry = code.entry(table, key) if place else first
        before = code.narrow(entry)
        if place:
            code.set_narrow(code.add(code.base(table.address + memory.NEXT, is_moved=is_moved), count), before)
        code.set_narrow(entry, code.let(f"select i1 {is_put}, i64 {number}, i64 {before}"))
        if not table.is_dense:
            code.set_narrow(code.add(code.wide(table.address + memory.ENTRY), count), entry)
            code.need(is_put, f"kept{place}")
            _set_key(code, table, entry, key, f"kept{place}")
    if (roles := relation.by_role) is not None:
        entry = code.entry(roles, arguments[0])
        there = code.narrow(entry)
        stretch = code.let(f"mul i64 {arguments[0]}, {code.add(code.base(record + memory.CAPACITY), 1)}")
        code.set_narrow(code.add(code.add(code.base(roles.address + memory.NEXT), stretch), there), count)
        code.set_narrow(entry, code.add(there, is_new))
    code.jump("exit")
    code.block("full")
    code.set_wide(memory.FULL, record)
    code.begin("exit")
    return code.end()


def remove_function(relation: Relation) -> LlvmFunction:
    """`remove_R` takes a tuple out, if it is there; the last one takes its number. All tables are dense."""
    record, arity = relation.address, relation.predicate.arity
    arguments = [f"%a{column}" for column in range(arity)]
    parameters = ", ".join([MEMORY, *(f"i64 {argument}" for argument in arguments)])
    code = RelationCode(f"internal void @remove_{record}({parameters})")

    def at_link(table: Table, values: Sequence[str], number: str) -> str:
        entry, following = code.entry(table, code.key(table, values)), code.base(table.address + memory.NEXT)
        return code.let(f"call i64 @link({NARROW} %narrow, i64 {entry}, i64 {following}, i64 {number})")

    def link_of(table: Table, number: str) -> str:
        return code.add(code.base(table.address + memory.NEXT), number)

    first, *others = relation.tables
    entry = code.entry(first, code.key(first, arguments))
    newest = code.narrow(entry)
    code.need(code.differ(newest, 0), "exit")
    code.set_narrow(entry, "0")
    number, count = code.let(f"sub i64 {newest}, 1"), code.wide(record + memory.TUPLES)
    last = code.let(f"sub i64 {count}, 1")
    code.set_wide(record + memory.TUPLES, last)
    for table in others:
        link = at_link(table, [arguments[column] for column in table.columns], newest)
        code.set_narrow(link, code.narrow(link_of(table, number)))
    code.need(code.differ(number, last), "exit")
    moved = code.columns(relation, last, range(arity))
    begin = code.add(code.base(record + memory.COLUMNS), code.let(f"mul i64 {number}, {arity}"))
    for column, value in enumerate(moved):
        code.set_narrow(code.add(begin, column), value)
    code.set_narrow(code.entry(first, code.key(first, moved)), newest)
    for table in others:
        code.set_narrow(at_link(table, [moved[column] for column in table.columns], count), newest)
        code.set_narrow(link_of(table, number), code.narrow(link_of(table, last)))
    code.begin("exit")
    return code.end()


def link_function() -> LlvmFunction:
    """`link`, the address of the word that leads to a tuple, from the entry of its key on."""
    code = LlvmFunction(f"internal i64 @link({NARROW} %narrow, i64 %entry, i64 %following, i64 %wanted)")
    code.begin("look")
    code.do("%at = phi i64 [ %entry, %entry_block ], [ %older, %on ]")
    cursor = code.narrow("%at")
    code.branch(code.equal(cursor, "%wanted"), "there", "on")
    code.block("on")
    place = code.add("%following", cursor)
    code.do(f"%older = sub i64 {place}, 1")
    code.jump("look")
    code.block("there")
    code.do("ret i64 %at")
    code.lines[0] = "entry_block:"
    return code


def insert_function(relation: Relation) -> LlvmFunction:
    """`insert_R` inserts the tuple in the scratch."""
    code = RelationCode(f"void @insert_{relation.address}({MEMORY})")
    scratch = code.wide(memory.SCRATCH)
    code.put(relation, [code.wide(code.add(scratch, column)) for column in range(relation.predicate.arity)])
    return code.end()


def _set_key(code: LlvmFunction, table: Table, entry: str, key: str | int, after: str) -> None:
    """Set the key of an entry where the table has a hash, and go on with a block `after`."""
    code.need(code.let(f"icmp sge i64 {code.wide(table.address + memory.MASK)}, 0"), after)
    place = code.let(f"sub i64 {entry}, {code.wide(table.address + memory.ENTRIES)}")
    code.set_wide(code.add(code.wide(table.address + memory.KEYS), place), key)
    code.begin(after)


def empty_function(relation: Relation) -> LlvmFunction:
    """`empty_R` takes all tuples out of a relation."""
    # Without memset the module needs no function from outside.
    code = RelationCode(f'internal void @empty_{relation.address}({MEMORY}) "no-builtins"')
    count = code.wide(relation.address + memory.TUPLES)
    code.need(code.differ(count, 0), "exit")
    whole = [table for table in relation.tables if table.is_cleared_whole]
    for table in whole + ([relation.by_role] if relation.by_role is not None else []):
        _clear_whole(code, table)
    others = [table for table in relation.tables if not table.is_cleared_whole]
    if others:
        with code.loop(relation.address, count) as place:
            columns = code.columns(relation, place, range(relation.predicate.arity))
            for table in others:
                if table.is_dense:
                    entry = code.entry(table, code.key(table, [columns[column] for column in table.columns]))
                else:
                    entry = code.narrow(code.add(code.wide(table.address + memory.ENTRY), place))
                code.set_narrow(entry, "0")
                if not table.is_dense:
                    _set_key(code, table, entry, -1, f"kept{table.address}")
    code.set_wide(relation.address + memory.TUPLES, 0)
    code.set_wide(relation.address + memory.PROCESSED, 0)
    code.begin("exit")
    return code.end()


def _clear_whole(code: LlvmFunction, table: Table) -> None:
    """Clear all entries of a table."""
    begin = code.base(table.address + memory.ENTRIES, is_moved=table.is_moved)
    chunk = _STORED * _UNROLLED
    rest = table.keys
    if rest >= 2 * chunk:
        rest %= chunk
        with code.loop(table.address, table.keys - rest, chunk) as place:
            here = code.add(begin, place)
            for step in range(0, chunk, _STORED):
                code.clear_narrow(code.add(here, step), _STORED)
    while rest:
        step = min(rest, _STORED)
        code.clear_narrow(code.add(begin, table.keys - rest), step)
        rest -= step


def state_change_functions(
    state: Sequence[tuple[Relation, Relation, Relation | None]], derived: Sequence[Relation]
) -> list[LlvmFunction]:
    """`advance` makes the facts of `next` those of `true`; `empty` empties all that depends on the state. `state` are
    relations of `true` and of `next`, and what goes from the first, where `next` has only what comes (where records are
    not swapped); `derived` the others that a step empties: moves, and what is derived in a state."""
    advance, empty = (RelationCode(f"void @{name}({MEMORY})") for name in ("advance", "empty"))
    for true, following, gone in state:
        if true.is_moved:
            advance.empty(true)
            _swap(advance, true, following)
            advance.set_wide(true.address + memory.PROCESSED, 0)
            continue
        for change, changed in ((advance.remove, gone), (advance.put, following)):
            if changed is not None:
                with advance.loop(changed.address, advance.wide(changed.address + memory.TUPLES)) as place:
                    change(true, advance.columns(changed, place, range(true.predicate.arity)))
        advance.empty(following)
    for relation in derived:
        advance.empty(relation)
    changing = [*chain(*((true, following) for true, following, _ in state)), *derived]
    for relation in changing:
        empty.empty(relation)
    removing = [remove_function(true) for true, _, gone in state if gone is not None]
    return [*map(empty_function, changing), *removing, link_function(), advance.end(), empty.end()]


def _swap(code: LlvmFunction, left: Relation, right: Relation) -> None:
    """Swap the tuples of two relations with the same tables by their records: no tuple is copied."""
    words = [(left.address + word, right.address + word) for word in (memory.CAPACITY, memory.COLUMNS, memory.TUPLES)]
    words += [
        (table.address + word, other.address + word)
        for table, other in zip(left.tables, right.tables, strict=True)
        for word in (memory.ENTRIES, memory.MASK, memory.KEYS, memory.NEXT, memory.ENTRY)
    ]
    for place, other_place in words:
        before, after = code.wide(place), code.wide(other_place)
        code.set_wide(place, after)
        code.set_wide(other_place, before)

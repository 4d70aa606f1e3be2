"""Relations in functions of LLVM: tuples are found, inserted and removed, and the facts of `next` become those of
`true`. All functions take the memory of a sheet (see `hexlogic.ggp.forward.memory`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Final

from hexlogic.ggp.forward import memory
from hexlogic.ggp.forward.llvm_code import GIVEN, MEMORY, WIDE, LlvmFunction
from hexlogic.ggp.forward.memory import Relation, Table
from hexlogic.ggp.language.types import factors

_SPREAD: Final = 0x9E3779B97F4A7C15 - (1 << 64)
_SPREAD_SHIFT: Final = 29
"""The first place of a key in a hash table: the upper bits of the key times the number."""


class RelationCode(LlvmFunction):
    """A function that works on relations."""

    def entry(self, table: Table, key: str) -> str:
        """The address of the entry for a key."""
        if table.is_dense:
            return self.add(self.base(table.address + memory.ENTRIES), key)
        return self.let(f"call i64 @entry({WIDE} %wide, i64 {table.address}, i64 {key})")

    def key(self, table: Table, values: Sequence[str]) -> str:
        """The key that the values of a table's columns make."""
        return self.total(list(zip(values, table.factors, strict=True)))

    def entry_of(self, table: Table, values: Sequence[str]) -> str:
        """The address of the entry for a tuple."""
        return self.entry(table, self.key(table, [values[column] for column in table.columns]))

    def newest(self, table: Table, values: Sequence[str]) -> str:
        """The newest tuple with these values in a table's columns, plus one; 0 for none."""
        return self.narrow(self.entry(table, self.key(table, values)))

    def columns(self, relation: Relation, number: str, columns: Iterable[int]) -> list[str]:
        """Columns of a tuple."""
        first = self.base(relation.address + memory.COLUMNS)
        first = self.add(first, self.let(f"mul i64 {number}, {relation.predicate.arity}"))
        return [self.narrow(self.add(first, column)) for column in columns]

    def change(self, what: str, relation: Relation, values: Iterable[str]) -> None:
        """Call a function on a tuple of a relation: `put`, `remove`, `gain`, `lose` or `count`."""
        arguments = ", ".join([GIVEN, *(f"i64 {value}" for value in values)])
        self.do(f"call void @{what}_{relation.address}({arguments})")

    def set_columns(self, relation: Relation, number: str, values: Iterable[str]) -> None:
        """Write a tuple."""
        begin = self.base(relation.address + memory.COLUMNS)
        begin = self.add(begin, self.let(f"mul i64 {number}, {relation.predicate.arity}"))
        for column, value in enumerate(values):
            self.set_narrow(self.add(begin, column), value)

    def newer(self, table: Table, number: str) -> str:
        """The address of the next newer tuple of a number, both plus one, 0 for none; where the number is 0, of a word
        that nobody reads."""
        return self.add(self.base(table.address + memory.ENTRY), number)

    def role_list(self, relation: Relation, roles: Table, role: str) -> str:
        """Where the numbers of the tuples of a role begin."""
        stretch = self.let(f"mul i64 {role}, {self.add(self.base(relation.address + memory.CAPACITY), 1)}")
        return self.add(self.base(roles.address + memory.NEXT), stretch)

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


def put_function(relation: Relation, *, is_losing: bool, is_asked: bool = False) -> LlvmFunction:
    """`put_R` inserts a tuple, given as arguments, unless it is there (in a list then too) or there is no room. Tuples
    of a relation that `is_losing` some lead to the next newer one as well. With `is_asked` it is `put_if_R`, which does
    so if `%holds` is 1: into a list without a branch, since this would often be as good as random."""
    record = relation.address
    code, arguments = _function("put_if", relation, "%holds") if is_asked else _function("put", relation)
    if is_asked and relation.tables:
        code.need(code.differ("%holds", 0), "exit")
    one = "%holds" if is_asked and not relation.tables else "1"
    entries = [code.entry_of(table, arguments) for table in relation.tables[:1]]
    for entry in entries:
        code.need(code.equal(code.narrow(entry), 0), "exit")
    count = code.wide(record + memory.TUPLES)
    number = code.add(count, one)
    if not relation.is_never_full:
        room = code.base(record + memory.CAPACITY)
        code.need(code.let(f"icmp sle i64 {number}, {room}"), "full")
    code.set_wide(record + memory.TUPLES, number)
    code.set_columns(relation, count, arguments)
    for place, table in enumerate(relation.tables):
        key = code.key(table, [arguments[column] for column in table.columns])
        if place:
            entries.append(code.entry(table, key))
            next_older = code.add(code.base(table.address + memory.NEXT), count)
            older = code.narrow(entries[place])
            code.set_narrow(next_older, older)
            if is_losing:
                code.set_narrow(code.newer(table, older), number)
                code.set_narrow(code.newer(table, number), "0")
        code.set_narrow(entries[place], number)
        if not table.is_dense:
            code.set_narrow(code.add(code.wide(table.address + memory.ENTRY), count), entries[place])
            _set_key(code, table, entries[place], key, f"kept{place}")
    if (roles := relation.by_role) is not None:
        entry = code.entry(roles, arguments[0])
        there = code.narrow(entry)
        code.set_narrow(code.add(code.role_list(relation, roles, arguments[0]), there), count)
        if is_losing:
            code.set_narrow(code.add(code.base(roles.address + memory.ENTRY), count), there)
        code.set_narrow(entry, code.add(there, one))
    code.jump("exit")
    code.block("full")
    code.set_wide(memory.FULL, record)
    code.begin("exit")
    return code.end()


def remove_function(relation: Relation) -> LlvmFunction:
    """`remove_R` takes a tuple out, if it is there; the last one takes its number. All tables are dense."""
    record = relation.address
    code, arguments = _function("remove", relation)

    def lead(table: Table, values: Sequence[str], newer: str, number: str) -> None:
        """Lead from the next newer tuple, or where there is none from the entry of these values, to a tuple."""
        entry = code.entry_of(table, values)
        link = code.add(code.base(table.address + memory.NEXT), newer)
        is_newest = code.equal(newer, 0)
        at = code.let(f"select i1 {is_newest}, i64 {entry}, i64 {code.let(f'sub i64 {link}, 1')}")
        code.set_narrow(at, number)

    def link_of(table: Table, number: str) -> str:
        return code.add(code.base(table.address + memory.NEXT), number)

    first, *others = relation.tables
    entry = code.entry_of(first, arguments)
    newest = code.narrow(entry)
    code.need(code.differ(newest, 0), "exit")
    code.set_narrow(entry, "0")
    number, count = code.let(f"sub i64 {newest}, 1"), code.wide(record + memory.TUPLES)
    last = code.let(f"sub i64 {count}, 1")
    code.set_wide(record + memory.TUPLES, last)
    for table in others:
        newer, older = code.narrow(code.newer(table, newest)), code.narrow(link_of(table, number))
        lead(table, arguments, newer, older)
        code.set_narrow(code.newer(table, older), newer)
    roles = relation.by_role
    if roles is not None:
        entry, places = code.entry(roles, arguments[0]), code.base(roles.address + memory.ENTRY)
        role_list, place = code.role_list(relation, roles, arguments[0]), code.narrow(code.add(places, number))
        left = code.let(f"sub i64 {code.narrow(entry)}, 1")
        other = code.narrow(code.add(role_list, left))
        code.set_narrow(code.add(role_list, place), other)
        code.set_narrow(code.add(places, other), place)
        code.set_narrow(entry, left)
    code.need(code.differ(number, last), "exit")
    moved = code.columns(relation, last, range(len(arguments)))
    code.set_columns(relation, number, moved)
    code.set_narrow(code.entry_of(first, moved), newest)
    for table in others:
        newer, older = code.narrow(code.newer(table, count)), code.narrow(link_of(table, last))
        lead(table, moved, newer, newest)
        code.set_narrow(code.newer(table, older), newest)
        code.set_narrow(link_of(table, number), older)
        code.set_narrow(code.newer(table, newest), newer)
    if roles is not None:
        place = code.narrow(code.add(places, last))
        code.set_narrow(code.add(places, number), place)
        code.set_narrow(code.add(code.role_list(relation, roles, moved[0]), place), number)
    code.begin("exit")
    return code.end()


def count_function(relation: Relation, changed: Relation | None) -> LlvmFunction:
    """`count_R` adds `%sign` to the count of a tuple of a relation that is kept. A tuple whose count leaves 0 comes,
    one whose count becomes 0 goes; where other kept views read the relation, it is noted in `changed` for `settle`."""
    assert relation.counts is not None
    code, arguments = _function("count", relation, "%sign")
    entry = code.entry_of(relation.counts, arguments)
    before = code.narrow(entry)
    after = code.add(before, "%sign")
    code.set_narrow(entry, after)
    code.branch(code.equal(before, 0), "comes", "other")
    code.block("comes")
    code.change("put", changed or relation, arguments)
    code.jump("exit")
    code.block("other")
    code.need(code.equal(after, 0), "exit")
    if changed is not None:
        code.change("put", changed, arguments)
    else:
        code.change("remove", relation, arguments)
    code.begin("exit")
    return code.end()


def change_functions(relation: Relation, readers: Sequence[tuple[str, bool]]) -> list[LlvmFunction]:
    """`gain_R` and `lose_R` insert a tuple that is not there, and take out one that is; the counts of what kept views
    derive from it change. `readers` are functions of rules, and whether the literal is positive."""
    functions = []
    for name, sign in (("gain", 1), ("lose", -1)):
        code, arguments = _function(name, relation)
        entry = code.entry_of(relation.tables[0], arguments)
        if sign > 0:
            code.need(code.equal(code.narrow(entry), 0), "exit")
            code.change("put", relation, arguments)
        newest = code.narrow(entry)
        code.need(code.differ(newest, 0), "exit")  # not there, or there was no room
        number = code.let(f"sub i64 {newest}, 1")
        for function, is_positive in readers:
            code.do(f"call void @{function}({GIVEN}, i64 {number}, i64 {sign if is_positive else -sign})")
        if sign < 0:
            code.change("remove", relation, arguments)
        code.begin("exit")
        functions.append(code.end())
    return functions


def settle_function(changed: Sequence[tuple[Relation, Relation]]) -> LlvmFunction:
    """`settle` brings kept relations in line with their counts: each with its noted tuples, in order."""
    code = RelationCode(f"internal void @settle({MEMORY})")
    for relation, noted in changed:
        assert relation.counts is not None
        with code.loop(noted.address, code.wide(noted.address + memory.TUPLES)) as place:
            columns, name = code.columns(noted, place, range(relation.predicate.arity)), relation.address
            count = code.narrow(code.entry_of(relation.counts, columns))
            code.branch(code.equal(count, 0), f"gone{name}", f"there{name}")
            code.block(f"gone{name}")
            code.change("lose", relation, columns)
            code.jump(f"settled{name}")
            code.block(f"there{name}")
            code.change("gain", relation, columns)
            code.begin(f"settled{name}")
        code.empty(noted)
    return code.end()


def _function(what: str, relation: Relation, *others: str) -> tuple[RelationCode, list[str]]:
    """A function that takes a tuple, and its arguments."""
    arguments = [f"%a{column}" for column in range(relation.predicate.arity)]
    parameters = ", ".join([MEMORY, *(f"i64 {argument}" for argument in (*arguments, *others))])
    return RelationCode(f"internal void @{what}_{relation.address}({parameters})"), arguments


def insert_function(relation: Relation) -> LlvmFunction:
    """`insert_R` inserts the tuple in the scratch."""
    code = RelationCode(f"void @insert_{relation.address}({MEMORY})")
    scratch = code.wide(memory.SCRATCH)
    code.change("put", relation, [code.wide(code.add(scratch, column)) for column in range(relation.predicate.arity)])
    return code.end()


def try_function(done: Relation, test: str, terms: Sequence[int]) -> LlvmFunction:
    """`try_R` inserts a move, if it is legal by a test: the scratch has the role, and which one it is of all moves that
    there can be, given how many `terms` can stand in each column."""
    code = RelationCode(f"void @try_{done.address}({MEMORY})")
    scratch = code.wide(memory.SCRATCH)
    values, number = [code.wide(scratch)], code.wide(code.add(scratch, 1))
    for factor, count in zip(factors(terms[1:]), terms[1:], strict=True):
        values.append(code.let(f"urem i64 {code.let(f'udiv i64 {number}, {factor}')}, {count}"))
    arguments = ", ".join([GIVEN, *(f"i64 {value}" for value in values)])
    code.need(code.differ(code.let(f"call i64 @{test}({arguments})"), 0), "exit")
    code.change("put", done, values)
    code.begin("exit")
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
    if (roles := relation.by_role) is not None:
        with code.loop(roles.address, str(roles.keys)) as role:
            code.set_narrow(code.add(code.base(roles.address + memory.ENTRIES), role), "0")
    tables = [*relation.tables, *([relation.counts] if relation.counts is not None else [])]
    with code.loop(relation.address, count if tables else "0") as place:
        columns = code.columns(relation, place, range(relation.predicate.arity))
        for table in tables:
            if table.is_dense:
                entry = code.entry_of(table, columns)
            else:
                entry = code.narrow(code.add(code.wide(table.address + memory.ENTRY), place))
            code.set_narrow(entry, "0")
            if not table.is_dense:
                _set_key(code, table, entry, -1, f"kept{table.address}")
    code.set_wide(relation.address + memory.TUPLES, 0)
    code.set_wide(relation.address + memory.PROCESSED, 0)
    code.begin("exit")
    return code.end()


def state_change_functions(
    state: Sequence[tuple[Relation, Relation, Relation | None]],
    derived: Sequence[Relation],
    coming: Collection[Relation],
    kept: Sequence[Relation],
    read: Collection[Relation],
    losing: Collection[Relation],
) -> list[LlvmFunction]:
    """`advance` makes the facts of `next` those of `true`; `empty` empties all that depends on the state. `state` are
    relations of `true` and of `next`, and what goes from the first, where that is derived; for those in `coming` `next`
    has only what comes. `derived` are the others that a step empties: moves, and what is derived in a state; `kept` are
    those of kept views, which read the relations in `read`; `losing` are those that single tuples go from."""
    advance, empty = (RelationCode(f"void @{name}({MEMORY})") for name in ("advance", "empty"))
    for true, following, gone in state:
        lose, gain = ("lose", "gain") if true in read else ("remove", "put")
        count = advance.wide((gone or true).address + memory.TUPLES)
        if gone is not None:
            with advance.loop(gone.address, count) as place:
                advance.change(lose, true, advance.columns(gone, place, range(true.predicate.arity)))
        elif true not in coming and not true.is_dense:
            advance.empty(true)
        elif true not in coming:
            # From the last tuple on: the last one takes the place of one that goes.
            with advance.loop(true.address, count) as place:
                number = advance.let(f"xor i64 {advance.let(f'sub i64 {place}, {count}')}, -1")
                columns, stay = advance.columns(true, number, range(true.predicate.arity)), f"stay{true.address}"
                there = advance.newest(following.tables[0], columns)
                advance.need(advance.equal(there, 0), stay)
                advance.change(lose, true, columns)
                advance.begin(stay)
        with advance.loop(following.address, advance.wide(following.address + memory.TUPLES)) as place:
            advance.change(gain, true, advance.columns(following, place, range(true.predicate.arity)))
        advance.empty(following)
    for relation in derived:
        advance.empty(relation)
    if kept:
        advance.do(f"call void @settle({GIVEN})")
    changing = [*chain(*((true, following) for true, following, _ in state)), *derived, *kept]
    for relation in changing:
        empty.empty(relation)
    return [*map(empty_function, changing), *map(remove_function, losing), advance.end(), empty.end()]

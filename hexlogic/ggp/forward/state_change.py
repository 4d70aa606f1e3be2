"""From a state to the next: functions of LLVM that empty relations and make the facts of `next` those of `true`.

Two relations with the same tables are swapped by their records: no tuple is copied.
"""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.ggp.forward import memory
from hexlogic.ggp.forward.llvm_code import GIVEN, MEMORY, LlvmFunction
from hexlogic.ggp.forward.memory import Addresses

_STORED = 16
"""Entries that one instruction clears."""
_UNROLLED = 8
"""Such instructions in a row; more are a loop."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """The relations that a step changes, by their numbers."""

    state: tuple[tuple[int, int, bool], ...]
    """Relations of `true` and of `next`, and whether facts of the first stay for ever."""
    derived: tuple[int, ...]
    """What a step empties: moves, and what is derived in a state."""


def state_change_functions(addresses: Addresses, change: StateChange) -> list[LlvmFunction]:
    """The functions `advance`, from a state to the next, and `empty`, which empties all that depends on the state."""
    state = [number for one, other, _ in change.state for number in (one, other)]
    functions = [_emptying(addresses, relation) for relation in (*state, *change.derived)]
    advance, empty = (_new(f"void @{name}({MEMORY})") for name in ("advance", "empty"))
    for number, (one, other, is_kept) in enumerate(change.state):
        if is_kept:
            _add(advance, addresses, one, other, number)
            _empty(advance, other)
        else:
            _empty(advance, one)
            _swap(advance, addresses, one, other)
        advance.set_wide(addresses.record(one) + memory.PROCESSED, 0)
    for relation in change.derived:
        _empty(advance, relation)
    for relation in (*state, *change.derived):
        _empty(empty, relation)
    for code in (advance, empty):
        code.do("ret void")
    return [*functions, advance, empty]


def _new(head: str) -> LlvmFunction:
    made = LlvmFunction(head)
    made.block("entry")
    return made


def _empty(code: LlvmFunction, relation: int) -> None:
    code.do(f"call void @empty_{relation}({GIVEN})")


def _emptying(addresses: Addresses, relation: int) -> LlvmFunction:
    """Take all tuples out of a relation."""
    # Without memset the module needs no function from outside.
    code = _new(f'internal void @empty_{relation}({MEMORY}) "no-builtins"')
    record = addresses.record(relation)
    count = code.wide(record + memory.TUPLES)
    code.need(code.differ(count, 0), "exit")
    for table in addresses.tables[relation]:
        if table in addresses.whole:
            _clear_whole(code, table, addresses.whole[table])
        else:
            _clear_entries(code, table, table in addresses.dense, count)
    code.set_wide(record + memory.TUPLES, 0)
    code.set_wide(record + memory.PROCESSED, 0)
    code.jump("exit")
    code.block("exit")
    code.do("ret void")
    return code


def _clear_whole(code: LlvmFunction, table: int, entries: int) -> None:
    """Clear all entries of a table."""
    begin = code.wide(table + memory.ENTRIES)
    chunk = _STORED * _UNROLLED
    rest = entries
    if entries >= 2 * chunk:
        rest = entries % chunk
        with code.loop(table, entries - rest, chunk) as place:
            here = code.add(begin, place)
            for step in range(0, chunk, _STORED):
                code.clear_narrow(code.add(here, step), _STORED)
    while rest:
        step = min(rest, _STORED)
        code.clear_narrow(code.add(begin, entries - rest), step)
        rest -= step


def _clear_entries(code: LlvmFunction, table: int, is_dense: bool, count: str) -> None:
    """Clear the entries of a table's tuples."""
    kept = code.wide(table + memory.ENTRY)
    if not is_dense:
        mask = code.wide(table + memory.MASK)
        keys = code.let(f"sub i64 {code.wide(table + memory.KEYS)}, {code.wide(table + memory.ENTRIES)}")
    with code.loop(table, count) as place:
        entry = code.narrow(code.add(kept, place))
        code.set_narrow(entry, "0")
        if not is_dense:
            code.need(code.let(f"icmp sge i64 {mask}, 0"), f"next{table}")
            code.set_wide(code.add(keys, entry), -1)


def _add(code: LlvmFunction, addresses: Addresses, one: int, other: int, number: int) -> None:
    """Insert the tuples of another relation."""
    record, arity = addresses.record(other), addresses.predicates[other].arity
    count, columns = code.wide(record + memory.TUPLES), code.wide(record + memory.COLUMNS)
    with code.loop(number, count) as place:
        begin = code.add(columns, code.let(f"mul i64 {place}, {arity}"))
        values = [f"i64 {code.narrow(code.add(begin, column))}" for column in range(arity)]
        code.do(f"call void @put_{one}({', '.join([GIVEN, *values])})")


def _swap(code: LlvmFunction, addresses: Addresses, one: int, other: int) -> None:
    """Swap the tuples of two relations."""
    pairs = [
        (addresses.record(one) + word, addresses.record(other) + word)
        for word in (memory.CAPACITY, memory.COLUMNS, memory.TUPLES)
    ]
    pairs += [
        (left + word, right + word)
        for left, right in zip(addresses.tables[one], addresses.tables[other], strict=True)
        for word in (memory.ENTRIES, memory.MASK, memory.KEYS, memory.NEXT, memory.ENTRY)
    ]
    for left, right in pairs:
        before, after = code.wide(left), code.wide(right)
        code.set_wide(left, after)
        code.set_wide(right, before)

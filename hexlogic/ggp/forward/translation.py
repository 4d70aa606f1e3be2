"""Plans as functions of LLVM: each scan a loop, each register a value.

    next(at(Y)) :- does(R,go(X,Y)), true(at(X)).

becomes: for each tuple of `does_go`: where the table of `true_at` has its X, insert its Y.

All functions take the memory of a sheet (see `hexlogic.ggp.forward.memory`). Records have fixed addresses, so that the
code stays right when the memory is laid out anew with more room.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hexlogic.ggp.forward import memory
from hexlogic.ggp.forward.instructions import (
    ColumnLoad,
    Compare,
    Component,
    Construct,
    Destruct,
    Emit,
    Entry,
    Instruction,
    Join,
    Key,
    KeyCheck,
    Operand,
    Register,
    Scan,
)
from hexlogic.ggp.forward.llvm_code import GIVEN, MEMORY, WIDE, LlvmFunction
from hexlogic.ggp.forward.memory import Addresses
from hexlogic.ggp.forward.state_change import StateChange, state_change_functions


def translated(
    addresses: Addresses,
    phases: Sequence[Sequence[Entry]],
    inserted: Collection[int],
    change: StateChange,
    *,
    is_counted: bool,
) -> str:
    """The text of a module with a function `phase_K` for each phase, `insert_R` for each relation in `inserted`, which
    inserts the tuple in the scratch, `advance` and `empty`. With `is_counted` it is told when the budget is spent."""
    made = _Module(addresses, is_counted).functions_of(phases, inserted)
    return "\n".join(map(str, (*made, *state_change_functions(addresses, change))))


class _Module:
    def __init__(self, addresses: Addresses, is_counted: bool) -> None:
        self.addresses, self.is_counted = addresses, is_counted
        self.predicates, self.tables = addresses.predicates, addresses.tables
        self.functions: list[LlvmFunction] = []

    def functions_of(self, phases: Sequence[Sequence[Entry]], inserted: Collection[int]) -> list[LlvmFunction]:
        """The functions."""
        self._entry_function()
        for relation in range(len(self.predicates)):
            self._insert_function(relation)
        for relation in sorted(inserted):
            self._insert_from_scratch(relation)
        for number, phase in enumerate(phases):
            self._phase(number, phase)
        return self.functions

    def _new(self, head: str) -> LlvmFunction:
        made = LlvmFunction(head)
        made.block("entry")
        self.functions.append(made)
        return made

    def _entry_function(self) -> None:
        """The entry for a key in a table that may have a hash."""
        code = self._new(f"internal i64 @entry({WIDE} noalias %wide, i64 %table, i64 %key)")
        entries, mask, keys = (
            code.wide(code.add("%table", word)) for word in (memory.ENTRIES, memory.MASK, memory.KEYS)
        )
        code.branch(code.let(f"icmp slt i64 {mask}, 0"), "direct", "hash")
        code.block("direct")
        code.do(f"ret i64 {code.add(entries, '%key')}")
        code.block("hash")
        spread = memory.SPREAD - (1 << 64)
        mixed = code.let(f"lshr i64 {code.let(f'mul i64 %key, {spread}')}, {memory.SPREAD_SHIFT}")
        start = code.let(f"and i64 {mixed}, {mask}")
        code.jump("probe")
        code.block("probe")
        code.do(f"%place = phi i64 [ {start}, %hash ], [ %following, %other ]")
        found = code.wide(code.add(keys, "%place"))
        code.need(code.differ(found, "%key"), "there")
        code.branch(code.equal(found, -1), "there", "other")
        code.block("other")
        code.do(f"%following = and i64 {code.add('%place', 1)}, {mask}")
        code.jump("probe")
        code.block("there")
        code.do(f"ret i64 {code.add(entries, '%place')}")

    def _entry(self, code: LlvmFunction, table: int, key: str) -> str:
        """The address of the entry for a key."""
        if table in self.addresses.dense:
            return code.add(code.base(table + memory.ENTRIES), key)
        return code.let(f"call i64 @entry({WIDE} %wide, i64 {table}, i64 {key})")

    def _insert_function(self, relation: int) -> None:
        """Insert a tuple, given as arguments, unless it is there or there is no room."""
        predicate, record = self.predicates[relation], self.addresses.record(relation)
        arguments = [f"%a{column}" for column in range(predicate.arity)]
        listed = ", ".join([MEMORY, *(f"i64 {argument}" for argument in arguments)])
        code = self._new(f"internal void @put_{relation}({listed})")
        first, *others = self.tables[relation]
        key = code.total(list(zip(arguments, self.addresses.factors(relation, 0), strict=True)))
        entry = self._entry(code, first, key)
        code.need(code.equal(code.narrow(entry), 0), "exit")
        count = code.wide(record + memory.TUPLES)
        code.need(code.differ(count, code.wide(record + memory.CAPACITY)), "full")
        number = code.add(count, 1)
        code.set_wide(record + memory.TUPLES, number)
        begin = code.add(code.wide(record + memory.COLUMNS), code.let(f"mul i64 {count}, {predicate.arity}"))
        for column, value in enumerate(arguments):
            code.set_narrow(code.add(begin, column), value)
        for table, address in enumerate((first, *others)):
            if table:
                columns = self.addresses.relations.tables[predicate][table]
                parts = zip(
                    (arguments[column] for column in columns), self.addresses.factors(relation, table), strict=True
                )
                key = code.total(list(parts))
                entry = self._entry(code, address, key)
                older = code.add(code.wide(address + memory.NEXT), count)
                code.set_narrow(older, code.narrow(entry))
            code.set_narrow(entry, number)
            if address not in self.addresses.whole:
                code.set_narrow(code.add(code.wide(address + memory.ENTRY), count), entry)
            if address not in self.addresses.dense:
                self._keep_key(code, address, entry, key)
        code.jump("exit")
        code.block("full")
        code.set_wide(memory.FULL, relation + 1)
        code.jump("exit")
        code.block("exit")
        code.do("ret void")

    def _keep_key(self, code: LlvmFunction, table: int, entry: str, key: str) -> None:
        """Note the key of an entry where the table has a hash."""
        code.values += 1
        hashed, after = f"hashed{code.values}", f"after{code.values}"
        code.branch(code.let(f"icmp sge i64 {code.wide(table + memory.MASK)}, 0"), hashed, after)
        code.block(hashed)
        place = code.let(f"sub i64 {entry}, {code.wide(table + memory.ENTRIES)}")
        code.set_wide(code.add(code.wide(table + memory.KEYS), place), key)
        code.jump(after)
        code.block(after)

    def _insert_from_scratch(self, relation: int) -> None:
        code = self._new(f"void @insert_{relation}({MEMORY})")
        scratch = code.wide(memory.SCRATCH)
        arity = self.predicates[relation].arity
        values = [code.wide(code.add(scratch, column)) for column in range(arity)]
        self._put(code, relation, values)
        code.do("ret void")

    def _put(self, code: LlvmFunction, relation: int, values: Sequence[str]) -> None:
        code.do(f"call void @put_{relation}({', '.join([GIVEN, *(f'i64 {one}' for one in values)])})")

    def _phase(self, number: int, entries: Sequence[Entry]) -> None:
        code = self._new(f"void @phase_{number}({MEMORY})")
        for place, entry in enumerate(entries):
            if isinstance(entry, Component):
                self._component(code, f"{number}_{place}", entry)
            else:
                # A fact runs once, and sheets have hundreds.
                is_fact = number == 0 and not any(isinstance(instruction, Scan) for instruction in entry.instructions)
                code.do(f"call void @{self._plan(f'{number}_{place}', entry, is_optimised=not is_fact)}({GIVEN})")
        code.do("ret void")

    def _component(self, code: LlvmFunction, name: str, component: Component) -> None:
        """Take each tuple of the relations in turn until there is no new one."""
        code.jump(f"round{name}")
        code.block(f"round{name}")
        busy = "0"
        for place, (relation, plans) in enumerate(component.plans):
            own, record = f"{name}_{place}", self.addresses.record(relation)
            before = code.wide(record + memory.PROCESSED)
            code.jump(f"turn{own}")
            code.block(f"turn{own}")
            given = code.wide(record + memory.PROCESSED)
            code.branch(
                code.let(f"icmp slt i64 {given}, {code.wide(record + memory.TUPLES)}"), f"take{own}", f"done{own}"
            )
            code.block(f"take{own}")
            code.set_wide(record + memory.PROCESSED, code.add(given, 1))
            for which, plan in enumerate(plans):
                code.do(f"call void @{self._plan(f'{own}_{which}', plan)}({GIVEN}, i64 {given})")
            code.jump(f"turn{own}")
            code.block(f"done{own}")
            busy = code.add(busy, code.let(f"sub i64 {given}, {before}"))
        code.branch(code.differ(busy, 0), f"round{name}", f"fixed{name}")
        code.block(f"fixed{name}")

    def _plan(self, name: str, plan: Join, *, is_optimised: bool = True) -> str:
        """The name of the function of a plan."""
        given = "" if plan.relation is None else ", i64 %given"
        code = self._new(f"internal void @plan_{name}({MEMORY}{given})")
        code.is_optimised = is_optimised
        _PlanCode(self, code).write(plan)
        return f"plan_{name}"


class _PlanCode:
    """A plan being written."""

    def __init__(self, module: _Module, code: LlvmFunction) -> None:
        self.module, self.code = module, code
        self.registers: dict[Register, str] = {}
        self.scans = 0
        self.failing = ["exit"]
        """Where the plan goes on when it fails: after the scans that are open, the last one last."""

    def write(self, plan: Join) -> None:
        """Write all of it."""
        if plan.relation is not None:
            self._load(plan.relation, "%given", plan.loads)
        for instruction in plan.instructions:
            self._write(instruction)
        self.code.block("exit")
        self.code.do("ret void")

    def _value(self, operand: Operand) -> str:
        return self.registers[operand] if isinstance(operand, Register) else str(operand)

    def _total(self, key: Key, first: int = 0) -> str:
        return self.code.total([(self._value(operand), factor) for operand, factor in key], first)

    def _set(self, target: Operand, value: str, is_test: bool) -> None:
        if is_test:
            self.code.need(self.code.equal(value, self._value(target)), self.failing[-1])
        else:
            assert isinstance(target, Register)
            self.registers[target] = value

    def _load(self, relation: int, number: str, loads: Sequence[ColumnLoad]) -> None:
        """Load columns of a tuple."""
        if not loads:
            return
        code, arity = self.code, self.module.predicates[relation].arity
        columns = code.base(self.module.addresses.record(relation) + memory.COLUMNS)
        begin = code.add(columns, code.let(f"mul i64 {number}, {arity}"))
        for load in loads:
            self._set(load.target, code.narrow(code.add(begin, load.column)), load.is_test)

    def _write(self, instruction: Instruction) -> None:
        code, module = self.code, self.module
        match instruction:
            case Scan():
                self._scan(instruction)
            case KeyCheck(relation, wanted, key):
                self._need(self._newest(relation, 0, key), "0", not wanted)
            case Compare(left, right, wanted):
                self._need(self._value(left), self._value(right), wanted)
            case Construct(target, first, key):
                self.registers[target] = self._total(key, first)
            case Destruct(source, first, size, parts):
                rest = code.let(f"sub i64 {self._value(source)}, {first}")
                code.need(code.let(f"icmp ult i64 {rest}, {size}"), self.failing[-1])
                for part in parts:
                    value = rest if part.factor == 1 else code.let(f"udiv i64 {rest}, {part.factor}")
                    value = code.let(f"urem i64 {value}, {part.modulus}")
                    self._set(part.target, value, part.is_test)
            case Emit(relation, depth, values):
                module._put(code, relation, list(map(self._value, values)))
                code.jump(self.failing[min(depth, len(self.failing) - 1)])

    def _need(self, left: str, right: str, wanted: bool) -> None:
        code = self.code
        code.need((code.equal if wanted else code.differ)(left, right), self.failing[-1])

    def _newest(self, relation: int, table: int | None, key: Key) -> str:
        """The newest tuple with a key in a table, plus one; 0 for none."""
        if table is None:
            return self.code.wide(self.module.addresses.record(relation) + memory.TUPLES)
        return self.code.narrow(self.module._entry(self.code, self.module.tables[relation][table], self._total(key)))

    def _scan(self, scan: Scan) -> None:
        code, module = self.code, self.module
        first = self._newest(scan.relation, scan.table, scan.key)
        if scan.once and not scan.loads:
            code.need(code.differ(first, 0), self.failing[-1])
            return
        if scan.single:
            code.need(code.differ(first, 0), self.failing[-1])
            self._load(scan.relation, code.let(f"sub i64 {first}, 1"), scan.loads)
            return
        self.scans += 1
        name = str(self.scans)
        code.jump(f"before{name}")
        code.block(f"before{name}")
        code.jump(f"loop{name}")
        code.block(f"next{name}")
        if scan.table is None:
            code.do(f"%older{name} = sub i64 %cursor{name}, 1")
        else:
            older = code.base(module.tables[scan.relation][scan.table] + memory.NEXT)
            older = code.add(older, f"%number{name}")
            code.do(f"%older{name} = add i64 {code.narrow(older)}, 0")
        code.jump(f"loop{name}")
        code.block(f"loop{name}")
        code.do(f"%cursor{name} = phi i64 [ {first}, %before{name} ], [ %older{name}, %next{name} ]")
        code.do(f"%number{name} = sub i64 %cursor{name}, 1")
        code.need(code.differ(f"%cursor{name}", 0), self.failing[-1])
        if module.is_counted:
            left = code.let(f"sub i64 {code.wide(memory.BUDGET)}, 1")
            code.set_wide(memory.BUDGET, left)
            code.need(code.let(f"icmp sge i64 {left}, 0"), f"spent{name}")
        self.failing.append(f"next{name}")
        self._load(scan.relation, f"%number{name}", scan.loads)
        if scan.once:
            self.failing.pop()
        if module.is_counted:
            code.jump(f"within{name}")
            code.block(f"spent{name}")
            code.set_wide(memory.FULL, memory.SPENT)
            code.jump("exit")
            code.block(f"within{name}")

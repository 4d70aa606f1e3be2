"""Rules as functions of LLVM: joins in a fixed order, each scan a loop, each variable a value.

    hasline(P) :- owner(K,P), joined(K,a,I), joined(K,i,J).

becomes: scan owner; scan the tuples of joined with this K and a; the same with i; insert, and go on with the next tuple
of owner, since more of joined cannot give another head.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import prod

from hexlogic.errors import EngineError
from hexlogic.ggp.forward import memory
from hexlogic.ggp.forward.estimates import ordered
from hexlogic.ggp.forward.llvm_code import GIVEN, MEMORY, LlvmFunction
from hexlogic.ggp.forward.memory import Relation, Relations, Table
from hexlogic.ggp.forward.relation_code import (
    RelationCode,
    entry_function,
    insert_function,
    put_function,
    state_change_functions,
)
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.language.types import Type, Types
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Atom, Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import is_ground, variables

_FEW = 6
"""Tuples that are rather looked at than kept apart by a table of their own."""


class _RuleCode(RelationCode):
    """The function of a rule; with `given`, the number of a literal, for one tuple of it, `%given`."""

    def __init__(
        self,
        name: str,
        rule: Rule,
        given: int | None,
        relations: Relations,
        sizes: Statistics,
        is_counted: bool,
    ) -> None:
        parameters = MEMORY if given is None else f"{MEMORY}, i64 %given"
        super().__init__(f"internal void @{name}({parameters})")
        self._rule, self._relations, self._sizes, self._is_counted = rule, relations, sizes, is_counted
        self._types = relations.types
        self._known: dict[Variable, str] = {}
        self._type: dict[Variable, Type] = {}
        self._bound_at: dict[Variable, int] = {}
        """By variable: inside how many loops it is bound."""
        self._failing = ["exit"]
        """Where to go on after a failure: after the loops that are open, the last one last."""
        self._scans = 0
        self._write(given)

    def _write(self, given: int | None) -> None:
        head, items = self._rule.head, list(ordered(self._rule.body, given, self._sizes))
        assert head is not None
        needed = [variables(head)]
        for item in reversed(items):
            needed.append(needed[-1] | variables(item))
        if given is not None:
            literal = self._rule.body[given]
            assert isinstance(literal, Literal)
            self._load(literal.atom, self._columns_to_read(literal.atom, (), needed[-1]), "%given")
        for item, later in zip(items, needed[-2::-1], strict=True):
            if isinstance(item, Comparison):
                self._compare(item)
            elif item.positive and not variables(item) <= self._known.keys():
                self._scan(item.atom, later)
            else:
                newest = self.newest(self._relations.of(item.atom.predicate).tables[0], self._values(item.atom))
                self._fail_unless(self.differ(newest, 0) if item.positive else self.equal(newest, 0))
        if not variables(head) <= self._known.keys():
            raise EngineError(f"a variable of the head is bound nowhere in {self._rule}")
        self.put(self._relations.of(head.predicate), self._values(head))
        self.jump(self._failing[max((self._bound_at[variable] for variable in variables(head)), default=0)])
        self.block("exit")
        self.end()

    def _fail_unless(self, condition: str) -> None:
        self.need(condition, self._failing[-1])

    def _bind(self, variable: Variable, value: str, kind: Type) -> None:
        self._known[variable], self._type[variable] = value, kind
        self._bound_at[variable] = len(self._failing) - 1

    def _value(self, term: Term, kind: Type) -> str:
        """The number of a term whose variables are bound."""
        if isinstance(term, Variable):
            return self._known[term]
        if is_ground(term):
            return str(kind.number(term))
        assert isinstance(term, Function)
        shape = kind.shapes[term.name, len(term.arguments)]
        parts = zip(term.arguments, shape.arguments, strict=True)
        return self.total([(self._value(argument, own), factor) for argument, (own, factor) in parts], shape.first)

    def _values(self, atom: Atom, columns: Iterable[int] | None = None) -> list[str]:
        """The numbers of an atom's terms, in some columns or all."""
        chosen = range(len(atom.arguments)) if columns is None else columns
        return [self._value(atom.arguments[column], self._types.of((atom.predicate, column))) for column in chosen]

    def _match(self, term: Term, value: str, kind: Type) -> None:
        """Bind the variables of a term that has a value, or test it."""
        if variables(term) <= self._known.keys():
            self._fail_unless(self.equal(value, self._value(term, kind)))
        elif isinstance(term, Variable):
            self._bind(term, value, kind)
        else:
            assert isinstance(term, Function)
            shape = kind.shapes[term.name, len(term.arguments)]
            rest = self.let(f"sub i64 {value}, {shape.first}")
            self._fail_unless(self.let(f"icmp ult i64 {rest}, {shape.size}"))
            for argument, (own, factor) in zip(term.arguments, shape.arguments, strict=True):
                part = rest if factor == 1 else self.let(f"udiv i64 {rest}, {factor}")
                self._match(argument, self.let(f"urem i64 {part}, {max(1, own.size)}"), own)

    def _columns_to_read(self, atom: Atom, keys: Collection[int], needed: Collection[Variable]) -> list[int]:
        """The columns of a tuple to bind or to test: not those in the key, and not a variable that stands nowhere else
        and is not needed later."""
        return [
            column
            for column, term in enumerate(atom.arguments)
            if column not in keys
            and (
                not isinstance(term, Variable)
                or term in self._known
                or term in needed
                or sum(term in variables(argument) for argument in atom.arguments) > 1
            )
        ]

    def _load(self, atom: Atom, columns: Sequence[int], number: str) -> None:
        """Bind and test columns of a tuple, given by its number."""
        values = self.columns(self._relations.of(atom.predicate), number, columns)
        # Whole terms first: what is bound by them need not be taken apart.
        whole = sorted(
            zip(columns, values, strict=True), key=lambda pair: isinstance(atom.arguments[pair[0]], Function)
        )
        for column, value in whole:
            self._match(atom.arguments[column], value, self._types.of((atom.predicate, column)))

    def _table(self, atom: Atom) -> Table | None:
        """The table to scan, None for all tuples: that of all columns that are bound, or of fewer where the upkeep of
        one more table in each state would cost more than looking at the tuples that another table finds too many."""
        bound = tuple(column for column, term in enumerate(atom.arguments) if variables(term) <= self._known.keys())
        size = self._sizes.size(atom.predicate)

        def matches(columns: tuple[int, ...]) -> float:
            return size / prod(self._sizes.column(atom.predicate, column) for column in columns)

        there = [table.columns for table in self._relations.of(atom.predicate).tables[1:]]
        best = min([(), *(columns for columns in there if set(columns) <= set(bound))], key=matches)
        columns = best if matches(best) <= _FEW else bound
        return self._relations.table(atom.predicate, columns) if columns else None

    def _scan(self, atom: Atom, needed: Collection[Variable]) -> None:
        """Go on with each tuple that matches an atom, or with one where nothing later depends on which one it is."""
        relation, table = self._relations.of(atom.predicate), self._table(atom)
        new = variables(atom) - self._known.keys()
        is_once = new.isdisjoint(needed) and not any(
            isinstance(term, Function) and not new.isdisjoint(variables(term)) for term in atom.arguments
        )
        keys = table.columns if table is not None else ()
        columns = self._columns_to_read(atom, keys, needed)
        if table is None:
            first = self.wide(relation.address + memory.TUPLES)
        else:
            first = self.newest(table, self._values(atom, keys))
        if is_once and not columns:
            self._fail_unless(self.differ(first, 0))
            return
        number = self._loop(first, table)
        self._load(atom, columns, number)
        if is_once:
            self._failing.pop()

    def _loop(self, first: str, table: Table | None) -> str:
        """Begin a loop over tuples from the newest one on; the number of the tuple."""
        self._scans += 1
        before, loop, following = (f"{word}{self._scans}" for word in ("before", "loop", "next"))
        cursor, number, older = (f"%{word}{self._scans}" for word in ("cursor", "number", "older"))
        self.begin(before)
        self.jump(loop)
        self.block(following)
        if table is None:
            self.do(f"{older} = sub i64 {cursor}, 1")
        else:
            next_one = self.narrow(self.add(self.base(table.address + memory.NEXT), number))
            self.do(f"{older} = add i64 {next_one}, 0")
        self.begin(loop)
        self.do(f"{cursor} = phi i64 [ {first}, %{before} ], [ {older}, %{following} ]")
        self.do(f"{number} = sub i64 {cursor}, 1")
        self._fail_unless(self.differ(cursor, 0))
        if self._is_counted:
            left = self.let(f"sub i64 {self.wide(memory.BUDGET)}, 1")
            self.set_wide(memory.BUDGET, left)
            self.branch(self.let(f"icmp sge i64 {left}, 0"), f"within{self._scans}", f"spent{self._scans}")
            self.block(f"spent{self._scans}")
            self.set_wide(memory.FULL, memory.SPENT)
            self.jump("exit")
            self.block(f"within{self._scans}")
        self._failing.append(following)
        return number

    def _compare(self, item: Comparison) -> None:
        if item.operator not in ("=", "!="):
            raise EngineError(f"the comparison {item} is none of a sheet")
        kind = self._kind(item)
        for side, other in ((item.left, item.right), (item.right, item.left)):
            if item.operator == "=" and isinstance(side, Variable) and side not in self._known:
                self._bind(side, self._value(other, kind), kind)
                return
        test = self.equal if item.operator == "=" else self.differ
        self._fail_unless(test(self._value(item.left, kind), self._value(item.right, kind)))

    def _kind(self, item: Comparison) -> Type:
        """The type of both sides: that of a variable's place somewhere, or of the terms alone."""
        for side in (item.left, item.right):
            if isinstance(side, Variable):
                if side in self._type:
                    return self._type[side]
                for atom in self._rule.atoms:
                    if side in atom.arguments:
                        return self._types.of((atom.predicate, atom.arguments.index(side)))
        if not (is_ground(item.left) and is_ground(item.right)):
            raise EngineError(f"the comparison {item} has a compound term on each side")
        whole = Types([Rule(Atom("compared", (side,))) for side in (item.left, item.right)])
        return whole.of((Predicate("compared", 1), 0))


def sheet_code(
    opened: OpenedSheet, relations: Relations, sizes: Statistics, inserted: Collection[Predicate], *, is_counted: bool
) -> str:
    """The text of a module with a function `phase_K` for each phase, `insert_R` (R: the address of the record) for each
    relation in `inserted`, which inserts the tuple in the scratch, `advance` and `empty`. With `is_counted` it is told
    when the budget is spent. Facts that no state changes are left out."""
    module = _Module(opened, relations, sizes, is_counted)
    for number, phase in enumerate(opened.phases):
        module.write_phase(number, phase)
    for true in opened.state:  # what is next becomes true: both have the same tables
        relations.share_tables(true, opened.pairs[true])
    state = [(relations.of(true), relations.of(opened.pairs[true]), true in opened.frames) for true in opened.state]
    following = {relation.predicate for _, relation, _ in state}
    derived = {predicate for phase in opened.phases[1:] for component in phase for predicate in component} - following
    emptied = map(relations.of, sorted({*derived, *opened.done}))
    functions = [
        entry_function(),
        *map(put_function, relations),
        *(insert_function(relations.of(predicate)) for predicate in sorted(inserted)),
        *module.functions,
        *state_change_functions(state, list(emptied)),
    ]
    return "\n".join(map(str, functions))


class _Module:
    """The functions of phases being written."""

    def __init__(self, opened: OpenedSheet, relations: Relations, sizes: Statistics, is_counted: bool) -> None:
        self._opened, self._relations, self._sizes, self._is_counted = opened, relations, sizes, is_counted
        self.functions: list[LlvmFunction] = []

    def write_phase(self, number: int, components: Sequence[frozenset[Predicate]]) -> None:
        """`phase_K`: the rules of each component in turn, to its fixed point where it is recursive."""
        code = RelationCode(f"void @phase_{number}({MEMORY})")
        frames = set(self._opened.frames.values())  # these facts stay where they are
        definitions = self._opened.program.definitions
        for component in components:
            recursive: dict[Predicate, list[str]] = {}
            for predicate in sorted(component):
                for rule in definitions.get(predicate, ()):
                    if rule in frames or (number == 0 and rule.is_fact):
                        continue
                    inside = [
                        (place, item.atom.predicate)
                        for place, item in enumerate(rule.body)
                        if isinstance(item, Literal) and item.positive and item.atom.predicate in component
                    ]
                    for place, given in inside:
                        recursive.setdefault(given, []).append(self._write_rule(rule, place))
                    if not inside:
                        code.do(f"call void @{self._write_rule(rule, None)}({GIVEN})")
            if recursive:
                self._iterate(code, {self._relations.of(given): names for given, names in recursive.items()})
        self.functions.append(code.end())

    def _write_rule(self, rule: Rule, given: int | None) -> str:
        """The name of the function of a rule."""
        name = f"rule_{len(self.functions)}"
        code = _RuleCode(name, rule, given, self._relations, self._sizes, self._is_counted)
        self.functions.append(code)
        return name

    def _iterate(self, code: LlvmFunction, rules: Mapping[Relation, Sequence[str]]) -> None:
        """Take each tuple of the relations in turn until there is no new one."""
        name = next(iter(rules)).address
        code.begin(f"round{name}")
        busy = "0"
        for relation, names in rules.items():
            record = relation.address
            before = code.wide(record + memory.PROCESSED)
            code.begin(f"turn{record}")
            given = code.wide(record + memory.PROCESSED)
            is_new = code.let(f"icmp slt i64 {given}, {code.wide(record + memory.TUPLES)}")
            code.need(is_new, f"done{record}")
            code.set_wide(record + memory.PROCESSED, code.add(given, 1))
            for function in names:
                code.do(f"call void @{function}({GIVEN}, i64 {given})")
            code.jump(f"turn{record}")
            code.block(f"done{record}")
            busy = code.add(busy, code.let(f"sub i64 {given}, {before}"))
        code.branch(code.differ(busy, 0), f"round{name}", f"fixed{name}")
        code.block(f"fixed{name}")

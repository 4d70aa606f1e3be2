"""Joins in functions of LLVM: each scan a loop, each variable a value, each test a way to the next tuple."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.forward import memory
from hexlogic.ggp.forward.estimates import matches
from hexlogic.ggp.forward.llvm_code import GIVEN
from hexlogic.ggp.forward.memory import Relations
from hexlogic.ggp.forward.relation_code import RelationCode
from hexlogic.ggp.forward.static_tables import StaticTable
from hexlogic.ggp.language.types import Type, Types
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import is_ground, variables

_FEW: Final = 8
"""Moves that are gone through rather than found by an index, inside one loop at most."""
_WEAK: Final = 4
"""An index leaves at most one in so many moves."""


class JoinCode(RelationCode):
    """A function that joins the literals of a rule; `tallies` are by rule the addresses of the tuples that are looked
    at, each before that of those that are made."""

    def __init__(
        self, head: str, rule: Rule, relations: Relations, sizes: Statistics, tallies: Mapping[Rule, int]
    ) -> None:
        super().__init__(head)
        self._sizes = sizes
        self._rule, self._relations, self._types, self._tallies = rule, relations, relations.types, tallies
        self._typed_by = rule
        """The rule whose atoms tell the types of variables."""
        self._is_kept = False
        """Whether all ways to derive a tuple count."""
        self._unseen: Sequence[BodyLiteral] = ()
        """Literals that do not see the given tuple."""
        self._known: dict[Variable, str] = {}
        self._type: dict[Variable, Type] = {}
        self._bound_at: dict[Variable, int] = {}
        """By variable: inside how many loops it is bound."""
        self._failing = ["exit"]
        """Where to go on after a failure: after the loops that are open, the last one last."""
        self._scans = 0

    def _depth(self, item: Atom | BodyLiteral) -> int:
        """Inside how many loops the variables are bound."""
        return max((self._bound_at.get(variable, 0) for variable in variables(item)), default=0)

    def _test(self, item: Literal) -> None:
        """Go on where a literal holds whose variables are bound; elsewhere with the next tuple that can change that."""
        there = self._there(item.atom)
        none = self.equal(there, 0)
        if item in self._unseen:
            none = self.let(f"or i1 {none}, {self.equal(there, self.add('%given', 1))}")
        holds = self.let(f"xor i1 {none}, 1") if item.positive else none
        self.need(holds, self._failing[self._depth(item)])

    def _add_one(self, address: int) -> None:
        self.set_wide(address, self.add(self.wide(address), 1))

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
        self._bind_columns(atom, columns, self.columns(self._relations.of(atom.predicate), number, columns))

    def _bind_columns(self, atom: Atom, columns: Sequence[int], values: Sequence[str]) -> None:
        """Bind and test columns of a tuple."""
        # Whole terms first: what is bound by them need not be taken apart.
        whole = sorted(
            zip(columns, values, strict=True), key=lambda pair: isinstance(atom.arguments[pair[0]], Function)
        )
        for column, value in whole:
            self._match(atom.arguments[column], value, self._types.of((atom.predicate, column)))

    def _there(self, atom: Atom) -> str:
        """Not 0 where an atom whose variables are bound holds."""
        relations, values = self._relations, self._values(atom)
        if atom.predicate in relations.statics:
            table, key, _ = self._static_table(atom, ())
            return self.static(table.columns[0], key)
        if atom.predicate in relations.tested:
            arguments = ", ".join([GIVEN, *(f"i64 {value}" for value in values)])
            return self.let(f"call i64 @{relations.tests[atom.predicate]}({arguments})")
        whole = relations.whole(atom.predicate)
        newest = self.newest(whole, [values[column] for column in whole.columns])
        others = [column for column in range(len(values)) if column not in whole.columns]
        if others:
            is_none = self.equal(newest, 0)
            number = self.let(f"select i1 {is_none}, i64 0, i64 {self.let(f'sub i64 {newest}, 1')}")
            there = self.columns(relations.of(atom.predicate), number, others)
            for column, value in zip(others, there, strict=True):
                newest = self.let(f"select i1 {self.equal(value, values[column])}, i64 {newest}, i64 0")
        return newest

    def _static_table(self, atom: Atom, needed: Collection[Variable]) -> tuple[StaticTable, str, list[int]]:
        """The table of a relation that no state changes for an atom, the key, and the columns to read."""
        bound = {column: term for column, term in enumerate(atom.arguments) if variables(term) <= self._known.keys()}
        kinds = {column: self._types.of((atom.predicate, column)) for column in bound}
        fixed = {column: kinds[column].number(term) for column, term in bound.items() if is_ground(term)}
        keys = tuple(column for column in bound if column not in fixed)
        read = self._columns_to_read(atom, bound, needed)
        table = self._relations.statics.table(atom.predicate, fixed, keys, tuple(read))
        return table, self.total(list(zip(self._values(atom, keys), table.factors, strict=True))), read

    def _scan_static(self, atom: Atom, needed: Collection[Variable], *, is_once: bool) -> None:
        """The same in a relation that no state changes."""
        table, key, columns = self._static_table(atom, needed)
        if not columns:
            self._fail_unless(self.differ(self.static(table.columns[0], key), 0))
            return
        place = key
        if table.first:
            begin, end = self.static(table.first, key), self.static(table.first, self.add(key, 1))
            place = self._begin_loop(begin, lambda place: self.differ(place, end), lambda place: self.add(place, 1))
        values = [self.static(address, place) for address in table.columns]
        if not table.first:
            self._fail_unless(self.let(f"icmp sge i64 {values[0]}, 0"))
        self._bind_columns(atom, columns, values)
        if table.first and is_once:
            self._failing.pop()

    def _scan(self, item: Literal, needed: Collection[Variable]) -> None:
        """Go on with each tuple that matches an atom, or with one where nothing later depends on which one it is."""
        atom = item.atom
        new = variables(atom) - self._known.keys()
        is_once = new.isdisjoint(needed) and not any(
            isinstance(term, Function) and not new.isdisjoint(variables(term)) for term in atom.arguments
        )
        is_once = is_once and not self._is_kept
        if atom.predicate in self._relations.statics:
            self._scan_static(atom, needed, is_once=is_once)
            return
        relation = self._relations.of(atom.predicate)
        keys = self._keys(atom)
        whole = self._relations.whole_in(atom.predicate, keys)
        keys = whole.columns if whole is not None else keys
        table = whole or (self._relations.table(atom.predicate, keys) if keys else None)
        columns = self._columns_to_read(atom, keys, needed)
        if table is None:
            first = self.wide(relation.address + memory.TUPLES)
        else:
            first = self.newest(table, self._values(atom, keys))
        if is_once and not columns:
            self._fail_unless(self.differ(first, 0))
            return

        def older(cursor: str) -> str:
            if table is None:
                return self.let(f"sub i64 {cursor}, 1")
            if table is whole:
                return "0"
            place = self.add(self.base(table.address + memory.NEXT), cursor)
            return self.narrow(self.let(f"sub i64 {place}, 1"))

        cursor = self._begin_loop(first, lambda cursor: self.differ(cursor, 0), older)
        number = self.let(f"sub i64 {cursor}, 1")
        if item in self._unseen:
            self._fail_unless(self.differ(number, "%given"))
        self._load(atom, columns, number)
        if is_once:
            self._failing.pop()

    def _keys(self, atom: Atom) -> tuple[int, ...]:
        """The columns by which tuples are found, the others are tested: none where moves are so few, or most of them
        looked at in any case, that an index is not worth its upkeep."""
        keys = tuple(column for column, term in enumerate(atom.arguments) if variables(term) <= self._known.keys())
        if atom.predicate in self._relations.unique:
            size = self._sizes.size(atom.predicate)
            is_small = size <= _FEW and len(self._failing) <= 2
            if is_small or _WEAK * matches(atom, self._known.keys(), self._sizes) >= size:
                return ()
        return keys

    def _begin_loop(self, first: str, is_there: Callable[[str], str], following: Callable[[str], str]) -> str:
        """Begin a loop over cursors from the first one on, as long as `is_there`; the cursor."""
        self._scans += 1
        before, loop, step = (f"{word}{self._scans}" for word in ("before", "loop", "next"))
        cursor = f"%cursor{self._scans}"
        self.begin(before)
        self.jump(loop)
        self.block(step)
        value = following(cursor)
        self.begin(loop)
        self.do(f"{cursor} = phi i64 [ {first}, %{before} ], [ {value}, %{step} ]")
        self._fail_unless(is_there(cursor))
        self._count_look()
        self._failing.append(step)
        return cursor

    def _count_look(self) -> None:
        """Count a tuple that is looked at, where they are counted."""
        if self._tallies:
            self._add_one(self._tallies[self._rule])
            left = self.let(f"sub i64 {self.wide(memory.BUDGET)}, 1")
            self.set_wide(memory.BUDGET, left)
            self._scans += 1
            self.branch(self.let(f"icmp sge i64 {left}, 0"), f"within{self._scans}", f"spent{self._scans}")
            self.block(f"spent{self._scans}")
            self.set_wide(memory.FULL, memory.SPENT)
            self.jump("exit")
            self.block(f"within{self._scans}")

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
                for atom in self._typed_by.atoms:
                    if side in atom.arguments:
                        return self._types.of((atom.predicate, atom.arguments.index(side)))
        if not (is_ground(item.left) and is_ground(item.right)):
            raise EngineError(f"the comparison {item} has a compound term on each side")
        whole = Types([Rule(Atom("compared", (side,))) for side in (item.left, item.right)])
        return whole.of((Predicate("compared", 1), 0))

"""Rules as plans: joins in a fixed order.

    hasline(P) :- owner(K,P), joined(K,a,I), joined(K,i,J).

becomes: scan owner; scan the tuples of joined with this K and a; the same with i; insert, and go on with the next tuple
of owner, since more of joined cannot give another head. The literal that should match the fewest tuples comes first;
tests and literals whose variables are all bound come as soon as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from math import prod
from typing import Protocol

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.instructions import (
    ArgumentPart,
    ColumnLoad,
    Compare,
    Construct,
    Destruct,
    Emit,
    Instruction,
    Join,
    Key,
    KeyCheck,
    Operand,
    Register,
    Scan,
)
from hexlogic.ggp.language.types import Slot, Type, Types, factors
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import is_ground, variables

_FEW = 6
"""Tuples that are rather looked at than kept apart by a table of their own."""


class Estimates(Protocol):
    """How large relations are."""

    def size(self, predicate: Predicate) -> float:
        """The tuples of a relation in a state."""

    def values(self, slot: Slot) -> float:
        """The values in a column."""

    def is_key(self, predicate: Predicate, columns: tuple[int, ...]) -> bool:
        """Whether no two tuples of a relation agree on some columns, in any state."""


@dataclass
class Relations:
    """The relations of a sheet: their numbers, and the columns of their tables."""

    types: Types
    numbers: dict[Predicate, int] = field(default_factory=dict)
    tables: dict[Predicate, list[tuple[int, ...]]] = field(default_factory=dict)
    """By relation the columns of each table; the first one has all."""

    def number(self, predicate: Predicate) -> int:
        """The number of a relation."""
        if predicate not in self.numbers:
            self.numbers[predicate] = len(self.numbers)
            self.tables[predicate] = [tuple(range(predicate.arity))]
        return self.numbers[predicate]

    def table(self, predicate: Predicate, columns: tuple[int, ...]) -> int | None:
        """The number of the table over some columns, None for no columns."""
        self.number(predicate)
        if not columns:
            return None
        own = self.tables[predicate]
        if columns not in own[1:]:
            own.append(columns)
        return own.index(columns, 1)

    def sizes(self, predicate: Predicate, columns: Iterable[int]) -> list[int]:
        """How many terms can stand in each of some columns, 1 at least."""
        return [max(1, self.types.of((predicate, column)).size) for column in columns]

    def factors(self, predicate: Predicate, columns: Iterable[int]) -> list[int]:
        """The factors of columns in the number that they make."""
        return factors(self.sizes(predicate, columns))


def ordered(body: Sequence[BodyLiteral], first: int | None, estimates: Estimates) -> Iterator[BodyLiteral]:
    """The body in the order of its plan; `first` is the number of the literal whose tuple is given. Raises EngineError
    where a variable is bound nowhere."""
    bound: set[Variable] = set()
    rest = list(body)
    if first is not None:
        bound |= variables(rest.pop(first))
    while rest:
        ready = [item for item in rest if _is_ready(item, bound)]
        if ready:
            item = ready[0]
        else:
            scans = [item for item in rest if isinstance(item, Literal) and item.positive]
            if not scans:
                raise EngineError(f"a variable is bound nowhere in {', '.join(map(str, body))}")
            item = min(scans, key=lambda item: _matches(item.atom, bound, estimates))
        yield item
        rest.remove(item)
        bound |= variables(item)


def _is_ready(item: BodyLiteral, bound: set[Variable]) -> bool:
    if isinstance(item, Comparison):
        if item.operator == "=" and any(isinstance(side, Variable) for side in (item.left, item.right)):
            return variables(item.left) <= bound or variables(item.right) <= bound
        return variables(item) <= bound
    return variables(item) <= bound


def _matches(atom: Atom, bound: set[Variable], estimates: Estimates) -> float:
    """How many tuples a scan should find."""
    found = estimates.size(atom.predicate)
    for column, term in enumerate(atom.arguments):
        if variables(term) <= bound:
            found /= max(1.0, estimates.values((atom.predicate, column)))
        elif isinstance(term, Function):
            found *= 0.5
    return found


def plan_of(
    rule: Rule, first: int | None, relations: Relations, estimates: Estimates, fixed: Collection[Predicate]
) -> Join:
    """The plan of a rule; `first` is the number of the literal of the recursive relation whose tuple is given, and
    `fixed` are the relations that no state changes."""
    return _Planner(rule, first, relations, estimates, fixed).plan()


class _Planner:
    def __init__(
        self,
        rule: Rule,
        first: int | None,
        relations: Relations,
        estimates: Estimates,
        fixed: Collection[Predicate],
    ) -> None:
        self.fixed = fixed
        self.rule, self.first, self.relations, self.estimates = rule, first, relations, estimates
        self.types = relations.types
        self.known: dict[Variable, Operand] = {}
        self.kind: dict[Variable, Type] = {}
        self.registers = 0
        self.depth = 0
        self.bound_at: dict[Variable, int] = {}
        """By variable: after how many scans it is bound."""
        self.code: list[Instruction] = []

    def plan(self) -> Join:
        """The plan."""
        head = self.rule.head
        assert head is not None
        items = list(ordered(self.rule.body, self.first, self.estimates))
        after = [variables(head)]
        for item in reversed(items):
            after.append(after[-1] | variables(item))
        relation, first = None, tuple[ColumnLoad, ...]()
        if self.first is not None:
            item = self.rule.body[self.first]
            assert isinstance(item, Literal)
            relation = self.relations.number(item.atom.predicate)
            first, late = self._loads(item.atom, (), after.pop())
            self._take_apart(late)
        else:
            after.pop()
        for item in items:
            needed = after.pop()
            if isinstance(item, Comparison):
                self._compare(item)
            elif not item.positive or variables(item) <= self.known.keys():
                self._check(item)
            else:
                self._scan(item.atom, needed)
        self._emit(head)
        return Join(relation, first, tuple(self.code))

    def _register(self) -> Register:
        self.registers += 1
        return Register(self.registers - 1)

    def _bind(self, variable: Variable, kind: Type, value: Operand | None = None) -> Operand:
        """Bind a variable to a value, or to a new register."""
        self.known[variable] = self._register() if value is None else value
        self.kind[variable] = kind
        self.bound_at[variable] = self.depth
        return self.known[variable]

    def _value(self, term: Term, kind: Type) -> Operand:
        """A term whose variables are bound; code that makes the term, where it is compound."""
        if isinstance(term, Variable):
            return self.known[term]
        if is_ground(term):
            return kind.number(term)
        assert isinstance(term, Function)
        shape = kind.shapes[term.name, len(term.arguments)]
        key = tuple(
            (self._value(argument, own), factor)
            for argument, (own, factor) in zip(term.arguments, shape.arguments, strict=True)
        )
        target = self._register()
        self.code.append(Construct(target, shape.first, key))
        return target

    def _key(self, atom: Atom, columns: Sequence[int]) -> Key:
        values = [self._value(atom.arguments[column], self.types.of((atom.predicate, column))) for column in columns]
        return tuple(zip(values, self.relations.factors(atom.predicate, columns), strict=True))

    def _check(self, item: Literal) -> None:
        predicate = item.atom.predicate
        key = self._key(item.atom, range(predicate.arity))
        self.code.append(KeyCheck(self.relations.number(predicate), item.positive, key))

    def _scan(self, atom: Atom, needed: Set[Variable]) -> None:
        number = self.relations.number(atom.predicate)
        columns = tuple(column for column, term in enumerate(atom.arguments) if variables(term) <= self.known.keys())
        takes_apart = any(
            isinstance(term, Function) and not variables(term) <= self.known.keys() for term in atom.arguments
        )
        once = not takes_apart and not needed & (variables(atom) - self.known.keys())
        columns = self._table_columns(atom.predicate, columns)
        key = self._key(atom, columns)
        table = self.relations.table(atom.predicate, columns)
        single = bool(columns) and self.estimates.is_key(atom.predicate, columns)
        self.depth += not (once or single)
        loads, late = self._loads(atom, columns, needed)
        self.code.append(Scan(number, table, key, loads, once, single))
        self._take_apart(late)

    def _table_columns(self, predicate: Predicate, bound: tuple[int, ...]) -> tuple[int, ...]:
        """The columns of the table to scan: all that are bound, or fewer where the upkeep of one more table in each
        state would cost more than looking at the tuples that another table finds too many."""
        if predicate in self.fixed:
            return bound
        size = self.estimates.size(predicate)

        def matches(columns: tuple[int, ...]) -> float:
            return size / prod(self.estimates.values((predicate, column)) for column in columns)

        there = [columns for columns in self.relations.tables.get(predicate, [()])[1:] if set(columns) <= set(bound)]
        best = min([(), *there], key=matches)
        return best if matches(best) <= _FEW else bound

    def _loads(
        self, atom: Atom, keys: Sequence[int], needed: Set[Variable]
    ) -> tuple[tuple[ColumnLoad, ...], list[tuple[Register, Function, Type]]]:
        """The columns to load, and the compound terms to take apart then. A variable that stands once in the atom and
        is not needed later is not loaded."""
        loads: list[ColumnLoad] = []
        late: list[tuple[Register, Function, Type]] = []
        before = set(self.known)
        for column, term in enumerate(atom.arguments):
            if column in keys:
                continue
            kind = self.types.of((atom.predicate, column))
            if isinstance(term, Variable):
                if term in self.known:
                    loads.append(ColumnLoad(column, self.known[term], True))
                elif term in needed or sum(term in variables(argument) for argument in atom.arguments) > 1:
                    loads.append(ColumnLoad(column, self._bind(term, kind), False))
            elif variables(term) <= before:
                loads.append(ColumnLoad(column, self._value(term, kind), True))
            else:
                assert isinstance(term, Function)
                room = self._register()
                loads.append(ColumnLoad(column, room, False))
                late.append((room, term, kind))
        return tuple(loads), late

    def _take_apart(self, late: Sequence[tuple[Register, Function, Type]]) -> None:
        waiting = list(late)
        while waiting:
            source, term, kind = waiting.pop(0)
            shape = kind.shapes[term.name, len(term.arguments)]
            parts: list[ArgumentPart] = []
            for argument, (own, factor) in zip(term.arguments, shape.arguments, strict=True):
                size = max(1, own.size)
                if isinstance(argument, Variable):
                    is_test = argument in self.known
                    target = self.known[argument] if is_test else self._bind(argument, own)
                    parts.append(ArgumentPart(factor, size, target, is_test))
                elif is_ground(argument):
                    parts.append(ArgumentPart(factor, size, own.number(argument), True))
                else:
                    assert isinstance(argument, Function)
                    room = self._register()
                    parts.append(ArgumentPart(factor, size, room, False))
                    waiting.append((room, argument, own))
            self.code.append(Destruct(source, shape.first, shape.size, tuple(parts)))

    def _compare(self, item: Comparison) -> None:
        if item.operator not in ("=", "!="):
            raise EngineError(f"the comparison {item} is none of a sheet")
        kind = self._kind(item)
        for one, other in ((item.left, item.right), (item.right, item.left)):
            if item.operator == "=" and isinstance(one, Variable) and one not in self.known:
                self._bind(one, kind, self._value(other, kind))
                return
        left, right = self._value(item.left, kind), self._value(item.right, kind)
        self.code.append(Compare(left, right, item.operator == "="))

    def _kind(self, item: Comparison) -> Type:
        """The type of both sides: that of a variable's place somewhere, or of the terms alone."""
        for side in (item.left, item.right):
            if isinstance(side, Variable):
                if side in self.kind:
                    return self.kind[side]
                for atom in self.rule.atoms:
                    for column, term in enumerate(atom.arguments):
                        if term == side:
                            return self.types.of((atom.predicate, column))
        if not (is_ground(item.left) and is_ground(item.right)):
            raise EngineError(f"the comparison {item} has a compound term on each side")
        whole = Types([Rule(Atom("compared", (side,))) for side in (item.left, item.right)])
        return whole.of((Predicate("compared", 1), 0))

    def _emit(self, head: Atom) -> None:
        number = self.relations.number(head.predicate)
        if not variables(head) <= self.known.keys():
            raise EngineError(f"a variable of the head is bound nowhere in {self.rule}")
        values = [
            self._value(term, self.types.of((head.predicate, column))) for column, term in enumerate(head.arguments)
        ]
        depth = max((self.bound_at[variable] for variable in variables(head)), default=0)
        self.code.append(Emit(number, depth, tuple(values)))

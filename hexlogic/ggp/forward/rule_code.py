"""Rules as functions of LLVM: joins in a fixed order, each scan a loop, each variable a value.

    hasline(P) :- owner(K,P), joined(K,a,I), joined(K,i,J).

becomes: scan owner; scan the tuples of joined with this K and a; the same with i; insert, and go on with the next tuple
of owner, since more of joined cannot give another head. Rules whose joins begin alike share these loops.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.forward import memory
from hexlogic.ggp.forward.estimates import Asked, ordered
from hexlogic.ggp.forward.llvm_code import GIVEN, MEMORY
from hexlogic.ggp.forward.memory import Relations
from hexlogic.ggp.forward.relation_code import RelationCode
from hexlogic.ggp.forward.static_tables import StaticTable
from hexlogic.ggp.language.types import Type, Types
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import is_ground, numbered, ordered_variables, rule_variables, substitute, variables

NOTHING: Final[Mapping[Rule, Rule]] = MappingProxyType({})


class RuleCode(RelationCode):
    """The function of a rule; with `shared`, of rules in the order of their joins (each made of another), whose first
    is the rule; with `given`, the number of a literal, for one tuple of it, `%given`. For a test it tells, by 1 or 0,
    whether the tuple of its arguments is derived. With `is_kept` it adds `%sign` to the count of the head's tuple for
    each way to derive it: with `given`, each way that this tuple opens, or closes where the literal is negated, as it
    comes; literals of the same relation before the given one do not see it."""

    def __init__(
        self,
        name: str,
        rule: Rule,
        relations: Relations,
        sizes: Statistics,
        *,
        shared: Mapping[Rule, Rule] = NOTHING,
        given: int | None = None,
        is_kept: bool = False,
        is_counted: bool = False,
    ) -> None:
        head = rule.conclusion
        is_test = head.predicate in relations.tested
        arguments = [f"i64 %a{column}" for column in range(head.predicate.arity)] if is_test else []
        number = [] if given is None else ["i64 %given"]
        parameters = ", ".join([MEMORY, *arguments, *number, *(["i64 %sign"] if is_kept else [])])
        super().__init__(f"internal {'i64' if is_test else 'void'} @{name}({parameters})")
        self._rule, self._relations, self._sizes = rule, relations, sizes
        self._typed_by = rule
        """The rule whose atoms tell the types of variables."""
        origins = shared or {rule: rule}
        self._tallies = {each: relations.tally(origin) for each, origin in origins.items()} if is_counted else {}
        """The address of the tuples that are looked at, and after it of those that are made."""
        self._types, self._is_test, self._is_kept = relations.types, is_test, is_kept
        self._unseen: Sequence[BodyLiteral] = ()
        """Literals that do not see the given tuple."""
        self._known: dict[Variable, str] = {}
        self._type: dict[Variable, Type] = {}
        self._bound_at: dict[Variable, int] = {}
        """By variable: inside how many loops it is bound."""
        self._failing = ["exit"]
        """Where to go on after a failure: after the loops that are open, the last one last."""
        self._scans = 0
        if is_test:
            self._bind_columns(head, range(len(arguments)), [f"%a{column}" for column in range(len(arguments))])
        wanted = None if is_kept else variables(head)
        items = rule.body if shared else ordered(rule.body, given, sizes, (), relations.tested, wanted=wanted)
        if given is not None:
            literal = rule.body[given]
            assert isinstance(literal, Literal)
            if is_kept:
                earlier = rule.body[:given]
                self._unseen = [
                    item
                    for item in earlier
                    if isinstance(item, Literal) and item.atom.predicate == literal.atom.predicate
                ]
            needed = variables(head).union(*map(variables, items))
            self._load(literal.atom, self._columns_to_read(literal.atom, (), needed), "%given")
        self._write([(each, each.body if shared else items) for each in origins])
        self.block("exit")
        self.do("ret i64 0" if is_test else "ret void")

    def _write(self, joins: Sequence[tuple[Rule, Sequence[BodyLiteral]]]) -> None:
        """Write the rest of the joins of rules, which have gone one way until here; then go on with the next tuple."""
        self._rule, items = joins[0]
        self._typed_by = self._rule
        branches: dict[object, list[tuple[Rule, Sequence[BodyLiteral]]]] = {}
        for rule, rest in joins:
            branches.setdefault(beginning(rule, rest), []).append((rule, rest))
        if len(branches) > 1:
            self._write_branches(list(branches.values()))
        elif items:
            item, rests = items[0], [(rule, rest[1:]) for rule, rest in joins]
            needed = frozenset().union(
                *(variables(rule.conclusion).union(*map(variables, rest)) for rule, rest in rests)
            )
            self._go(item, needed, lambda: self._write(rests))
        else:
            self._write_head(self._rule.conclusion)

    def _go(self, item: BodyLiteral, needed: Collection[Variable], go_on: Callable[[], None]) -> None:
        """Write what a literal asks, and then what follows where it holds."""
        if isinstance(item, Comparison):
            self._compare(item)
        elif not item.positive or variables(item) <= self._known.keys():
            self._test(item)
        elif item.atom.predicate in self._relations.tested:
            self._walk(item.atom, needed, go_on)
            return
        else:
            self._scan(item, needed)
        go_on()

    def _join(self, items: Sequence[BodyLiteral], wanted: Collection[Variable], go_on: Callable[[], None]) -> None:
        """Write literals, one inside the other, and then what follows, which wants these variables."""
        if not items:
            go_on()
            return
        needed = frozenset(wanted).union(*map(variables, items[1:]))
        self._go(items[0], needed, lambda: self._join(items[1:], wanted, go_on))

    def _walk(self, atom: Atom, needed: Collection[Variable], go_on: Callable[[], None]) -> None:
        """Go on with each tuple of a recursive view that is asked: those of the given terms by its other rules, then
        those of the terms that its recursive rules lead to, without a call."""
        predicate, asked_by = atom.predicate, self._typed_by
        columns = sorted(self._relations.tested[predicate].columns)
        read = self._columns_to_read(atom, columns, needed)
        is_once = (variables(atom) - self._known.keys()).isdisjoint(needed)
        self._scans += 1
        before, step, loop = (f"{word}{self._scans}" for word in ("before", "next", "loop"))
        places = [f"%walk{self._scans}_{column}" for column in columns]
        first, ways = self._values(atom, columns), [before]
        values = [[value] for value in first]
        rules = [self._apart(rule) for rule in self._relations.definitions[predicate]]
        own = {rule: [item for item in rule.literals if item.atom.predicate == predicate] for rule in rules}
        self.begin(before)
        self.jump(loop)
        known, kinds, bound_at, failing = self._known, self._type, self._bound_at, self._failing

        def enter(rule: Rule, label: str, failing: list[str], wanted: Collection[Variable]) -> list[BodyLiteral]:
            """Begin a block in which the given terms of a rule's head are those of the place; the rest of its body."""
            self.block(label)
            self._known, self._type, self._bound_at = dict(known), dict(kinds), dict(bound_at)
            self._failing, self._typed_by = failing, rule
            self._bind_columns(rule.conclusion, columns, places)
            rest = [item for item in rule.body if item not in own[rule]]
            given = frozenset[Variable]().union(*(variables(rule.conclusion.arguments[column]) for column in columns))
            return ordered(rest, None, self._sizes, given, self._relations.tested, wanted=wanted)

        def arrive(call: Atom) -> None:
            """Go round again, at the place of a call."""
            self._scans += 1
            for column, value in zip(values, self._values(call, columns), strict=True):
                column.append(value)
            ways.append(f"arrived{self._scans}")
            self.begin(ways[-1])
            self.jump(loop)

        leading = [rule for rule in rules if own[rule]]
        for number, rule in enumerate(leading):
            after = f"{step}_{number + 1}" if number + 1 < len(leading) else failing[-1]
            call = own[rule][0].atom
            wanted = frozenset[Variable]().union(*(variables(call.arguments[column]) for column in columns))
            items = enter(rule, f"{step}_{number}", [after] * len(failing), wanted)
            self._join(items, wanted, lambda call=call: arrive(call))  # type: ignore[misc]
        if not leading:
            self.block(f"{step}_0")
            self.jump(failing[-1])
        self.block(loop)
        for place, each in zip(places, values, strict=True):
            self.do(
                f"{place} = phi i64 {', '.join(f'[ {value}, %{way} ]' for value, way in zip(each, ways, strict=True))}"
            )
        self._failing = failing
        self._count_look()
        others = [rule for rule in rules if not own[rule]]
        self.jump(f"{loop}_0" if others else f"{step}_0")

        def match(rule: Rule, outer: list[str]) -> None:
            """Bind and test the other columns."""
            terms = [rule.conclusion.arguments[column] for column in read]
            kinds = [self._types.of((predicate, column)) for column in read]
            self._typed_by = asked_by
            self._failing = [*outer, *self._failing[len(outer) :]]
            for column, term, kind in zip(read, terms, kinds, strict=True):
                self._match(atom.arguments[column], self._value(term, kind), kind)
            if is_once:
                self._failing = outer
            go_on()

        for number, rule in enumerate(others):
            is_last = number + 1 == len(others)
            after = f"{step}_0" if is_last else f"{loop}_{number + 1}"
            outer = failing if is_last else [after] * len(failing)
            wanted = frozenset[Variable]().union(*(variables(rule.conclusion.arguments[column]) for column in read))
            items = enter(rule, f"{loop}_{number}", [after] * (len(failing) + 1), wanted)
            self._join(items, wanted, lambda rule=rule, outer=outer: match(rule, list(outer)))  # type: ignore[misc]

    def _apart(self, rule: Rule) -> Rule:
        """A rule with variables that no other rule of this function has."""
        names = {variable: Variable(f"{variable.name}_{self._scans}_") for variable in rule_variables(rule)}
        return substitute(rule, names)

    def _write_branches(self, branches: Sequence[Sequence[tuple[Rule, Sequence[BodyLiteral]]]]) -> None:
        """Write ways to go on, one after the other: each for the tuples of all loops that are open."""
        known, kinds, bound_at, failing = dict(self._known), dict(self._type), dict(self._bound_at), self._failing
        for place, joins in enumerate(branches):
            self._scans += 1
            after = f"after{self._scans}" if place + 1 < len(branches) else failing[-1]
            self._known, self._type, self._bound_at = dict(known), dict(kinds), dict(bound_at)
            self._failing = [after] * len(failing)
            self._write(joins)
            if place + 1 < len(branches):
                self.block(after)
        self._failing = failing

    def _write_head(self, head: Atom) -> None:
        if not variables(head) <= self._known.keys():
            raise EngineError(f"a variable of the head is bound nowhere in {self._rule}")
        if self._tallies and not self._is_test:
            self._add_one(self._tallies[self._rule] + 1)
        if self._is_test:
            self.do("ret i64 1")
        elif self._is_kept:
            self.change("count", self._relations.of(head.predicate), [*self._values(head), "%sign"])
            self.jump(self._failing[-1])
        else:
            self.change("put", self._relations.of(head.predicate), self._values(head))
            self.jump(self._failing[self._depth(head)])

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
        return self.newest(relations.of(atom.predicate).tables[0], values)

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
        keys = tuple(column for column, term in enumerate(atom.arguments) if variables(term) <= self._known.keys())
        table = self._relations.table(atom.predicate, keys) if keys else None
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
            place = self.add(self.base(table.address + memory.NEXT), cursor)
            return self.narrow(self.let(f"sub i64 {place}, 1"))

        cursor = self._begin_loop(first, lambda cursor: self.differ(cursor, 0), older)
        number = self.let(f"sub i64 {cursor}, 1")
        if item in self._unseen:
            self._fail_unless(self.differ(number, "%given"))
        self._load(atom, columns, number)
        if is_once:
            self._failing.pop()

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


def in_order(rule: Rule, sizes: Statistics, tested: Mapping[Predicate, Asked]) -> Rule:
    """The rule with its body in the order in which it is joined, and its variables named by this order; those of a test
    by its head first, which is given."""
    head = rule.conclusion
    if head.predicate in tested:
        body = ordered(rule.body, None, sizes, variables(head), tested, head.predicate, variables(head))
        return numbered(rule.with_body(tuple(body)))
    body = ordered(rule.body, None, sizes, tested=tested, wanted=variables(head))
    order = ordered_variables(Rule(None, tuple(body)))
    names = {variable: Variable(f"V{number}") for number, variable in enumerate(order)}
    return substitute(rule.with_body(tuple(body)), names)


def beginning(rule: Rule, items: Sequence[BodyLiteral]) -> object:
    """The same for joins that go on alike. An equality may bind a variable, whose type its rule alone tells."""
    if not items or (isinstance(items[0], Comparison) and items[0].operator == "="):
        return rule
    return items[0]

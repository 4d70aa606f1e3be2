"""Rules as functions of LLVM: joins in a fixed order, each scan a loop, each variable a value.

    hasline(P) :- owner(K,P), joined(K,a,I), joined(K,i,J).

becomes: scan owner; scan the tuples of joined with this K and a; the same with i; insert, and go on with the next tuple
of owner, since more of joined cannot give another head. Rules whose joins begin alike share these loops.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.estimates import Asked, matches, ordered
from hexlogic.ggp.forward.join_code import JoinCode
from hexlogic.ggp.forward.llvm_code import MEMORY
from hexlogic.ggp.forward.memory import Relations
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Variable
from hexlogic.language.walk import numbered, ordered_variables, rule_variables, substitute, variables

NOTHING: Final[Mapping[Rule, Rule]] = MappingProxyType({})


_SELDOM: Final = 0.1
"""A test that holds so seldom is a branch that the processor foresees."""


class RuleCode(JoinCode):
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
        origins = shared or {rule: rule}
        tallies = {each: relations.tally(origin) for each, origin in origins.items()} if is_counted else {}
        super().__init__(
            f"internal {'i64' if is_test else 'void'} @{name}({parameters})", rule, relations, sizes, tallies
        )
        self._is_test, self._is_kept = is_test, is_kept
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
        elif len(items) == len(joins) == 1 and (holds := self._last_test(items[0])):
            head = self._relations.of(self._rule.conclusion.predicate)
            head.is_asked = True
            self.change("put_if", head, [*self._values(self._rule.conclusion), holds])
            self.jump(self._failing[self._depth(items[0])])
        elif items:
            item, rests = items[0], [(rule, rest[1:]) for rule, rest in joins]
            needed = frozenset().union(
                *(variables(rule.conclusion).union(*map(variables, rest)) for rule, rest in rests)
            )
            self._go(item, needed, lambda: self._write(rests))
        else:
            self._write_head(self._rule.conclusion)

    def _last_test(self, item: BodyLiteral) -> str:
        """The word that tells whether the last literal of a rule holds, where a tuple may be put into a list without a
        branch; nothing where that is not so, or not worth it."""
        head = self._rule.conclusion
        if self._tallies or self._is_test or self._is_kept or head.predicate not in self._relations.unique:
            return ""
        if not isinstance(item, Literal) or not variables(item) | variables(head) <= self._known.keys():
            return ""
        if item.atom.predicate in self._relations.tested or self._depth(item) != self._depth(head):
            return ""
        if item.positive and matches(item.atom, self._known.keys(), self._sizes) < _SELDOM:
            return ""
        there = self.equal(self._there(item.atom), 0)
        return self.let(f"zext i1 {self.let(f'xor i1 {there}, 1') if item.positive else there} to i64")

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

"""Bounds of the integers in a program, by abstract interpretation: does its arithmetic stay in 32 bits?

    #const size = 4. rank(1..size). cell(R*R) :- rank(R).      with size in 1..10: rank 1..10, cell 1..100
    depth(X,D+1) :- depth(X,D), D < size.                      the second argument stays in 0..10, given depth(X,0)
    num(X-1) :- num(X).                                        the argument has no bound: it grows along a cycle

Clingo's integers wrap; those of Python, SWI-Prolog and SMT solvers do not. Where no term leaves 32 bits they agree.
Each place of a predicate has an interval that holds all its integers, also those inside compound terms. A rule takes
the meet over its positive body, narrowed by comparisons; heads join. Intervals that keep growing along a recursion are
opened to `FAR`, and rules then narrow them again (Cousot and Cousot 1977, with widening and narrowing).

What is proved is the last pass alone, `_checked`: the intervals hold what each rule derives from them, and each term
stays in 32 bits. There a literal narrows only when its own terms are known to stay in 32 bits by those before it.
Gringo solves `q(2*X+3)` for `X`, by way of `2*X`: so that has to stay in 32 bits too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add, mul, sub
from typing import Final, NamedTuple

from hexlogic.language.analysis.dependence import recursive_predicates, sccs
from hexlogic.language.analysis.functional import declared_inclusions
from hexlogic.language.constants import LARGEST
from hexlogic.language.syntax import Atom, BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.terms import Arithmetic, Function, Integer, Interval, Symbol, Term, Variable
from hexlogic.language.walk import body_terms, rule_terms, subterms, variables

FAR: Final = 2**200
"""Stands for every integer from there on."""
_BEYOND: Final = 2**100  # What arithmetic over FAR stays above
_ROUNDS: Final = 3


class Values(NamedTuple):
    """The integers from `low` to `high`, none when `low` is above `high`; with `others` also all other terms."""

    low: int
    high: int
    others: bool


NAMES: Final = Values(1, 0, True)
NOTHING: Final = Values(1, 0, False)
ANYTHING: Final = Values(-FAR, FAR, True)


def made(low: int, high: int, others: bool) -> Values:
    """The values, nothing beyond FAR, and one way to say that there is no integer."""
    return Values(max(low, -FAR), min(high, FAR), others) if low <= high else Values(1, 0, others)


def join(left: Values, right: Values) -> Values:
    """The least values with all of both."""
    if left.low > left.high or right.low > right.high:
        kept = right if left.low > left.high else left
        return Values(kept.low, kept.high, left.others or right.others)
    return Values(min(left.low, right.low), max(left.high, right.high), left.others or right.others)


def meet(left: Values, right: Values) -> Values:
    """What both have."""
    return made(max(left.low, right.low), min(left.high, right.high), left.others and right.others)


def divided(product: Values, factor: Values) -> Values:
    """What the other factor may be: rounded up at the lower end and down at the upper one. `factor` is at least 1."""
    low = min(-(-product.low // factor.low), -(-product.low // factor.high))
    high = max(product.high // factor.low, product.high // factor.high)
    return made(low if product.low > -FAR else -FAR, high if product.high < FAR else FAR, False)


def widened(before: Values, after: Values) -> Values:
    """The values after a round, an end that moved put at 0 or far away. The first integers of a place move nothing."""
    if before.low > before.high:
        return after
    low = after.low if after.low == before.low else 0 if after.low >= 0 else -FAR
    high = after.high if after.high == before.high else 0 if after.high <= 0 else FAR
    return Values(low, high, after.others)


_COMPUTE: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": lambda first, second: abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1),
}


def computed(operator: str, left: Values, right: Values) -> Values:
    """What `left operator right` may be, for integers of unlimited size; terms that are no integers have no value."""
    if left.low > left.high or right.low > right.high:
        return NOTHING
    ends = list(right[:2])
    if operator in "/\\":  # a divisor is below or above 0
        sides = ((right.low, min(right.high, -1)), (max(right.low, 1), right.high))
        ends = [end for low, high in sides if low <= high for end in (low, high)]
        if not ends:
            return NOTHING
    if operator == "\\":
        most = max(map(abs, ends)) - 1
        return made(max(-most, left.low) if left.low < 0 else 0, min(most, left.high) if left.high > 0 else 0, False)
    corners = [_COMPUTE[operator](first, second) for first in left[:2] for second in ends]
    return made(min(corners), max(corners), False)


_Places = Mapping[Predicate, tuple[Values, ...]]


@dataclass(frozen=True, slots=True)
class Overflow:
    """A term of a rule, or a literal by which gringo solves for a variable, that may leave 32 bits."""

    rule: Rule
    term: Term
    values: Values


class Narrowed(NamedTuple):
    """A rule, the body literals that narrow its variables in the order in which they do, and the variables' values."""

    rule: Rule
    literals: tuple[BodyLiteral, ...]
    values: dict[Variable, Values]


@dataclass(frozen=True, slots=True)
class Bounds:
    """`places` hold all integers of each argument, and each rule is `narrowed` to what it can derive from them.
    `overflow` is the first term that may leave 32 bits, `growing` a rule whose head has an argument without bound."""

    places: _Places
    narrowed: tuple[Narrowed, ...] = ()
    overflow: Overflow | None = None
    growing: Rule | None = None


def bounds(program: Program, sizes: Mapping[str, tuple[int, int]], others: Sequence[Rule] = ()) -> Bounds:
    """The bounds of a program without `#const`, with each of the `sizes` a symbol for an integer between two.

    An argument of an input has the values that a constraint such as `:- owns(P,X), not cell(X).` promises, else names
    alone. `others` are rules that the program does not have, whose terms count as well.

    >>> from hexlogic.language.parser import parse
    >>> bounded = bounds(parse("cell(1..n*n). next(X,Y) :- cell(X), cell(Y), Y = X+1."), {"n": (1, 9)})
    >>> print(*(f"{values.low}..{values.high}" for values in bounded.places[Predicate("next", 2)]))
    1..80 2..81
    """
    # `owns(P,X) :- cell(X).` for the constraint `:- owns(P,X), not cell(X).` about an input
    promised = tuple(
        Rule(premises[0], (Literal(implied),))
        for premises, implied in declared_inclusions(program.rules)
        if len(premises) == 1 and premises[0].predicate in program.inputs
    )
    whole = Program((*program.rules, *promised))
    definitions, recursive = whole.definitions, recursive_predicates(whole)
    places: dict[Predicate, tuple[Values, ...]] = {}
    for predicate in program.inputs:
        if predicate not in whole.heads:
            places[predicate] = (NAMES,) * predicate.arity
    for component in sccs(whole):
        rules = [rule for predicate in sorted(component) for rule in definitions.get(predicate, ())]
        _infer(places, sizes, rules, component, bool(component & recursive))
    return _checked(places, sizes, (*program.rules, *promised, *others))


def _infer(
    places: dict[Predicate, tuple[Values, ...]],
    sizes: Mapping[str, tuple[int, int]],
    rules: Sequence[Rule],
    component: Collection[Predicate],
    recursive: bool,
) -> None:
    """Infer the intervals of a component: joined, widened where they keep growing, then narrowed."""

    def joined(start: _Places) -> dict[Predicate, tuple[Values, ...]]:
        after = dict(start)
        for rule in rules:
            reading = _Reading(rule, places, sizes)
            if reading.narrow():
                row = (reading.value(term, NAMES) for term in rule.conclusion.arguments)
                after[rule.conclusion.predicate] = tuple(map(join, after[rule.conclusion.predicate], row))
        return after

    start = {predicate: places.setdefault(predicate, (NOTHING,) * predicate.arity) for predicate in component}
    present, rounds = start, 0
    while (after := joined(present)) != present:
        if rounds >= _ROUNDS:
            after = {predicate: tuple(map(widened, present[predicate], after[predicate])) for predicate in component}
        places |= after
        if not recursive:
            return
        present, rounds = after, rounds + 1
    for _ in range(_ROUNDS + len(component)):
        before, present = present, joined(start)
        places |= present
        if present == before:
            break


def _checked(places: _Places, sizes: Mapping[str, tuple[int, int]], rules: Sequence[Rule]) -> Bounds:
    """The places as they are, if all rules keep to them and all terms to 32 bits; else the first rule that does
    not. A rule whose head has an argument without bound is one that computes, if there is any."""
    growing = [
        rule
        for rule in rules
        if rule.head is not None
        and any(place.low <= -_BEYOND or place.high >= _BEYOND for place in places[rule.head.predicate])
    ]
    if growing:
        sums = (rule for rule in growing if any(isinstance(term, Arithmetic) for term in rule_terms(rule)))
        return Bounds(places, growing=next(sums, growing[0]))
    narrowed = []
    for rule in rules:
        reading = _Reading(rule, places, sizes)
        fires = reading.narrow(within_32_bits=True)
        narrowed.append(Narrowed(rule, tuple(reading.used), reading.values))
        if not fires:
            continue
        for item in rule.items:
            if (overflow := reading.overflow(item)) is not None:
                return Bounds(places, overflow=overflow)
        if rule.head is not None:
            for term, known in zip(rule.head.arguments, places[rule.head.predicate], strict=True):
                values = reading.value(term, NAMES)
                if join(values, known) != known:
                    return Bounds(places, overflow=Overflow(rule, term, values))
    return Bounds(places, tuple(narrowed))


class _Reading:
    """One rule with the values of its variables, as they are narrowed."""

    def __init__(self, rule: Rule, places: _Places, sizes: Mapping[str, tuple[int, int]]) -> None:
        self._rule, self._places, self._sizes = rule, places, sizes
        self.values: dict[Variable, Values] = {}
        self._possible = True
        self.used: list[BodyLiteral] = []

    def narrow(self, within_32_bits: bool = False) -> bool:
        """Narrow by the literals (those in 32 bits alone) to a fixed point; False where the body cannot hold."""
        for _ in range(len(self._rule.body) + 2):
            before = dict(self.values)
            for item in self._rule.body:
                if isinstance(item, Literal) and not item.positive:
                    continue
                if within_32_bits and self.overflow(item) is not None:
                    continue
                if item not in self.used:
                    self.used.append(item)
                if isinstance(item, Literal):
                    for term, values in zip(item.atom.arguments, self._places[item.atom.predicate], strict=True):
                        self._meet(term, values)
                    self._possible &= all(value != NOTHING for value in self._places[item.atom.predicate])
                else:
                    self._compare(item)
                if not self._possible:
                    return False
            if self.values == before:
                break
        return True

    def value(self, term: Term, unknown: Values = ANYTHING) -> Values:
        """What the term may be; `unknown` for a variable that nothing binds so far."""
        match term:
            case Variable():
                return self.values.get(term, unknown)
            case Integer(number):
                return Values(number, number, False)
            case Symbol(name):
                return Values(*self._sizes[name], False) if name in self._sizes else NAMES
            case Function(_, arguments):
                whole = functools.reduce(join, (self.value(argument, unknown) for argument in arguments), NAMES)
                return Values(whole.low, whole.high, True)
            case Interval(low, high):
                first, last = self.value(low), self.value(high)
                known = first.low <= first.high and last.low <= last.high
                return made(first.low, last.high, False) if known else NOTHING
            case Arithmetic(operator, left, right):
                return computed(operator, self.value(left), self.value(right))

    def overflow(self, item: Atom | BodyLiteral) -> Overflow | None:
        """The first term of a literal that may leave 32 bits, as its variables stand now."""
        for part in (part for term in body_terms(item) for part in subterms(term)):
            if isinstance(part, Integer | Arithmetic | Interval):
                most = LARGEST - isinstance(part, Interval)  # counting up to the largest would not end
                for values in (self.value(part), *self._solved(part)):
                    if values.low <= values.high and (values.low < -LARGEST or values.high > most):
                        return Overflow(self._rule, part, values)
        return None

    def _solved(self, term: Term) -> Iterator[Values]:
        """Of a term in one variable: its value for 0 and how far it is from there, by which gringo solves for it."""
        if isinstance(term, Arithmetic) and len(variables(term)) == 1:
            (variable,) = variables(term)
            at_zero = _Reading(self._rule, self._places, self._sizes)
            at_zero.values[variable] = Values(0, 0, False)
            constant = at_zero.value(term)
            yield from (constant, computed("-", self.value(term), constant))

    def _meet(self, term: Term, values: Values) -> None:
        """The term is one of the values: so much is known of its variables."""
        match term:
            case Variable():
                self.values[term] = meet(self.values.get(term, ANYTHING), values)
                self._possible &= self.values[term] != NOTHING
            case Function(_, arguments):
                self._possible &= values.others
                for argument in arguments:
                    self._meet(argument, Values(values.low, values.high, True))
            case Arithmetic(operator, left, right):
                first, second = self.value(left), self.value(right)
                if any(part.low > part.high for part in (values, first, second)):
                    self._possible = False
                elif operator == "+":
                    self._meet(left, computed("-", values, second))
                    self._meet(right, computed("-", values, first))
                elif operator == "-":
                    self._meet(left, computed("+", values, second))
                    self._meet(right, computed("-", first, values))
                elif operator == "*":
                    for side, factor in ((left, second), (right, first)):
                        if factor.low >= 1:
                            self._meet(side, divided(values, factor))
            case _:
                self._possible &= meet(self.value(term), values) != NOTHING

    def _compare(self, item: Comparison) -> None:
        """Integers come before names and compound terms, in gringo's order."""
        left, right, operator = item.left, item.right, item.operator
        if operator in (">", ">="):
            left, right, operator = right, left, "<" if operator == ">" else "<="
        first, second = self.value(left), self.value(right)
        if operator == "=":
            self._meet(left, second)
            self._meet(right, first)
        elif operator in ("<", "<="):
            gap = 1 if operator == "<" else 0
            if not second.others:
                self._meet(left, made(-FAR, second.high - gap if second.high < FAR else FAR, False))
            low = FAR if first.low > first.high else first.low + gap if first.low > -FAR else -FAR
            self._meet(right, made(low, FAR, True) if first.low <= first.high else NAMES)
        elif isinstance(left, Arithmetic) or isinstance(right, Arithmetic):
            self._possible &= NOTHING not in (first, second)

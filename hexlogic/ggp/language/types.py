"""Types of argument places, and numbers for their terms.

Argument places that share a variable have one type: the terms that can stand there. A type has constants, and for each
functor the types of its arguments, so that every term of it has a number without any table of terms:

    constants            0, 1, ..., k - 1
    pair(X,Y)            k + number(X) * size(Y) + number(Y)

A type that contains itself has no end: such terms grow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Final, TypeAlias

from hexlogic.errors import EngineError
from hexlogic.language.analysis.graph import UnionFind
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import term_key

Slot: TypeAlias = tuple[Predicate, int]
"""A predicate and the number of an argument, from 0."""
Functor: TypeAlias = tuple[str, int]
PAIR: Final = internal_name("pair")
"""The functor of two terms that stand in one argument place (see `hexlogic.ggp.forward.pairs`)."""


class EndlessType(EngineError):  # noqa: N818
    """A type that contains itself."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The terms with one functor in a type: their first number, how many they are, and for each argument its type and
    the factor of its number."""

    first: int
    size: int
    arguments: tuple[tuple[Type, int], ...]


@dataclass
class _Inferred:
    """A type while it is inferred: its constants, and for each functor the places of the arguments."""

    constants: set[Term] = field(default_factory=set)
    functors: dict[Functor, list[object]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Type:
    """The terms that can stand in an argument place."""

    constants: tuple[Term, ...]
    shapes: dict[Functor, Shape]
    size: int

    @cached_property
    def _numbers(self) -> dict[Term, int]:
        return {constant: number for number, constant in enumerate(self.constants)}

    def number(self, term: Term) -> int:
        """The number of a ground term; -1 for one that is not of this type."""
        shape = self.shapes.get((term.name, len(term.arguments))) if isinstance(term, Function) else None
        if shape is None or not isinstance(term, Function):
            return self._numbers.get(term, -1)
        total = shape.first
        for argument, (kind, factor) in zip(term.arguments, shape.arguments, strict=True):
            number = kind.number(argument)
            if number < 0:
                return -1
            total += number * factor
        return total

    def term(self, number: int) -> Term:
        """The term of a number."""
        if number < len(self.constants):
            return self.constants[number]
        for (name, _), shape in self.shapes.items():
            rest = number - shape.first
            if 0 <= rest < shape.size:
                return Function(name, tuple(kind.term(rest // factor % kind.size) for kind, factor in shape.arguments))
        raise IndexError(number)


class Types:
    """The types of all argument places of some rules. Raises EngineError where terms grow.

    >>> from hexlogic.language.parser import parse
    >>> types = Types(parse("at(s(a)). at(X) :- q(X). q(s(b)). p(b) :- at(s(b)).").rules)
    >>> terms = types.of((Predicate("q", 1), 0))
    >>> terms.size, [str(terms.term(number)) for number in range(terms.size)]
    (2, ['s(a)', 's(b)'])
    """

    def __init__(self, rules: Iterable[Rule], joined: Iterable[tuple[Slot, Slot]] = ()) -> None:
        """`joined` are further places that have one type."""
        self._slots = defaultdict[Slot, object](object)
        self._places = UnionFind[object]()
        self._inferred: defaultdict[object, _Inferred] = defaultdict(_Inferred)
        self._types: dict[object, Type] = {}
        self._begun: list[object] = []
        for rule in rules:
            known: dict[Variable, object] = {}
            for item in rule.items:
                if isinstance(item, Comparison):
                    both_sides = object()
                    self._put(item.left, both_sides, known)
                    self._put(item.right, both_sides, known)
                    continue
                atom = item.atom if isinstance(item, Literal) else item
                predicate = atom.predicate
                for number, term in enumerate(atom.arguments):
                    self._put(term, self._slots[predicate, number], known)
        for left, right in joined:
            self._join(self._slots[left], self._slots[right])

    def of(self, slot: Slot) -> Type:
        """The type of an argument place."""
        return self._type(self._slots[slot])

    def share(self, predicate: Predicate, slots: Mapping[int, Slot]) -> None:
        """Give the arguments of a new predicate the types of other places."""
        for number, slot in slots.items():
            self._slots[predicate, number] = self._slots[slot]

    def define(self, slot: Slot, kind: Type) -> None:
        """Give an argument of a new predicate a type."""
        self._slots[slot] = place = object()
        self._types[place] = kind

    def _put(self, term: Term, place: object, known: dict[Variable, object]) -> None:
        """Let a term stand in a place; `known` holds a place for each variable of the rule."""
        if isinstance(term, Variable):
            self._join(known.setdefault(term, place), place)
        elif isinstance(term, Function):
            functors = self._inferred[self._places.find(place)].functors
            functor = term.name, len(term.arguments)
            if functor not in functors:
                functors[functor] = [object() for _ in term.arguments]
            for argument, part in zip(term.arguments, functors[functor], strict=True):
                self._put(argument, part, known)
        else:
            self._inferred[self._places.find(place)].constants.add(term)

    def _join(self, left: object, right: object) -> None:
        waiting = [(left, right)]
        while waiting:
            kept_place, gone_place = map(self._places.find, waiting.pop())
            if kept_place == gone_place:
                continue
            if len(self._inferred[kept_place].constants) < len(self._inferred[gone_place].constants):
                kept_place, gone_place = gone_place, kept_place
            self._places.join(kept_place, gone_place)
            kept, gone = self._inferred[kept_place], self._inferred.pop(gone_place)
            kept.constants |= gone.constants
            for functor, parts in gone.functors.items():
                waiting += zip(kept.functors.setdefault(functor, parts), parts, strict=True)

    def _type(self, place: object) -> Type:
        place = self._places.find(place)
        if place in self._types:
            return self._types[place]
        if place in self._begun:
            raise EndlessType("terms grow under recursion")
        self._begun.append(place)
        inferred, shapes = self._inferred[place], dict[Functor, Shape]()
        end = len(inferred.constants)
        for functor, parts in sorted(inferred.functors.items()):
            kinds = list(map(self._type, parts))
            sizes = [kind.size for kind in kinds]
            shapes[functor] = Shape(end, prod(sizes), tuple(zip(kinds, factors(sizes), strict=True)))
            end += shapes[functor].size
        self._types[place] = Type(tuple(sorted(inferred.constants, key=term_key)), shapes, end)
        self._begun.pop()
        return self._types[place]


def factors(sizes: Sequence[int]) -> list[int]:
    """The factor of each place of a number of mixed radix, the last place the least.

    >>> factors([2, 3, 10])
    [30, 10, 1]
    """
    products = [1]
    for size in reversed(sizes[1:]):
        products.append(products[-1] * max(size, 1))
    return products[::-1][: len(sizes)]

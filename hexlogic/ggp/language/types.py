"""Types of argument places, and numbers for their terms.

Argument places that share a variable have one type: the terms that can stand there. A type has constants, and for each
functor the types of its arguments, so that every term of it has a number without any table of terms:

    constants            0, 1, ..., k - 1
    pair(X,Y)            k + number(X) * size(Y) + number(Y)

A type that contains itself has no end: such terms grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TypeAlias

from hexlogic.errors import EngineError
from hexlogic.language.syntax import Atom, Comparison, Function, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import term_key

Slot: TypeAlias = tuple[Predicate, int]
"""A predicate and the number of an argument, from 0."""
Functor: TypeAlias = tuple[str, int]


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
class _Node:
    """A type while it is inferred."""

    constants: set[Term] = field(default_factory=set)
    functors: dict[Functor, list[int]] = field(default_factory=dict)


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
        if not isinstance(term, Function):
            return self._numbers.get(term, -1)
        shape = self.shapes.get((term.name, len(term.arguments)))
        if shape is None:
            return -1
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
    >>> own = types.of((Predicate("q", 1), 0))
    >>> own.size, [str(own.term(number)) for number in range(own.size)]
    (2, ['s(a)', 's(b)'])
    """

    def __init__(self, rules: Iterable[Rule], joined: Iterable[tuple[Slot, Slot]] = ()) -> None:
        """`joined` are further places that have one type."""
        self._parent: list[int] = []
        self._nodes: list[_Node] = []
        self._slots: dict[Slot, int] = {}
        self._made: dict[int, Type] = {}
        self._open: list[int] = []
        for rule in rules:
            self._read(rule)
        for left, right in joined:
            self._join(self._slot(left), self._slot(right))

    def of(self, slot: Slot) -> Type:
        """The type of an argument place."""
        return self._type(self._slot(slot))

    def _new(self) -> int:
        self._parent.append(len(self._parent))
        self._nodes.append(_Node())
        return len(self._parent) - 1

    def _slot(self, slot: Slot) -> int:
        if slot not in self._slots:
            self._slots[slot] = self._new()
        return self._slots[slot]

    def _find(self, number: int) -> int:
        while self._parent[number] != number:
            self._parent[number] = self._parent[self._parent[number]]
            number = self._parent[number]
        return number

    def _join(self, left: int, right: int) -> None:
        waiting = [(left, right)]
        while waiting:
            kept_root, gone_root = map(self._find, waiting.pop())
            if kept_root == gone_root:
                continue
            if len(self._nodes[kept_root].constants) < len(self._nodes[gone_root].constants):
                kept_root, gone_root = gone_root, kept_root
            self._parent[gone_root] = kept_root
            kept, gone = self._nodes[kept_root], self._nodes[gone_root]
            kept.constants |= gone.constants
            for functor, parts in gone.functors.items():
                if functor in kept.functors:
                    waiting += zip(kept.functors[functor], parts, strict=True)
                else:
                    kept.functors[functor] = parts

    def _read(self, rule: Rule) -> None:
        known: dict[Variable, int] = {}
        for item in rule.items:
            match item:
                case Comparison():
                    self._join(self._place(item.left, known), self._place(item.right, known))
                case Literal(atom, _) | (Atom() as atom):
                    for place, term in enumerate(atom.arguments):
                        self._put(term, self._slot((atom.predicate, place)), known)

    def _place(self, term: Term, known: dict[Variable, int]) -> int:
        number = self._new()
        self._put(term, number, known)
        return number

    def _put(self, term: Term, number: int, known: dict[Variable, int]) -> None:
        """Let a term stand in a place."""
        if isinstance(term, Variable):
            self._join(known.setdefault(term, number), number)
        elif isinstance(term, Function):
            functors = self._nodes[self._find(number)].functors
            functor = term.name, len(term.arguments)
            if functor not in functors:
                functors[functor] = [self._new() for _ in term.arguments]
            for argument, part in zip(term.arguments, functors[functor], strict=True):
                self._put(argument, part, known)
        else:
            self._nodes[self._find(number)].constants.add(term)

    def _type(self, number: int) -> Type:
        number = self._find(number)
        if number not in self._made:
            if number in self._open:
                raise EndlessType("terms grow under recursion")
            self._open.append(number)
            self._made[number] = self._build(self._nodes[number])
            self._open.pop()
        return self._made[number]

    def _build(self, node: _Node) -> Type:
        shapes: dict[Functor, Shape] = {}
        end = len(node.constants)
        for functor, parts in sorted(node.functors.items()):
            kinds = [self._type(part) for part in parts]
            size = prod(kind.size for kind in kinds)
            shapes[functor] = Shape(end, size, tuple(zip(kinds, factors([kind.size for kind in kinds]), strict=True)))
            end += size
        return Type(tuple(sorted(node.constants, key=term_key)), shapes, end)


def factors(sizes: Sequence[int]) -> list[int]:
    """The factor of each place of a number of mixed radix, the last place the least.

    >>> factors([2, 3, 10])
    [30, 10, 1]
    """
    products = [1]
    for size in reversed(sizes[1:]):
        products.append(products[-1] * max(size, 1))
    return products[::-1][: len(sizes)]

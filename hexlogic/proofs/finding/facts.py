"""Atoms as tuples, for searches that look at millions of them: matching, joins, and claims made of them.

    same_cluster(P,X,3)     ("same_cluster", "P", "X", 3)

An argument is an integer, a name, or a tuple for a compound term; a name that begins with a capital is a variable.
Negated atoms and comparisons have names that no text can spell (`hexlogic.proofs.chase`): they bind nothing.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from hexlogic.language import Arithmetic, Atom, Comparison, Function, Integer, Literal, Rule, Symbol, Term, Variable
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import ComparisonOperator

Value: TypeAlias = "int | str | tuple[Value, ...]"
Fact: TypeAlias = tuple[Value, ...]
"""The name of a predicate and the arguments."""
Binding: TypeAlias = dict[str, Value]

NOT: Final = internal_name("not")
SIGNS: Final[Mapping[str, ComparisonOperator]] = {
    internal_name("less"): "<",
    internal_name("atmost"): "<=",
    internal_name("unequal"): "!=",
    internal_name("equal"): "=",
}
"""How the comparisons of `hexlogic.proofs.chase` are written."""
COMPARED: Final[Mapping[str, Callable[..., object]]] = dict(
    zip(SIGNS, (operator.lt, operator.le, operator.ne, operator.eq), strict=True)
)


@dataclass(frozen=True, slots=True)
class Claim:
    """Where all of `body` holds, there are values for the other variables of `head` such that all of `head` holds.
    Without a head: the body cannot be. Induction is on the derivations of `body[0]`."""

    head: tuple[Fact, ...]
    body: tuple[Fact, ...]

    def __str__(self) -> str:
        return f"{', '.join(map(spelled, self.head))} :- {', '.join(map(spelled, self.body))}."

    @property
    def names(self) -> frozenset[str]:
        """The predicates that it speaks of."""
        return frozenset(str(atom[0]).removeprefix(NOT) for atom in (*self.head, *self.body))

    @property
    def rule(self) -> Rule:
        """The claim as a rule, for one with at most one atom as head."""
        head = atom_of(self.head[0]) if self.head else None
        return Rule(head, tuple(literal_of(atom) for atom in self.body))


def is_variable(value: Value) -> bool:
    """Whether a term is a variable."""
    return isinstance(value, str) and value[0].isupper()


def is_frozen(value: Value) -> bool:
    """Whether a term stands for an unknown element: a frozen constant or a compound term."""
    return isinstance(value, tuple) or (isinstance(value, str) and value[0] == "'")


def is_test(atom: Fact) -> bool:
    """Whether an atom binds nothing: a negated one or a comparison."""
    name = atom[0]
    return isinstance(name, str) and (name in COMPARED or name.startswith(NOT))


def variables_of(value: Value) -> Iterator[str]:
    """The variables of an atom or a term, from left to right."""
    if isinstance(value, tuple):
        for part in value[1:]:
            yield from variables_of(part)
    elif is_variable(value):
        yield str(value)


def fact_of(atom: Atom) -> Fact:
    """An atom as a tuple."""
    return (atom.name, *map(value_of, atom.arguments))


def value_of(term: Term) -> Value:
    """A term as a value. Intervals have none."""
    match term:
        case Integer(number):
            return number
        case Symbol(name) | Variable(name):
            return name
        case Function(name, arguments):
            return (name, *map(value_of, arguments))
        case Arithmetic(sign, left, right):
            return (sign, value_of(left), value_of(right))
    raise AssertionError(f"{term} is an interval")


def term_of(value: Value) -> Term:
    """A value as a term."""
    if isinstance(value, int):
        return Integer(value)
    if isinstance(value, tuple):
        return Function(str(value[0]), tuple(map(term_of, value[1:])))
    return Variable(value) if is_variable(value) else Symbol(value)


def atom_of(fact: Fact) -> Atom:
    """A tuple as an atom."""
    return Atom(str(fact[0]), tuple(map(term_of, fact[1:])))


def literal_of(fact: Fact) -> Literal | Comparison:
    """A tuple as a literal, negated where its name says so, or as a comparison."""
    name = str(fact[0])
    if name in SIGNS:
        return Comparison(SIGNS[name], term_of(fact[1]), term_of(fact[2]))
    return Literal(atom_of((name.removeprefix(NOT), *fact[1:])), not name.startswith(NOT))


def spelled(fact: Fact) -> str:
    """A tuple as the text of a literal or a comparison."""
    return str(literal_of(fact))


def matches(pattern: Sequence[Value], values: Sequence[Value], binding: Binding) -> bool:
    """Bind the variables of the pattern so that it becomes the values; where that fails the binding is half made."""
    for part, value in zip(pattern, values, strict=True):
        if isinstance(part, str):
            if not part[0].isupper():
                if part != value:
                    return False
            elif binding.setdefault(part, value) != value:
                return False
        elif not isinstance(part, tuple):
            if part != value:
                return False
        elif not isinstance(value, tuple) or len(part) != len(value) or not matches(part, value, binding):
            return False
    return True


def replaced(value: Value, values: Mapping[str, Value]) -> Value:
    """The term with names replaced, variables or others."""
    if isinstance(value, str):
        return values.get(value, value)
    if isinstance(value, tuple):
        return tuple(replaced(part, values) for part in value)
    return value


def instance(atom: Fact, values: Mapping[str, Value]) -> Fact:
    """The atom with names in its arguments replaced."""
    return (atom[0], *(replaced(part, values) for part in atom[1:]))


def canonical(claim: Claim) -> Claim:
    """The claim with the body sorted behind its first atom, and variables named in the order in which they occur.

    >>> print(canonical(Claim((("r", "Y"),), (("r", "X"), ("p", "X", "Y"), ("o", "Y")))))
    r(X1) :- r(X0), o(X1), p(X0,X1).
    """
    names: dict[str, Value] = {}
    first, *rest = claim.body
    rest.sort(key=lambda atom: (str(atom[0]), [str(part) for part in atom[1:]]))
    atoms = [first, *rest, *claim.head]
    for atom in atoms:
        for variable in variables_of(atom):
            names.setdefault(variable, f"X{len(names)}")
    named = [instance(atom, names) for atom in atoms]
    return Claim(tuple(named[len(claim.body) :]), tuple(named[: len(claim.body)]))


class Relations:
    """A set of atoms, indexed by each argument."""

    def __init__(self) -> None:
        self._by_name: dict[Value, list[Fact]] = {}
        self._by_argument: dict[tuple[Value, int, Value], list[Fact]] = {}

    def add(self, fact: Fact) -> None:
        """Add an atom that is not there yet."""
        self._by_name.setdefault(fact[0], []).append(fact)
        for place in range(1, len(fact)):
            self._by_argument.setdefault((fact[0], place, fact[place]), []).append(fact)

    def matching(self, pattern: Fact, binding: Binding) -> Iterator[Binding]:
        """The bindings that extend `binding` and make the pattern one of the atoms."""
        facts: Sequence[Fact] = self._by_name.get(pattern[0], ())
        for place in range(1, len(pattern)):
            part = pattern[place]
            value = binding.get(part) if isinstance(part, str) and part[0].isupper() else part
            if value is not None and not isinstance(part, tuple):
                narrowed = self._by_argument.get((pattern[0], place, value), ())
                if len(narrowed) < len(facts):
                    facts = narrowed
        for fact in tuple(facts):
            extended = dict(binding)
            if len(fact) == len(pattern) and matches(pattern[1:], fact[1:], extended):
                yield extended

    def joined(self, body: Sequence[Fact], binding: Binding) -> Iterator[Binding]:
        """The bindings that extend `binding` and make all of the body atoms that are there."""
        if not body:
            yield binding
            return
        if len(body) == 1:
            yield from self.matching(body[0], binding)
            return
        chosen = max(range(len(body)), key=lambda place: _bound(body[place], binding))
        rest = [*body[:chosen], *body[chosen + 1 :]]
        for extended in self.matching(body[chosen], binding):
            yield from self.joined(rest, extended)


def _bound(atom: Fact, binding: Binding) -> tuple[int, int]:
    bound = 0
    for part in atom[1:]:
        if not isinstance(part, str) or part in binding or not part[0].isupper():
            bound += 1
    return bound, bound - len(atom)

"""Functional dependencies that every answer set of an encoding meets because of how its atoms are derived.

- A choice with at most one value: `{ at(P,C) : cell(C) } 1 :- piece(P).` gives `at(P,C)` one C for each P, when this is
  the only statement that derives `at`, or when every `at(P,C)` implies `cell(C)` and `piece(P)`.
- The value of an aggregate: `total(a,S) :- S = #sum { V : a(V) }.` gives `total(a,S)` one S.

*Leaves alone* predicates that an instance, an external, another part or a script may have atoms of.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from hexlogic.encodings.reading import Encoding
from hexlogic.encodings.statements import BASE, Element, Head, Item, Statement, all_variables
from hexlogic.language import Arithmetic, Atom, Interval, Literal, Predicate, Symbol, Term, Variable
from hexlogic.language.analysis.functional import Dependency
from hexlogic.language.ground.inclusions import Guarantees
from hexlogic.language.walk import general_atom, has_distinct_variables, is_ground, subterms, variables


@dataclass(frozen=True)
class _Producer:
    """An atom that a statement derives, and for each argument (counted from 0) those that determine it."""

    atom: Atom
    keys: dict[int, frozenset[int]]


def derived_dependencies(
    encoding: Encoding, given: Collection[Predicate], guarantees: Guarantees, constants: Collection[str]
) -> tuple[Dependency, ...]:
    """The dependencies of predicates of the encoding.

    `given` are predicates of which an instance has atoms, and `constants` names that have another value;
    `guarantees` say what atoms imply.
    """
    if encoding.has_scripts:
        return ()
    opened: set[Predicate] = set(given)
    producers: dict[Predicate, list[_Producer]] = {}
    dependencies: list[Dependency] = []
    for statement in encoding.statements:
        if not statement.is_rule:
            opened |= statement.heads
            continue
        for producer, implied in _producers(statement):
            predicate = producer.atom.predicate
            producers.setdefault(predicate, []).append(producer)
            if statement.part != BASE:
                opened.add(predicate)
            elif implied is not None and all(guarantees.implies([Literal(producer.atom)], atom) for atom in implied):
                dependencies += (Dependency(predicate, key, value) for value, key in producer.keys.items())
    for predicate, alternatives in producers.items():
        if predicate not in opened:
            dependencies += _common(predicate, alternatives, constants)
    return tuple(dict.fromkeys(dependencies))


def _common(predicate: Predicate, producers: Sequence[_Producer], constants: Collection[str]) -> Iterator[Dependency]:
    """The dependencies that hold in all producers, when atoms of two of them never agree on the key."""
    for value in range(predicate.arity):
        if not all(value in producer.keys for producer in producers):
            continue
        key = frozenset[int]().union(*(producer.keys[value] for producer in producers))
        if all(_clash(left.atom, right.atom, key, constants) for left, right in itertools.combinations(producers, 2)):
            yield Dependency(predicate, key, value)


def _clash(first: Atom, second: Atom, key: Collection[int], constants: Collection[str]) -> bool:
    """Whether some argument of the key has different values in the two atoms."""
    pairs = ((first.arguments[place], second.arguments[place]) for place in key)
    return any(left != right and is_plain(left, constants) and is_plain(right, constants) for left, right in pairs)


def is_plain(term: Term, constants: Collection[str] = ()) -> bool:
    """Whether a ground term stands for itself: it computes nothing and has no constant with another value."""
    return is_ground(term) and not any(
        isinstance(part, Arithmetic | Interval) or (isinstance(part, Symbol) and part.name in constants)
        for part in subterms(term)
    )


def _producers(statement: Statement) -> Iterator[tuple[_Producer, list[Atom] | None]]:
    """Each atom that a rule derives, with what has to hold with it for the dependency to hold whatever else derives the
    predicate; None where that cannot be said."""
    head, body = statement.head, statement.body
    assert head is not None
    literal, elements = head.literal, head.aggregate.elements
    if literal is not None:
        if literal.atom is not None:
            yield _Producer(literal.atom, _aggregate_values(literal.atom, body)), None
        elif literal.is_atom:
            yield from _unknown(head)
    elif head.aggregate.at_most_one and len(elements) == 1 and elements[0].pattern is not None:
        yield _chosen(elements[0].pattern, elements[0], body)
    else:
        yield from _unknown(head)


def _unknown(head: Head) -> Iterator[tuple[_Producer, list[Atom] | None]]:
    """Producers about which nothing is known."""
    for predicate in head.names.predicates:
        yield _Producer(general_atom(predicate), {}), None


def _chosen(atom: Atom, element: Element, body: Sequence[Item]) -> tuple[_Producer, list[Atom] | None]:
    """A choice of at most one atom for each instance of the body."""
    outside = all_variables(body)
    key = _key(atom, outside)
    if not outside & element.variables <= {atom.arguments[place] for place in key}:
        return _Producer(atom, {}), None
    keys = {place: key for place in range(len(atom.arguments)) if place not in key}
    implied = _atoms([*body, *element.condition]) if has_distinct_variables(atom) else None
    if implied is not None and not all(variables(Literal(other)) <= frozenset(atom.arguments) for other in implied):
        implied = None
    return _Producer(atom, keys), implied


def _key(atom: Atom, names: Collection[Variable], value: int | None = None) -> frozenset[int]:
    """The arguments without variable or that are one of some variables, but for the argument `value`."""
    return frozenset(
        place for place, term in enumerate(atom.arguments) if place != value and (is_ground(term) or term in names)
    )


def _atoms(items: Sequence[Item]) -> list[Atom] | None:
    """What the items ask for; None when they ask for more than atoms."""
    atoms: list[Atom] = []
    for item in items:
        if item.literals is None or len(item.positive) < len(item.literals):
            return None
        atoms += (literal.atom for literal in item.positive)
    return atoms


def _aggregate_values(atom: Atom, body: Sequence[Item]) -> dict[int, frozenset[int]]:
    """The arguments of a head that are values of aggregates, with the arguments that determine them."""
    keys: dict[int, frozenset[int]] = {}
    for item in body:
        if item.aggregate is None or item.aggregate.value is None:
            continue
        value = item.aggregate.value
        places = [place for place, term in enumerate(atom.arguments) if term == value]
        inside = frozenset[Variable]().union(*(element.variables for element in item.aggregate.elements))
        if len(places) != 1 or value in inside:
            continue
        others = variables(atom) | all_variables(other for other in body if other is not item)
        key = _key(atom, inside, places[0])
        if inside & others <= {atom.arguments[place] for place in key}:
            keys[places[0]] = key
    return keys

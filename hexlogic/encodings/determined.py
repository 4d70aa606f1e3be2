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

from clingo import SymbolType
from clingo.ast import AST, ASTType, ComparisonOperator, Sign

from hexlogic.encodings.convert import Item, atom_of, predicates_in, term_of, variables_in
from hexlogic.encodings.reading import BASE, Encoding, Statement
from hexlogic.language import Arithmetic, Atom, Function, Interval, Literal, Predicate, Symbol, Term, Variable
from hexlogic.language.analysis.functional import Dependency
from hexlogic.language.ground.inclusions import Guarantees
from hexlogic.language.names import internal_name
from hexlogic.language.walk import has_distinct_variables, is_ground, subterms, variables

_AGGREGATES = (ASTType.Aggregate, ASTType.BodyAggregate)
_AT_MOST_ONE = ((ComparisonOperator.LessEqual, 1), (ComparisonOperator.Equal, 1), (ComparisonOperator.LessThan, 2))
_ONE_AT_LEAST = (
    (ComparisonOperator.GreaterEqual, 1),
    (ComparisonOperator.Equal, 1),
    (ComparisonOperator.GreaterThan, 2),
)
"""The same bounds as seen from the left of the aggregate."""

_LACKING = Function(internal_name("lacking"), (Variable(internal_name("any")),))
"""Stands for a term that the rule language lacks: neither a variable nor without one."""


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
            elif implied is not None and all(guarantees.implies([Literal(producer.atom)], one) for one in implied):
                dependencies += (Dependency(predicate, key, value) for value, key in producer.keys.items())
    for predicate, mine in producers.items():
        if predicate not in opened:
            dependencies += _common(predicate, mine, constants)
    return tuple(dict.fromkeys(dependencies))


def _common(predicate: Predicate, producers: Sequence[_Producer], constants: Collection[str]) -> Iterator[Dependency]:
    """The dependencies that hold for atoms of all producers: no two of them agree on the key."""
    for value in range(predicate.arity):
        if not all(value in producer.keys for producer in producers):
            continue
        key = frozenset[int]().union(*(producer.keys[value] for producer in producers))
        if all(_clash(one.atom, other.atom, key, constants) for one, other in itertools.combinations(producers, 2)):
            yield Dependency(predicate, key, value)


def _clash(one: Atom, other: Atom, key: Collection[int], constants: Collection[str]) -> bool:
    """Whether some argument of the key is a term of its own in each atom."""
    pairs = ((one.arguments[place], other.arguments[place]) for place in key)
    return any(left != right and is_plain(left, constants) and is_plain(right, constants) for left, right in pairs)


def is_plain(term: Term, constants: Collection[str] = ()) -> bool:
    """Whether a ground term stands for itself: it computes nothing and has no constant with another value."""
    return is_ground(term) and not any(
        isinstance(part, Arithmetic | Interval) or (isinstance(part, Symbol) and part.name in constants)
        for part in subterms(term)
    )


def _producers(statement: Statement) -> Iterator[tuple[_Producer, list[Atom] | None]]:
    """Each atom that a statement derives, with what has to hold with it for the dependency to hold whatever else
    derives the predicate; None where that cannot be said."""
    rule = statement.node
    head = rule.head
    if head.ast_type == ASTType.Literal:
        if head.sign == Sign.NoSign and head.atom.ast_type == ASTType.SymbolicAtom:
            atom = atom_of(head.atom)
            if atom is None:
                yield from _unknown(head)
            else:
                yield _Producer(atom, _aggregate_values(atom, statement.body)), None
    elif head.ast_type == ASTType.Aggregate and len(head.elements) == 1 and _bounds_to_one(head):
        (element,) = head.elements
        literal = element.literal
        is_atom = literal.sign == Sign.NoSign and literal.atom.ast_type == ASTType.SymbolicAtom
        atom = _chosen_atom(literal.atom.symbol) if is_atom else None
        if atom is None:
            yield from _unknown(head)
        else:
            yield _chosen(atom, element, statement.body)
    else:
        yield from _unknown(head)


def _unknown(head: AST) -> Iterator[tuple[_Producer, list[Atom] | None]]:
    """Producers about which nothing is known."""
    for predicate in predicates_in(head):
        atom = Atom(predicate.name, tuple(Variable(f"X{place}") for place in range(predicate.arity)))
        yield _Producer(atom, {}), None


def _bounds_to_one(head: AST) -> bool:
    guards = ((head.right_guard, _AT_MOST_ONE), (head.left_guard, _ONE_AT_LEAST))
    for guard, bounds in guards:
        if guard is None or guard.term.ast_type != ASTType.SymbolicTerm:
            continue
        symbol = guard.term.symbol
        if symbol.type == SymbolType.Number and (guard.comparison, symbol.number) in bounds:
            return True
    return False


def _chosen_atom(symbol: AST) -> Atom | None:
    """The atom of an element, with a stand-in for each argument that the rule language lacks, such as `1..9`."""
    if symbol.ast_type != ASTType.Function or symbol.external:
        return None
    return Atom(symbol.name, tuple(term_of(node) or _LACKING for node in symbol.arguments))


def _chosen(atom: Atom, element: AST, body: Sequence[Item]) -> tuple[_Producer, list[Atom] | None]:
    """A choice of at most one atom for each instance of the body."""
    outside = frozenset[Variable]().union(*(item.variables for item in body))
    inside = variables_in(element)
    key = frozenset(
        place
        for place, term in enumerate(atom.arguments)
        if is_ground(term) or (isinstance(term, Variable) and term in outside)
    )
    held = frozenset(term for place in key if isinstance(term := atom.arguments[place], Variable))
    if not outside & inside <= held:
        return _Producer(atom, {}), None
    keys = {place: key for place in range(len(atom.arguments)) if place not in key}
    implied = _atoms([*body, *map(Item, element.condition)]) if has_distinct_variables(atom) else None
    if implied is not None and not all(variables(Literal(one)) <= frozenset(atom.arguments) for one in implied):
        implied = None
    return _Producer(atom, keys), implied


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
    found: dict[int, frozenset[int]] = {}
    for item in body:
        if item.node.ast_type != ASTType.Literal or item.node.atom.ast_type not in _AGGREGATES:
            continue
        value = _assigned(item.node)
        places = [place for place, term in enumerate(atom.arguments) if value is not None and value == term]
        inside = frozenset[Variable]().union(*map(variables_in, item.node.atom.elements))
        if len(places) != 1 or value in inside:
            continue
        others = variables(Literal(atom)).union(*(other.variables for other in body if other.node != item.node))
        key = frozenset(
            place
            for place, term in enumerate(atom.arguments)
            if place != places[0] and (is_ground(term) or term in inside)
        )
        held = frozenset(term for place in key if isinstance(term := atom.arguments[place], Variable))
        if inside & others <= held:
            found[places[0]] = key
    return found


def _assigned(item: AST) -> Variable | None:
    """The variable that an aggregate gives its only value."""
    if item.sign != Sign.NoSign:
        return None
    for guard in (item.atom.left_guard, item.atom.right_guard):
        if (
            guard is not None
            and guard.comparison == ComparisonOperator.Equal
            and guard.term.ast_type == ASTType.Variable
        ):
            return Variable(guard.term.name)
    return None

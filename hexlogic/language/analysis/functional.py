"""Dependencies that constraints declare: functional dependencies, and inclusions such as `:- owns(P,X), not cell(X).`

A functional dependency is declared by a constraint such as `:- at(P,X), at(P,Y), X != Y.` (also with `<` or `>`):
nothing that meets it has two different last arguments for the same first one.
"""

import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from hexlogic.language.syntax import Arithmetic, Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import has_distinct_variables, substitute, variables


@dataclass(frozen=True, slots=True)
class Dependency:
    """The arguments at `key` (counted from 0) determine the one at `value`."""

    predicate: Predicate
    key: frozenset[int]
    value: int


def declared_dependencies(rules: Iterable[Rule]) -> tuple[Dependency, ...]:
    """The dependencies that constraints declare.

    >>> from hexlogic.language.parser import parse
    >>> declared_dependencies(parse(":- at(P,X), at(P,Y), X != Y.").rules)
    (Dependency(predicate=Predicate(name='at', arity=2), key=frozenset({0}), value=1),)
    """
    return tuple(dict.fromkeys(dependency for rule in rules if (dependency := _declared(rule)) is not None))


def declared_inclusions(rules: Iterable[Rule]) -> Iterator[tuple[list[Atom], Atom]]:
    """Constraints such as `:- owns(P,X), not cell(X).`: positive atoms, and the atom that they imply.

    >>> from hexlogic.language.parser import parse
    >>> [([premise], conclusion)] = declared_inclusions(parse(":- owns(P,X), not cell(X).").rules)
    >>> print(premise, "implies", conclusion)
    owns(P,X) implies cell(X)
    """
    for rule in rules:
        positive = [literal.atom for literal in rule.literals if literal.positive]
        negated = [literal.atom for literal in rule.literals if not literal.positive]
        if rule.is_constraint and positive and len(negated) == 1 and len(rule.body) == len(positive) + 1:
            yield positive, negated[0]


def _declared(rule: Rule) -> Dependency | None:
    match rule.head, sorted(rule.body, key=lambda item: isinstance(item, Comparison)):
        case None, [Literal(first, True), Literal(second, True), Comparison("!=" | "<" | ">", left, right)]:
            plain = has_distinct_variables(first) and has_distinct_variables(second)
            if first.predicate != second.predicate or not plain:
                return None
        case _:
            return None
    pairs = list(zip(first.arguments, second.arguments, strict=True))
    key = frozenset(place for place, (mine, other) in enumerate(pairs) if mine == other)
    values = [place for place, pair in enumerate(pairs) if set(pair) == {left, right}]
    shared = (mine in second.arguments for place, (mine, _) in enumerate(pairs) if place not in key)
    return None if len(values) != 1 or any(shared) else Dependency(first.predicate, key, values[0])


def chased(rule: Rule, dependencies: Collection[Dependency], kept: Collection[Variable] = ()) -> Rule:
    """The rule with variables made equal that the dependencies say are equal, and its repeated literals dropped. A
    variable of `kept` is never replaced. Source: the chase of Maier, Mendelzon and Sagiv 1979."""
    while (pair := next((pair for pair in _equal(rule, dependencies) if pair[0] not in kept), None)) is not None:
        rule = substitute(rule, dict([pair]))
        rule = rule.with_body(tuple(dict.fromkeys(rule.body)))
    return rule


def _equal(rule: Rule, dependencies: Collection[Dependency]) -> Iterator[tuple[Variable, Term]]:
    atoms = [literal.atom for literal in rule.literals if literal.positive]
    for dependency in dependencies:
        for first, second in itertools.product(atoms, repeat=2):
            if first.predicate == second.predicate == dependency.predicate:
                left, right = first.arguments[dependency.value], second.arguments[dependency.value]
                agree = all(first.arguments[place] == second.arguments[place] for place in dependency.key)
                if agree and isinstance(left, Variable) and left not in variables(right):
                    yield left, right


def implied_differences(items: Iterable[BodyLiteral]) -> list[Comparison]:
    """The differences that equal sums or differences give: `A+B = C+D` and `A != C` imply `B != D`.

    Of two equal sums with equal first terms the second terms are equal too, and the other way round.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(*implied_differences(parse_rule("p :- q(A,B), q(C,D), A+B = C+D, C != A.").body))
    B != D
    """
    items = list(items)
    apart = [{item.left, item.right} for item in items if isinstance(item, Comparison) and item.operator == "!="]
    implied: list[Comparison] = []
    for item in items:
        match item:
            case Comparison("=", Arithmetic("+" | "-" as operator, a, b), Arithmetic(same, c, d)) if operator == same:
                pairs = ((a, c), (b, d))
                implied += [Comparison("!=", *pairs[1 - place]) for place in (0, 1) if set(pairs[place]) in apart]
    return implied

"""Whether compound terms grow without end when the rules of a component derive from each other.

    step(s(X)) :- step(X).                            grows: what goes in at depth 0 comes out at depth 1
    cell(at(Y)) :- cell(at(X)), beside(X,Y).          does not: Y comes from outside
    cell(at(X,Z)) :- cell(at(X,Y)), beside(Y,Z).      does not: X comes out as deep as it went in

Each argument gets a rank, an upper bound of how deep its terms are. Source: Lierler and Lifschitz 2009, "One more
decidable class of finitely ground programs" (argument-restricted programs).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from hexlogic.language.syntax import Arithmetic, Comparison, Function, Predicate, Rule, Term, Variable
from hexlogic.language.walk import is_ground, subterms, variables

_Argument: TypeAlias = tuple[Predicate, int]
_Source: TypeAlias = tuple[_Argument | None, int]
"""Where a variable gets its value: an argument of the component, or None outside it, and what is added to its rank."""


def grows(rules: Sequence[Rule], component: Collection[Predicate], endless: Collection[Predicate]) -> bool:
    """Whether the rules, all with heads in a component of mutually recursive predicates, may build ever deeper terms.

    Outside it, the predicates in `endless` may have infinitely many facts, others have not. False is certain: then
    bottom-up evaluation ends where a value does not come from the endless ones alone, unless numbers grow. A variable
    in a compound term that only an assignment or a sum gives its value counts as growing.
    """
    bounds: list[tuple[_Argument, list[_Source]]] = []
    for rule in rules:
        assert rule.head is not None
        for number, term in enumerate(rule.head.arguments):
            if isinstance(term, Function) and any(isinstance(part, Arithmetic) for part in subterms(term)):
                return True
            for variable, depth in _depths(term):
                sources = list(_sources(rule, variable, depth, component, endless))
                if sources:
                    bounds.append(((rule.head.predicate, number), sources))
                elif depth or _is_made(rule, variable):
                    return True
    ranks = {argument: 0 for argument, _ in bounds}
    steepest = max((more for _, sources in bounds for _, more in sources), default=0)
    while True:
        changed = False
        for argument, sources in bounds:
            least = min(more + (0 if source is None else ranks.get(source, 0)) for source, more in sources)
            if least > ranks[argument]:
                ranks[argument], changed = least, True
        if not changed:
            return False
        # Ranks that settle do so without a gap wider than the steepest rule.
        if max(ranks.values()) > steepest * (len(ranks) + 1):
            return True


def _is_made(rule: Rule, variable: Variable) -> bool:
    """Whether an `=` may give the variable a compound term as its value."""
    return any(
        isinstance(item, Comparison)
        and item.operator == "="
        and variable in variables(item)
        and any(isinstance(side, Function) and not is_ground(side) for side in (item.left, item.right))
        for item in rule.body
    )


def _sources(
    rule: Rule, variable: Variable, depth: int, component: Collection[Predicate], endless: Collection[Predicate]
) -> Iterator[_Source]:
    """The places in the positive body that bound the depth of a variable; it stands at `depth` in the head."""
    for literal in rule.literals:
        if literal.positive and literal.atom.predicate not in endless:
            inside = literal.atom.predicate in component
            for number, term in enumerate(literal.atom.arguments):
                for found, below in _depths(term):
                    if found == variable:
                        yield ((literal.atom.predicate, number), depth - below) if inside else (None, depth)


def _depths(term: Term, depth: int = 0) -> Iterator[tuple[Variable, int]]:
    """The variables of a term outside sums, and how many compound terms stand around each."""
    match term:
        case Variable():
            yield term, depth
        case Function(_, arguments):
            for argument in arguments:
                yield from _depths(argument, depth + 1)
        case _:
            return

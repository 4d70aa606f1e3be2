"""Bodies with `or`: each alternative becomes a rule of its own, or a rule of an auxiliary predicate where that is less.

    (<= p (q ?x) (or (r ?x) (s ?x)))        p :- q(X), r(X).
                                            p :- q(X), s(X).

Several `or` in one body multiply. An `or` whose alternatives can stand alone, binding what they share with the rest,
then becomes `either(X)`, and the rules add up instead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hexlogic.errors import RuleSyntaxError
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.syntax import Atom, BodyLiteral, Literal, Place, Rule, Variable
from hexlogic.language.walk import variables

Alternatives: TypeAlias = tuple[tuple[BodyLiteral, ...], ...]
"""A formula as its alternatives, each of which is a conjunction."""

MOST_RULES = 1000
"""Alternatives that multiply give at most so many rules; one long list of alternatives may be longer."""


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule as it is written: each formula of its body with its alternatives."""

    head: Atom
    body: tuple[Alternatives, ...]
    place: Place


def both(formulas: Sequence[Alternatives], place: Place) -> Alternatives:
    """The alternatives of a conjunction. Raises RuleSyntaxError when there are too many."""
    sizes = [len(formula) for formula in formulas]
    if math.prod(sizes) > max([MOST_RULES, *sizes]):
        raise RuleSyntaxError(
            f"the rule stands for more than {MOST_RULES} rules without `or`",
            file=place.file,
            line=place.line,
            column=place.column,
            hint="name a part of it by a rule of its own",
        )
    return tuple(tuple(itertools.chain(*chosen)) for chosen in itertools.product(*formulas))


def rules_of(clause: WrittenRule, names: Iterator[str]) -> Iterator[Rule]:
    """The rules that say what the clause says; auxiliary predicates take their names from `names`."""
    sizes = [len(formula) for formula in clause.body if len(formula) > 1]
    apart = math.prod(sizes) > 1 + sum(sizes)
    body = list(clause.body)
    for number, formula in enumerate(body):
        if not apart or len(formula) == 1:
            continue
        shared = _shared(clause, number)
        head = Atom("either", tuple(sorted(shared, key=str)))
        rules = [Rule(head, chosen, clause.place) for chosen in formula]
        if any(map(unsafe_variables, rules)):
            continue
        named = Atom(next(names), head.arguments)
        yield from (Rule(named, rule.body, clause.place) for rule in rules)
        body[number] = ((Literal(named),),)
    yield from (Rule(clause.head, chosen, clause.place) for chosen in both(body, clause.place))


def _shared(clause: WrittenRule, number: int) -> frozenset[Variable]:
    """The variables that a formula of the body has in common with the rest of the rule."""
    rest = [formula for other, formula in enumerate(clause.body) if other != number]
    outside = variables(clause.head).union(*map(_variables, rest))
    return _variables(clause.body[number]) & outside


def _variables(formula: Alternatives) -> frozenset[Variable]:
    return frozenset().union(*(variables(item) for chosen in formula for item in chosen))

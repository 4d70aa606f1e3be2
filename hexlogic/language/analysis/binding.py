"""Legal orders of a body: the literals before each literal bind the variables that it cannot bind itself.

A positive atom binds its variables, except those inside an arithmetic expression. `=` binds a variable (or the
variables of a compound term) on one side once the other side is bound. A negation, any other comparison and any
arithmetic expression bind nothing and need all their variables bound.

An adornment says which arguments of a predicate are bound whenever it is called, left to right, from the queries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from hexlogic.language.analysis.dependence import reachable, recursive_predicates, recursive_through
from hexlogic.language.syntax import (
    Arithmetic,
    BodyLiteral,
    Comparison,
    Function,
    Interval,
    Literal,
    Predicate,
    Program,
    Rule,
    Term,
    Variable,
)
from hexlogic.language.walk import rule_variables, subterms, variables


def bindable(term: Term) -> frozenset[Variable]:
    """The variables that matching `term` against a value binds: those outside arithmetic.

    >>> from hexlogic.language.parser import parse_rule
    >>> sorted(map(str, bindable(parse_rule("p(f(X,Y+1)).").head.arguments[0])))
    ['X']
    """
    match term:
        case Variable():
            return frozenset((term,))
        case Function(_, arguments):
            return frozenset().union(*map(bindable, arguments))
        case _:
            return frozenset()


def _computed(term: Term) -> frozenset[Variable]:
    """The variables inside arithmetic."""
    match term:
        case Arithmetic() | Interval():
            return variables(term)
        case Function(_, arguments):
            return frozenset().union(*map(_computed, arguments))
        case _:
            return frozenset()


def needs(item: BodyLiteral, bound: frozenset[Variable]) -> frozenset[Variable]:
    """The variables that must still be bound before `item` can be reached; empty when it can be evaluated now."""
    match item:
        case Literal(atom, True):
            # arithmetic in an argument is computed before the call, so not even the atom's own arguments help it
            return frozenset().union(*map(_computed, atom.arguments)) - bound
        case Comparison("=", left, right):
            if variables(item) <= bound:
                return frozenset()
            # either side may be the pattern; the other side must be a known value
            options = [
                (variables(value) | _computed(pattern)) - bound
                for pattern, value in ((left, right), (right, left))
                if not isinstance(pattern, Arithmetic | Interval)
            ]
            return min(options, key=len, default=variables(item) - bound)
        case _:
            return variables(item) - bound


def binds(item: BodyLiteral, bound: frozenset[Variable]) -> frozenset[Variable]:
    """The variables bound after `item` was evaluated; call it only where `needs` is empty."""
    return bound | variables(item)


def first_unbound(rule: Rule) -> BodyLiteral | None:
    """The first body literal, left to right, that is reached with a variable unbound that it needs; None if legal.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(first_unbound(parse_rule("p(X) :- not q(X), r(X).")))
    not q(X)
    >>> print(first_unbound(parse_rule("p(X) :- r(X), not q(X), Y = X+1, r(Y).")))
    None
    """
    bound: frozenset[Variable] = frozenset()
    for item in rule.body:
        if needs(item, bound):
            return item
        bound = binds(item, bound)
    return None


def is_legal(rule: Rule) -> bool:
    """Whether the body can be evaluated left to right as it stands."""
    return first_unbound(rule) is None


def guarded_variables(rule: Rule, growing: Collection[Predicate]) -> dict[int, frozenset[Variable]]:
    """For each body literal of a growing predicate (by position) the variables that the text binds before it.

    A predicate with infinitely many facts can be asked about given terms but not listed, so an order that reaches it
    with fewer of these variables bound need not end, although every binding rule is met.
    """
    guarded: dict[int, frozenset[Variable]] = {}
    bound: frozenset[Variable] = frozenset()
    for position, item in enumerate(rule.body):
        if isinstance(item, Literal) and item.atom.predicate in growing:
            guarded[position] = variables(item) & bound
        bound = binds(item, bound)
    return guarded


def _closure(items: Iterable[BodyLiteral]) -> frozenset[Variable]:
    bound: frozenset[Variable] = frozenset()
    waiting = list(items)
    progress = True
    while progress:
        blocked = []
        for item in waiting:
            if needs(item, bound):
                blocked.append(item)
            else:
                bound = binds(item, bound)
        progress = len(blocked) < len(waiting)
        waiting = blocked
    return bound


def unsafe_variables(rule: Rule) -> frozenset[Variable]:
    """The variables that no order of the body binds; a rule is safe when there is none.

    >>> from hexlogic.language.parser import parse_rule
    >>> sorted(map(str, unsafe_variables(parse_rule("p(X,Y) :- q(X), not r(Z)."))))
    ['Y', 'Z']
    """
    return rule_variables(rule) - _closure(rule.body)


Adornments: TypeAlias = Mapping[Predicate, frozenset[int]]
"""For each predicate the argument positions (from 0) that every call binds."""


def head_bound(rule: Rule, known: Adornments) -> frozenset[Variable]:
    """The head variables that are bound when the rule is entered."""
    if rule.head is None:
        return frozenset()
    positions = known.get(rule.head.predicate, frozenset())
    return frozenset().union(*(bindable(rule.head.arguments[position]) for position in positions))


def meet(program: Program, start: Adornments) -> dict[Predicate, frozenset[int]]:
    """What remains of `start` after every call in the program was looked at: the greatest fixpoint below it."""
    known = dict(start)
    changed = True
    while changed:
        changed = False
        for rule in program.rules:
            if rule.head is None or rule.head.predicate not in known or not rule.body:
                continue
            bound = head_bound(rule, known)
            for item in rule.body:
                if isinstance(item, Literal) and item.atom.predicate in known:
                    asked = known[item.atom.predicate]
                    called = frozenset(place for place in asked if variables(item.atom.arguments[place]) <= bound)
                    changed |= called != asked
                    known[item.atom.predicate] = called
                bound = binds(item, bound)
    return known


def everything_bound(program: Program) -> dict[Predicate, frozenset[int]]:
    """The top of the lattice: every argument of every predicate that the queries reach is bound.

    A predicate that no query reaches is missing: nothing is known about its calls. A program without declared
    queries is asked about anything, so nothing is known at all.
    """
    return {predicate: frozenset(range(predicate.arity)) for predicate in sorted(reachable(program, program.queries))}


def adornments(program: Program) -> dict[Predicate, frozenset[int]]:
    """The argument positions that every call binds, when the queries are asked with all arguments given.

    >>> from hexlogic.language.parser import parse
    >>> text = "wins(P) :- first(P,X), reach(P,X,Y), last(P,Y). reach(P,X,X) :- owns(P,X). #show wins/1."
    >>> sorted(adornments(parse(text))[Predicate("reach", 3)])
    [0, 1]
    """
    return meet(program, everything_bound(program))


def descending_predicates(program: Program) -> frozenset[Predicate]:
    """The recursive predicates that end without a table: each call to itself takes a bound argument apart.

    unvisited(Y,visited(X,V)) :- unvisited(Y,V), X != Y.      called with the list, ends at nil

    A table would store every list that is ever asked about: it ends as well, five to ten times slower. The second
    argument must be bound in every call that the declared queries lead to.
    """
    bound = adornments(program)
    predicates: set[Predicate] = set()
    for predicate in recursive_predicates(program):
        calls = [
            (rule.head.arguments, literal.atom.arguments)
            for rule in program.defining(predicate)
            for literal in rule.literals
            if rule.head is not None and literal.atom.predicate == predicate
        ]
        if recursive_through(program, predicate) == {predicate} and any(
            all(call[position] in list(subterms(head[position]))[1:] for head, call in calls)
            for position in bound.get(predicate, ())
        ):
            predicates.add(predicate)
    return frozenset(predicates)

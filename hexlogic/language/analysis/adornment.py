"""Adornments: which arguments of a predicate are bound whenever it is called, left to right, from the queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from hexlogic.language.analysis.binding import bindable, binds
from hexlogic.language.analysis.dependence import recursive_predicates, recursive_through
from hexlogic.language.syntax import Literal, Predicate, Program, Rule, Variable
from hexlogic.language.walk import subterms, variables

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
    from hexlogic.language.analysis.dependence import reachable

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

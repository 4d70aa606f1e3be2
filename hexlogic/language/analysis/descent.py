"""Recursion that ends by itself: each call takes a bound argument apart."""

from __future__ import annotations

from hexlogic.language.analysis.adornment import adornments
from hexlogic.language.analysis.dependence import recursive_predicates, recursive_through
from hexlogic.language.syntax import Predicate, Program
from hexlogic.language.walk import subterms


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

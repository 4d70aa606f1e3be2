"""Questions about a program: which predicates depend on which; strata; recursive, static and growing predicates.

Analyses answer, passes change: nothing here changes a rule.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from hexlogic.errors import HexlogicError, StratificationError
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.analysis.growth import grows
from hexlogic.language.syntax import Predicate, Program
from hexlogic.language.walk import predicates


@functools.lru_cache(maxsize=64)
def dependency_graph(program: Program) -> Digraph[Predicate]:
    """The graph with an edge from each head predicate to each predicate of its bodies, negative where it is negated.

    Integrity constraints have no head and make no edge.
    """
    edges = {
        (rule.head.predicate, literal.atom.predicate, not literal.positive): None
        for rule in program.rules
        if rule.head is not None
        for literal in rule.literals
    }
    return Digraph(edges, sorted(predicates(program)))


@functools.lru_cache(maxsize=64)
def sccs(program: Program) -> tuple[frozenset[Predicate], ...]:
    """The strongly connected components, each after those it depends on."""
    return tuple(dependency_graph(program).components())


@functools.lru_cache(maxsize=64)
def recursive_predicates(program: Program) -> frozenset[Predicate]:
    """The predicates that depend on themselves.

    >>> from hexlogic.language.parser import parse
    >>> sorted(map(str, recursive_predicates(parse("p(X) :- e(X). q(X) :- p(X). q(Y) :- q(X), r(X,Y)."))))
    ['q/1']
    """
    graph = dependency_graph(program)
    return frozenset(
        predicate
        for component in sccs(program)
        for predicate in component
        if len(component) > 1 or predicate in graph.successors(predicate)
    )


def recursive_through(program: Program, predicate: Predicate) -> frozenset[Predicate]:
    """The predicates mutually recursive with `predicate`, itself included; empty when it is not recursive."""
    return _recursive_components(program).get(predicate, frozenset())


@functools.lru_cache(maxsize=64)
def _recursive_components(program: Program) -> dict[Predicate, frozenset[Predicate]]:
    recursive = recursive_predicates(program)
    return {predicate: component for component in sccs(program) for predicate in component & recursive}


@functools.lru_cache(maxsize=64)
def strata(program: Program) -> dict[Predicate, int]:
    """The stratum of each predicate, from 0; a negated predicate lies in a lower stratum than its user.

    Raises StratificationError, with the place of a rule on the cycle, when there is recursion through negation.
    """
    graph = dependency_graph(program)
    level: dict[Predicate, int] = {}
    for component in sccs(program):
        height = 0
        for predicate in sorted(component):
            for below, negative in sorted(graph.successors(predicate).items()):
                if below not in component:
                    height = max(height, level[below] + negative)
                elif negative:
                    raise _not_stratified(program, predicate, below)
        level.update(dict.fromkeys(component, height))
    return level


def _not_stratified(program: Program, head: Predicate, negated: Predicate) -> HexlogicError:
    cycle = [head, *dependency_graph(program).path(negated, head)]
    error = StratificationError(
        f"{head} depends on its own negation",
        hint="the cycle is " + " -> ".join([str(head), f"not {negated}", *map(str, cycle[2:])]),
    )
    for rule in program.defining(head):
        if any(not literal.positive and literal.atom.predicate == negated for literal in rule.literals):
            return rule.at(error)
    return error


def reachable(program: Program, roots: Iterable[Predicate]) -> frozenset[Predicate]:
    """The predicates that the roots depend on, the roots included."""
    return dependency_graph(program).below(roots)


def intensional(program: Program) -> frozenset[Predicate]:
    """The predicates that some rule with a body defines (the IDB); the others are the EDB."""
    return frozenset(rule.head.predicate for rule in program.rules if rule.head is not None and rule.body)


def static_predicates(program: Program) -> frozenset[Predicate]:
    """The defined predicates that depend on no input: their facts are the same at every run.

    >>> from hexlogic.language.parser import parse
    >>> text = "#defined owns/1. cell(1..3). next(X,X+1) :- cell(X). hit(Y) :- owns(X), next(X,Y)."
    >>> sorted(map(str, static_predicates(parse(text))))
    ['cell/1', 'next/2']
    """
    return program.heads - dependency_graph(program).above(program.inputs)


def listable_predicates(program: Program) -> frozenset[Predicate]:
    """The static predicates whose facts can be listed: nothing that they depend on grows without end."""
    growing = growing_predicates(program)
    return frozenset(one for one in static_predicates(program) if not reachable(program, [one]) & growing)


def rules_below(program: Program, roots: Iterable[Predicate]) -> Program:
    """The rules with a head that the roots depend on, and the constants."""
    needed = reachable(program, roots)
    return Program(
        tuple(rule for rule in program.rules if rule.head and rule.head.predicate in needed), program.constants
    )


def undefined_predicates(program: Program) -> tuple[Predicate, ...]:
    """The predicates of bodies that no rule defines and that are no inputs, in the order of the text.

    >>> from hexlogic.language.parser import parse
    >>> print(*undefined_predicates(parse("#defined owns/2. wins(P) :- owns(P,X), last(P,X), not lost(P).")))
    last/2 lost/1
    """
    known = program.heads | set(program.inputs)
    used = dict.fromkeys(literal.atom.predicate for rule in program.rules for literal in rule.literals)
    return tuple(predicate for predicate in used if predicate not in known)


@functools.lru_cache(maxsize=64)
def growing_predicates(program: Program) -> frozenset[Predicate]:
    """The recursive predicates that may hold for infinitely many terms: recursion builds a compound term.

    A syntactic test, sufficient and not necessary (`hexlogic.language.analysis.growth`). Bottom-up evaluation of such
    a predicate need not end.

    >>> from hexlogic.language.parser import parse
    >>> sorted(map(str, growing_predicates(parse("number(zero). number(next(X)) :- number(X)."))))
    ['number/1']
    """
    growing: set[Predicate] = set()
    endless: set[Predicate] = set()
    graph, recursive = dependency_graph(program), recursive_predicates(program)
    defining = program.definitions
    for component in sccs(program):
        rules = [rule for predicate in sorted(component) for rule in defining.get(predicate, ())]
        if component <= recursive and grows(rules, component, endless):
            growing |= component
            endless |= component
        elif any(below in endless for predicate in component for below in graph.successors(predicate)):
            endless |= component
    return frozenset(growing)

"""The dependency graph of a program: components, strata; recursive, static and growing predicates.

A recursion grows when compound terms come out of it deeper than they went in:

    step(s(X)) :- step(X).                            grows: what goes in at depth 0 comes out at depth 1
    cell(at(Y)) :- cell(at(X)), beside(X,Y).          does not: Y comes from outside
    cell(at(X,Z)) :- cell(at(X,Y)), beside(Y,Z).      does not: X comes out as deep as it went in

Each argument gets a rank, an upper bound of how deep its terms are. Source: Lierler and Lifschitz 2009, "One more
decidable class of finitely ground programs" (argument-restricted programs).
"""

import functools
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from hexlogic.errors import HexlogicError, StratificationError
from hexlogic.language.analysis.graph import Digraph
from hexlogic.language.syntax import Arithmetic, Comparison, Function, Predicate, Program, Rule, Term, Variable
from hexlogic.language.walk import is_ground, predicates, subterms, variables

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
        for number, term in enumerate(rule.conclusion.arguments):
            if isinstance(term, Function) and any(isinstance(part, Arithmetic) for part in subterms(term)):
                return True
            for variable, depth in _depths(term):
                sources = list(_sources(rule, variable, depth, component, endless))
                if sources:
                    bounds.append(((rule.conclusion.predicate, number), sources))
                elif depth or _is_made(rule, variable):
                    return True
    ranks: dict[_Argument | None, int] = {argument: 0 for argument, _ in bounds}
    steepest = max(0, 0, *(more for _, sources in bounds for _, more in sources))
    # Ranks that settle do so without a gap wider than the steepest rule.
    while max(ranks.values(), default=0) <= steepest * (len(ranks) + 1):
        before = ranks.copy()
        for argument, sources in bounds:
            ranks[argument] = max(ranks[argument], min(more + ranks.get(source, 0) for source, more in sources))
        if ranks == before:
            return False
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
                for candidate, below in _depths(term):
                    if candidate == variable:
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


@functools.lru_cache(maxsize=64)
def dependency_graph(program: Program) -> Digraph[Predicate]:
    """Edges from head to body predicates, negative where negated; constraints make none."""
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
def _recursive_components(program: Program) -> dict[Predicate, frozenset[Predicate]]:
    return dependency_graph(program).on_cycles()


def recursive_predicates(program: Program) -> frozenset[Predicate]:
    """The predicates that depend on themselves.

    >>> from hexlogic.language.parser import parse
    >>> sorted(map(str, recursive_predicates(parse("p(X) :- e(X). q(X) :- p(X). q(Y) :- q(X), r(X,Y)."))))
    ['q/1']
    """
    return frozenset(_recursive_components(program))


def recursive_through(program: Program, predicate: Predicate) -> frozenset[Predicate]:
    """The predicates mutually recursive with `predicate`, itself included; empty when it is not recursive."""
    return _recursive_components(program).get(predicate, frozenset())


@functools.lru_cache(maxsize=64)
def strata(program: Program) -> dict[Predicate, int]:
    """The stratum of each predicate, from 0; a negated predicate lies in a lower stratum than its user. Raises
    StratificationError, with the place of a rule on the cycle, when there is recursion through negation."""
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
    hint = "the cycle is " + " -> ".join([str(head), f"not {negated}", *map(str, cycle[2:])])
    error = StratificationError(f"{head} depends on its own negation", hint=hint)
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
    return static_predicates(program) - dependency_graph(program).above(growing_predicates(program))


def rules_below(program: Program, roots: Iterable[Predicate]) -> Program:
    """The rules with a head that the roots depend on, and the constants."""
    needed = reachable(program, roots)
    rules = (rule for rule in program.rules if rule.head and rule.head.predicate in needed)
    return Program(tuple(rules), program.constants)


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

    A syntactic test, sufficient and not necessary. Bottom-up evaluation of such a predicate need not end.

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

"""Legal orders of a body: the literals before each literal bind the variables that it cannot bind itself.

A positive atom binds its variables, except those inside an arithmetic expression. `=` binds a variable (or the
variables of a compound term) on one side once the other side is bound. A negation, any other comparison and any
arithmetic expression bind nothing and need all their variables bound.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from hexlogic.language.analysis.dependence import reachable, recursive_predicates, recursive_through
from hexlogic.language.syntax import BodyLiteral, Comparison, Literal, Predicate, Program, Rule
from hexlogic.language.terms import Arithmetic, Function, Interval, Term, Variable
from hexlogic.language.walk import rule_variables, subterms, variables


def _fields(term: Term) -> Iterator[Term]:
    """The term, or the innermost fields of a compound one: variables, constants and arithmetic."""
    if isinstance(term, Function):
        for argument in term.arguments:
            yield from _fields(argument)
    else:
        yield term


def bindable(term: Term) -> frozenset[Variable]:
    """The variables that matching `term` against a value binds: those outside arithmetic.

    >>> from hexlogic.language.parser import parse_rule
    >>> sorted(map(str, bindable(parse_rule("p(f(X,Y+1)).").head.arguments[0])))
    ['X']
    """
    return frozenset(field for field in _fields(term) if isinstance(field, Variable))


def _computed(*terms: Term) -> frozenset[Variable]:
    fields = (field for term in terms if not isinstance(term, Variable) for field in _fields(term))
    return variables(*(field for field in fields if isinstance(field, Arithmetic | Interval)))


def needs(item: BodyLiteral, bound: frozenset[Variable]) -> frozenset[Variable]:
    """The variables that must still be bound before `item` can be reached; empty when it can be evaluated now."""
    match item:
        case Literal(atom, True):
            # arithmetic in an argument is computed before the call, so not even the atom's own arguments help it
            return _computed(*atom.arguments) - bound
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
        bound |= variables(item)
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
        bound |= variables(item)
    return guarded


def unsafe_variables(rule: Rule) -> frozenset[Variable]:
    """The variables that no order of the body binds; a rule is safe when there is none.

    >>> from hexlogic.language.parser import parse_rule
    >>> sorted(map(str, unsafe_variables(parse_rule("p(X,Y) :- q(X), not r(Z)."))))
    ['Y', 'Z']
    """
    bound: frozenset[Variable] = frozenset()
    waiting, blocked = 0, list(rule.body)
    while len(blocked) != waiting:
        waiting, items, blocked = len(blocked), blocked, []
        for item in items:
            if needs(item, bound):
                blocked.append(item)
            else:
                bound |= variables(item)
    return rule_variables(rule) - bound


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
                bound |= variables(item)
    return known


def everything_bound(program: Program) -> dict[Predicate, frozenset[int]]:
    """The top of the lattice: every argument of every predicate that the queries reach is bound.

    A predicate that no query reaches is missing: nothing is known about its calls. A program without declared
    queries is asked about anything, so nothing is known at all.

    >>> from hexlogic.language.parser import parse
    >>> program = parse("wins(P) :- first(P,X), reach(P,X,Y), last(P,Y). reach(P,X,X) :- owns(P,X). #show wins/1.")
    >>> sorted(meet(program, everything_bound(program))[Predicate("reach", 3)])
    [0, 1]
    """
    return {predicate: frozenset(range(predicate.arity)) for predicate in sorted(reachable(program, program.queries))}


def descending_predicates(program: Program) -> frozenset[Predicate]:
    """The recursive predicates that end without a table: each call to itself takes a bound argument apart.

    unvisited(Y,visited(X,V)) :- unvisited(Y,V), X != Y.      called with the list, ends at nil

    A table would store every list that is ever asked about: it ends as well, five to ten times slower. The second
    argument must be bound in every call that the declared queries lead to.
    """
    bound = meet(program, everything_bound(program))

    def descends(predicate: Predicate, position: int) -> bool:
        return all(
            literal.atom.arguments[position] in list(subterms(rule.conclusion.arguments[position]))[1:]
            for rule in program.defining(predicate)
            for literal in rule.literals
            if literal.atom.predicate == predicate
        )

    return frozenset(
        predicate
        for predicate in recursive_predicates(program)
        if recursive_through(program, predicate) == {predicate}
        and any(descends(predicate, position) for position in bound.get(predicate, ()))
    )

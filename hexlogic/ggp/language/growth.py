"""Terms that grow without end: whether a sheet may build them, and which rule does.

(<= (next (n (s ?x))) (true (n ?x)))        each state has a deeper term
(<= (number (s ?x)) (number ?x))            the rules alone have no end
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.syntax import Atom, Function, Literal, Program, Rule, Term, Variable
from hexlogic.language.walk import variables

DEEPEST = 150
"""Compound terms inside each other, in a fact of a state."""
_FACT = Variable("F")
_IN_PLAY = Rule(Atom("true", (_FACT,)), (Literal(Atom("next", (_FACT,))),))


@functools.lru_cache(maxsize=16)
def growing_rule(sheet: Program) -> Rule | None:
    """The first rule that may build ever deeper terms, from state to state too; None where none can.

    >>> from hexlogic.ggp.language.reading import read_kif
    >>> print(growing_rule(read_kif("(init (n z)) (<= (next (n (s ?x))) (true (n ?x)))")))
    next(n(s(X))) :- true(n(X)).
    """
    growing = growing_predicates(Program((*sheet.rules, _IN_PLAY)))
    rules = [rule for rule in sheet.rules if rule.head is not None and rule.head.predicate in growing and rule.body]
    builds = (rule for rule in rules if rule.head is not None and any(map(_builds, rule.head.arguments)))
    return next(builds, next(iter(rules), None))


def _builds(term: Term) -> bool:
    return isinstance(term, Function) and bool(variables(term))


def too_deep(terms: Iterable[Term]) -> bool:
    """Whether a term has more compound terms inside each other than `DEEPEST`."""
    waiting = [(term, 0) for term in terms]
    while waiting:
        term, depth = waiting.pop()
        if isinstance(term, Function):
            if depth == DEEPEST:
                return True
            waiting += [(part, depth + 1) for part in term.arguments]
    return False

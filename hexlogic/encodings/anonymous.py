"""Variables that occur once become anonymous: gringo then projects the argument away before it joins.

Before:  :- step(X,Y), step(Y,Z), step(Z,W).
After:   :- step(_,Y), step(Y,Z), step(Z,_).

The ground constraint then holds one instance for each Y and Z, not for each X, Y, Z and W. No predicate that is seen is
added. *Leaves alone* variables that the head or any other part of the statement needs, and those inside arithmetic.
"""

from __future__ import annotations

from collections import Counter

from hexlogic.logic import Function, Literal, Rule, Symbol, Term, Variable
from hexlogic.logic.analysis.binding import bindable
from hexlogic.logic.walk import body_terms, subterms

__all__ = ["anonymised"]


def anonymised(rule: Rule) -> Rule:
    """The rule with `_` for each variable that occurs once; the same object when there is none.

    >>> from hexlogic.logic.parser import parse_rule
    >>> print(anonymised(parse_rule("p(X) :- q(X,Y), r(X,Z), not s(Z).")))
    p(X) :- q(X,_), r(X,Z), not s(Z).
    """
    counts = Counter(part for item in rule.items for term in body_terms(item) for part in subterms(term))
    body = list(rule.body)
    for place, item in enumerate(body):
        if isinstance(item, Literal) and item.positive:
            once = frozenset(name for term in item.atom.arguments for name in bindable(term) if counts[name] == 1)
            terms = tuple(_without(term, once) for term in item.atom.arguments)
            body[place] = Literal(type(item.atom)(item.atom.name, terms))
    return rule if tuple(body) == rule.body else rule.with_body(tuple(body))


def _without(term: Term, once: frozenset[Variable]) -> Term:
    if isinstance(term, Function):
        return Function(term.name, tuple(_without(part, once) for part in term.arguments))
    return Symbol("_") if term in once else term

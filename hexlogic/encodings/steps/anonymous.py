"""Variables that occur once become anonymous: gringo then projects the argument away before it joins.

Before:  :- step(X,Y), step(Y,Z), step(Z,W).
After:   :- step(_,Y), step(Y,Z), step(Z,_).

The ground constraint then holds one instance for each Y and Z, not for each X, Y, Z and W. No predicate that is seen is
added. *Leaves alone* variables that the head or any other part of the statement needs, and those inside arithmetic.
"""

from collections import Counter

from hexlogic.encodings.steps.base import Step, proved
from hexlogic.language import Rule, Symbol
from hexlogic.language.analysis.binding import bindable
from hexlogic.language.walk import rule_terms, substitute


def anonymised(rule: Rule) -> Rule:
    """The rule with `_` for each variable that occurs once; the same object when there is none.

    >>> from hexlogic.language.parser import parse_rule
    >>> print(anonymised(parse_rule("p(X) :- q(X,Y), r(X,Z), not s(Z).")))
    p(X) :- q(X,_), r(X,Z), not s(Z).
    """
    counts = Counter(rule_terms(rule))
    positive = (literal.atom for literal in rule.literals if literal.positive)
    bound = frozenset(name for atom in positive for term in atom.arguments for name in bindable(term))
    once = {name: Symbol("_") for name in bound if counts[name] == 1}
    return substitute(rule, once) if once else rule


STEP = Step("anonymous", proved(lambda rule, _: [anonymised(rule)]), finished=anonymised)

"""A body that asks for k different values becomes an aggregate that counts them.

Before:  :- at(X,C), at(Y,C), X < Y, room(C).
After:   :- room(C), #count { X : at(X,C) } > 1.

The ground constraint holds each atom once, where the pairs of n atoms are n(n-1)/2 constraints. Made in constraints and
weak constraints, where only truth in an answer set counts, for a chain `X < Y < ...` of variables that can be exchanged
and that no literal mentions together (`symmetric` writes `X != Y` as such a chain). What binds the other variables of
the counted literals stays outside, with `_` for the counted variable. *Preserves* the answer sets: k values can be
counted exactly when k values in ascending order satisfy the literals. Used by ngo as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from hexlogic.logic import Atom, BodyLiteral, Comparison, Literal, Rule, Symbol, Variable
from hexlogic.logic.analysis.binding import unsafe_variables
from hexlogic.logic.names import fresh_variables
from hexlogic.logic.walk import rule_variables, substitute, variables
from hexlogic.passes.symmetric import exchangeable

__all__ = ["Counted", "counted"]


@dataclass(frozen=True)
class Counted:
    """A body with one aggregate: what stays outside, the counted variable, its condition and the least number."""

    rule: Rule
    variable: Variable
    condition: tuple[BodyLiteral, ...]
    least: int

    def __str__(self) -> str:
        return f"#count {{ {self.variable} : {', '.join(map(str, self.condition))} }} > {self.least - 1}"

    @property
    def expanded(self) -> Rule:
        """The same body without the aggregate: so many copies of the condition, their values in ascending order."""
        used = rule_variables(self.rule).union(*map(variables, self.condition))
        values = list(islice(fresh_variables("Value", used), self.least))
        own = Rule(None, self.condition)
        copies = [item for value in values for item in substitute(own, {self.variable: value}).body]
        chain = [Comparison("<", *pair) for pair in pairwise(values)]
        return self.rule.with_body((*self.rule.body, *copies, *chain))


def counted(rule: Rule) -> Counted | None:
    """The body with an aggregate for its first chain of exchangeable variables; None when there is none.

    >>> from hexlogic.logic.parser import parse_rule
    >>> found = counted(parse_rule(":- at(X,C), at(Y,C), X < Y."))
    >>> print(found.rule, found)
    :- at(_,C). #count { X : at(X,C) } > 1
    """
    needed = frozenset() if rule.head is None else variables(rule.head)
    for chain in _chains(rule):
        found = None if needed & set(chain) else _counted(rule, chain)
        if found is not None:
            return found
    return None


def _chains(rule: Rule) -> list[list[Variable]]:
    """Longest chains `X < Y < ...` of comparisons, each variable in one chain."""
    following: dict[Variable, Variable] = {}
    for item in rule.body:
        match item:
            case Comparison("<", Variable() as left, Variable() as right) | Comparison(">", right, Variable() as left):
                if isinstance(right, Variable):
                    following[left] = right
    found = []
    for start in (name for name in following if name not in following.values()):
        chain = [start]
        while (name := following.get(chain[-1])) is not None and name not in chain:
            chain.append(name)
        found.append(chain)
    return found


def _counted(rule: Rule, chain: Sequence[Variable]) -> Counted | None:
    steps = set(pairwise(chain))
    rest = [item for item in rule.body if not _is_step(item, steps)]
    inside = [item for item in rest if variables(item) & set(chain)]
    if any(len(variables(item) & set(chain)) > 1 for item in inside) or not exchangeable(rest, chain):
        return None
    condition = tuple(item for item in inside if chain[0] in variables(item))
    outside = [item for item in rest if item not in inside]
    shared = frozenset[Variable]().union(*map(variables, condition)) - {chain[0]}
    binders = [item for item in condition if _binds(item, chain[0])]
    if not binders or unsafe_variables(Rule(None, (*outside, *condition))):
        return None
    needed = frozenset() if rule.head is None else variables(rule.head)
    head = Atom("counted", tuple(sorted(shared | needed, key=str)))
    if unsafe_variables(Rule(head, tuple(outside))):
        inner = Rule(None, tuple(item for item in binders if variables(item) & shared))
        outside += substitute(inner, {chain[0]: Symbol("_")}).body
    left = Rule(head if head.arguments else None, tuple(dict.fromkeys(outside)), rule.place)
    return None if unsafe_variables(left) else Counted(left, chain[0], condition, len(chain))


def _binds(item: BodyLiteral, name: Variable) -> bool:
    """Whether a positive literal has the variable as an argument, and nowhere inside one."""
    if not isinstance(item, Literal) or not item.positive or name not in item.atom.arguments:
        return False
    return not any(term != name and name in variables(term) for term in item.atom.arguments)


def _is_step(item: BodyLiteral, steps: set[tuple[Variable, Variable]]) -> bool:
    match item:
        case Comparison("<", left, right) | Comparison(">", right, left):
            return (left, right) in steps
        case _:
            return False

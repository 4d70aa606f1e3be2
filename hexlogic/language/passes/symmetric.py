"""Symmetric: keep one order of variables that can be exchanged.

Before:  :- at(X,C), at(Y,C), X != Y.
After:   :- at(X,C), at(Y,C), X < Y.

Variables that are pairwise compared by `!=`, that the head does not mention, and of which each two can be exchanged
without changing the body, are put in order: of k variables one instance is left out of k!. Two different terms are
always in one order or the other, and exchanging the variables turns one instance into the other.
*Preserves* the meaning of the rule in every program. *Leaves alone* variables that the head mentions.
"""

import itertools
from collections.abc import Sequence

from hexlogic.language import Arithmetic, BodyLiteral, Comparison, Rule, Term, Variable
from hexlogic.language.passes.rule_pass import RuleContext, RulePass
from hexlogic.language.walk import head_variables, map_term, substitute


def symmetric(rule: Rule, context: RuleContext) -> list[Rule]:
    """The rule with a chain of `<` for each group of variables that can be exchanged."""
    needed = head_variables(rule)
    pairs = [pair for item in rule.body if (pair := _different(item)) and not set(pair) & needed]
    body: list[BodyLiteral] = list(rule.body)
    done: set[Variable] = set()
    for group in _groups(pairs):
        if not done & set(group) and exchangeable(body, group):
            done |= set(group)
            apart = set(map(frozenset, itertools.combinations(group, 2)))
            body = [item for item in body if frozenset(_different(item) or ()) not in apart]
            body += [Comparison("<", left, right) for left, right in itertools.pairwise(group)]
    return [rule if not done else rule.with_body(tuple(body))]


def exchangeable(body: Sequence[BodyLiteral], group: Sequence[Variable]) -> bool:
    """Whether exchanging any two neighbours of the group, and so any two, leaves the body as a set the same."""
    plain = set(map(unordered, body))
    rule = Rule(None, tuple(body))
    swaps = (substitute(rule, {left: right, right: left}) for left, right in itertools.pairwise(group))
    return all(set(map(unordered, swapped.body)) == plain for swapped in swaps)


def unordered(item: BodyLiteral) -> object:
    """The literal, with the two sides of `!=`, `=`, sums, products and `|X-Y|` in no order and `>` turned round."""
    if isinstance(item, Comparison):
        left, right = (map_term(side, _commuted) for side in (item.left, item.right))
        if item.operator in ("=", "!="):
            return item.operator, frozenset((left, right))
        if item.operator in (">", ">="):
            return item.operator.replace(">", "<"), right, left
        return item.operator, left, right
    return item


def _commuted(term: Term) -> Term:
    """The term with the operands of a sum, a product or a distance in the order of their text."""
    match term:
        case Arithmetic("abs", Arithmetic("-", left, right), zero) if str(left) > str(right):
            return Arithmetic("abs", Arithmetic("-", right, left), zero)
        case Arithmetic("+" | "*" as operator, left, right) if str(left) > str(right):
            return Arithmetic(operator, right, left)
        case _:
            return term


def _different(item: BodyLiteral) -> tuple[Variable, Variable] | None:
    match item:
        case Comparison("!=", Variable() as left, Variable() as right) if left != right:
            return left, right
        case _:
            return None


def _groups(pairs: Sequence[tuple[Variable, Variable]]) -> list[tuple[Variable, ...]]:
    """Groups in which each two variables are a pair, the largest first, each in the order of the text."""
    order = list(dict.fromkeys(itertools.chain.from_iterable(pairs)))
    known = set(map(frozenset, pairs))
    larger: list[tuple[Variable, ...]] = []
    for start, right in pairs:
        group = [start, right]
        for other in order:
            if other not in group and all(frozenset((other, member)) in known for member in group):
                group.append(other)
        larger.append(tuple(name for name in order if name in group))
    small = [tuple(name for name in order if name in pair) for pair in pairs]
    return sorted(dict.fromkeys([*larger, *small]), key=lambda group: -len(group))


PASS = RulePass("symmetric", "put variables that can be exchanged in one order: `X < Y` for `X != Y`", symmetric)

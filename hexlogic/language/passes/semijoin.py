"""Semijoin: reduce the relations of an acyclic body along a join tree, so that no partial join is lost.

Before:  a(1..2,5).  b(1..30,1).  c(1,1).  p(X,W) :- a(X,Y), b(Y,Z), c(Z,W).
After:   a(1..2,5).  b(1..30,1).  c(1,1).  p_reduced(Y,Z) :- b(Y,Z), a(X,Y).
         p_reduced_2(W,Z) :- c(Z,W), p_reduced(Y,Z).
         p(X,W) :- p_reduced_2(W,Z), p_reduced(Y,Z), a(X,Y).

The literals are the nodes of a join tree (GYO reduction); from the leaves upwards each relation is joined with the
variables it shares with its children. Then no partial join dies on the way. Made only where the estimate says that a
partial join is several times larger than the answers. *Preserves* the answers: each auxiliary predicate is an explicit
definition. *Leaves alone* cyclic bodies and bodies with fewer than three positive literals.
Source: Yannakakis 1981.
"""

import itertools
from collections.abc import Sequence

from hexlogic.language import BodyLiteral, Literal, Rule
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.passes.rule_pass import RuleContext, RulePass
from hexlogic.language.walk import is_positive, variables

_FEWEST = 3
_LOSS = 4.0  # How many times the answers the largest partial join must be


def semijoin(rule: Rule, context: RuleContext) -> list[Rule]:
    """The reducers from the leaves upwards, then the rule over the reduced relations."""
    joined = list(filter(is_positive, rule.body))
    tree = join_tree(joined) if len(joined) >= _FEWEST and not unsafe_variables(rule) else None
    if tree is None or _largest(joined, context.statistics) < _LOSS * context.statistics.answers(joined):
        return [rule]
    base = "reduced" if rule.head is None else f"{rule.head.name}_reduced"
    reduced: dict[int, Literal] = dict(enumerate(joined))
    made: list[Rule] = []
    leaves_first = [*(child for child, _ in tree), tree[-1][1]]
    for node in leaves_first:
        children = [child for child, parent in tree if parent == node]
        names = tuple(sorted(variables(joined[node])))
        if children:
            body = (joined[node], *(reduced[child] for child in children))
            head = context.auxiliary(base, names, body)
            made.append(Rule(head, body, rule.place))
            context.statistics.learn(made[-1])
            reduced[node] = Literal(head)
    rest = [item for item in rule.body if item not in joined]
    rules = [*made, rule.with_body((*(reduced[node] for node in reversed(leaves_first)), *rest))]
    return [rule] if any(map(unsafe_variables, rules)) else rules


def join_tree(items: Sequence[BodyLiteral]) -> list[tuple[int, int]] | None:
    """Edges (child, parent) of a join tree, leaves first, by the GYO reduction; None for a cyclic or split body.

    >>> from hexlogic.language.parser import parse_rule
    >>> join_tree(parse_rule("p :- a(X,Y), b(Y,Z), c(Z,W).").body)
    [(0, 1), (1, 2)]
    >>> join_tree(parse_rule("p :- a(X,Y), b(Y,Z), c(Z,X).").body) is None
    True
    """
    names = [variables(item) for item in items]
    left = list(range(len(items)))
    edges: list[tuple[int, int]] = []
    while len(left) > 1:
        # A literal whose shared variables all lie in one other literal, and that other one.
        shared = {
            child: names[child] & frozenset().union(*(names[other] for other in left if other != child))
            for child in left
        }
        pairs = itertools.permutations(left, 2)
        ear = next(((child, parent) for child, parent in pairs if frozenset() < shared[child] <= names[parent]), None)
        if ear is None:
            return None
        edges.append(ear)
        left.remove(ear[0])
    return edges


def _largest(items: Sequence[BodyLiteral], statistics: Statistics) -> float:
    done = [min(items, key=lambda item: statistics.answers([item]))]
    waiting = [item for item in items if item is not done[0]]
    largest = statistics.answers(done)
    while waiting:
        known = variables(*done)
        joined = [item for item in waiting if variables(item) & known] or waiting
        done.append(min(joined, key=lambda item: statistics.answers([*done, item])))
        waiting = [item for item in waiting if item is not done[-1]]
        largest = max(largest, statistics.answers(done))
    return largest


PASS = RulePass(
    "semijoin",
    "reduce the relations of an acyclic body to what joins, where partial joins are large",
    semijoin,
    adds_predicates=True,
)

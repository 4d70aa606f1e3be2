"""One of the two instances that a symmetric relation gives is enough.

Before:  edge(Y,X) :- edge(X,Y).   :- edge(X,Y), colour(X,C), colour(Y,C).
After:   edge(Y,X) :- edge(X,Y).   :- edge(X,Y), colour(X,C), colour(Y,C), X <= Y.

The rule makes `edge` symmetric in every answer set and while it is derived, whatever else adds atoms to it. So do
rules of which each is another one with the first two arguments of the head exchanged, such as
`near(X,Y) :- p(X), p(Y), |X-Y| = 1.`, where nothing else derives the predicate. Two terms are in one order or the
other, so that one of an instance and its mirror image stays; loops stay. Variables of literals that match are exchanged
with the two, such as S and T in `start(X,S), start(Y,T)`. So it is with the only difference of two sides:

Before:  :- at(A,X,Y), at(B,V,W), A != B, |X-V|+|Y-W| < 4.
After:   :- at(A,X,Y), at(B,V,W), A < B, |X-V|+|Y-W| < 4.

*Leaves alone* bodies that the exchange changes, variables that the head mentions, and rules for symmetric predicates.
"""

from collections.abc import Collection

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.encodings.steps.count import companions
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Predicate, Rule, Variable
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.symmetric import unordered
from hexlogic.language.syntax import ComparisonOperator
from hexlogic.language.walk import head_variables, substitute, variables


def _known(body: Collection[BodyLiteral], mirrored: Collection[Predicate]) -> set[object]:
    """The literals, with the first two arguments of symmetric relations in no order."""
    return {
        (item.atom.predicate, item.positive, frozenset(item.atom.arguments[:2]), item.atom.arguments[2:])
        if isinstance(item, Literal) and item.atom.predicate in mirrored
        else unordered(item)
        for item in body
    }


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> list[Change]:
    """The first pair in one order."""
    mirrored = analysis.mirrored
    apart = [item for item in rule.body if isinstance(item, Comparison) and item.operator == "!="]
    operator: ComparisonOperator
    for item in rule.body:
        rest = [other for other in rule.body if other != item]
        match item:
            case Literal(Atom(_, (Variable() as left, Variable() as right, *others)) as atom, True) if (
                atom.predicate in mirrored and left != right and not {left, right} & variables(*others)
            ):
                body, operator = rule.body, "<="
            case Comparison("!=", Variable() as left, Variable() as right) if apart == [item] and left != right:
                body, operator = tuple(rest), "<"
            case _:
                continue
        twins = companions(rest, left, right)
        twins |= {twin: name for name, twin in twins.items()}
        swapped = substitute(rule, twins).body
        is_needed = bool(twins.keys() & head_variables(rule) or block.heads & mirrored) or not twins
        if not is_needed and _known(swapped, mirrored) == _known(rule.body, mirrored):
            return [Change((rule.with_body((*body, Comparison(operator, left, right))),), "order")]
    return []


STEP = Step("mirror", changes)

"""One of the two instances that a symmetric relation gives is enough.

Before:  edge(Y,X) :- edge(X,Y).   :- edge(X,Y), colour(X,C), colour(Y,C).
After:   edge(Y,X) :- edge(X,Y).   :- edge(X,Y), colour(X,C), colour(Y,C), X <= Y.

The rule makes `edge` symmetric in every answer set and while it is derived, whatever else adds atoms to it. Two
terms are in one order or the other, so that one of an instance and its mirror image stays; loops stay. *Leaves alone*
bodies that exchanging the two variables changes, and variables that the head mentions.
"""

from __future__ import annotations

from collections.abc import Collection

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.language import BodyLiteral, Comparison, Literal, Predicate, Rule, Variable
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.symmetric import unordered
from hexlogic.language.walk import has_distinct_variables, head_variables, substitute


def _is_mirror(rule: Rule) -> bool:
    """Whether a rule says `p(Y,X) :- p(X,Y).`"""
    match rule:
        case Rule(head, (Literal(atom, True),)) if head is not None and head.predicate == atom.predicate:
            return has_distinct_variables(head) and atom.arguments == head.arguments[::-1] != head.arguments
        case _:
            return False


def _known(body: Collection[BodyLiteral], mirrored: Collection[Predicate]) -> set[object]:
    """The literals, with the arguments of symmetric relations in no order."""
    return {
        (item.atom.predicate, item.positive, frozenset(item.atom.arguments))
        if isinstance(item, Literal) and item.atom.predicate in mirrored
        else unordered(item)
        for item in body
    }


class Mirror(Step):
    """Keep one order."""

    def changes(self, rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> list[Change]:
        """The first pair in one order."""
        rules = (each.rule for each in analysis.blocks if each.kind == "rule" and each.part == BASE)
        mirrored = {each.conclusion.predicate for each in rules if _is_mirror(each)}
        for item in rule.literals:
            match item:
                case Literal(atom, True) if atom.predicate in mirrored and has_distinct_variables(atom):
                    left, right = (term for term in atom.arguments if isinstance(term, Variable))
                    swapped = substitute(rule, {left: right, right: left}).body
                    is_needed = bool({left, right} & head_variables(rule)) or _is_mirror(rule)
                    if not is_needed and _known(swapped, mirrored) == _known(rule.body, mirrored):
                        return [Change((rule.with_body((*rule.body, Comparison("<=", left, right))),), "order")]
        return []


STEP = Mirror("mirror")

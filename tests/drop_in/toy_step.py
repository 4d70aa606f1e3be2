"""Toy: reverse each body.

q(X) :- r(X), s(X).      becomes      q(X) :- s(X), r(X).
"""

from __future__ import annotations

from hexlogic.encodings.steps.base import Step, proved
from hexlogic.language import Rule
from hexlogic.language.passes.rule_pass import RuleContext


def rewrite(rule: Rule, context: RuleContext) -> list[Rule]:
    """The rule with its body reversed."""
    return [rule.with_body(rule.body[::-1])]


STEP = Step("toy", proved(rewrite))

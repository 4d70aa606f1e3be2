"""Stages for a recursive rule: gringo plans it before the recursive relations have facts, and so takes them for small.

Before:  have(L,Z) :- have(L,X), makes(X,Y,Z), usable(L,Y).
After:   have_stage(L,Y,Z) :- have(L,X), makes(X,Y,Z).
         have(L,Z) :- have_stage(L,Y,Z), usable(L,Y).

The literals are put in the order in which each next one adds the fewest answers, by measured sizes, and every prefix of
two or more positive literals becomes an auxiliary predicate. *Leaves alone* rules without a recursive literal and rules
with fewer than three positive literals.
"""

from __future__ import annotations

from collections.abc import Sequence

from hexlogic.encodings.blocks import KINDS
from hexlogic.encodings.steps.base import Step
from hexlogic.language import BodyLiteral, Literal, Rule, Variable
from hexlogic.language.analysis.binding import needs, unsafe_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.statistics import Statistics
from hexlogic.language.walk import variables

_FEWEST = 3


def _kept(prefix: Sequence[BodyLiteral], later: Sequence[BodyLiteral], rule: Rule) -> tuple[Variable, ...]:
    """The variables of a prefix that the head or a later literal mentions."""
    needed = frozenset().union(*map(variables, later)) | (frozenset() if rule.head is None else variables(rule.head))
    names = (name for item in prefix for name in sorted(variables(item), key=lambda name: name.name))
    return tuple(name for name in dict.fromkeys(names) if name in needed)


def _ordered(rule: Rule, statistics: Statistics) -> list[BodyLiteral]:
    """Each next literal adds the fewest answers; a test stands where its variables are first bound."""
    waiting = list(rule.body)
    done: list[BodyLiteral] = []
    bound: frozenset[Variable] = frozenset()
    while waiting:
        tests = [item for item in waiting if not _is_positive(item) and not needs(item, bound)]
        legal = [item for item in waiting if _is_positive(item) and not needs(item, bound)]
        near = [item for item in legal if variables(item) & bound] or legal
        chosen = tests[0] if tests else min(near, key=lambda item: statistics.answers([*done, item]))
        waiting.remove(chosen)
        done.append(chosen)
        bound |= variables(chosen)
    return done


def _is_positive(item: BodyLiteral) -> bool:
    return isinstance(item, Literal) and item.positive


class Stage(Step):
    """Join in stages."""

    def rewrite(self, rule: Rule, context: RuleContext) -> list[Rule]:
        """The stages, then the rule; the rule alone when it is left alone."""
        joined = [item for item in rule.body if isinstance(item, Literal) and item.positive]
        recursive = [item for item in joined if item.atom.predicate in context.recursive]
        if not recursive or len(joined) < _FEWEST or unsafe_variables(rule):
            return [rule]
        ordered = _ordered(rule, context.statistics)
        made: list[Rule] = []
        base = "stage" if rule.head is None else f"{rule.head.name}_stage"
        prefix: list[BodyLiteral] = []
        positive = 0
        for place, item in enumerate(ordered):
            following = isinstance(item, Literal) and item.positive
            if following and positive >= 2:
                kept = _kept(prefix, ordered[place:], rule)
                head = context.auxiliary(base, kept, prefix)
                made.append(Rule(head, tuple(prefix), rule.place))
                context.statistics.learn(made[-1])
                prefix, positive = [Literal(head)], 1
            prefix.append(item)
            positive += following
        return [*made, rule.with_body(tuple(prefix))] if made else [rule]


STEP = Stage("stage", adds_predicates=True, kinds=KINDS - {"element"})

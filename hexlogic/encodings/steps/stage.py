"""Stages for a recursive rule: gringo plans it before the recursive relations have facts, and so takes them for small.

Before:  have(L,Z) :- have(L,X), makes(X,Y,Z), usable(L,Y).
After:   have_stage(L,Y,Z) :- have(L,X), makes(X,Y,Z).
         have(L,Z) :- have_stage(L,Y,Z), usable(L,Y).

The literals are put in the order in which each next one adds the fewest answers, by measured sizes, and every prefix of
two or more positive literals becomes an auxiliary predicate. *Leaves alone* rules without a recursive literal and rules
with fewer than three positive literals.
"""

from __future__ import annotations

from hexlogic.encodings.blocks import KINDS
from hexlogic.encodings.steps.base import Step
from hexlogic.language import Atom, BodyLiteral, Rule, Variable
from hexlogic.language.analysis.binding import needs, unsafe_variables
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.stage import groups_of, staged
from hexlogic.language.walk import is_positive, variables

_FEWEST = 3


def ordered(rule: Rule, statistics: Statistics) -> list[BodyLiteral]:
    """Each next literal adds the fewest answers; a test stands where its variables are first bound."""
    waiting = list(rule.body)
    done: list[BodyLiteral] = []
    bound: frozenset[Variable] = frozenset()
    while waiting:
        ready = [item for item in waiting if not needs(item, bound)]
        tests = [item for item in ready if not is_positive(item)]
        legal = [item for item in ready if is_positive(item)]
        near = [item for item in legal if variables(item) & bound] or legal
        chosen = tests[0] if tests else min(near, key=lambda item: statistics.answers([*done, item]))
        waiting.remove(chosen)
        done.append(chosen)
        bound |= variables(chosen)
    return done


class Stage(Step):
    """Join in stages."""

    def rewrite(self, rule: Rule, context: RuleContext) -> list[Rule]:
        """The stages, then the rule; the rule alone when it is left alone."""
        joined = {item.atom.predicate for item in rule.literals if item.positive}
        is_recursive = not joined.isdisjoint(context.recursive)
        if not is_recursive or sum(map(is_positive, rule.body)) < _FEWEST or unsafe_variables(rule):
            return [rule]
        base = "stage" if rule.head is None else f"{rule.head.name}_stage"

        def stage(names: tuple[Variable, ...], prefix: tuple[BodyLiteral, ...]) -> tuple[Atom, bool]:
            atom = context.auxiliary(base, names, prefix)
            context.statistics.learn(Rule(atom, prefix, rule.place))
            return atom, True

        return staged(rule, groups_of(ordered(rule, context.statistics), joined), stage)


STEP = Stage("stage", adds_predicates=True, kinds=KINDS - {"element"})

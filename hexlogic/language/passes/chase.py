"""Chase: drop literals that a functional dependency makes superfluous.

Before:  :- at(P,X), at(P,Y), X != Y.   near(P,Q) :- at(P,X), at(P,Z), at(Q,Y), edge(X,Y), open(Z).
After:   :- at(P,X), at(P,Y), X != Y.   near(P,Q) :- at(P,Z), at(Q,Y), edge(Z,Y), open(Z).

Two literals that agree on the key of a dependency agree on what it determines, so one variable takes the place of the
other and the repeated literal goes. *Preserves* the answers on every instance that meets the constraints, as they stay
in the program. *Leaves alone* the declaring constraints and variables of the head.
Source: Maier, Mendelzon and Sagiv 1979 (the chase).
"""

from hexlogic.language import Rule
from hexlogic.language.analysis.functional import chased, declared_dependencies
from hexlogic.language.passes.rule_pass import RuleContext, RulePass
from hexlogic.language.walk import head_variables


def chase(rule: Rule, context: RuleContext) -> list[Rule]:
    """The rule without the literals that the dependencies repeat."""
    if declared_dependencies([rule]):
        return [rule]
    shorter = chased(rule, context.dependencies, head_variables(rule))
    return [shorter if len(shorter.body) < len(rule.body) else rule]


PASS = RulePass("chase", "drop literals that a functional dependency makes superfluous", chase)

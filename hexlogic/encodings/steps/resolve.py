"""A difference goes where another constraint denies the body with the two values equal.

Before:  :- game(A,B,W), game(C,A,W), B != C.   :- game(A,B,W), game(B,A,W).
After:   :- game(A,B,W), game(C,A,W).           :- game(A,B,W), game(B,A,W).

`anonymous` and `split` then join without the pairs of B and C. The given constraints imply the new one, and it implies
the one it stands for, so that any number of them can be made at once. *Preserves* the answer sets: they are strongly
equivalent. *Leaves alone* anything but constraints in `base`.
"""

from collections.abc import Iterator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.statements import BASE
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.language import Comparison, Rule, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.homomorphism import find_homomorphism
from hexlogic.language.names import fresh_copies
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import rule_variables, substitute


def _is_whole(block: Block) -> bool:
    return block.kind == "constraint" and block.part == BASE and block.rule.head is None and not block.kept


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """One difference after the other."""
    others = [each.rule for each in analysis.blocks if each.statement != block.statement and _is_whole(each)]
    for item in rule.body if _is_whole(block) else ():
        match item:
            case Comparison("!=", Variable() as left, Variable() as right) if left != right:
                shorter = rule.with_body(tuple(other for other in rule.body if other != item))
                same = substitute(shorter, {right: left})
                if not unsafe_variables(shorter) and any(_denies(other, same) for other in others):
                    yield Change((shorter,), "resolution")
                    rule = shorter


def _denies(other: Rule, rule: Rule) -> bool:
    """Whether a constraint denies each instance of the body of another one."""
    apart = substitute(other, fresh_copies(rule_variables(other), rule_variables(rule)))
    return find_homomorphism(apart.body, rule.body, {}) is not None


STEP = Step("resolve", changes, kinds=("constraint",))

"""Two values of different literals that differ are two values in one count.

Before:  :- move(A,(P,Q),T), move(B,(Q,P),T), A != B.
After:   :- move(_,(P,Q),T), move(_,(Q,P),T), #count { A : move(A,(P,Q),T); B : move(B,(Q,P),T) } > 1.

The ground constraint holds each atom once, where there is one for each pair of values. Where neither side is empty, a
value of one and a value of the other differ exactly when both have two values together: of two different ones, each
differs from one of them. Sides of several literals are asked for by a count of their own. *Preserves* the answer sets:
in a constraint only the truth of its body counts. *Leaves alone* values that both sides or the rest of the statement
mention, facts, and bodies where the estimate finds no gain.
"""

from collections.abc import Iterator, Mapping

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.steps.base import CLASSICAL, Change, Step
from hexlogic.language import Atom, BodyLiteral, Comparison, Literal, Rule, Symbol, Variable
from hexlogic.language.analysis.binding import bindable, unsafe_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import head_variables, substitute, variables

_GAIN = 0.5
_EACH = 2
"""Ground rules for each element of a count, by the literals of its side."""


class Pool(Step):
    """Count two values together."""

    def changes(self, rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
        """The first difference that this pays for."""
        for item in rule.body:
            match item:
                case Comparison("!=", Variable() as left, Variable() as right) if left != right:
                    rest = [other for other in rule.body if other != item]
                    sides = {name: [other for other in rest if name in variables(other)] for name in (left, right)}
                    if change := _pooled(rule, rest, sides, context):
                        yield change
                        return


def _pooled(
    rule: Rule, rest: list[BodyLiteral], sides: Mapping[Variable, list[BodyLiteral]], context: RuleContext
) -> Change | None:
    """The rule without a difference of two values, of which each has its literals; None where these do not stand
    apart, are facts, or do not pay."""
    counts: list[str] = []
    body = [item for item in rest if not any(item in side for side in sides.values())]
    needed, is_sure, cost = head_variables(rule), True, 0.0
    for name, side in sides.items():
        others = variables(*(item for item in rest if item not in side)) | head_variables(rule)
        literals = [item for item in side if isinstance(item, Literal) and item.positive]
        local = variables(*side) - others
        terms = [term for literal in literals for term in literal.atom.arguments]
        if name in others or not literals or any(local & variables(term) - bindable(term) for term in terms):
            return None
        is_sure &= all(literal.atom.predicate in context.facts for literal in literals)
        needed |= variables(*side) & others
        body += substitute(Rule(None, tuple(literals)), dict.fromkeys(local, Symbol("_"))).body
        counts.append(f"{name} : {', '.join(map(str, side))}")
        cost += _EACH * len(side) * context.statistics.answers(side)
    head = Atom("pooled", tuple(sorted(needed, key=str)))
    new = Rule(head if needed else None, tuple(dict.fromkeys(body)), rule.place)
    cost += context.statistics.answers(new.body)
    if is_sure or unsafe_variables(new) or cost > _GAIN * context.statistics.answers(rule.body):
        return None
    asked = [f"#count {{ {text} }} > 0" for text, side in zip(counts, sides.values(), strict=True) if len(side) > 1]
    return Change((new,), "union", ", ".join([*asked, f"#count {{ {'; '.join(counts)} }} > 1"]), propagates=False)


STEP = Pool("pool", kinds=CLASSICAL)

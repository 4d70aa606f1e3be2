"""Two values of different literals that differ are two values in one count.

Before:  :- move(A,(P,Q),T), move(B,(Q,P),T), A != B.
After:   :- move(_,(P,Q),T), move(_,(Q,P),T), #count { A : move(A,(P,Q),T); B : move(B,(Q,P),T) } > 1.

Before:  :- pick(R,S,T), at(R,X,T), shelf(S,Y,T), X != Y.
After:   :- pick(R,S,T), at(R,_,T), shelf(S,_,T), #count { X : at(R,X,T); Y : shelf(S,Y,T) } > 1.

The ground constraint holds each atom once, where there is one for each pair of values. Where neither side is empty, a
value of one and a value of the other differ exactly when both have two values together: of two different ones, each
differs from one of them. Sides of several literals are asked for by a count of their own. *Preserves* the answer sets:
in a constraint only the truth of its body counts. *Leaves alone* values that both sides or the rest of the statement
mention, facts, and bodies where the estimate finds no gain.
"""

from collections.abc import Collection, Iterator

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


def _pooled(
    rule: Rule, item: Comparison, names: tuple[Variable, Variable], facts: Collection[object]
) -> tuple[Rule, list[list[BodyLiteral]], str] | None:
    """The rule without a difference of two values, their literals, and the count; None where these do not stand
    apart."""
    rest = [other for other in rule.body if other != item]
    sides = [[other for other in rest if name in variables(other)] for name in names]
    outside = [other for other in rest if other not in sides[0] and other not in sides[1]]
    if any(other in sides[1] for other in sides[0]) or {*names} & head_variables(rule):
        return None
    elsewhere = [variables(*outside) | head_variables(rule) | variables(*side) for side in sides]
    asked: list[BodyLiteral] = []
    counts: list[str] = []
    elements: list[str] = []
    kept: frozenset[Variable] = frozenset()
    is_sure = True
    for name, side, others in zip(names, sides, reversed(elsewhere), strict=True):
        literals = [other for other in side if isinstance(other, Literal) and other.positive]
        if not literals or not all(_binds(literal, name) for literal in literals):
            return None
        is_sure &= all(literal.atom.predicate in facts for literal in literals)
        local = variables(*side) - others
        if any(not _binds(literal, other) for literal in literals for other in local & variables(literal)):
            return None
        kept |= variables(*side) & others
        asked += substitute(Rule(None, tuple(literals)), dict.fromkeys(local, Symbol("_"))).body
        elements.append(f"{name} : {', '.join(map(str, side))}")
        counts += [f"#count {{ {elements[-1]} }} > 0"] if len(side) > 1 else []
    head = Atom("pooled", tuple(sorted(kept | head_variables(rule), key=str)))
    new = Rule(head if head.arguments else None, tuple(dict.fromkeys([*outside, *asked])), rule.place)
    if is_sure or unsafe_variables(new):
        return None
    return new, sides, ", ".join([*counts, f"#count {{ {'; '.join(elements)} }} > 1"])


def _binds(literal: Literal, name: Variable) -> bool:
    """Whether no argument computes with a variable."""
    return all(name in bindable(term) for term in literal.atom.arguments if name in variables(term))


class Pool(Step):
    """Count two values together."""

    def changes(self, rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
        """The first difference that this pays for."""
        for item in rule.body:
            match item:
                case Comparison("!=", Variable() as left, Variable() as right) if left != right:
                    pooled = _pooled(rule, item, (left, right), context.facts)
                case _:
                    continue
            if pooled is None:
                continue
            new, sides, aggregate = pooled
            sizes = context.statistics
            cost = sizes.answers(new.body) + sum(_EACH * len(side) * sizes.answers(side) for side in sides)
            if cost < _GAIN * sizes.answers(rule.body):
                yield Change((new,), "union", aggregate, propagates=False)
                return


STEP = Pool("pool", kinds=CLASSICAL)

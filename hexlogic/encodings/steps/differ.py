"""A value that has to differ from the only value of a literal becomes a negated literal.

Before:  { total(a,S) ... }   :- total(a,S), total(b,T), S != T.
After:                        :- total(a,S), total(b,_), not total(b,S).

Where `total(b,T)` holds for at most one T, it holds for another one than S just when it holds for some value, and not
for S: so the ground constraints are as many as values of S, not pairs of values. Made where only truth in an answer set
counts: in constraints, weak constraints and `#minimize`. `hexlogic.encodings.analysis` finds them.
*Preserves* the answer sets. *Leaves alone* values that another literal, the head or a second comparison mentions.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.steps.base import CLASSICAL, Dropped, Step, proved
from hexlogic.language import BodyLiteral, Comparison, Literal, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.walk import rule_terms, subterms
from hexlogic.proofs.rewriting import is_never_true, values_proof, with_argument


def _replaced(rule: Rule, context: RuleContext) -> Iterator[Rule]:
    """The rule without one comparison."""
    counts = Counter(term for term in rule_terms(rule) if isinstance(term, Variable))
    for item in rule.body:
        if not isinstance(item, Comparison) or item.operator != "!=":
            continue
        for value, other in ((item.right, item.left), (item.left, item.right)):
            if isinstance(value, Variable) and counts[value] == 2:
                holders = [literal for literal in rule.literals if value in literal.atom.arguments]
                rest = tuple(other_item for other_item in rule.body if other_item != item)
                candidates = (_negated(rule, rest, holder, value, other, context) for holder in holders)
                yield from (candidate for candidate in candidates if candidate is not None)


def _negated(
    rule: Rule, rest: tuple[BodyLiteral, ...], holder: Literal, value: Variable, other: Term, context: RuleContext
) -> Rule | None:
    atom = holder.atom
    place = atom.arguments.index(value)
    known = any(
        (dependency.predicate, dependency.value) == (atom.predicate, place)
        for dependency in context.answer_set_dependencies
    )
    if not holder.positive or not known or any(Symbol("_") in subterms(term) for term in atom.arguments):
        return None
    some, same = (with_argument(atom, place, term) for term in (Symbol("_"), other))
    body = (Literal(some) if item == holder else item for item in rest)
    new = rule.with_body((*dict.fromkeys(body), Literal(same, False)))
    return None if unsafe_variables(new) else new


def rewrite(rule: Rule, context: RuleContext) -> list[Rule]:
    """The rule with every comparison replaced that can be; the same object when there is none.

    >>> from hexlogic.language import Predicate
    >>> from hexlogic.language.analysis.functional import Dependency
    >>> from hexlogic.language.parser import parse_rule
    >>> context = RuleContext(answer_set_dependencies=[Dependency(Predicate("at", 2), frozenset([0]), 1)])
    >>> print(*rewrite(parse_rule(":- at(a,X), at(b,Y), X != Y, odd(X)."), context))
    :- at(a,X), at(b,_), odd(X), not at(b,X).
    """
    while (new := next(_replaced(rule, context), None)) is not None:
        rule = new
    return [rule]


def proof(rule: Rule, rules: Sequence[Rule], context: RuleContext) -> str | None:
    """*values*, where that argument holds."""
    return "values" if values_proof(rule, rules, context) else None


def dropped(analysis: Analysis) -> Mapping[int, Dropped]:
    """Constraints that say of the only value of a predicate that it differs from itself."""
    return {
        block.statement: Dropped(block, "values")
        for block in analysis.blocks
        if block.kind in CLASSICAL and is_never_true(block.rule, analysis.answer_set_dependencies)
    }


STEP = Step("differ", proved(rewrite, proof), dropped=dropped, kinds=(*CLASSICAL, "minimize"))

"""Split: cut a wide rule along a tree decomposition of its variables.

Before:  :- s(X,Y), s(Y,Z), s(Z,W), q(W).
After:   split(Z) :- s(Z,W), q(W).
         split_2(Y) :- s(X,Y).
         :- s(Y,Z), split(Z), split_2(Y).

A variable that the head does not need is eliminated: the literals that mention it become the body of an auxiliary
predicate over their other variables that are needed elsewhere. Grounding a rule of n variables over a domain of d
values falls from d^n to d^(w+1) instances for each auxiliary rule, where w is the width of the decomposition. The
variable, or set of variables that literals tie together, whose elimination the estimate finds best goes first, and only
while the estimated number of ground instances falls; the estimate looks at the elimination after it as well. Auxiliary
rules are split in turn.

A negated atom or a comparison goes with the variable when the moved literals bind all its variables; a literal that
binds what is missing is copied. *Preserves* the answer sets over the predicates of the given program: each auxiliary
predicate is an explicit definition (Ferraris 2005). *Leaves alone* rules without a variable to eliminate and rules
where the estimate finds no gain.
Sources: Dechter 1999 (bucket elimination); Bichler, Morak and Woltran 2016 (lpopt).
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hexlogic.language import Atom, BodyLiteral, Literal, Rule, Variable
from hexlogic.language.analysis.binding import bindable, unsafe_variables
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.passes.rule_pass import RuleContext, RulePass
from hexlogic.language.walk import head_variables, rule_variables, variables

_GAIN = 0.7  # A split is made when the estimated instances fall below this part of what they were
_AHEAD = 2  # Eliminations that are tried one after the other before the first of them is chosen
_WIDEST = 40  # Literals up to which a body is looked at


def split(rule: Rule, context: RuleContext) -> list[Rule]:
    """The auxiliary rules of the splits that pay, then the rule with what is left of its body."""
    made: list[Rule] = []
    if unsafe_variables(rule) or len(rule.body) > _WIDEST:
        return [rule]
    base = "split" if rule.head is None else f"{rule.head.name}_split"
    while parts := _eliminated(rule, context.statistics, _AHEAD)[0]:
        moved, kept, left = parts
        head = context.auxiliary(base, kept, moved)
        auxiliary = Rule(head, moved, rule.place)
        context.statistics.learn(auxiliary)
        made += split(auxiliary, context)
        rule = rule.with_body((*left, Literal(head)))
    return [*made, rule]


_Parts: TypeAlias = tuple[tuple[BodyLiteral, ...], tuple[Variable, ...], tuple[BodyLiteral, ...]]
"""What to move, the variables that stay visible, and the rest of the body."""


def _eliminated(rule: Rule, statistics: Statistics, ahead: int) -> tuple[_Parts | None, float]:
    """The best elimination, where there is one, and the estimated instances of all rules that come of it."""
    before = statistics.answers(rule.body)
    if not ahead:
        return None, before
    best, price = None, before * _GAIN
    for parts in dict.fromkeys(_eliminations(rule)):
        moved, kept, left = parts
        head = Atom(f"'split {ahead}'", kept)
        auxiliary = Rule(head, moved)
        statistics.learn(auxiliary)
        rest = rule.with_body((*left, Literal(head)))
        if unsafe_variables(rest):
            continue
        cost = sum(_eliminated(part, statistics, ahead - 1)[1] for part in (auxiliary, rest))
        if cost < price:
            best, price = parts, cost
    return best, before if best is None else price


def _eliminations(rule: Rule) -> Iterator[_Parts]:
    """The splits that eliminate a variable the head does not need, or a set of them that literals tie."""
    needed = head_variables(rule)
    free = sorted(rule_variables(rule) - needed)
    for eliminated in dict.fromkeys((*(frozenset((variable,)) for variable in free), *_tied(rule.body, needed))):
        moved, left = _bucket(rule.body, eliminated)
        outside = needed | variables(*left)
        # In the order of the literals, and by name within one.
        order = dict.fromkeys(variable for item in moved for variable in sorted(variables(item)))
        kept = tuple(variable for variable in order if variable in outside)
        if left and not variables(*moved) <= outside and not unsafe_variables(Rule(Atom("split", kept), moved)):
            yield moved, kept, left


def _tied(body: Sequence[BodyLiteral], needed: frozenset[Variable]) -> list[frozenset[Variable]]:
    """The variables that the head does not need, apart where no chain of literals leads from one to another."""
    groups: list[frozenset[Variable]] = []
    for item in body:
        if group := variables(item) - needed:
            joined = group.union(*(other for other in groups if other & group))
            groups = [*(other for other in groups if not other & group), joined]
    return groups


def _bucket(
    body: Sequence[BodyLiteral], eliminated: frozenset[Variable]
) -> tuple[tuple[BodyLiteral, ...], tuple[BodyLiteral, ...]]:
    """The literals that mention one of some variables, with what binds their other variables, and the rest."""
    inside = [item for item in body if eliminated & variables(item)]
    copied: list[BodyLiteral] = []
    bound = frozenset().union(*map(_bound, inside))
    for item in inside:
        for variable in sorted(variables(item) - bound):
            binders = (other for other in body if variable in _bound(other))
            binder = min(binders, key=lambda other: len(variables(other)), default=None)
            if binder is not None and variable not in bound:
                copied.append(binder)
                bound |= variables(binder)
    moved = tuple(item for item in body if item in inside or item in copied)
    return moved, tuple(item for item in body if item not in inside)


def _bound(item: BodyLiteral) -> frozenset[Variable]:
    terms = item.atom.arguments if isinstance(item, Literal) and item.positive else ()
    return frozenset[Variable]().union(*map(bindable, terms))


PASS = RulePass(
    "split",
    "split a wide rule along a tree decomposition of its variables, where the estimate says it pays",
    split,
    adds_predicates=True,
)

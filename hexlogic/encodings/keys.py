"""An equality between computed values of two sides becomes a join: gringo cannot look a computed value up.

Before:  :- queen(R,C), queen(S,D), R != S, C != D, R+C = S+D.
After:   key(R,C,K) :- queen(R,C), K = R+C.
         :- key(R,C,K), key(S,D,K), R != S.

Each side is the positive literals that mention a variable of its expression, with the tests that these literals bind.
Sides that are the same but for the names of variables share one auxiliary predicate. Of two differences that a sum or
a difference makes equivalent one is enough: `R+C = S+D` and `R != S` give `C != D`. *Preserves* the answer sets: each
auxiliary predicate is an explicit definition. *Leaves alone* equalities with a side that computes nothing, whose
variables gringo assigns, and sides that share a literal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hexlogic.logic import Atom, BodyLiteral, Comparison, Literal, Rule, Term, Variable
from hexlogic.logic.analysis.binding import bindable, unsafe_variables
from hexlogic.logic.analysis.functional import implied_differences
from hexlogic.logic.names import fresh_variables
from hexlogic.logic.walk import map_body_literal, rule_variables, variables
from hexlogic.passes.rule_pass import Setting
from hexlogic.passes.symmetric import unordered

__all__ = ["keyed"]


def keyed(rule: Rule, setting: Setting) -> list[Rule]:
    """The auxiliary rules of the first equality of computed values, then the rule; the rule alone without one."""
    for item in rule.body:
        if isinstance(item, Comparison) and item.operator == "=":
            found = _keyed(rule, item, setting)
            if found is not None:
                return found
    return [rule]


def _keyed(rule: Rule, equality: Comparison, setting: Setting) -> list[Rule] | None:
    own, other = variables(equality.left), variables(equality.right)
    is_assigned = bindable(equality.left) == own or bindable(equality.right) == other
    if is_assigned or own & other:
        return None
    rest = [item for item in rule.body if item != equality]
    left, right = _side(rest, own), _side(rest, other)
    if not left or not right or set(left) & set(right):
        return None
    body = _without_implied(rule, equality)
    needed = _all([item for item in body if item not in {*left, *right, equality}])
    needed |= frozenset() if rule.head is None else variables(rule.head)
    key = next(iter(fresh_variables("Key", rule_variables(rule))))
    twins = _renaming(left, equality.left, right, equality.right)
    names = [name for name in _in_order(left) if name in needed or twins.get(name) in needed]
    head = Atom(setting.fresh("key"), (*names, key))
    made = [Rule(head, (*left, Comparison("=", key, equality.left)), rule.place)]
    if twins:
        second = Atom(head.name, (*(twins[name] for name in names), key))
    else:
        second = Atom(setting.fresh("key"), (*(name for name in _in_order(right) if name in needed), key))
        made.append(Rule(second, (*right, Comparison("=", key, equality.right)), rule.place))
    left_over = [item for item in body if item not in {*left, *right, equality}]
    new = rule.with_body((Literal(head), Literal(second), *left_over))
    if any(map(unsafe_variables, [*made, new])):
        return None
    for auxiliary in made:
        setting.statistics.learn(auxiliary)
    return [*made, new]


def _side(rest: Sequence[BodyLiteral], names: Collection[Variable]) -> tuple[BodyLiteral, ...]:
    """The positive literals that mention one of the variables, and the tests over what these literals bind."""
    joined = [item for item in rest if isinstance(item, Literal) and item.positive and variables(item) & set(names)]
    bound = _all(joined)
    return tuple(item for item in rest if item in joined or (not _is_positive(item) and variables(item) <= bound))


def _is_positive(item: BodyLiteral) -> bool:
    return isinstance(item, Literal) and item.positive


def _without_implied(rule: Rule, equality: Comparison) -> list[BodyLiteral]:
    """The body without differences that the equality and an earlier difference imply."""
    body: list[BodyLiteral] = list(rule.body)
    for item in rule.body:
        if isinstance(item, Comparison) and item.operator == "!=" and item in body:
            implied = {unordered(one) for one in implied_differences([equality, item])}
            body = [one for one in body if one == item or unordered(one) not in implied]
    return body


def _renaming(
    left: Sequence[BodyLiteral], one: Term, right: Sequence[BodyLiteral], other: Term
) -> dict[Variable, Variable]:
    """The renaming that takes the left side to the right side, literal by literal; empty when there is none."""
    found: dict[Variable, Variable] = {}
    mine, its = (_in_order([*side, Comparison("=", term, term)]) for side, term in ((left, one), (right, other)))
    if len(mine) != len(its):
        return {}
    found = dict(zip(mine, its, strict=True))

    def renamed(term: Term) -> Term:
        return found[term] if isinstance(term, Variable) else term

    taken = [map_body_literal(item, renamed) for item in (*left, Comparison("=", one, one))]
    return found if taken == [*right, Comparison("=", other, other)] else {}


def _in_order(items: Sequence[BodyLiteral]) -> list[Variable]:
    """The variables in the order of the text."""
    found: dict[Variable, None] = {}

    def note(term: Term) -> Term:
        if isinstance(term, Variable):
            found.setdefault(term)
        return term

    for item in items:
        map_body_literal(item, note)
    return list(found)


def _all(items: Collection[BodyLiteral]) -> frozenset[Variable]:
    return frozenset[Variable]().union(*map(variables, items))

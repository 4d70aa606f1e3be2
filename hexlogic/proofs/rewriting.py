"""Proofs that one rule and what a pass made of it have the same answer sets in every program around them.

Each argument is checked on the rules themselves, whatever pass wrote them:

- *definitions*: every auxiliary predicate has one rule and occurs nowhere else, so it is an explicit definition
  (Ferraris 2005). Written in place again they give a body that each maps to the given one by a homomorphism that keeps
  the head: the two rules subsume each other, which is strong equivalence.
- *arithmetic*: the definitions argument after both bodies were solved for variables that only hold an expression, and
  got the differences that equal sums imply.
- *order*: the given body does not change when two variables are exchanged, and the two values differ. So one of the two
  instances is enough.
- *copies*, *closure*: a predicate is equal to another one, or is a transitive closure; see the pass `replace`.
- *counting*: a body with an aggregate that counts k values is the body with k copies of what is counted, in ascending
  order, and that one and the given one map to each other.
- *dependencies*: the definitions argument after both rules were chased by functional dependencies that constraints of
  the same program declare.

One rests on what holds in every answer set of the program around the rule:

- *values*: a predicate has at most one value for the other arguments in every answer set. So it has another value than
  a given one just when it has some value and not the given one; and two values of it never differ. For bodies of which
  only the truth in an answer set counts.
"""

import itertools
from collections import Counter
from collections.abc import Sequence

from hexlogic.language import Atom, BodyLiteral, Comparison, Integer, Literal, Predicate, Rule, Symbol, Term, Variable
from hexlogic.language.analysis.binding import unsafe_variables
from hexlogic.language.analysis.functional import Dependency, chased, implied_differences
from hexlogic.language.homomorphism import find_homomorphism, unfold_call
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.replace import copied, linear_closure
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.symmetric import exchangeable
from hexlogic.language.walk import has_distinct_variables, head_variables, map_terms, rule_terms, rule_variables


def rewriting_proof(rule: Rule, rules: Sequence[Rule], context: RuleContext) -> str | None:
    """The argument that shows the rewriting right: a word from the list above; None when none of them does.

    `rules` are auxiliary rules, each before its first use, and last the new form of `rule`.

    >>> from hexlogic.language.parser import parse
    >>> rule, *new = parse("p(X) :- q(X,Y), r(Y,Z). s(Y) :- r(Y,Z). p(X) :- q(X,Y), s(Y).").rules
    >>> rewriting_proof(rule, new, RuleContext())
    'definitions'
    >>> rewriting_proof(rule, parse("s(Y) :- r(Y,Y). p(X) :- q(X,Y), s(Y).").rules, RuleContext()) is None
    True
    """
    if rules[-1].head != rule.head or any(map(unsafe_variables, rules)):
        return None
    whole = _unfolded(rules)
    if whole is None:
        return None
    before, after = named_apart(rule), named_apart(whole)
    if subsume_each_other(before, after):
        return "definitions"
    if subsume_each_other(_computed(before), _computed(after)):
        return "arithmetic"
    if _ordered(rule, whole):
        return "order"
    if subsume_each_other(named_apart(_without_copies(rule, context)), named_apart(_without_copies(whole, context))):
        return "copies"
    linear = linear_closure(rule, context)
    if linear is not None and subsume_each_other(named_apart(linear), after):
        return "closure"
    chase_ends = (chased(form, context.dependencies, head_variables(rule)) for form in (before, after))
    return "dependencies" if subsume_each_other(*chase_ends) else None


def counting_proof(rule: Rule, left: Rule, expanded: Rule) -> bool:
    """Whether a body and one with an aggregate are true in the same interpretations.

    `expanded` is the new body with the aggregate written as copies of its condition, `left` without it. The head of
    `left` holds the variables that the head of `rule` and the condition need, so that they are the same outside.
    """
    before, after = (named_apart(Rule(rule.head, form.body)) for form in (rule, expanded))
    kept = head_variables(rule) <= head_variables(left) and not unsafe_variables(left)
    return kept and subsume_each_other(before, after)


def turned(rule: Rule) -> Rule:
    """The rule with the other side first beside each equality and difference."""
    compared = (item for item in rule.body if isinstance(item, Comparison) and item.operator in ("=", "!="))
    turned = [Comparison(item.operator, item.right, item.left) for item in compared]
    return rule.with_body(tuple(dict.fromkeys([*rule.body, *turned])))


def _unfolded(rules: Sequence[Rule]) -> Rule | None:
    """The last rule with the auxiliary predicates written in place; None when they are no explicit definitions."""
    known: dict[Predicate, Rule] = {}
    for number, rule in enumerate(rules, 1):
        whole: Rule | None = rule
        while whole and (call := next((item for item in whole.literals if item.atom.predicate in known), None)):
            whole = unfold_call(whole, call, known[call.atom.predicate]) if call.positive else None
        if whole is None:
            return None
        whole = whole.with_body(tuple(dict.fromkeys(whole.body)))
        if number == len(rules):
            return whole
        head, read = rule.head, [item.atom.predicate for item in whole.literals]
        if head is None or head.predicate in (*known, *read) or not has_distinct_variables(head):
            return None
        known[head.predicate] = whole
    return None


def named_apart(rule: Rule) -> Rule:
    """The rule with a variable of its own for each anonymous one."""
    names = iter(fresh_variables("Any", rule_variables(rule)))
    return map_terms(rule, lambda term: next(names) if term == Symbol("_") else term)


def subsume_each_other(first: Rule, second: Rule) -> bool:
    """Whether each body maps to the other one by a homomorphism that keeps the variables of the head."""
    kept: dict[Variable, Term] = {name: name for name in head_variables(first)}
    ways = ((first.body, second.body), (second.body, first.body))
    return all(find_homomorphism(*bodies, kept) is not None for bodies in ways)


def _ordered(rule: Rule, after: Rule) -> bool:
    """Whether `after` is the rule with `!=` between exchangeable variables replaced by chains of `<`."""
    new = [item for item in after.body if item not in rule.body]
    gone = [item for item in rule.body if item not in after.body]
    chains: list[list[Variable]] = []
    for item in new:
        match item:
            case Comparison("<", Variable() as left, Variable() as right):
                chains += [] if chains and chains[-1][-1] == left else [[left]]
                chains[-1].append(right)
            case _:
                return False
    body: list[BodyLiteral] = list(rule.body)
    expected: set[frozenset[Term]] = set()
    for chain in chains:
        pairs = [frozenset(pair) for pair in itertools.combinations(chain, 2)]
        apart = set(map(_apart, body))
        if head_variables(rule) & set(chain) or not set(pairs) <= apart or not exchangeable(body, chain):
            return False
        expected |= set(pairs)
        body = [item for item in body if _apart(item) not in pairs]
        body += [Comparison("<", left, right) for left, right in itertools.pairwise(chain)]
    return bool(chains) and all(_apart(item) in expected for item in gone) and set(body) == set(after.body)


def _apart(item: BodyLiteral) -> frozenset[Term]:
    """The two sides of a difference; empty for anything else."""
    if isinstance(item, Comparison) and item.operator == "!=":
        return frozenset((item.left, item.right))
    return frozenset()


def _computed(rule: Rule) -> Rule:
    """The rule with `l = r` for `K = l, K = r` where K occurs nowhere else, and with implied differences."""
    body = list(rule.body)
    counts = Counter(term for term in rule_terms(rule) if isinstance(term, Variable))
    for name in [name for name, count in counts.items() if count == 2]:
        values = [item for item in body if isinstance(item, Comparison) and item.operator == "=" and item.left == name]
        if len(values) == 2:
            body = [item for item in body if item not in values] + [Comparison("=", values[0].right, values[1].right)]
    body += implied_differences(body)
    return turned(rule.with_body(tuple(body)))


def _without_copies(rule: Rule, context: RuleContext) -> Rule:
    """The rule with each literal of a copy replaced by the literal that it is equal to."""
    for _ in context.definitions:  # copies may go round in a circle
        rule = rule.with_body(tuple(copied(item, context) or item for item in rule.body))
    return rule


def values_proof(rule: Rule, rules: Sequence[Rule], context: RuleContext) -> bool:
    """Whether a body with `not p(K,t)` and `p(K,_)` is true in the same answer sets as one with `p(K,V)` and `V != t`.
    `rules` are the new form of the rule alone. `context.answer_set_dependencies` are the dependencies to rely on."""
    if len(rules) != 1 or rules[0].head != rule.head or unsafe_variables(rules[0]):
        return False
    new = rules[0]
    body: list[BodyLiteral] = list(new.body)
    names = iter(fresh_variables("Value", rule_variables(rule) | rule_variables(new)))
    for item in new.body:
        if not isinstance(item, Literal) or item.positive or item in rule.body:
            continue
        place = _value_place(item, body, context)
        if place is None:
            return False
        name, arguments = next(names), item.atom.arguments
        some, value = (Literal(with_argument(item.atom, place, term)) for term in (Symbol("_"), name))
        body = [value if other == some else other for other in body if other != item]
        body.append(Comparison("!=", name, arguments[place]))
    before, after = (named_apart(turned(rule.with_body(tuple(items)))) for items in (rule.body, body))
    return subsume_each_other(before, after)


def is_never_true(rule: Rule, dependencies: Sequence[Dependency]) -> bool:
    """Whether a body has `t != t` by dependencies that hold in every answer set."""
    whole = chased(named_apart(rule), dependencies)
    apart = (item for item in whole.body if isinstance(item, Comparison) and item.operator in ("!=", "<", ">"))
    return any(item.left == item.right for item in apart)


def _value_place(negated: Literal, body: Sequence[BodyLiteral], context: RuleContext) -> int | None:
    """The argument that the others determine, and with `_` for which the atom stands in the body."""
    for dependency in context.answer_set_dependencies:
        place = dependency.value
        if dependency.predicate != negated.atom.predicate or place in dependency.key:
            continue
        is_open = Symbol("_") in rule_terms(Rule(with_argument(negated.atom, place, Integer(0))))
        if not is_open and Literal(with_argument(negated.atom, place, Symbol("_"))) in body:
            return place
    return None


def with_argument(atom: Atom, place: int, term: Term) -> Atom:
    """The atom with another argument at a place, counted from 0."""
    return Atom(atom.name, (*atom.arguments[:place], term, *atom.arguments[place + 1 :]))

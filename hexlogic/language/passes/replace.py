"""Replace: put a literal from outside the recursion in the place of a recursive one.

Before:  usable(X) :- have(X).  have(Z) :- have(X), makes(X,Y,Z), usable(Y).
After:   usable(X) :- have(X).  have(Z) :- have(X), makes(X,Y,Z), have(Y).

Before:  path(X,Y) :- edge(X,Y).  path(X,Z) :- path(X,Y), path(Y,Z).
After:   path(X,Y) :- edge(X,Y).  path(X,Z) :- path(X,Y), edge(Y,Z).

- *Copies.* A predicate with one rule whose body is one literal over the same variables is equal to that literal's
  predicate; where it is recursive with the head, the literal takes its place.
- *Closures.* Of the two literals of a transitive closure the second is replaced by the body of the closure's only other
  rule: each path is a path and one more edge. Ground instances fall from n^3 to n times the number of edges.

*Preserves* the answer sets: the first is unfolding; the second is induction on the length of the path, and needs that
no other predicate is recursive with the closure. *Leaves alone* inputs, and closures with more than two rules.
"""

from hexlogic.language import Atom, BodyLiteral, Literal, Rule, Term, Variable
from hexlogic.language.names import fresh_variables
from hexlogic.language.passes.rule_pass import RuleContext, RulePass
from hexlogic.language.walk import bind_parameters, has_distinct_variables, rule_variables, substitute, variables


def replace(rule: Rule, context: RuleContext) -> list[Rule]:
    """The rule with literals of copies and of closures replaced."""
    recursive = [literal for literal in rule.literals if literal.atom.predicate in context.recursive]
    body = tuple((item in recursive and copied(item, context)) or item for item in rule.body)
    if body != rule.body:
        rule = rule.with_body(body)
    return [linear_closure(rule, context) or rule]


def copied(item: BodyLiteral, context: RuleContext) -> Literal | None:
    """The literal that a copy stands for (one rule, one positive literal, the same variables); else None."""
    if not isinstance(item, Literal):
        return None
    match context.definitions.get(item.atom.predicate, ()):
        case [Rule(Atom() as head, (Literal(copy, True),))] if copy.predicate != head.predicate:
            plain = has_distinct_variables(head) and has_distinct_variables(copy)
            if plain and set(head.arguments) == set(copy.arguments):
                given = dict(zip(head.arguments, item.atom.arguments, strict=True))
                return Literal(Atom(copy.name, tuple(given[term] for term in copy.arguments)), item.positive)
    return None


def linear_closure(rule: Rule, context: RuleContext) -> Rule | None:
    """The closing rule of a transitive closure with its second literal replaced; None for other rules."""
    match rule:
        case Rule(Atom() as head, (Literal(first, True), Literal(second, True))) if head.arguments:
            half = len(head.arguments) // 2
        case _:
            return None
    between = second.arguments[:half]
    chain = (
        {first.predicate, second.predicate} == {head.predicate}
        and first.arguments == (*head.arguments[:half], *between)
        and second.arguments == (*between, *head.arguments[half:])
        and has_distinct_variables(Atom("", (*head.arguments, *between)))
    )
    rules = context.definitions.get(head.predicate, ())
    others = [other for other in rules if other != rule]
    if not chain or len(rules) != 2 or len(others) != 1 or set(context.recursive) != {head.predicate}:
        return None
    (base,) = others
    calls_itself = any(item.atom.predicate == head.predicate for item in base.literals)
    if calls_itself or not base.body or not has_distinct_variables(base.conclusion):
        return None
    inner = sorted(rule_variables(base) - variables(base.conclusion))
    names = fresh_variables("Step", rule_variables(rule) | rule_variables(base))
    given: dict[Variable, Term] = dict(zip(inner, names, strict=False))
    step = substitute(base, given | bind_parameters(base.conclusion.arguments, second.arguments))
    return rule.with_body((rule.body[0], *step.body))


PASS = RulePass(
    "replace",
    "replace a recursive literal by an equal one, or by the first step of a transitive closure",
    replace,
    kinds=("rule",),
)

"""Unfold: replace the only call of a predicate with one rule by that rule's body.

Before:  pair(X,Y) :- p(X), p(Y).  hit :- pair(X,Y), near(X,Y).
After:   hit :- p(X), p(Y), near(X,Y).

A join that is spread over two rules becomes one, and `reorder` may then put a test between two choices.
Keeps the answers to the queries; the unfolded predicate is gone. Leaves alone inputs, queries, recursion, predicates
with several rules or with facts, predicates that are called more than once, negated, or spoken of in a constraint, and
all predicates of a program without a query. Source: Tamaki and Sato 1984.
"""

from collections import Counter
from collections.abc import Callable

from hexlogic.language import Predicate, Program
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.homomorphism import unfold_calls
from hexlogic.language.passes import Pass


def unfold(program: Program, better: Callable[[Program], bool] = lambda _: True) -> Program:
    """The program without predicates that are only steps of one rule, where that is `better`."""
    seen: set[Predicate] = set()
    while waiting := [predicate for predicate in unfoldable(program) if predicate not in seen]:
        seen.add(waiting[0])
        candidate = unfold_predicate(program, waiting[0])
        program = candidate if candidate is not program and better(candidate) else program
    return program


def unfoldable(program: Program) -> list[Predicate]:
    """The predicates with one rule and one call, sorted."""
    if not program.queries:
        return []
    single = {predicate for predicate, rules in program.definitions.items() if len(rules) == 1 and rules[0].body}
    calls: Counter[Predicate] = Counter()
    kept = {*program.inputs, *program.queries, *recursive_predicates(program)}
    for rule in program.rules:
        for literal in rule.literals:
            calls[literal.atom.predicate] += 1
            if rule.is_constraint or not literal.positive:
                kept.add(literal.atom.predicate)
    return sorted(predicate for predicate in single - kept if calls[predicate] == 1)


def unfold_predicate(program: Program, predicate: Predicate) -> Program:
    """The program with each call of a predicate of one rule replaced; the same object where one does not fit."""
    others = (rule for rule in program.rules if rule.head is None or rule.head.predicate != predicate)
    rules = [unfold_calls(rule, program, [predicate], 1) for rule in others]
    return program.with_rules(tuple(rule for (rule,) in rules)) if all(rules) else program


PASS = Pass("unfold", "replace the only call of a predicate with one rule by that rule's body", unfold)

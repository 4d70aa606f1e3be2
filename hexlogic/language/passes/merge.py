"""Merge: keep one of several rules, and of several predicates, that are equal up to names.

Before:  near(X,Y) :- edge(X,Y).  close(A,B) :- edge(A,B).  hit(X) :- near(X,Y), close(X,Y).  #show hit/1.
After:   close(A,B) :- edge(A,B).  hit(X) :- close(X,Y).  #show hit/1.

A rule that another one repeats in other variables goes; so does a predicate whose rules another one repeats, if neither
is recursive. *Preserves* the answers. *Leaves alone* inputs, queries, declared equivalences and recursive predicates.
"""

from hexlogic.language import Comparison, Literal, Predicate, Program, Rule, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.passes import Pass
from hexlogic.language.walk import head_variables, numbered, rename_rule, rule_variables, substitute

_NAMELESS = Variable("V")


def merge(program: Program) -> Program:
    """The program with each rule and each definition once."""
    while True:
        kept = tuple({canonical(rule): rule for rule in reversed(program.rules)}.values())[::-1]
        if len(kept) < len(program.rules):
            program = program.with_rules(kept)
        pair = _equal_predicates(program)
        if pair is None:
            return program
        gone, stays = pair
        rules = (rule for rule in program.rules if rule.head is None or rule.head.predicate != gone)
        renamed = (rename_rule(rule, {gone: stays.name}) for rule in rules)
        program = program.with_rules(tuple(rule.with_body(tuple(dict.fromkeys(rule.body))) for rule in renamed))


def canonical(rule: Rule) -> Rule:
    """The rule with its variables renamed, those of the head first, and its literals sorted.

    >>> from hexlogic.language.parser import parse_rule
    >>> canonical(parse_rule("p(A) :- q(A,B).")) == canonical(parse_rule("p(X) :- q(X,Y)."))
    True
    """
    rule = numbered(rule)
    nameless = substitute(rule, dict.fromkeys(rule_variables(rule) - head_variables(rule), _NAMELESS))
    order = {
        item: (isinstance(item, Comparison), str(other)) for item, other in zip(rule.body, nameless.body, strict=True)
    }
    renamed = numbered(rule.with_body(tuple(sorted(order, key=order.__getitem__))))
    return renamed.with_body(tuple(sorted(renamed.body, key=str)))


def _equal_predicates(program: Program) -> tuple[Predicate, Predicate] | None:
    """A predicate that can go and the one that says the same."""
    fixed = {*program.inputs, *program.queries, *program.equivalences, *recursive_predicates(program)}
    known: dict[tuple[int, frozenset[Rule]], Predicate] = {}
    free = [predicate for predicate in sorted(program.heads) if predicate not in fixed]
    for predicate in free:
        rules = program.defining(predicate)
        if any(Literal(rule.head) in rule.body for rule in rules if rule.head is not None):
            continue
        key = predicate.arity, frozenset(canonical(rename_rule(rule, {predicate: "'same'"})) for rule in rules)
        if key in known:
            return predicate, known[key]
        known[key] = predicate
    return None


PASS = Pass("merge", "merge rules and predicates that are equal up to the names of variables", merge)

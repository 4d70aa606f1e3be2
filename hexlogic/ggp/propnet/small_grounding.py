"""A sheet in a form that has fewer ground rules and the same answers in play.

    next(linked(K,M,N)) :- moved(E), true(linked(E,M,N)), true(step(K)).

has a ground rule for each K, M, N and E. Flattened and split along a tree decomposition of its variables:

    next_linked_split(M,N) :- moved(E), true(linked(E,M,N)).
    next(linked(K,M,N)) :- next_linked_split(M,N), true(step(K)).

What is done, one after the other: rules that nobody asks for in play are left out; the rule of a relation is put in
place of a call where the wider rule can be split better; wide rules are split.
"""

from __future__ import annotations

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import open_sheet
from hexlogic.ggp.language.sheet import QUERIES, sheet_of
from hexlogic.ggp.language.static_facts import growing_rule
from hexlogic.ggp.propnet.possible_sizes import possible_sizes
from hexlogic.language.analysis.dependence import recursive_predicates, rules_below
from hexlogic.language.passes.rule_pass import RuleContext
from hexlogic.language.passes.split import Split
from hexlogic.language.passes.unfold import unfold_predicate
from hexlogic.language.syntax import Literal, Predicate, Program, Rule
from hexlogic.language.walk import predicates

_ASKED = tuple(query for query in QUERIES if query.name not in ("base", "input"))
_FEW = 100.0
"""Estimated instances up to which a rule is left as it is."""
_GAIN = 0.5
"""A call is replaced by the body of its rule when the estimated instances fall below this part of what they were."""


def small_grounding(sheet: Program) -> Program:
    """The sheet with fewer ground rules, without `base` and `input`; the same sheet where terms grow, or a type of
    them has no end."""
    if growing_rule(sheet) is not None:
        return sheet
    try:
        opened = open_sheet(sheet)
        statistics = possible_sizes(opened)
    except EngineError:
        return sheet
    names = {predicate.name for predicate in (*predicates(opened.program), *predicates(sheet))}
    context = RuleContext(names, statistics)
    program, split, single = opened.program, Split(), _single(opened.program)
    rules: list[Rule] = []
    for rule in program.rules:
        if context.statistics.answers(rule.body) < _FEW:
            rules.append(rule)
        else:
            rules += split.rewrite(_unfolded(rule, single, split, context), context)
    played = opened.flat.sheet(program.with_rules(tuple(rules)))
    others = rules_below(sheet, _ASKED)
    defined = {rule.head.predicate for rule in played if rule.head is not None}
    kept = [rule for rule in others.rules if rule.head is None or rule.head.predicate not in defined]
    return sheet_of(rules_below(Program((*played, *kept)), _ASKED).rules)


def _single(program: Program) -> dict[Predicate, Rule]:
    """The relations with one rule that is not recursive."""
    recursive = recursive_predicates(program)
    return {
        predicate: rules[0]
        for predicate, rules in program.definitions.items()
        if len(rules) == 1 and rules[0].body and predicate not in recursive
    }


def _unfolded(rule: Rule, single: dict[Predicate, Rule], split: Split, context: RuleContext) -> Rule:
    """The rule with a call replaced by the body of the only rule for it, where that is split into fewer instances."""
    best, price = rule, split.price(rule, context.statistics)
    for item in rule.body:
        if not isinstance(item, Literal) or not item.positive or (own := single.get(item.atom.predicate)) is None:
            continue
        rules = unfold_predicate(Program((rule, own)), item.atom.predicate).rules
        if len(rules) == 1 and (cost := split.price(rules[0], context.statistics)) < price * _GAIN:
            best, price = rules[0], cost
    return best

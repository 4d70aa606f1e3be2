"""Views that are no relations of their own: a relation that only selects and projects the tuples of another.

    occupied(X,Y) :- true_cell(X,Y,C).
    free(X,Y) :- index(X), index(Y), not occupied(X,Y).     becomes     ... not true_cell(X,Y,C).

A negated literal with a variable that stands nowhere else says that there is no such tuple. The planner looks it up in
a table over the other columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hexlogic.ggp.forward.estimates import Sizes
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.names import fresh_copies
from hexlogic.language.syntax import Atom, Literal, Predicate, Rule, Term, Variable
from hexlogic.language.walk import bind_parameters, has_distinct_variables, is_ground, rule_variables, variables

_REPEATED = 1.5
"""Tuples of the relation for each one of the view up to which it may be scanned in place of the view."""
_SELECTED = 4.0
"""The same, up to which a table more of the relation costs no more than the view."""


def with_views_in_place(opened: OpenedSheet, sizes: Sizes) -> OpenedSheet:
    """The sheet with the literals of views replaced; `sizes` are those of states. The same where there are none."""
    kept = frozenset().union(*opened.asked, opened.pairs, opened.pairs.values(), *opened.phases[0])
    definitions = opened.program.definitions
    scanned = _scanned(opened.program.rules)
    views: dict[Predicate, tuple[Atom, Atom]] = {}
    changed: dict[Rule, Rule] = {}
    for phase in opened.phases[1:]:
        for component in phase:
            for predicate in sorted(component):
                rules = definitions.get(predicate, [])
                for rule in rules:
                    if (found := _in_place(rule, views)) is not rule:
                        changed[rule] = found
                if predicate in kept or len(component) > 1 or len(rules) != 1:
                    continue
                rule = changed.get(rules[0], rules[0])
                if (whole := _selection(rule)) is None or whole.predicate == predicate:
                    continue
                ratio = sizes.size(whole.predicate) / sizes.size(predicate)
                if ratio <= (_REPEATED if predicate in scanned else _SELECTED):
                    assert rule.head is not None
                    views[predicate] = rule.head, whole
    if not views:
        return opened
    left = (rule for rule in opened.program.rules if rule.head is None or rule.head.predicate not in views)
    program = opened.program.with_rules(tuple(changed.get(rule, rule) for rule in left))
    return replace(opened, flat=replace(opened.flat, program=program))


def _scanned(rules: Sequence[Rule]) -> set[Predicate]:
    """The relations with literals that are not negated."""
    return {item.atom.predicate for rule in rules for item in rule.literals if item.positive}


def _selection(rule: Rule) -> Atom | None:
    """The atom of which the rule selects and projects the tuples; None for another rule."""
    head = rule.head
    assert head is not None
    if not has_distinct_variables(head) or len(rule.body) != 1:
        return None
    (item,) = rule.body
    if not isinstance(item, Literal) or not item.positive:
        return None
    uses = Counter(argument for argument in item.atom.arguments if isinstance(argument, Variable))
    simple = all(isinstance(argument, Variable) or is_ground(argument) for argument in item.atom.arguments)
    return item.atom if simple and all(count == 1 for count in uses.values()) else None


def _in_place(rule: Rule, views: Mapping[Predicate, tuple[Atom, Atom]]) -> Rule:
    """The rule with the atoms of the relations in place of views; the same where there are none."""
    used = set(rule_variables(rule))
    body = []
    for item in rule.body:
        if isinstance(item, Literal) and item.atom.predicate in views:
            head, whole = views[item.atom.predicate]
            local = fresh_copies(variables(whole) - variables(head), used)
            used |= {term for term in local.values() if isinstance(term, Variable)}
            binding: dict[Variable, Term] = local | bind_parameters(head.arguments, item.atom.arguments)
            arguments = tuple(binding[term] if isinstance(term, Variable) else term for term in whole.arguments)
            item = replace(item, atom=Atom(whole.name, arguments))
        body.append(item)
    return rule if tuple(body) == rule.body else rule.with_body(tuple(body))

"""Rule subsumption: a rule is not needed when another has a more general head and a more general body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hexlogic.language import BodyLiteral, Comparison, Literal, Predicate, Rule
from hexlogic.language.homomorphism import find_homomorphism, match_terms
from hexlogic.language.walk import is_ground

LONGEST_SEARCH = 60
"""Body literals up to which homomorphisms are looked for: the search is exponential in the worst case."""


def subsumes(general: Rule, special: Rule) -> bool:
    """Whether every conclusion of `special` is one of `general` from the same premises.

    >>> from hexlogic.language.parser import parse_rule
    >>> subsumes(parse_rule("p(X) :- q(X,Y)."), parse_rule("p(Z) :- q(Z,Z), r(Z)."))
    True
    """
    if general.head is None or special.head is None or general.head.predicate != special.head.predicate:
        return False
    if not _shapes(general) <= _shapes(special):
        return False
    binding = match_terms(general.head.arguments, special.head.arguments, {})
    if binding is None:
        return False
    return find_homomorphism(general.body, special.body, binding) is not None


def without_subsumed(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that no other rule subsumes; of two that subsume each other the first stays.

    Also drops rules that have their own head in the body, and repeated facts.
    """
    kept = [rule for rule in dict.fromkeys(rules) if rule.head is None or Literal(rule.head) not in rule.body]
    by_head: dict[Predicate, list[Rule]] = {}
    for rule in kept:
        if rule.head is not None and rule.body:
            by_head.setdefault(rule.head.predicate, []).append(rule)
    dropped: set[Rule] = set()
    for group in by_head.values():
        ground = [rule for rule in group if _is_ground_rule(rule)]
        dropped |= _supersets(ground)
        open_rules = [rule for rule in group if not _is_ground_rule(rule) and len(rule.body) <= LONGEST_SEARCH]
        for number, rule in enumerate(group):
            for other in open_rules:
                if other is rule or other in dropped or not subsumes(other, rule):
                    continue
                if subsumes(rule, other) and group.index(other) > number:
                    continue
                dropped.add(rule)
                break
    return tuple(rule for rule in kept if rule not in dropped)


def _is_ground_rule(rule: Rule) -> bool:
    return rule.head is not None and is_ground(rule.head) and all(map(is_ground, rule.body))


def _shapes(rule: Rule) -> set[tuple[object, ...]]:
    return {
        (item.operator,) if isinstance(item, Comparison) else (item.atom.predicate, item.positive) for item in rule.body
    }


def _supersets(rules: Sequence[Rule]) -> set[Rule]:
    """The ground rules whose body contains the whole body of another with the same head.

    Each body is filed under its rarest literal: a subset of another body is then found among few.
    """
    frequency = Counter(item for rule in rules for item in rule.body)
    files: dict[BodyLiteral, list[tuple[frozenset[BodyLiteral], Rule]]] = {}
    bodies = {rule: frozenset(rule.body) for rule in rules}
    for rule, body in bodies.items():
        rarest = min(rule.body, key=lambda item: frequency[item])
        files.setdefault(rarest, []).append((body, rule))
    larger: set[Rule] = set()
    for rule, body in bodies.items():
        for item in body:
            if any(other.head == rule.head and subset < body for subset, other in files.get(item, ())):
                larger.add(rule)
                break
    return larger

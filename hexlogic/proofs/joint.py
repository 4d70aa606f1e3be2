"""The joint program of two rule sets, and the conditions on two texts that are put into one program.

left:   reach(P,X) :- owns(P,X), first(P,X).     wins(P) :- reach(P,X), last(P,X).
right:  wins(P) :- same_cluster(P,X,Y), ...
joint:  'left'wins(P) :- 'left'reach(P,X), ...    'right'wins(P) :- 'right'same_cluster(P,X,Y), ...

What `joint_program` ensures, for one board and for all of them:
- each text is checked alone, as any program is, before it meets the other;
- no predicate of one text is a predicate of the other, except an input and a *shared* predicate: one that depends on no
  input and that both define by the same rules;
- a `#const` is replaced by its value in the text that declares it, so each text keeps its own values;
- a constraint is kept where both texts have it and it speaks of inputs and shared predicates only, else refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from hexlogic.errors import HexlogicError
from hexlogic.language import Atom, BodyLiteral, Predicate, Program, Rule, Symbol
from hexlogic.language.analysis.checks import check
from hexlogic.language.analysis.dependence import static_predicates
from hexlogic.language.constants import constant_values
from hexlogic.language.walk import is_ground, map_terms
from hexlogic.proofs.miter import Joint, side_by_side


def joint_program(left: Program, right: Program) -> Joint:
    """Both programs in one, in names of their own but for inputs and shared predicates.

    Raises HexlogicError, with the place, for a program that is not sound, that defines an input of the other or of its
    own, or that has a constraint of its own.

    >>> from hexlogic.language.parser import parse
    >>> left, right = parse("#defined p/1. e(1). q(X) :- p(X), e(X)."), parse("#defined p/1. e(1). q(X) :- p(X).")
    >>> print(joint_program(left, right).program, end="")
    #defined p/1.
    e(1).
    'left'q(X) :- p(X), e(X).
    'right'q(X) :- p(X).
    """
    left, right = (with_values(check(program)) for program in (left, right))
    inputs = frozenset(left.inputs) | frozenset(right.inputs)
    for rule in (*left.rules, *right.rules):
        if rule.head is not None and rule.head.predicate in inputs:
            raise at_rule(rule, f"{rule.head.predicate} is an input: its facts are given, no rule may define it")
    shared = same_definitions(left, right, static_predicates(left) & static_predicates(right))
    for program, partner in ((left, right), (right, left)):
        _check_constraints(program, partner, inputs | shared)
    joint = side_by_side(left, right, shared)
    check(joint.program)
    return joint


def _check_constraints(program: Program, other: Program, known: frozenset[Predicate]) -> None:
    theirs = {rule for rule in other.rules if rule.is_constraint}
    for rule in program.rules:
        if rule.is_constraint and (
            rule not in theirs or any(literal.atom.predicate not in known for literal in rule.literals)
        ):
            hint = "a constraint would leave positions out; both programs need it, about the board and the stones only"
            raise at_rule(rule, f"the constraint `{rule}` does not say the same in both programs", hint)


def same_definitions(left: Program, right: Program, among: frozenset[Predicate]) -> frozenset[Predicate]:
    """Those `among` the predicates that both programs define by the same rules, from such predicates only."""

    same = {
        predicate for predicate in among if _as_sets(left.defining(predicate)) == _as_sets(right.defining(predicate))
    }
    while True:
        strange = {
            predicate
            for predicate in same
            for rule in left.defining(predicate)
            for literal in rule.literals
            if literal.atom.predicate not in same
        }
        if not strange:
            return frozenset(same)
        same -= strange


def same_rules(left: Program, right: Program) -> bool:
    """Whether both have the same rules, in any order of rules and literals."""
    return _as_sets(left.rules) == _as_sets(right.rules)


def _as_sets(rules: Iterable[Rule]) -> frozenset[tuple[Atom | None, frozenset[BodyLiteral]]]:
    return frozenset((rule.head, frozenset(rule.body)) for rule in rules)


def with_values(program: Program) -> Program:
    """The program with every `#const` name replaced by its value.

    Raises HexlogicError for a constant that has two values, is written in terms of itself, or has a variable in it.

    >>> from hexlogic.language.parser import parse
    >>> print(with_values(parse("#const n = m+1. #const m = 2. p(n).")), end="")
    p(3).
    """
    values = constant_values(program)
    for name, value in values.items():
        if not is_ground(value):
            raise HexlogicError(f"#const {name} is {value}, which has a variable")
    rules = tuple(
        map_terms(rule, lambda term: values.get(term.name, term) if isinstance(term, Symbol) else term)
        for rule in program.rules
    )
    return dataclasses.replace(program, rules=rules, constants=())


def at_rule(rule: Rule, message: str, hint: str | None = None) -> HexlogicError:
    """An error about a rule, with the rule's place."""
    return rule.at(HexlogicError(message, hint=hint))

"""Two programs side by side in one text: inputs and shared predicates stand once, names in both are told apart.

left:   reach(P,X) :- owns(P,X), first(P,X).     wins(P) :- reach(P,X), last(P,X).
right:  wins(P) :- same_cluster(P,X,Y), ...
joint:  reach(P,X) :- ...   wins_left(P) :- reach(P,X), ...     wins_right(P) :- same_cluster(P,X,Y), ...

This is the only way in which two texts are set side by side, for one board and for all of them. What it ensures:
- each text is checked alone, as any program is, before it meets the other;
- no predicate of one text is a predicate of the other, except an input and a *shared* predicate: one that depends on no
  input and that both define by the same rules;
- a `#const` is replaced by its value in the text that declares it, so each text keeps its own values;
- a constraint is kept where both texts have it and it speaks of inputs and shared predicates only, else refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.logic import Atom, Predicate, Program, Rule, Symbol, Term
from hexlogic.logic.analysis import static_predicates
from hexlogic.logic.checks import check
from hexlogic.logic.names import fresh_names
from hexlogic.logic.walk import is_ground, map_terms, predicates, rename_rule

__all__ = ["Joint", "at_rule", "same_definitions", "shared_predicates", "side_by_side", "with_values"]

Names = Mapping[Predicate, str]


@dataclass(frozen=True, slots=True)
class Joint:
    """Both programs as one. `left` and `right` tell what each side's predicates are called in `program`."""

    program: Program
    left: Names
    right: Names

    def question(self, query: Atom) -> tuple[Atom, Atom]:
        """The same query put to both sides."""
        left = self.left.get(query.predicate, query.name)
        return Atom(left, query.arguments), Atom(self.right.get(query.predicate, query.name), query.arguments)


def side_by_side(left: Program, right: Program) -> Joint:
    """Both programs in one, names that both use told apart.

    Raises HexlogicError, with the place, for a program that is not sound, that defines an input of the other or of its
    own, or that has a constraint of its own.

    >>> from hexlogic.logic.parser import parse
    >>> left, right = parse("#defined p/1. e(1). q(X) :- p(X), e(X)."), parse("#defined p/1. e(1). q(X) :- p(X).")
    >>> joint = side_by_side(left, right)
    >>> print(joint.program, end="")
    #defined p/1.
    e(1).
    q_left(X) :- p(X), e(X).
    q_right(X) :- p(X).
    """
    left, right = (with_values(check(program)) for program in (left, right))
    inputs = frozenset(left.inputs) | frozenset(right.inputs)
    for rule in (*left.rules, *right.rules):
        if rule.head is not None and rule.head.predicate in inputs:
            raise at_rule(rule, f"{rule.head.predicate} is an input: its facts are given, no rule may define it")
    shared = shared_predicates(left, right)
    for one, other in ((left, right), (right, left)):
        _check_constraints(one, other, inputs | shared)
    given = {predicate.name for predicate in inputs | shared}
    of_left, of_right = ({predicate.name for predicate in predicates(program)} - given for program in (left, right))
    used = {*given, *of_left, *of_right}
    apart = of_left & of_right
    names_left, names_right = (
        {
            predicate: _fresh(predicate.name, side, used) if predicate.name in apart else predicate.name
            for predicate in sorted(predicates(program))
            if predicate.name not in given
        }
        for program, side in ((left, "left"), (right, "right"))
    )
    rules: dict[Rule, None] = {}
    for program, names in ((left, names_left), (right, names_right)):
        for rule in program.rules:
            rules.setdefault(rename_rule(rule, names))
    joint = Program(tuple(rules), (), tuple(sorted(inputs)))
    return Joint(check(joint), names_left, names_right)


def _fresh(name: str, side: str, used: set[str]) -> str:
    fresh = next(iter(fresh_names(f"{name}_{side}", used)))
    used.add(fresh)
    return fresh


def _check_constraints(program: Program, other: Program, known: frozenset[Predicate]) -> None:
    theirs = {rule for rule in other.rules if rule.is_constraint}
    for rule in program.rules:
        if rule.is_constraint and (
            rule not in theirs or any(literal.atom.predicate not in known for literal in rule.literals)
        ):
            hint = "a constraint would leave positions out; both programs need it, about the board and the stones only"
            raise at_rule(rule, f"the constraint `{rule}` does not say the same in both programs", hint)


def shared_predicates(left: Program, right: Program) -> frozenset[Predicate]:
    """The static predicates that both programs define by the same rules, down to the ground."""
    return same_definitions(left, right, static_predicates(left) & static_predicates(right))


def same_definitions(left: Program, right: Program, among: frozenset[Predicate]) -> frozenset[Predicate]:
    """Those `among` the predicates that both programs define by the same rules, from such predicates only."""

    def rules_for(program: Program, predicate: Predicate) -> frozenset[object]:
        return frozenset((rule.head, frozenset(rule.body)) for rule in program.defining(predicate))

    same = {predicate for predicate in among if rules_for(left, predicate) == rules_for(right, predicate)}
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


def with_values(program: Program, kept: Collection[str] = ()) -> Program:
    """The program with every `#const` name but those `kept` replaced by its value.

    Raises HexlogicError for a constant that is declared twice, in terms of itself, or with a variable in it.

    >>> from hexlogic.logic.parser import parse
    >>> print(with_values(parse("#const n = m+1. #const m = 2. p(n).")), end="")
    p(2+1).
    """
    values: dict[str, Term] = {}
    for name, value in program.constants:
        if values.setdefault(name, value) != value:
            raise HexlogicError(f"#const {name} is declared twice, as {values[name]} and as {value}")
        if not is_ground(value):
            raise HexlogicError(f"#const {name} is {value}, which has a variable")

    def replace(term: Term, inside: tuple[str, ...] = ()) -> Term:
        if not isinstance(term, Symbol) or term.name not in values or term.name in kept:
            return term
        if term.name in inside:
            raise HexlogicError(f"#const {term.name} is declared in terms of itself")
        carrier = map_terms(
            Rule(Atom("value", (values[term.name],))), lambda part: replace(part, (*inside, term.name))
        ).head
        assert carrier is not None
        return carrier.arguments[0]

    rules = tuple(map_terms(rule, replace) for rule in program.rules)
    constants = tuple((name, value) for name, value in program.constants if name in kept)
    return dataclasses.replace(program, rules=rules, constants=constants)


def at_rule(rule: Rule, message: str, hint: str | None = None) -> HexlogicError:
    """An error about a rule, with the rule's place."""
    error = HexlogicError(message, hint=hint)
    place = rule.place
    return error if place is None else error.at(file=place.file, line=place.line, column=place.column)

"""Two programs side by side in one text: shared inputs and board, everything else with a name of its own.

left:   reach(P,X) :- owns(P,X), first(P,X).     wins(P) :- reach(P,X), last(P,X).
right:  wins(P) :- same_cluster(P,X,Y), ...
joint:  wins_left(P) :- reach_left(P,X), ...     wins_right(P) :- same_cluster_right(P,X,Y), ...

A static predicate (it depends on no input) stands once when both programs define it by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hexlogic.errors import HexlogicError
from hexlogic.logic import Atom, Predicate, Program, Rule
from hexlogic.logic.analysis.dependence import static_predicates
from hexlogic.logic.names import fresh_names
from hexlogic.logic.walk import predicates, rename_rule

__all__ = ["Joint", "shared_predicates", "side_by_side"]

Names = Mapping[Predicate, str]


@dataclass(frozen=True, slots=True)
class Joint:
    """Both programs as one. `left` and `right` tell what each side's predicates are called in `program`."""

    program: Program
    left: Names
    right: Names

    def question(self, query: Atom) -> tuple[Atom, Atom]:
        """The same ground query put to both sides."""
        left = self.left.get(query.predicate, query.name)
        return Atom(left, query.arguments), Atom(self.right.get(query.predicate, query.name), query.arguments)


def side_by_side(left: Program, right: Program) -> Joint:
    """Both programs in one, with renamed predicates. Constraints are kept where they speak of inputs and board only.

    Raises HexlogicError when the two disagree on the value of a `#const`.

    >>> from hexlogic.logic.parser import parse
    >>> left, right = parse("#defined p/1. e(1). q(X) :- p(X), e(X)."), parse("#defined p/1. e(1). q(X) :- p(X).")
    >>> joint = side_by_side(left, right)
    >>> print(joint.program, end="")
    #defined p/1.
    e(1).
    q_left(X) :- p(X), e(X).
    q_right(X) :- p(X).
    """
    values = dict(left.constants)
    for name, value in right.constants:
        if values.setdefault(name, value) != value:
            raise HexlogicError(f"#const {name} is {values[name]} in one program and {value} in the other")
    inputs = frozenset(left.inputs) | frozenset(right.inputs)
    shared = shared_predicates(left, right)
    used = {predicate.name for predicate in predicates(left) | predicates(right)}
    names_left, names_right = (
        {
            predicate: next(iter(fresh_names(f"{predicate.name}_{side}", used)))
            for predicate in sorted(predicates(program))
            if predicate not in inputs and predicate not in shared
        }
        for program, side in ((left, "left"), (right, "right"))
    )
    rules: dict[Rule, None] = {}
    for program, names in ((left, names_left), (right, names_right)):
        given = static_predicates(program) | inputs
        for rule in program.rules:
            if rule.head is not None or all(literal.atom.predicate in given for literal in rule.literals):
                rules.setdefault(rename_rule(rule, names))
    joint = Program(tuple(rules), tuple(values.items()), tuple(sorted(inputs)))
    return Joint(joint, names_left, names_right)


def shared_predicates(left: Program, right: Program) -> frozenset[Predicate]:
    """The static predicates that both programs define by the same rules, down to the ground."""
    static = static_predicates(left) & static_predicates(right)
    shared = {predicate for predicate in static if left.defining(predicate) == right.defining(predicate)}
    while True:
        strange = {
            predicate
            for predicate in shared
            for rule in left.defining(predicate)
            for literal in rule.literals
            if literal.atom.predicate not in shared
        }
        if not strange:
            return frozenset(shared)
        shared -= strange

"""A copy of a program in names of its own, so that it can stand beside others in one text.

    q(X) :- p(X), not before_q(X).      becomes      before_q_2(X) :- before_p(X), not before_before_q(X).

Every predicate gets a name that occurs in none of the texts, whatever they spell; `#const` names give way to their
values. So what one text derives can never be read by another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexlogic.logic.constants import valued
from hexlogic.logic.names import FreshNames
from hexlogic.logic.syntax import Atom, Literal, Predicate, Program, Rule, Variable
from hexlogic.logic.walk import predicates, rename_rule

__all__ = ["Copy", "copied", "general_atom"]


@dataclass(frozen=True)
class Copy:
    """Rules with a head and integrity constraints of one program, in names of its own."""

    names: dict[Predicate, str]
    rules: tuple[Rule, ...]
    constraints: tuple[Rule, ...]

    def atom(self, predicate: Predicate) -> Atom:
        """The predicate of the program, as this copy calls it, over the variables X0, X1, ..."""
        return general_atom(Predicate(self.names[predicate], predicate.arity))


def copied(
    program: Program, side: str, fresh: FreshNames, given: Sequence[Predicate], asked: Sequence[Predicate] = ()
) -> Copy:
    """The program with a new name, which begins with `side`, for each of its predicates and for those `asked`.

    The `given` predicates keep their names beside the new ones: the copy takes over their facts, and derives in its
    own.
    """
    values = valued(program)
    names = {
        predicate: fresh.make(f"{side}_{predicate.name}")
        for predicate in sorted({*predicates(program), *program.equivalences, *given, *asked})
    }
    renamed = [rename_rule(rule, names) for rule in values.rules]
    taken = [
        Rule(general_atom(Predicate(names[predicate], predicate.arity)), (Literal(general_atom(predicate)),))
        for predicate in given
    ]
    return Copy(
        names,
        (*taken, *(rule for rule in renamed if not rule.is_constraint)),
        tuple(rule for rule in renamed if rule.is_constraint),
    )


def general_atom(predicate: Predicate) -> Atom:
    """The predicate over the variables X0, X1, ..."""
    return Atom(predicate.name, tuple(Variable(f"X{number}") for number in range(predicate.arity)))

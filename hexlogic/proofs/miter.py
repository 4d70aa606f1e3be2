"""Two programs in one: a text that has a stable model exactly when some instance tells them apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hexlogic.logic.analysis.dependence import static_predicates
from hexlogic.logic.syntax import Atom, Literal, Predicate, Program, Rule

__all__ = ["BEFORE", "difference"]

BEFORE, AFTER = "before", "after"
"""The names of derived predicates get one of these and an underscore in front."""


def difference(left: Program, right: Program, tuples: Sequence[Atom]) -> str:
    """The text for clingo: any of the input facts `tuples` may be true, and some query of `left` has another answer.

    Constraints on inputs and what never changes hold. Both programs have the same inputs.
    """
    lines = ["".join(f"#const {name} = {value}.\n" for name, value in left.constants)]
    lines += [f"{{ {fact} }}." for fact in tuples]
    inputs = set(left.inputs)
    for program, side in ((left, BEFORE), (right, AFTER)):
        given = static_predicates(program) | inputs
        for rule in program.rules:
            if rule.head is not None or all(literal.atom.predicate in given for literal in rule.literals):
                lines.append(str(_renamed(rule, inputs, side)))
    for query in left.queries:
        terms = ",".join(f"X{number}" for number in range(query.arity))
        before, after = (f"{side}_{query.name}" + (f"({terms})" if terms else "") for side in (BEFORE, AFTER))
        lines += [f"differ_ :- {before}, not {after}.", f"differ_ :- {after}, not {before}."]
    return "\n".join([*lines, ":- not differ_."])


def _renamed(rule: Rule, inputs: Collection[Predicate], side: str) -> Rule:
    def rename(atom: Atom) -> Atom:
        return atom if atom.predicate in inputs else Atom(f"{side}_{atom.name}", atom.arguments)

    body = tuple(Literal(rename(item.atom), item.positive) if isinstance(item, Literal) else item for item in rule.body)
    return Rule(None if rule.head is None else rename(rule.head), body)

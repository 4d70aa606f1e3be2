"""Two programs in one: a text that has a stable model exactly when some instance tells them apart.

The instances are the sets of input facts that the first program's integrity constraints admit. An instance tells the
programs apart when a query has another answer, or when a constraint of the second program forbids it.

Each program is copied in names that occur nowhere else (`hexlogic.logic.apart`), its inputs as well: rules that derive
more of an input are rules of one side. The given facts alone keep their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hexlogic.logic.analysis.dependence import reachable
from hexlogic.logic.apart import copied
from hexlogic.logic.names import FreshNames
from hexlogic.logic.syntax import Atom, Literal, Predicate, Program, Rule

__all__ = ["difference", "needed", "some_instance"]


def difference(left: Program, right: Program, tuples: Sequence[Atom]) -> str:
    """The text for clingo: any of the input facts `tuples` may be given, and some query has another answer.

    The inputs and the queries are those of both programs together. Both are checked programs. The shown atoms of a
    model are the instance.
    """
    inputs = tuple(dict.fromkeys((*left.inputs, *right.inputs)))
    queries = tuple(dict.fromkeys((*left.queries, *right.queries)))
    fresh = FreshNames((left, right), tuples)
    differ = Literal(Atom(fresh.make("differ")))
    before, after = (
        copied(needed(program, queries), side, fresh, inputs, queries)
        for program, side in ((left, "before"), (right, "after"))
    )
    rules = [*before.rules, *before.constraints, *after.rules]
    rules += [Rule(differ.atom, rule.body) for rule in after.constraints]
    for query in queries:
        one, other = before.atom(query), after.atom(query)
        rules += [Rule(differ.atom, (Literal(one), Literal(other, False)))]
        rules += [Rule(differ.atom, (Literal(other), Literal(one, False)))]
    rules.append(Rule(None, (Literal(differ.atom, False),)))
    return _text(rules, tuples, inputs)


def some_instance(program: Program, tuples: Sequence[Atom], *, chosen: bool = True) -> str:
    """The text for clingo whose models are the instances that the program's constraints admit.

    Any of the `tuples` may be given; all of them where they are not to be `chosen`.
    """
    copy = copied(needed(program, ()), "own", FreshNames((program,), tuples), program.inputs)
    return _text((*copy.rules, *copy.constraints), tuples, program.inputs, chosen)


def _text(rules: Iterable[Rule], tuples: Iterable[Atom], inputs: Iterable[Predicate], chosen: bool = True) -> str:
    choices = (f"{{ {fact} }}." if chosen else f"{fact}." for fact in tuples)
    return "\n".join([*choices, *map(str, rules), "#show.", *(f"#show {predicate}." for predicate in inputs)])


def needed(program: Program, queries: Iterable[Predicate]) -> Program:
    """The rules that the queries and the constraints depend on: others could not even be ground."""
    spoken_of = {literal.atom.predicate for rule in program.rules if rule.is_constraint for literal in rule.literals}
    needed = reachable(program, {*queries, *spoken_of})
    return program.with_rules(
        tuple(rule for rule in program.rules if rule.head is None or rule.head.predicate in needed)
    )

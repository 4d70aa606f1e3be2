"""Whether the rules of two sheets say the same step by step, by one question to clingo without any recursion.

    reach(P,Y) :- reach(P,X), cell(X), adjacent(X,Y).      reach(P,Y) :- reach(P,X), adjacent(X,Y).

Whatever `reach` is so far, both rules add the same to it: then it becomes the same in the end. So every relation that
both sheets derive is assumed to be anything at all (within what clingo's grounder finds possible), and each sheet says
what follows from that in one step; relations that only one of them has are worked out. What follows is compared.

Two stratified programs whose steps agree on all interpretations have the same model: it is the well-founded one, and
that of the best approximation depends on the step alone. What depends on `does` is compared for legal moves only, which
is sound since nothing that `legal` needs depends on them. Where steps differ the sheets may still be the same game.
Source: Denecker, Marek and Truszczynski 2004, "Ultimate approximation and its application in nonmonotonic knowledge
representation systems".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from hexlogic.ground.program import ground_program
from hexlogic.logic import Atom, Literal, Predicate, Program, Rule
from hexlogic.logic.analysis.dependence import dependency_graph, static_predicates

__all__ = ["step_difference"]

_DOES, _LEGAL = Predicate("does", 2), Predicate("legal", 2)


def step_difference(left: Program, right: Program, possible: Sequence[Atom]) -> str | None:
    """The text for clingo: some step of the sheets differs; None when `legal` depends on `does`.

    `possible` are all facts and moves that can come up. Raises EngineError when the left sheet cannot be ground.
    """
    sides = ((left, "before"), (right, "after"))
    by_moves = frozenset[Predicate]().union(*(dependency_graph(program).above([_DOES]) for program, _ in sides))
    if _LEGAL in by_moves:
        return None
    heads = [{rule.head.predicate for rule in program.rules if rule.head is not None} for program, _ in sides]
    shared = (heads[0] & heads[1]) - static_predicates(left) - set(left.inputs)
    ground = ground_program(left, possible, wanted=sorted(shared))
    assumed = [atom for atom in (*ground.atoms, *ground.facts) if atom.predicate in shared]
    lines = [f"{{ {atom} }}." for atom in dict.fromkeys((*possible, *assumed))]
    kept = shared | set(left.inputs)
    for program, side in sides:
        lines += [str(_step(rule, kept, side)) for rule in program.rules if rule.head is not None]
    lines += list(_compared(sorted(shared | set(left.queries)), by_moves))
    lines.append("illegal_ :- does(R,M), not before_legal(R,M).")
    return "\n".join([*lines, ":- not differ_."])


def _step(rule: Rule, kept: Collection[Predicate], side: str) -> Rule:
    """The rule with its head named after the side, and those body literals that are not assumed."""

    def rename(atom: Atom) -> Atom:
        return Atom(f"{side}_{atom.name}", atom.arguments)

    assert rule.head is not None
    body = tuple(
        Literal(rename(item.atom), item.positive)
        if isinstance(item, Literal) and item.atom.predicate not in kept
        else item
        for item in rule.body
    )
    return Rule(rename(rule.head), body)


def _compared(predicates: Iterable[Predicate], by_moves: Collection[Predicate]) -> Iterator[str]:
    for predicate in predicates:
        terms = ",".join(f"X{number}" for number in range(predicate.arity))
        atoms = [f"{side}_{predicate.name}" + (f"({terms})" if terms else "") for side in ("before", "after")]
        legal = ", not illegal_" if predicate in by_moves else ""
        for one, other in (atoms, reversed(atoms)):
            yield f"differ_ :- {one}, not {other}{legal}."

"""Square a closure, or take a square back: a path and one more step, in the place of two paths.

    path(X,Z) :- path(X,Y), path(Y,Z).          path(X,Z) :- path(X,Y), edge(Y,Z).

A step is what the rules without recursion say. Squared rules need fewer rounds, linear ones fewer joins.
"""

from collections.abc import Iterator
from typing import Final

from hexlogic.language import Atom, Literal, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.homomorphism import unfold_call
from hexlogic.proofs.finding.moves import Move, Proposal, calls
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_MIDDLE: Final = Variable("Middle")


def squarings(program: Program, _samples: Samples, _world: World) -> Iterator[Proposal]:
    """The program with each closure squared that is linear, and linear that is squared."""
    for predicate in sorted(recursive_predicates(program)):
        rules = program.defining(predicate)
        base = [rule for rule in rules if not calls(rule, predicate)]
        for rule in rules:
            own = calls(rule, predicate)
            new: list[Rule] = []
            if rule.head and len(own) == len(rule.body) == 2:
                new = [step for each in base if (step := unfold_call(rule, own[1], each))]
            elif rule.head and len(own) == 1 and (two := _two(rule.head, own[0].atom)):
                new = [Rule(rule.head, two)]
            if new and base:
                others = [other for other in program.rules if other != rule]
                place = program.rules.index(rule)
                changed = program.with_rules((*others[:place], *new, *others[place:]))
                yield Proposal(changed, f"the closure {predicate} is {'squared' if len(own) == 1 else 'made linear'}")


def _two(head: Atom, source: Atom) -> tuple[Literal, Literal] | None:
    """Two paths that meet, where head and source differ in one of two ends."""
    moved = [
        place for place, terms in enumerate(zip(head.arguments, source.arguments, strict=True)) if len({*terms}) > 1
    ]
    if len(moved) != 1 or len(head.arguments) < 2:
        return None
    (last,) = moved
    first = len(head.arguments) - 1 if last < len(head.arguments) - 1 else len(head.arguments) - 2

    def ends(one: Term, other: Term) -> Literal:
        arguments = list(head.arguments)
        arguments[first], arguments[last] = one, other
        return Literal(Atom(head.name, tuple(arguments)))

    begin, end = head.arguments[first], head.arguments[last]
    two = ends(begin, _MIDDLE), ends(_MIDDLE, end)
    return two if first < last else two[::-1]


MOVE: Final = Move("a path and one more step in the place of two paths, or the other way round", squarings)

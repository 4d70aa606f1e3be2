"""Square a closure: two paths in the place of a path and one more step. `fuse` takes a square back.

    path(X,Z) :- path(X,Y), edge(Y,Z).          path(X,Z) :- path(X,Y), path(Y,Z).

A step is what the rules without recursion say. Squared rules need fewer rounds.
"""

from collections.abc import Iterator
from typing import Final

from hexlogic.language import Atom, Literal, Program, Rule, Term, Variable
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.proofs.finding.moves import Move, Proposal, calls
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_MIDDLE: Final = Variable("Middle")


def squarings(program: Program, _samples: Samples, _world: World) -> Iterator[Proposal]:
    """The program with each linear closure squared."""
    for predicate in sorted(recursive_predicates(program)):
        rules = program.defining(predicate)
        for rule in rules:
            own = calls(rule, predicate)
            if len(own) == 1 and any(not calls(other, predicate) for other in rules):
                two = _two(rule.conclusion, own[0].atom)
                place = program.rules.index(rule)
                if two:
                    new = (*program.rules[:place], Rule(rule.head, two), *program.rules[place + 1 :])
                    yield Proposal(program.with_rules(new), f"the closure {predicate} is squared")


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


MOVE: Final = Move("two paths in the place of a path and one more step", squarings)

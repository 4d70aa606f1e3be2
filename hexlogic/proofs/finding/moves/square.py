"""Square a closure: two paths in the place of a path and one more step. `fuse` takes a square back.

    path(X,Z) :- path(X,Y), edge(Y,Z).          path(X,Z) :- path(X,Y), path(Y,Z).

A step is what the rules without recursion say. Squared rules need fewer rounds.
"""

from collections.abc import Iterator
from typing import Final

from hexlogic.language import Program
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.proofs.finding.moves import Move, Proposal, calls
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.synthesis import squared
from hexlogic.proofs.finding.worlds import World


def squarings(program: Program, _samples: Samples, _world: World) -> Iterator[Proposal]:
    """The program with each linear closure squared."""
    for predicate in sorted(recursive_predicates(program)):
        rules = program.defining(predicate)
        for rule in rules:
            two = squared(rule)
            if two and any(not calls(other, predicate) for other in rules):
                place = program.rules.index(rule)
                new = (*program.rules[:place], two, *program.rules[place + 1 :])
                yield Proposal(program.with_rules(new), f"the closure {predicate} is squared")


MOVE: Final = Move("two paths in the place of a path and one more step", squarings)

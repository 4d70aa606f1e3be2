"""Square a closure: two paths in the place of a path and one more step. `fuse` takes a square back.

    path(X,Z) :- path(X,Y), edge(Y,Z).          path(X,Z) :- path(X,Y), path(Y,Z).

A step is what the rules without recursion say. Squared rules need fewer rounds.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hexlogic.language import Literal, Program, Rule
from hexlogic.language.analysis.dependence import recursive_predicates
from hexlogic.language.walk import general_atom, rename_rule
from hexlogic.proofs.finding.moves import Move, Proposal, blocks, calls
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.synthesis import squares
from hexlogic.proofs.finding.worlds import World


def squarings(program: Program, samples: Samples, _world: World) -> Iterator[Proposal]:
    """The program with each linear closure squared."""
    for predicate in sorted(recursive_predicates(program)):
        rules = program.defining(predicate)
        for rule in rules:
            place = program.rules.index(rule)
            for two in squares(rule, samples) if any(not calls(other, predicate) for other in rules) else ():
                new = (*program.rules[:place], two, *program.rules[place + 1 :])
                yield Proposal(program.with_rules(new), f"the closure {predicate} is squared", _why(rule, two))


def _why(linear: Rule, two: Rule) -> str:
    """That the relation is closed under two paths that meet, and that the new rules derive no more, and no less."""
    head = linear.conclusion
    (call,) = calls(linear, head.predicate)
    right = {head.predicate: f"{head.name}_right"}
    grown = [item for item in two.literals if {*item.atom.arguments} & {*head.arguments} - {*call.atom.arguments}]
    closed = two.with_body((*grown, *(item for item in two.body if item not in grown)))
    step = rename_rule(linear.with_body((call, *(item for item in linear.body if item != call))), right)
    (whole, new) = (
        Literal(general_atom(replace(head.predicate, name=name))) for name in (head.name, f"{head.name}_right")
    )
    claims = closed, Rule(whole.atom, (new,)), step, Rule(new.atom, (whole,))
    return "\n\n".join(blocks("claim", [("", rule) for rule in claims], "paths that meet"))


MOVE: Final = Move("two paths in the place of a path and one more step", squarings)

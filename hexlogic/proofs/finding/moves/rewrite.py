"""The passes as moves: magic sets, projections, reducers and what else rewrites rules without inventing a recursion.

cousin(Y) :- generation(1,Y).       magic: only generations that are asked for, from 1 upwards
"""

import re
from collections.abc import Iterator
from typing import Final

from hexlogic.language import Predicate, Program
from hexlogic.language.names import fresh_names
from hexlogic.language.passes import load_pass, pass_names
from hexlogic.language.walk import predicates, rename_rule
from hexlogic.proofs.finding.moves import Move, Proposal, asked_for
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World

_LEFT_OUT: Final = ("ground", "reorder", "stage")
"""Passes that are about one size or one engine's order of joins, not about what is computed."""
_HIDDEN: Final = re.compile(r"_hexlogic_(\w+)_[0-9a-f]{8}")


def rewritings(program: Program, _samples: Samples, _world: World) -> Iterator[Proposal]:
    """What each pass makes of the program, in names that a person can read."""
    for name in pass_names():
        if name not in _LEFT_OUT:
            rewritten = load_pass(name).apply(program)
            if rewritten != program:
                yield Proposal(asked_for(_named(rewritten)), f"the pass {name}")


def _named(program: Program) -> Program:
    """The program with the names that passes invent made short."""
    taken = {predicate.name for predicate in predicates(program)}
    names: dict[Predicate, str] = {}
    for predicate in sorted(predicates(program)):
        match = _HIDDEN.fullmatch(predicate.name)
        if match is not None:
            names[predicate] = next(iter(fresh_names(match[1], taken)))
            taken.add(names[predicate])
    return program.with_rules(tuple(rename_rule(rule, names) for rule in program.rules))


MOVE: Final = Move("the passes there are", rewritings, tidies=True)

"""Toy: the rules in the other order, which costs the same and is never cheaper; and without rules that stand twice."""

from __future__ import annotations

from collections.abc import Iterator

from hexlogic.language import Program
from hexlogic.proofs.finding.moves import Move, Proposal
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import World


def propose(program: Program, _samples: Samples, _world: World) -> Iterator[Proposal]:
    """The program without its widest rule."""
    widest = max(program.rules, key=lambda rule: len(rule.body))
    yield Proposal(program.with_rules(tuple(rule for rule in program.rules if rule != widest)), "the toy")


MOVE = Move("leave out the widest rule", propose)

"""Programs with the same answers that cost less: found, proved, and measured.

A search over programs, the cheapest first. An edge is a move (`moves/`), and a program is kept only when a bridge to
the one that it was made from is found and proved, for every board of a game or every set of input facts (`worlds.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from hexlogic.language import Program
from hexlogic.language.engines.swipl import inferences
from hexlogic.language.ground.solving import ground_size
from hexlogic.proofs.all_boards import Universal
from hexlogic.proofs.finding.bridge_text import NoBridge, find_bridge
from hexlogic.proofs.finding.moves import MOVES
from hexlogic.proofs.finding.samples import Samples
from hexlogic.proofs.finding.worlds import Text, World

_RUN_S: Final = 10.0
"""Seconds for each measurement."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program costs on one position: clingo's ground rules, and inferences of SWI-Prolog.

    A figure is in words where there is none: why not.
    """

    ground_rules: int | str
    inferences: int | str

    @property
    def order(self) -> tuple[float, float]:
        """What is compared: inferences, then ground rules; what is unknown costs most."""
        inferences_, rules = (
            float(figure) if isinstance(figure, int) else float("inf")
            for figure in (self.inferences, self.ground_rules)
        )
        return inferences_, rules


@dataclass(frozen=True, slots=True)
class Reformulation:
    """A program that was found: `parent` is the name of the one that it was made from, by `move`; `bridge` leads
    between them."""

    text: Text
    parent: str
    move: str
    words: str
    bridge: str
    proof: Universal
    cost: Cost


@dataclass
class Reformulator:
    """The search for cheaper programs from one text."""

    source: Text
    world: World
    limit_s: float = 60.0
    report: Callable[[str], None] = lambda _: None
    _known: set[str] = field(default_factory=set)

    def cost(self, text: Text) -> Cost:
        """What a text costs on the facts that all are measured on."""
        program, facts = self.world.measured(text)
        solved = ground_size(program, facts, _RUN_S)
        return Cost(f"more than {_RUN_S:g} s" if solved is None else solved.rules, inferences(program, facts, _RUN_S))

    def search(self) -> Iterator[Reformulation]:
        """The programs as they are found and proved."""
        end_s = time.monotonic() + self.limit_s
        waiting = [(self.cost(self.source), self.source)]
        self._known = {_shape(self.world.program(self.source))}
        while waiting and time.monotonic() < end_s:
            waiting.sort(key=lambda entry: entry[0].order)
            _, parent = waiting.pop(0)
            priced = [(self.cost(proposal[0]), proposal) for proposal in self._proposals(parent)]
            for cost, (text, move, words, hints) in sorted(priced, key=lambda entry: entry[0].order):
                if time.monotonic() > end_s:
                    return
                self.report(f"{text.name}, by {move}: {words}")
                found = find_bridge(parent, text, self.world, limit_s=end_s - time.monotonic(), hints=hints)
                if isinstance(found, NoBridge):
                    continue
                proof = self.world.prove(parent, text, found)
                if proof.proved:
                    waiting.append((cost, text))
                    yield Reformulation(text, parent.name, move, words, found, proof, cost)

    def _proposals(self, parent: Text) -> Iterator[tuple[Text, str, str, str]]:
        """Each new program that agrees on all samples, with the move, its words and its hints."""
        program = self.world.program(parent)
        samples = Samples(program, self.world)
        names = frozenset(predicate.name for predicate in self.world.given)
        for move_name in MOVES.names():
            for proposal in MOVES.load(move_name).propose(program, samples, names):
                shape = _shape(proposal.program)
                if shape not in self._known and self._agrees(program, proposal.program):
                    self._known.add(shape)
                    text = self.world.read(f"{self.source.name}-{len(self._known)}", proposal.program)
                    yield text, move_name, proposal.words, proposal.hints

    def _agrees(self, left: Program, right: Program) -> bool:
        """Whether both have the same answers on all samples."""
        query = self.world.query.name
        return Samples(left, self.world).answers(query) == Samples(right, self.world).answers(query)


def _shape(program: Program) -> str:
    """The rules as text, sorted."""
    return "\n".join(sorted(map(str, program.rules)))

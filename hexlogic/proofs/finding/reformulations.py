"""Programs with the same answers on every board that cost less: found, proved, and measured.

A search over programs, the cheapest first. An edge is a fusion (`fusing.py`), and a program is kept only when a bridge
to the one that it was made from is found and proved (`hexlogic.proofs.all_boards`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from hexlogic.games import Game, Position, load_game
from hexlogic.games.boards import load_board
from hexlogic.games.rulesets import RuleSet, position_facts
from hexlogic.language import Program
from hexlogic.language.engines.swipl import inferences
from hexlogic.language.ground.solving import ground_size
from hexlogic.proofs.all_boards import AllBoards, Justify, Universal
from hexlogic.proofs.bridges import read_bridge
from hexlogic.proofs.conditions import board_of, given_by, own_program
from hexlogic.proofs.equality import equal
from hexlogic.proofs.finding.bridge_text import find_bridge
from hexlogic.proofs.finding.fusing import fusions
from hexlogic.proofs.finding.samples import Samples

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
    """A program that was found: `parent` is the name of the one that it was made from, `bridge` leads between them."""

    rules: RuleSet
    parent: str
    view: str
    bridge: str
    proof: Universal
    cost: Cost


@dataclass
class Reformulator:
    """The search for cheaper programs from one rule set."""

    rules: RuleSet
    game: str = "hex"
    limit_s: float = 60.0
    justify_lemma: Justify = lambda _lemma, _rules, _board: None
    report: Callable[[str], None] = lambda _: None
    _known: set[str] = field(default_factory=set)

    def cost(self, rules: RuleSet) -> Cost:
        """What a rule set costs on the position that all are measured on."""
        board, position = _measured_on(self.game)
        program, facts = rules.instantiate(board), position_facts(position)
        solved = ground_size(program, facts, _RUN_S)
        return Cost(f"more than {_RUN_S:g} s" if solved is None else solved.rules, inferences(program, facts, _RUN_S))

    def search(self) -> Iterator[Reformulation]:
        """The programs as they are found and proved."""
        end_s = time.monotonic() + self.limit_s
        waiting = [(self.cost(self.rules), self.rules)]
        self._known = {_shape(own_program(self.rules, self.game))}
        while waiting and time.monotonic() < end_s:
            waiting.sort(key=lambda entry: entry[0].order)
            _, parent = waiting.pop(0)
            for rules, view in self._fused(parent):
                if time.monotonic() > end_s:
                    return
                self.report(f"{rules.name}: {view}")
                bridge = find_bridge(parent, rules, self.game, limit_s=end_s - time.monotonic())
                if bridge is None:
                    continue
                over = AllBoards(self.game, (read_bridge(bridge, f"{rules.name}.lp"),), self.justify_lemma)
                proof = equal(parent, rules, over)
                if proof.proved:
                    cost = self.cost(rules)
                    waiting.append((cost, rules))
                    yield Reformulation(rules, parent.name, view, bridge, proof, cost)

    def _fused(self, parent: RuleSet) -> Iterator[tuple[RuleSet, str]]:
        program, board = own_program(parent, self.game), board_of(self.game)
        vocabulary = frozenset(predicate.name for predicate in given_by(board))
        for fused in fusions(program, Samples(program, board, self.game), vocabulary):
            shape = _shape(fused.program)
            if shape not in self._known:
                self._known.add(shape)
                name = f"{self.rules.name}-{len(self._known)}"
                text = "\n".join([*map(str, fused.program.rules), "", "#show wins/1.", ""])
                yield RuleSet.from_text(text, name, games=self.game), str(fused.view)


def _shape(program: Program) -> str:
    """The rules as text, sorted."""
    return "\n".join(sorted(map(str, program.rules)))


def _measured_on(game: str) -> tuple[Game, Position]:
    """The board and the position that programs are measured on."""
    if game == "hex":
        position = load_board("difficult-1").position
        return position.game, position
    board, chance = load_game(game).of_size(7), random.Random(0)
    cells = [cell for cell in board.cells if chance.random() < 0.5]
    red = frozenset(cell for cell in cells if chance.random() < 0.7)
    return board, Position(board, red, frozenset(cells) - red)

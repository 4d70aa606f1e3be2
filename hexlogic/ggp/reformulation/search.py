"""The search for a cheaper sheet: moves are tried one after the other, and each is kept that saves a prover work.

A move proposes a game with other rules. It is played beside the one before, and its work is counted: inferences of a
prover without tables in the same random games. What is cheaper and plays alike becomes the game to go on from.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.ggp.machines import REASONERS, StateMachine, Work
from hexlogic.ggp.machines.side_by_side import SideBySide
from hexlogic.ggp.machines.state_machine import PROVERS
from hexlogic.ggp.reformulation.flat_game import FlatGame, flat_game
from hexlogic.ggp.reformulation.flood import fusions
from hexlogic.ggp.reformulation.keep import keepings
from hexlogic.ggp.reformulation.small import smaller
from hexlogic.language import Program

MOVES: Final[tuple[Callable[[FlatGame], Iterator[tuple[FlatGame, str]]], ...]] = (fusions, keepings)
_SAVED: Final = 0.998
"""A step is kept when it leaves at most this part of the work."""
_COUNT_S: Final = 10.0
"""Seconds in which the work of one sheet is counted, at most."""
_BOARD: Final = 5
"""Elements of a chain of the small board that they are played on."""
_GAMES: Final = 8
"""Random games in which a proposal must play as the game before."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the search: what was done, and the work after it."""

    words: str
    game: FlatGame
    sheet: Program
    work: Work


@dataclass
class SheetSearch:
    """The search from one sheet; `reasoner` is whose work is counted."""

    sheet: Program
    limit_s: float = 120.0
    reasoner: str = "swipl:sld"
    report: Callable[[str], None] = lambda _: None
    before: Work = field(init=False)

    def __post_init__(self) -> None:
        self.before = self._work(self.sheet)

    def steps(self) -> Iterator[Step]:
        """Each step as it is found. Raises EngineError for a sheet that has no flat form or that nobody can play."""
        end_s = time.monotonic() + self.limit_s
        game, work, sheet = flat_game(self.sheet), self.before, self.sheet
        seen = {_shape(game)}
        improved = True
        while improved:
            improved = False
            for proposal, words in (found for move in MOVES for found in move(game)):
                if time.monotonic() > end_s:
                    return
                if _shape(proposal) in seen:
                    continue
                seen.add(_shape(proposal))
                self.report(words)
                try:
                    written = proposal.written()
                    cost = self._work(written)
                except HexlogicError:
                    continue
                if cost.order[1] < work.order[1] * _SAVED and self._plays_alike(game, proposal):
                    game, work, sheet, improved = proposal, cost, written, True
                    yield Step(words, game, sheet, work)
                    break

    def _work(self, sheet: Program) -> Work:
        return REASONERS.load(self.reasoner).work(sheet, _COUNT_S)

    def _plays_alike(self, before: FlatGame, after: FlatGame) -> bool:
        """Whether both play the same random games, on a small board where there is one."""
        small = smaller(before, _BOARD), smaller(after, _BOARD)
        sheets = [game.written() for game in ((before, after) if None in small else filter(None, small))]
        with StateMachine.first_of(sheets[0], PROVERS) as old, StateMachine.first_of(sheets[1], PROVERS) as new:
            pair, draw = SideBySide(old, new, apart=True), random.Random(0)
            return all(pair.play(draw) is None for _ in range(_GAMES))


def _shape(game: FlatGame) -> str:
    return "\n".join(sorted(map(str, game.program.rules)))

"""Many random games at once: on filled boards where the order of moves does not matter, else in lanes, where that
pays."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import StratificationError
from hexlogic.ggp.propnet.control import ControlAutomaton
from hexlogic.ggp.propnet.filling import FillingError
from hexlogic.ggp.propnet.filling_game import FillingEncoding
from hexlogic.ggp.propnet.filling_kernel import fill_playouts
from hexlogic.ggp.propnet.ground_sheet import GroundSheet
from hexlogic.ggp.propnet.lane_game import LaneEncoding, lane_playouts
from hexlogic.ggp.propnet.latch_network import LatchNetwork
from hexlogic.language.propagation.circuit import RECURSIVE
from hexlogic.language.propagation.lane_masks import seeded_words

MANY: Final = 128
"""So many games at least are played at once; fewer are played one after the other."""
_SWEEPS: Final = 6
"""How often a recursive section is evaluated, more or less."""
_MOST_GATES: Final = 1_000
"""With more gates a step, games on the kernel for latches are faster one after the other: both took the same time for
`clusters` on 7x7 (1,100 gates, few of them recursive); connect four (683 gates) is faster in lanes by 2.3, Hex 11x11 by
`follow-line-tabled` (2,400 evaluations of gates) slower by 2.3, where the order of moves is kept."""


class ManyGames:
    """The circuits of a ground sheet. `control` has the recurring phases and `network` their latches, where there
    are."""

    def __init__(self, sheet: GroundSheet, control: ControlAutomaton | None, network: LatchNetwork | None) -> None:
        self._sheet, self._control, self._network = sheet, control, network

    @cached_property
    def filling(self) -> FillingEncoding | str:
        """The game on filled boards, or why the order of moves may matter."""
        if self._control is None or self._network is None:
            return "facts come and go, or roles move at once"
        try:
            return FillingEncoding(self._control, self._network)
        except FillingError as reason:
            return str(reason)

    @cached_property
    def lanes(self) -> LaneEncoding | str:
        """The game in lanes, or why it has none."""
        try:
            found = LaneEncoding(self._sheet)
        except StratificationError as reason:
            return str(reason)
        if self._network is not None:
            sections = found.circuit.sections
            evaluated = sum(int(end - begin) * (_SWEEPS if kind == RECURSIVE else 1) for begin, end, kind in sections)
            if evaluated > _MOST_GATES:
                return f"latches are faster than {evaluated:,} gates a step"
        return found

    @property
    def analysis(self) -> str:
        """How many games are played at once, and why so."""
        if isinstance(self.filling, FillingEncoding):
            return f"filled boards: {self.filling.filling.cells} cells whose order does not matter"
        why = f"no filled boards: {self.filling}"
        if isinstance(self.lanes, str):
            return f"{why}; no lanes: {self.lanes}"
        return f"lanes: {len(self.lanes.circuit.gates):,} gates; {why}"

    def play(
        self, true: frozenset[int], games: int, seed: int, longest: int, lengths: bool, goals: NDArray[np.int64]
    ) -> int | None:
        """Random games from a state, given by the numbers of its true facts: all steps, 0 unless `lengths` are asked
        for. None where these games must be played in their order, one by one, or something went wrong in one; then
        `goals` (int64[roles], which are added up) are as before."""
        totals = np.zeros_like(goals)
        steps = -1
        if isinstance(self.filling, FillingEncoding):
            filling = self.filling.game(true)
            if filling is not None and len(filling.free) <= longest:
                random, free, kinds = seeded_words(seed), filling.free, filling.kinds
                steps = int(fill_playouts(filling, free, kinds, games, lengths, random, totals))
        elif isinstance(self.lanes, LaneEncoding):
            steps = int(lane_playouts(self.lanes.game(true), games, longest, seeded_words(seed), totals))
        if steps < 0:
            return None
        goals += totals
        return steps

"""UCT: playouts guided by a tree of what earlier ones found out. `uct` uses its clock, `uct:1000` so many playouts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexlogic.errors import HexlogicError
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.playing.strategy import Clock, Strategy
from hexlogic.language.syntax import Term
from hexlogic.process.limits import cores

if TYPE_CHECKING:
    from hexlogic.ggp.playing.search import Search


class UctStrategy(Strategy):
    """Keeps its tree from move to move. With a number of playouts the same seed gives the same moves."""

    def __init__(self, machine: StateMachine, role: int, seed: int, option: str | None = None) -> None:
        super().__init__(machine, role, seed, option)
        self._playouts = None if option is None else int(option)
        self._warned = False
        """Whether a note spoke of games without one goal for each role."""
        self._search = _search(machine, seed, counted=self._playouts is not None)

    @classmethod
    def check_option(cls, option: str | None) -> None:
        """A number of playouts for each move, from 1 to 999,999,999."""
        if option is not None and not re.fullmatch("[1-9][0-9]{0,8}", option):
            raise HexlogicError(f"{option!r} is no number of playouts", hint="uct:1000, or uct to use the clock")

    def get_ready(self, clock: Clock) -> None:
        """The start clock is time to think, unless playouts are counted."""
        if self._playouts is None:
            self._search.search(clock)

    def choose(self, state: State, clock: Clock) -> Term:
        """The move that most playouts chose. A single move is not thought about where playouts are counted."""
        moves = self.legal_moves(state)
        if self._playouts is None or len(moves) > 1:
            done = self._search.search(clock, self._playouts)
            self.note = f"{done:,} playouts, {self._search.visits:,} in the tree"
            if self._search.without_goal and not self._warned:
                self._warned = True
                self.note += f"; {self._search.without_goal:,} games ended without one goal for each role"
        if not self._search.visits and len(moves) > 1:
            self.note = "drawn at random: a playout takes longer than the clock"
            return self.draw.choice(moves)
        return self._search.best(self.role)

    def best_so_far(self) -> Term | None:
        """Of a search whose playouts may take longer than the clock."""
        return self._search.best(self.role) if self._search.may_be_late and self._search.visits else None

    def advance(self, moves: Sequence[Term], state: State) -> None:
        """The tree below what was played is kept."""
        self._search.advance(moves, state)


def _search(machine: StateMachine, seed: int, *, counted: bool) -> Search:
    """In numba where the machine can, on all cores; counted playouts get one tree, alike on all machines."""
    from hexlogic.ggp.playing.search import MachineSearch, NumbaSearch

    if machine.start(machine.initial_state) is None:
        return MachineSearch(machine, machine.initial_state, seed)
    return NumbaSearch(machine, machine.initial_state, seed, 1 if counted else cores())


STRATEGY = UctStrategy

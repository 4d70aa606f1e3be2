"""Where a search begins: a state on the kernel that suits it, and what the kernel's options are called."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hexlogic.errors import GameError
from hexlogic.gdl.machines import State
from hexlogic.gdl.machines.reasoners.compiled import Arrays
from hexlogic.gdl.propnet.ground_sheet import GroundSheet
from hexlogic.gdl.propnet.moments import Moment
from hexlogic.logic.syntax import Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Beginning", "Position", "begin_at"]

Position: TypeAlias = "tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]]"
"""As `hexlogic.ggp.position` takes it."""


@dataclass(frozen=True)
class Beginning:
    """A position, and the moments whose choices its options are; none where they are the moves themselves."""

    ground: GroundSheet
    position: Position
    moments: tuple[Moment, ...] | None

    def copy(self) -> Position:
        """The position, to be played on."""
        events, turns, slow = self.position
        return events.copy(), turns.copy(), slow.copy()

    def move(self, role: int, option: int) -> Term:
        """The move of a role that an option of the kernel stands for."""
        moves = self.ground.moves
        if self.moments is None:
            return moves[role][option - sum(map(len, moves[:role]))]
        moment = bisect_right(self._first, option) - 1
        return moves[role][self.moments[moment].choices[option - self._first[moment]].move]

    @cached_property
    def _first(self) -> list[int]:
        """By moment: its first choice."""
        return [0, *accumulate(len(moment.choices) for moment in self.moments or ())]


def begin_at(arrays: Arrays, state: State) -> Beginning:
    """A state on the fastest kernel that knows it. Raises GameError for a state that the rules never give."""
    if not arrays.enter(state):
        raise GameError("a state that the rules never give")
    true = frozenset(arrays.ground.fact_numbers[fact] for fact in state.facts)
    events, plain = np.empty(0, np.uint32), np.empty(0, np.int32)
    if arrays.in_events is not None and (found := arrays.in_events.memory(true)) is not None:
        return Beginning(arrays.ground, (found, plain, plain), arrays.in_events.game.moments)
    in_turns = arrays.in_turns if arrays.in_events is None else arrays.in_events.before
    if in_turns is not None and (slow := in_turns.memory(true)) is not None:
        return Beginning(arrays.ground, (events, slow, plain), in_turns.game.moments)
    return Beginning(arrays.ground, (events, plain, arrays.memory.copy()), None)

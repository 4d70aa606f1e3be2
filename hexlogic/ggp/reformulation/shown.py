"""What is shown of two games with different states: that the same moves lead to the same moves, goals and end.

By induction over `next` where that succeeds. Else all states of small instances are visited, as far as time allows, and
the games as they are given are played at random.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.reformulation.flat_game import Games
from hexlogic.ggp.reformulation.inductive import proved_by_induction

_MOST: Final = 20_000
"""States of an instance, at most."""


@dataclass(frozen=True, slots=True)
class SameGame:
    """How far two games were compared: the sheet as it is given, and in all `states` of so many small `boards`."""

    given: SheetEquality
    boards: int = 0
    states: int = 0

    @property
    def difference(self) -> str | None:
        """Where they differ."""
        return self.given.difference

    @property
    def shown(self) -> bool:
        """Whether no difference was found in what was compared, and something was."""
        return self.given.equal

    def __str__(self) -> str:
        small = f"; in all {self.states:,} states of {self.boards} small boards" if self.boards else ""
        return f"the same moves, goals and ends: {self.given}{small}"


def same_game(before: Games, after: Games, limit_s: float, seed: int = 0) -> SameGame:
    """Compare two games, small instances first, for about `limit_s` seconds. Raises EngineError where one cannot be
    run."""
    pairs = [(old.written(), new.written()) for old, new in zip(before, after, strict=True)]
    small, share = pairs[1:3], limit_s / (2 + len(pairs[1:3]))
    played = [GameStates(_MOST, 1, seed, share, apart=True).compare(*pair) for pair in small]
    for each in played:
        if each.difference is not None:
            return SameGame(each)
    visited = [each.states for each in played if each.visited]
    facts = None
    with contextlib.suppress(EngineError):
        facts = proved_by_induction(before[0], after[0], time.monotonic() + share)
    given = GameStates(0 if small or facts else _MOST, seed=seed, limit_s=share, apart=True, facts=facts)
    return SameGame(given.compare(before[0].sheet, pairs[0][1]), len(visited), sum(visited))

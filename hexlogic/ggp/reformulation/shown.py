"""What is shown of two games with different states: that the same moves lead to the same moves, goals and end.

On small instances all states are visited, as far as time allows; the games as they are given are played at random.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Final

from hexlogic.ggp.machines import StateMachine
from hexlogic.ggp.machines.side_by_side import Difference, SideBySide
from hexlogic.ggp.machines.state_machine import PROVERS
from hexlogic.ggp.reformulation.flat_game import Games

_MOST: Final = 20_000
"""States of an instance, at most."""
_GAMES: Final = 20


@dataclass(frozen=True, slots=True)
class SameGame:
    """How far two games were compared: in all `states` of so many small `boards`, and in `games` random games."""

    boards: int
    states: int
    games: int
    visited: bool
    """Whether the states are all that the given sheet has."""
    difference: Difference | None = None

    @property
    def shown(self) -> bool:
        """Whether no difference was found in what was compared, and something was."""
        return self.difference is None and (self.games > 0 or self.visited)

    def __str__(self) -> str:
        if self.difference is not None:
            return f"DIFFERENT {self.difference}"
        parts = []
        if self.visited:
            parts.append(f"in all {self.states:,} reachable states")
        elif self.boards:
            parts.append(f"in all {self.states:,} states of {self.boards} small boards")
        if self.games:
            parts.append(f"in {self.games} random games of the sheet as it is given")
        proof = "" if self.visited else "; not proved for the sheet itself"
        return f"the same moves, goals and ends {' and '.join(parts)}{proof}"


def same_game(before: Games, after: Games, limit_s: float, seed: int = 0) -> SameGame:
    """Compare two games, small instances first, for about `limit_s` seconds. Raises EngineError where one cannot be
    run."""
    end_s, states, boards = time.monotonic() + limit_s, 0, 0
    whole = (False, before[0].sheet, after[0].written())
    small = [(True, old.written(), new.written()) for old, new in zip(before[1:], after[1:], strict=True)]
    for is_small, old_sheet, new_sheet in [*small[:2], whole]:
        with StateMachine.first_of(old_sheet, PROVERS) as old, StateMachine.first_of(new_sheet, PROVERS) as new:
            pair = SideBySide(old, new, apart=True)
            most_s = (end_s - time.monotonic()) / 2
            difference, visited = (
                pair.explore(_MOST, time.monotonic() + most_s) if is_small or not small else (None, False)
            )
            if difference is not None:
                return SameGame(0, len(pair.same), 0, False, difference)
            if visited and is_small:
                boards += 1
                states += len(pair.same)
            if not is_small:
                played = 0 if visited else _play(pair, end_s, seed)
                if isinstance(played, Difference):
                    return SameGame(0, states, 0, False, played)
                return SameGame(boards, len(pair.same) if visited else states, played, visited)
    raise AssertionError("the games themselves come last")


def _play(pair: SideBySide, end_s: float, seed: int) -> int | Difference:
    """The number of random games in which both agree, or the difference; one at least is played."""
    draw, games = random.Random(seed), 0
    while games < _GAMES and (not games or time.monotonic() < end_s):
        difference = pair.play(draw)
        if difference is not None:
            return difference
        games += 1
    return games

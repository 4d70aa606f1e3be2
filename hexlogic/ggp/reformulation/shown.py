"""What is shown of two games with different states: that the same moves lead to the same moves, goals and end.

The games as they are given are played at random, and induction on moves (`inductive.py`) is tried. Where it does not
succeed, all states of small instances are visited, as far as time allows.
"""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.reformulation.flat_game import FlatGame, Games
from hexlogic.ggp.reformulation.inductive import Proved, proved_same

_MOST: Final = 20_000
"""States of an instance, at most."""
_SHARE: Final = 1 / 8
"""The part of the time for random games, and that for small instances after a proof that does not succeed."""


@dataclass(frozen=True, slots=True)
class SameGame:
    """How far two games were compared: the sheet as it is given, in all `states` of so many small `boards`, and by
    induction, where that succeeds."""

    given: SheetEquality
    boards: int = 0
    states: int = 0
    proved: Proved | None = None

    @property
    def shown(self) -> bool:
        """Whether no difference was found in what was compared, and something was."""
        return self.given.equal

    def __str__(self) -> str:
        if self.given.difference is None and self.proved is not None:
            how = f"by induction on moves, with {self.proved.invariants} invariants"
            how += "" if self.proved.facts is None else f", of {self.proved.facts:,} facts and moves"
            return f"the same moves, goals and ends: equal in {self.given.games} random games; proved {how}"
        small = f"; in all {self.states:,} states of {self.boards} small boards" if self.boards else ""
        return f"the same moves, goals and ends: {self.given}{small}"


def same_game(
    path: Sequence[Games],
    limit_s: float,
    seed: int = 0,
    report: Callable[[SameGame], None] = lambda _: None,
) -> SameGame:
    """Compare the first and the last game of a search's path for about `limit_s` seconds: in random games, by
    induction, else on small instances. `report` hears what is known so far. Raises EngineError where one cannot be
    run."""
    before, *_, after = path
    pairs = [(old.written, new.written) for old, new in zip(before, after, strict=True)]
    small, until = pairs[1:3], time.monotonic() + limit_s

    def hear(verdict: SheetEquality) -> None:
        report(SameGame(verdict))

    played = GameStates(0 if small else _MOST, seed=seed, limit_s=_SHARE * limit_s, apart=True, report=hear)
    given, visited = played.compare(before[0].sheet, pairs[0][1]), list[int]()
    if given.difference is not None or given.visited:
        return SameGame(given)
    with contextlib.suppress(HexlogicError):
        if proved := _proved([games[0] for games in path], until - (_SHARE * limit_s if small else 0)):
            return SameGame(given, proved=proved)
    for number, pair in enumerate(small):
        share = (until - time.monotonic()) / (len(small) - number)
        each = GameStates(_MOST, 1, seed, max(share, 1.0), apart=True).compare(*pair)
        if each.difference is not None:
            return SameGame(each)
        visited += [each.states] if each.visited else []
        report(SameGame(given, len(visited), sum(visited)))
    return SameGame(given, len(visited), sum(visited))


def _proved(path: Sequence[FlatGame], until: float) -> Proved | None:
    """The first and the last game proved the same: at once, else the last step apart from those before it."""
    proved = proved_same(path[0], path[-1], until)
    if proved is not None or len(path) == 2:
        return proved
    begun = _proved(path[:-1], until)
    return None if begun is None else begun.then(proved_same(path[-2], path[-1], until))

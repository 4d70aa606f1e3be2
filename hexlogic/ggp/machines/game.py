"""What a search asks of a game in numba, whichever of the two kernels plays it: latches (`ggp.propnet.latch_kernel`) or
forward chaining (`ggp.forward.kernel`). Each takes its memory in place of the game.

The functions take the arrays of a `Game` one by one, as `Game.arrays` has them: numba counts references of arrays in
tuples at each access, and leaves out the kernel of the other kind when it compiles. With a tuple and a test at run
time, a search of connect four was a third slower.

An *option* is a number that stands for a legal move of a role; a `SearchStart` has its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from hexlogic.ggp.forward import kernel as forward
from hexlogic.ggp.forward.memory import FULL
from hexlogic.ggp.propnet import latch_kernel as latch
from hexlogic.ggp.propnet.filling_kernel import Leaf
from hexlogic.ggp.propnet.random_games import NO_GOAL, OVERFLOW
from hexlogic.language.propagation.lanes import seeded
from hexlogic.language.syntax import Term
from hexlogic.process.kernels import kernel


class Game(NamedTuple):
    """A game: the memory of one of the kernels; that of the other one is empty."""

    latches: NDArray[np.uint32]
    narrow: NDArray[np.int32]
    wide: NDArray[np.int64]
    state: NDArray[np.int64]
    """The state in which a game under forward chaining began."""

    @property
    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.int32] | None, NDArray[np.int64] | None]:
        """Its memory, with None for that of the other kernel."""
        return (self.latches, None, None) if len(self.latches) else (self.latches, self.narrow, self.wide)

    def copy(self) -> Game:
        """A copy, to be played on."""
        return Game(self.latches.copy(), self.narrow.copy(), self.wide.copy(), self.state)


@dataclass(frozen=True, eq=False)
class SearchStart:
    """A state in which a search begins."""

    game: Game
    numbers: object
    """What gives options their numbers: the same object, the same numbers."""
    move: Callable[[int, int], Term]
    """The move of a role that an option stands for."""
    facts: Callable[[Game], frozenset[Term]]
    """The facts of the state that a copy of the game is in."""
    leaf: Callable[[int], Leaf | None] = lambda _: None
    """By seed: what evaluates positions after the state by 64 random games at once; None where that cannot be."""
    with_room: Callable[[Game], SearchStart] | None = None
    """The same state with more room, where OVERFLOW was the answer in this game (may raise EngineError); None where
    there is always room."""


def random_games(start: SearchStart, games: int, seed: int, longest: int, goals: NDArray[np.int64]) -> tuple[int, Game]:
    """Random games from a state: all steps, or NO_MOVE, NO_GOAL or ENDLESS where that went wrong in one, and the game
    as the last one left it. `goals` (int64[roles]) get the sums."""
    while True:
        goals[:], game = 0, start.game.copy()
        steps = int(_playouts(*game.arrays, start.game, games, seeded(seed), longest, goals))
        if steps != OVERFLOW or start.with_room is None:
            return steps, game
        start = start.with_room(game)


def is_compiled() -> bool:
    """Whether numba's cache has the random games of forward chaining."""
    return any(key[0][1] != types.none for key in _playouts.kernel.stored())


@kernel(interpreted=False)
def restore(latches: Any, narrow: Any, wide: Any, start: Any) -> Any:
    """Bring a game into the state of `start`, a `Game` of which it is a copy. 0, or OVERFLOW."""
    if narrow is None:
        latch.restore(latches, start.latches)
        return 0
    forward.restore(narrow, wide, start.state)
    return OVERFLOW if wide[FULL] else 0


@kernel(interpreted=False)
def is_over(latches: Any, narrow: Any, wide: Any) -> Any:
    """Whether the game is over."""
    return latch.is_over(latches) if narrow is None else forward.is_over(narrow, wide)


@kernel(interpreted=False)
def options(latches: Any, narrow: Any, wide: Any, role: Any) -> Any:
    """How many options a role has: 0 for a role without a choice, -1 where a role that must move cannot."""
    return latch.options(latches, role) if narrow is None else forward.options(narrow, wide, role)


@kernel(interpreted=False)
def option(latches: Any, narrow: Any, wide: Any, role: Any, place: Any) -> Any:
    """The number of the role's option at a place, from 0; the order of the places has no meaning."""
    if narrow is None:
        return latch.option(latches, role, place)
    return forward.option(narrow, wide, role, place)


@kernel(interpreted=False)
def play(latches: Any, narrow: Any, wide: Any, joint: Any) -> Any:
    """Play one option of each role (int64[roles]); the entries of roles without a choice are not read. 0, or
    OVERFLOW."""
    if narrow is None:
        latch.play(latches, joint)
        return 0
    forward.play(narrow, wide, joint)
    return OVERFLOW if wide[FULL] else 0


@kernel(interpreted=False)
def goal(latches: Any, narrow: Any, wide: Any, role: Any, roles: Any) -> Any:
    """The one goal of a role of so many, or NO_GOAL."""
    if narrow is None:
        return latch.goal(latches, role, roles)
    return np.int64(NO_GOAL) if wide[FULL] else forward.goal(narrow, wide, role)


@kernel(interpreted=False)
def playout(latches: Any, narrow: Any, wide: Any, random: Any, longest: Any) -> Any:
    """Play at random to the end; how many steps, or NO_MOVE, ENDLESS or OVERFLOW."""
    if narrow is None:
        return latch.playout(latches, random, longest)
    return forward.playout(narrow, wide, random, longest)


@kernel(interpreted=False, nogil=True)
def _playouts(
    latches: Any, narrow: Any, wide: Any, start: Any, games: Any, random: Any, longest: Any, goals: Any
) -> Any:
    """Play random games from `start`, a `Game` of which this is a copy; all steps, or what went wrong in one: the game
    is left there. `goals` (int64[roles]) are added up."""
    total = 0
    for _ in range(games):
        if restore(latches, narrow, wide, start) < 0:
            return OVERFLOW
        steps = playout(latches, narrow, wide, random, longest)
        if steps < 0:
            return steps
        total += steps
        for role in range(len(goals)):
            value = goal(latches, narrow, wide, role, len(goals))
            if value == NO_GOAL:
                return OVERFLOW if wide is not None and wide[FULL] else NO_GOAL
            goals[role] += value
    return total

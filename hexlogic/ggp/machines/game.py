"""What a search asks of a game in numba, whichever of the two kernels plays it: latches (`ggp.propnet.latch_kernel`) or
forward chaining (`ggp.forward.kernel`). Each takes its memory in place of the game.

An *option* is a number that stands for a legal move of a role; a `SearchStart` has its name.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.ggp.forward import kernel as forward
from hexlogic.ggp.forward.memory import FULL
from hexlogic.ggp.propnet import latch_kernel as latch
from hexlogic.ggp.propnet.leaf import Leaf
from hexlogic.ggp.propnet.outcomes import NO_GOAL, OVERFLOW
from hexlogic.language.syntax import Term


class Game(NamedTuple):
    """A game: the memory of one of the kernels; None for the parts of the other one."""

    latches: NDArray[np.uint32] | None = None
    narrow: NDArray[np.int32] | None = None
    wide: NDArray[np.int64] | None = None
    state: NDArray[np.int64] | None = None
    """The state in which a game under forward chaining began."""

    def copy(self) -> Game:
        """A copy, to be played on."""
        if self.latches is not None:
            return Game(self.latches.copy())
        assert self.narrow is not None
        assert self.wide is not None
        return Game(None, self.narrow.copy(), self.wide.copy(), self.state)


class SearchStart(Protocol):
    """A state in which a search begins."""

    @property
    def game(self) -> Game:
        """The state as a game."""

    @property
    def numbers(self) -> object:
        """What gives options their numbers: the same object, the same numbers."""

    def move(self, role: int, option: int) -> Term:
        """The move of a role that an option stands for."""

    def leaf(self, seed: int) -> Leaf | None:
        """What evaluates positions after the state by 64 random games at once; None where that cannot be."""

    def with_room(self, game: Game) -> SearchStart:
        """The same state with more room, where OVERFLOW was the answer in this game. Raises EngineError."""


# The functions take the arrays of a game one by one. numba leaves out what follows where a parameter that is None is
# asked for, so that a search compiled for one kernel holds nothing of the other.


@njit(cache=True)
def restore(latches: Any, narrow: Any, wide: Any, start: Any, state: Any) -> Any:
    """Bring a game into the state of the one that it is a copy of, by the latches of that one, or its state. 0, or
    OVERFLOW."""
    if latches is None:
        if narrow is not None:
            forward.restore(narrow, wide, state)
            return OVERFLOW if wide[FULL] else 0
        return 0
    latch.restore(latches, start)
    return 0


@njit(cache=True)
def is_over(latches: Any, narrow: Any, wide: Any) -> Any:
    """Whether the game is over."""
    if latches is None:
        if narrow is not None:
            return forward.is_over(narrow, wide)
        return False
    return latch.is_over(latches)


@njit(cache=True)
def options(latches: Any, narrow: Any, wide: Any, role: Any) -> Any:
    """How many options a role has: 0 for a role without a choice, -1 where a role that must move cannot."""
    if latches is None:
        if narrow is not None:
            return forward.options(narrow, wide, role)
        return np.int64(-1)
    return latch.options(latches, role)


@njit(cache=True)
def option(latches: Any, narrow: Any, wide: Any, role: Any, place: Any) -> Any:
    """The number of the role's option at a place, from 0; the order of the places has no meaning."""
    if latches is None:
        if narrow is not None:
            return forward.option(narrow, wide, role, place)
        return np.int64(-1)
    return latch.option(latches, role, place)


@njit(cache=True)
def play(latches: Any, narrow: Any, wide: Any, joint: Any) -> Any:
    """Play one option of each role (int64[roles]); the entries of roles without a choice are not read. 0, or
    OVERFLOW."""
    if latches is None:
        if narrow is not None:
            forward.play(narrow, wide, joint)
            return OVERFLOW if wide[FULL] else 0
        return 0
    latch.play(latches, joint)
    return 0


@njit(cache=True)
def goal(latches: Any, narrow: Any, wide: Any, role: Any, roles: Any) -> Any:
    """The one goal of a role of so many, or NO_GOAL."""
    if latches is None:
        if narrow is not None:
            return np.int64(NO_GOAL) if wide[FULL] else forward.goal(narrow, wide, role)
        return np.int64(NO_GOAL)
    return latch.goal(latches, role, roles)


@njit(cache=True)
def playout(latches: Any, narrow: Any, wide: Any, random: Any, longest: Any) -> Any:
    """Play at random to the end; how many steps, or NO_MOVE, ENDLESS or OVERFLOW."""
    if latches is None:
        if narrow is not None:
            return forward.playout(narrow, wide, random, longest)
        return np.int64(0)
    return latch.playout(latches, random, longest)

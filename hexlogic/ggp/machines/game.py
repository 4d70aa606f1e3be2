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
from hexlogic.ggp.forward.records import FULL
from hexlogic.ggp.propnet import latch_kernel as latch
from hexlogic.ggp.propnet.leaf import Leaf
from hexlogic.ggp.propnet.outcomes import NO_GOAL, OVERFLOW
from hexlogic.language.syntax import Term


class Game(NamedTuple):
    """A game: the memory of one of the kernels; that of the other one is empty."""

    latches: NDArray[np.uint32]
    narrow: NDArray[np.int32]
    wide: NDArray[np.int64]
    state: NDArray[np.int64]
    """The state in which a game under forward chaining began."""

    def copy(self) -> Game:
        """A copy, to be played on."""
        return Game(self.latches.copy(), self.narrow.copy(), self.wide.copy(), self.state)


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


@njit(cache=True)
def restore(game: Any, start: Any) -> Any:
    """Bring a game into the state of `start`, of which it is a copy. 0, or OVERFLOW."""
    if len(game.latches):
        latch.restore(game.latches, start.latches)
        return 0
    forward.restore(game.narrow, game.wide, start.state)
    return OVERFLOW if game.wide[FULL] else 0


@njit(cache=True)
def is_over(game: Any) -> Any:
    """Whether the game is over."""
    return latch.is_over(game.latches) if len(game.latches) else forward.is_over(game.narrow, game.wide)


@njit(cache=True)
def options(game: Any, role: Any) -> Any:
    """How many options a role has: 0 for a role without a choice, -1 where a role that must move cannot."""
    return latch.options(game.latches, role) if len(game.latches) else forward.options(game.narrow, game.wide, role)


@njit(cache=True)
def option(game: Any, role: Any, place: Any) -> Any:
    """The number of the role's option at a place, from 0; the order of the places has no meaning."""
    if len(game.latches):
        return latch.option(game.latches, role, place)
    return forward.option(game.narrow, game.wide, role, place)


@njit(cache=True)
def play(game: Any, joint: Any) -> Any:
    """Play one option of each role (int64[roles]); the entries of roles without a choice are not read. 0, or
    OVERFLOW."""
    if len(game.latches):
        latch.play(game.latches, joint)
        return 0
    forward.play(game.narrow, game.wide, joint)
    return OVERFLOW if game.wide[FULL] else 0


@njit(cache=True)
def goal(game: Any, role: Any, roles: Any) -> Any:
    """The one goal of a role of so many, or NO_GOAL."""
    if len(game.latches):
        return latch.goal(game.latches, role, roles)
    return np.int64(NO_GOAL) if game.wide[FULL] else forward.goal(game.narrow, game.wide, role)


@njit(cache=True)
def playout(game: Any, random: Any, longest: Any) -> Any:
    """Play at random to the end; how many steps, or NO_MOVE, ENDLESS or OVERFLOW."""
    if len(game.latches):
        return latch.playout(game.latches, random, longest)
    return forward.playout(game.narrow, game.wide, random, longest)

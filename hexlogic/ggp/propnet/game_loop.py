"""What every kernel offers, and random games on any of them.

A *game* is a NamedTuple: `LatchGame`, `TurnGame`, `NetworkGame` of one memory each, `HandOver` of several arrays. The
kernel of a game is the module that defines its class. The functions below call those of the kernel, which take the
memory in the place of the game (numba counts references of arrays in tuples at each access, of plain arrays never):
from Python at run time, from compiled code when that is compiled. The loops are written once and compiled for each
kernel, unless it has its own. After a change in a kernel numba's stored code of its callers is out of date: remove
`__pycache__/*.nb*`.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from hexlogic.ggp.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.ggp.propnet.randomness import draw_below, seeded


def _of_the_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make calls of a function calls of that of the kernel of its first argument."""
    name = function.__name__

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        found = _kernel_functions(type(arguments[0]).__module__)[name]
        return found(*(argument.memory if hasattr(argument, "memory") else argument for argument in arguments))

    @overload(call, strict=False)
    def choose(*arguments: Any) -> Any:
        found = _kernel_functions(arguments[0].instance_class.__module__)[name]
        names = [f"x{place}" for place in range(len(arguments))]
        values = [
            f"{own}.memory" if "memory" in getattr(one, "fields", ()) else own
            for own, one in zip(names, arguments, strict=True)
        ]
        return eval(f"lambda {', '.join(names)}: found({', '.join(values)})", {"found": found})

    return call


@functools.cache
def _kernel_functions(kernel: str) -> dict[str, Any]:
    """The functions of the kernel of that name, and the loops compiled for it: their code, in which the names of other
    functions stand for those of the kernel."""
    found = globals() | vars(sys.modules[kernel])
    for loop in (_play_at_random, _playout, _playouts):
        name = loop.__name__[1:]
        if found[name] is globals()[name]:
            own = FunctionType(loop.__code__, found)
            own.__qualname__ = f"{name}_of_{kernel}"
            found[name] = njit(cache=True, nogil=True)(own)
    return found


@_of_the_kernel
def is_over(game: Any) -> Any:
    """Whether the game is over."""


@_of_the_kernel
def options(game: Any, role: Any) -> Any:
    """How many options a role has: 0 for a role without a choice, -1 where a role that must move cannot."""


@_of_the_kernel
def option(game: Any, role: Any, place: Any) -> Any:
    """The number of the role's option at a place, from 0; the order of the places has no meaning."""


@_of_the_kernel
def play(game: Any, joint: Any) -> None:
    """Play one option of each role (int64[roles]); the entries of roles without a choice are not read."""


@_of_the_kernel
def goal(game: Any, role: Any, roles: Any) -> Any:
    """The one goal of a role of so many, or NO_GOAL."""


@_of_the_kernel
def restore(game: Any, start: Any) -> None:
    """Make the state of a game that of `start`, of which it is a copy."""


@_of_the_kernel
def play_at_random(game: Any, random: Any, joint: Any) -> Any:
    """Play options drawn at random; False where a role has none. `joint` (int64[roles]) is room for them."""


@_of_the_kernel
def playout(game: Any, random: Any, longest: Any, joint: Any) -> Any:
    """Play at random to the end; how many steps, or NO_MOVE or ENDLESS. `joint` (int64[roles]) is room for options."""


@_of_the_kernel
def playouts(start: Any, game: Any, games: Any, seed: Any, longest: Any, goals: Any) -> Any:
    """Play random games from `start`; all steps, or what went wrong in one. `game` is a copy of `start` to play on,
    left where the last game ended or went wrong. `goals` (int64[roles]) are added up."""


def _play_at_random(game: Any, random: Any, joint: Any) -> Any:
    for role in range(len(joint)):
        count = options(game, role)
        if count < 0:
            return False
        if count > 0:
            joint[role] = option(game, role, draw_below(random, count) if count > 1 else 0)
    play(game, joint)
    return True


def _playout(game: Any, random: Any, longest: Any, joint: Any) -> Any:
    steps = 0
    while not is_over(game):
        if steps == longest:
            return ENDLESS
        if not play_at_random(game, random, joint):
            return NO_MOVE
        steps += 1
    return steps


def _playouts(start: Any, game: Any, games: Any, seed: Any, longest: Any, goals: Any) -> Any:
    random = seeded(seed)
    joint = np.zeros(len(goals), np.int64)
    total = 0
    for _ in range(games):
        restore(game, start)
        steps = playout(game, random, longest, joint)
        if steps < 0:
            return steps
        total += steps
        for role in range(len(goals)):
            value = goal(game, role, len(goals))
            if value == NO_GOAL:
                return NO_GOAL
            goals[role] += value
    return total


def copy_of(game: Any) -> Any:
    """A copy of a game, to be played on."""
    if isinstance(game, np.ndarray):
        return game.copy()
    return type(game)(*map(copy_of, game)) if isinstance(game, tuple) else game

"""A position inside numba, on the kernel of `hexlogic.gdl.compiled` that suits the game.

A position is two arrays, of which one is empty: the memory of the kernel for events, and that of plain propagation. A
role that has no choice in the kernel for events has no options there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.gdl.compiled import one_way, plain
from hexlogic.gdl.compiled.one_way_memory import FLAGS, STACK

__all__ = ["is_over", "option", "options", "play", "playout", "restore", "value"]


@njit(cache=True, inline="always")
def restore(position: Any, start: Any) -> None:
    """Make a position that of `start`, from which it is a copy that was played on."""
    fast, slow = position
    if len(fast):
        fast[fast[FLAGS] : fast[STACK]] = start[0][fast[FLAGS] : fast[STACK]]
    else:
        slow[:] = start[1]


@njit(cache=True, inline="always")
def is_over(position: Any) -> Any:
    """Whether the game is over."""
    fast, slow = position
    return one_way.is_over(fast) if len(fast) else plain.is_over(slow)


@njit(cache=True, inline="always")
def options(position: Any, role: Any, roles: Any) -> Any:
    """How many options a role of so many has, -1 where none is left. A role without a choice may have 0 for 1."""
    fast, slow = position
    if len(fast):
        if one_way.options(fast) == 0:
            return np.int64(-1)
        return one_way.options(fast) if one_way.chooser(fast) == role else np.int64(0)
    count = np.int64(plain.options(slow, role))
    return count if count else np.int64(-1)


@njit(cache=True, inline="always")
def option(position: Any, role: Any, place: Any) -> Any:
    """The number of the option at a place."""
    fast, slow = position
    return one_way.option(fast, place) if len(fast) else np.int64(plain.option(slow, role, place))


@njit(cache=True, inline="always")
def play(position: Any, joint: Any) -> None:
    """Play an option of each role; those of roles without options are not looked at."""
    fast, slow = position
    if len(fast):
        role = one_way.chooser(fast)
        one_way.play(fast, joint[role] if role < len(joint) else one_way.option(fast, 0))
    else:
        plain.play(slow, joint)


@njit(cache=True, inline="always")
def playout(position: Any, random: Any, longest: Any, joint: Any) -> Any:
    """Play at random to the end; how many steps, or what went wrong (`hexlogic.gdl.compiled.outcomes`)."""
    fast, slow = position
    return np.int64(
        one_way.playout(fast, random, longest) if len(fast) else plain.playout(slow, random, longest, joint)
    )


@njit(cache=True, inline="always")
def value(position: Any, role: Any, roles: Any) -> Any:
    """The goal of a role, or NO_GOAL."""
    fast, slow = position
    return np.int64(one_way.goal(fast, role, roles) if len(fast) else plain.goal(slow, role))

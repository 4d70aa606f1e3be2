"""A position inside numba, on the kernel of `hexlogic.gdl.propnet` that suits the game.

A position is three arrays, two of them empty: the memories of the kernels for events, for turns, and of plain
propagation. In the first two a role that has no choice has no options.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.gdl.propnet import one_way, plain, two_way
from hexlogic.gdl.propnet.one_way_memory import FLAGS, STACK
from hexlogic.gdl.propnet.plain_memory import STEP
from hexlogic.gdl.propnet.two_way_memory import CHANGED
from hexlogic.propagation.delete_rederive import PARTS

__all__ = ["is_over", "option", "options", "play", "playout", "restore", "value"]


@njit(cache=True, inline="always")
def restore(position: Any, start: Any) -> None:
    """Make a position that of `start`, from which it is a copy that was played on."""
    events, turns, slow = position
    if len(events):
        events[events[FLAGS] : events[STACK]] = start[0][events[FLAGS] : events[STACK]]
    elif len(turns):
        own = turns[PARTS]
        turns[turns[0] : turns[3]] = start[1][turns[0] : turns[3]]
        turns[turns[own] : turns[own + CHANGED]] = start[1][turns[own] : turns[own + CHANGED]]
    else:
        own = slow[PARTS]
        slow[slow[0] : slow[3]] = start[2][slow[0] : slow[3]]
        slow[slow[own] : slow[own + STEP]] = start[2][slow[own] : slow[own + STEP]]


@njit(cache=True, inline="always")
def is_over(position: Any) -> Any:
    """Whether the game is over."""
    events, turns, slow = position
    if len(events):
        return one_way.is_over(events)
    return two_way.is_over(turns) if len(turns) else plain.is_over(slow)


@njit(cache=True, inline="always")
def options(position: Any, role: Any, roles: Any) -> Any:
    """How many options a role of so many has, -1 where none is left. A role without a choice may have 0 for 1."""
    events, turns, slow = position
    if len(events):
        count, chooser = one_way.options(events), one_way.chooser(events)
    elif len(turns):
        count, chooser = two_way.options(turns), two_way.chooser(turns)
    else:
        count, chooser = np.int64(plain.options(slow, role)), np.int64(role)
    if count == 0:
        return np.int64(-1)
    return count if chooser == role else np.int64(0)


@njit(cache=True, inline="always")
def option(position: Any, role: Any, place: Any) -> Any:
    """The number of the option at a place."""
    events, turns, slow = position
    if len(events):
        return one_way.option(events, place)
    return two_way.option(turns, place) if len(turns) else np.int64(plain.option(slow, role, place))


@njit(cache=True, inline="always")
def play(position: Any, joint: Any) -> None:
    """Play an option of each role; those of roles without options are not looked at."""
    events, turns, slow = position
    if len(events):
        role = one_way.chooser(events)
        one_way.play(events, joint[role] if role < len(joint) else one_way.option(events, 0))
    elif len(turns):
        role = two_way.chooser(turns)
        two_way.play(turns, joint[role] if role < len(joint) else two_way.option(turns, 0))
    else:
        plain.play(slow, joint)


@njit(cache=True, inline="always")
def playout(position: Any, random: Any, longest: Any, joint: Any) -> Any:
    """Play at random to the end; how many steps, or what went wrong (`hexlogic.gdl.propnet.outcomes`)."""
    events, turns, slow = position
    if len(events):
        return np.int64(one_way.playout(events, random, longest))
    if len(turns):
        return np.int64(two_way.playout(turns, random, longest))
    return np.int64(plain.playout(slow, random, longest, joint))


@njit(cache=True, inline="always")
def value(position: Any, role: Any, roles: Any) -> Any:
    """The goal of a role, or NO_GOAL."""
    events, turns, slow = position
    if len(events):
        return np.int64(one_way.goal(events, role, roles))
    return np.int64(two_way.goal(turns, role, roles) if len(turns) else plain.goal(slow, role))

"""The hand-over between kernels: games whose first phases come once, such as that of the swap.

Facts may come and go in the phases that come once, on the kernel for turns; with the first phase that recurs the state
is handed over to the latches, and the game goes on there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from hexlogic.gdl.propnet import latch_kernel, turn_kernel
from hexlogic.gdl.propnet.game_loop import play_at_random
from hexlogic.gdl.propnet.latch_kernel import LatchGame
from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_MOVE
from hexlogic.gdl.propnet.turn_kernel import TurnGame
from hexlogic.propagation.delete_rederive import AT as NETWORK
from hexlogic.propagation.memory import part

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HandOver", "goal", "is_over", "option", "options", "play", "playout", "restore"]


class HandOver(NamedTuple):
    """A game that begins on the kernel for turns; options are the choices of the whole game. `after` has no latch set
    until the hand-over."""

    before: TurnGame
    after: LatchGame
    handed_over: NDArray[np.int64]
    """[1]: 1 after the hand-over."""
    recurring: int
    """The first phase of `before` that recurs, which is phase 0 of `after`."""
    first: int
    """The first choice of that phase, which is choice 0 of `after`."""
    initial: NDArray[np.int32]
    """By input of `before`: whether the fact is true while no latch is set."""
    latches: NDArray[np.int64]
    """By input of `before`: the latch for the other value."""


@njit(cache=True)
def restore(
    before: Any, after: Any, handed_over: Any, recurring: Any, first: Any, initial: Any, latches: Any, start: Any
) -> None:
    """As `game_loop.restore`."""
    turn_kernel.restore(before.network, before.lists, before.tables, start.before)
    latch_kernel.restore(after.memory, after.at, start.after)
    handed_over[0] = start.handed_over[0]


@njit(cache=True)
def is_over(before: Any, after: Any, handed_over: Any, recurring: Any, first: Any, initial: Any, latches: Any) -> Any:
    """As `game_loop.is_over`."""
    return (
        latch_kernel.is_over(after.memory, after.at)
        if handed_over[0]
        else turn_kernel.is_over(before.network, before.lists, before.tables)
    )


@njit(cache=True)
def options(
    before: Any, after: Any, handed_over: Any, recurring: Any, first: Any, initial: Any, latches: Any, role: Any
) -> Any:
    """As `game_loop.options`."""
    return (
        latch_kernel.options(after.memory, after.at, role)
        if handed_over[0]
        else turn_kernel.options(before.network, before.lists, before.tables, role)
    )


@njit(cache=True)
def option(
    before: Any,
    after: Any,
    handed_over: Any,
    recurring: Any,
    first: Any,
    initial: Any,
    latches: Any,
    role: Any,
    place: Any,
) -> Any:
    """As `game_loop.option`."""
    if handed_over[0]:
        return first + latch_kernel.option(after.memory, after.at, role, place)
    return turn_kernel.option(before.network, before.lists, before.tables, role, place)


@njit(cache=True)
def play(
    before: Any, after: Any, handed_over: Any, recurring: Any, first: Any, initial: Any, latches: Any, joint: Any
) -> None:
    """As `game_loop.play`."""
    if handed_over[0]:
        role = latch_kernel.chooser(after.memory, after.at)
        latch_kernel.play_choice(
            after.memory,
            after.at,
            joint[role] - first if role < len(joint) else latch_kernel.option(after.memory, after.at, role, 0),
        )
        return
    turn_kernel.play(before.network, before.lists, before.tables, joint)
    if turn_kernel.phase_of(before.tables) == recurring:
        true = part(before.network, NETWORK.true)
        for fact in range(len(latches)):
            if true[fact] != initial[fact]:
                latch_kernel.set_latch(after.memory, after.at, latches[fact])
        handed_over[0] = 1


@njit(cache=True)
def goal(
    before: Any,
    after: Any,
    handed_over: Any,
    recurring: Any,
    first: Any,
    initial: Any,
    latches: Any,
    role: Any,
    roles: Any,
) -> Any:
    """As `game_loop.goal`."""
    if handed_over[0]:
        return latch_kernel.goal(after.memory, after.at, role, roles)
    return turn_kernel.goal(before.network, before.lists, before.tables, role, roles)


@njit(cache=True)
def playout(
    before: Any,
    after: Any,
    handed_over: Any,
    recurring: Any,
    first: Any,
    initial: Any,
    latches: Any,
    random: Any,
    longest: Any,
    joint: Any,
) -> Any:
    """As `game_loop.playout`: to the hand-over or the end on one kernel, then on the other."""
    steps = 0
    game = HandOver(before, after, handed_over, recurring, first, initial, latches)
    while not handed_over[0]:
        if turn_kernel.is_over(before.network, before.lists, before.tables):
            return steps
        if steps == longest:
            return ENDLESS
        if not play_at_random(game, random, joint):
            return NO_MOVE
        steps += 1
    more = latch_kernel.playout(after.memory, after.at, random, longest - steps, joint)
    return more if more < 0 else steps + more

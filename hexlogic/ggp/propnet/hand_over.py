"""The hand-over between kernels: games whose first phases come once, such as that of the swap.

Facts may come and go in the phases that come once, on the kernel for turns; with the first phase that recurs the state
is handed over to the latches, and the game goes on there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hexlogic.ggp.propnet import latch_kernel, turn_kernel
from hexlogic.ggp.propnet.game_loop import play_at_random
from hexlogic.ggp.propnet.outcomes import ENDLESS, NO_MOVE
from hexlogic.language.propagation.delete_rederive import AT as NETWORK
from hexlogic.language.propagation.memory import part


class HandOver(NamedTuple):
    """A game that begins on the kernel for turns; options are the choices of the whole game. No latch of `after` is set
    until the hand-over. The functions below take the whole of it."""

    before: NDArray[np.int32]
    """The memory of `turn_kernel`."""
    after: NDArray[np.uint32]
    """The memory of `latch_kernel`."""
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
def restore(game: Any, start: Any) -> None:
    """As `game_loop.restore`."""
    turn_kernel.restore(game.before, start.before)
    latch_kernel.restore(game.after, start.after)
    game.handed_over[0] = start.handed_over[0]


@njit(cache=True)
def is_over(game: Any) -> Any:
    """As `game_loop.is_over`."""
    return latch_kernel.is_over(game.after) if game.handed_over[0] else turn_kernel.is_over(game.before)


@njit(cache=True)
def options(game: Any, role: Any) -> Any:
    """As `game_loop.options`."""
    if game.handed_over[0]:
        return latch_kernel.options(game.after, role)
    return turn_kernel.options(game.before, role)


@njit(cache=True)
def option(game: Any, role: Any, place: Any) -> Any:
    """As `game_loop.option`."""
    if game.handed_over[0]:
        return game.first + latch_kernel.option(game.after, role, place)
    return turn_kernel.option(game.before, role, place)


@njit(cache=True)
def play(game: Any, joint: Any) -> None:
    """As `game_loop.play`."""
    before, after = game.before, game.after
    if game.handed_over[0]:
        role = latch_kernel.chooser(after)
        choice = joint[role] - game.first if role < len(joint) else latch_kernel.option(after, role, 0)
        latch_kernel.play_choice(after, choice)
        return
    turn_kernel.play(before, joint)
    if turn_kernel.phase_of(before) == game.recurring:
        true = part(before, NETWORK.true)
        for fact in range(len(game.latches)):
            if true[fact] != game.initial[fact]:
                latch_kernel.set_latch(after, game.latches[fact])
        game.handed_over[0] = 1


@njit(cache=True)
def goal(game: Any, role: Any, roles: Any) -> Any:
    """As `game_loop.goal`."""
    if game.handed_over[0]:
        return latch_kernel.goal(game.after, role, roles)
    return turn_kernel.goal(game.before, role, roles)


@njit(cache=True)
def playout(game: Any, random: Any, longest: Any, joint: Any) -> Any:
    """As `game_loop.playout`: to the hand-over or the end on one kernel, then on the other."""
    steps = 0
    while not game.handed_over[0]:
        if turn_kernel.is_over(game.before):
            return steps
        if steps == longest:
            return ENDLESS
        if not play_at_random(game, random, joint):
            return NO_MOVE
        steps += 1
    more = latch_kernel.playout(game.after, random, longest - steps, joint)
    return more if more < 0 else steps + more

"""Playouts that begin in moments which come once, such as that of the swap, and go on in those that come again.

What may come and go in the first moments only is played by the kernel `two_way`; where they end, the facts are told to
the kernel for events, which plays on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from hexlogic.gdl.propnet import one_way, two_way
from hexlogic.gdl.propnet.one_way_memory import FLAGS, MOMENT, STACK
from hexlogic.gdl.propnet.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.gdl.propnet.randomness import draw_below, seeded

__all__ = ["playouts"]


@njit(cache=True)
def _to_the_tail(slow: Any, recurring: Any, random: Any, longest: Any) -> Any:
    """Play at random until the moments come again, or the game is over; the steps, or what went wrong."""
    steps = 0
    while two_way.moment_of(slow) < recurring and not two_way.is_over(slow):
        if steps == longest:
            return ENDLESS
        count = two_way.options(slow)
        if count == 0:
            return NO_MOVE
        two_way.play(slow, two_way.option(slow, draw_below(random, count) if count > 1 else 0))
        steps += 1
    return steps


@njit(cache=True)
def _hand_over(slow: Any, fast: Any, recurring: Any, at_first: Any, events: Any) -> None:
    """Bring the kernel for events from its first position into the one of `two_way`."""
    fast[np.uint64(fast[MOMENT])] = two_way.moment_of(slow) - recurring
    for fact in range(len(events)):
        if slow[slow[0] + fact] != at_first[fact]:
            one_way.happen(fast, events[fact])


@njit(cache=True, nogil=True)
def playouts(
    slow: Any,
    fast: Any,
    recurring: Any,
    at_first: Any,
    events: Any,
    games: Any,
    seed: Any,
    longest: Any,
    goals: Any,
) -> Any:
    """Play random games from where `slow` stands, as `one_way.playouts` does. `fast` is the memory of the kernel for
    events before any event; by input of `slow`, `at_first` is its value there and `events` the event of the other."""
    begin, first = slow.copy(), fast[np.uint64(fast[FLAGS]) : np.uint64(fast[STACK])].copy()
    random = seeded(seed)
    total = 0
    for _ in range(games):
        steps = _to_the_tail(slow, recurring, random, longest)
        if steps < 0:
            return steps
        goes_on = not two_way.is_over(slow)
        if goes_on:
            _hand_over(slow, fast, recurring, at_first, events)
            more = one_way.playout(fast, random, longest - steps)
            if more < 0:
                return more
            steps += more
        total += steps
        for role in range(len(goals)):
            value = one_way.goal(fast, role, len(goals)) if goes_on else two_way.goal(slow, role, len(goals))
            if value == NO_GOAL:
                return np.int64(NO_GOAL)
            goals[role] += value
        slow[:] = begin
        fast[np.uint64(fast[FLAGS]) : np.uint64(fast[STACK])] = first
    return total

"""A ground sheet on each of the kernels: how a state gets into a memory and out of it, and how playouts run.

A state is the numbers of its true facts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hexlogic.gdl.propnet import joined, one_way, plain, two_way
from hexlogic.gdl.propnet.events import Events
from hexlogic.gdl.propnet.ground_sheet import GroundSheet
from hexlogic.gdl.propnet.moments import Turns
from hexlogic.gdl.propnet.one_way_memory import FLAGS, MOMENT, one_way_memory
from hexlogic.gdl.propnet.plain_memory import plain_memory
from hexlogic.gdl.propnet.two_way_memory import inputs_of, two_way_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["EventGame", "PlainGame", "TurnGame"]


class PlainGame:
    """Any sheet, on the kernel `plain`; its memory takes any state of known facts."""

    def __init__(self, ground: GroundSheet) -> None:
        self.ground = ground
        self.memory = plain_memory(ground)
        plain.begin(self.memory)

    def enter(self, true: frozenset[int]) -> None:
        """Bring the memory into a state."""
        values = np.zeros(len(self.ground.facts), dtype=np.int32)
        values[list(true)] = 1
        plain.set_facts(self.memory, values)

    def facts(self, memory: NDArray[np.int32]) -> frozenset[int]:
        """The state in which a memory stands."""
        begin = int(memory[0])
        return frozenset(map(int, np.flatnonzero(memory[begin : begin + len(self.ground.facts)])))


class TurnGame:
    """A game in turns, on the kernel `two_way`."""

    def __init__(self, game: Turns) -> None:
        self.game = game
        self.first = two_way_memory(game)
        """The memory while no fact is true."""
        self.inputs = inputs_of(game)

    @cached_property
    def _moments(self) -> dict[frozenset[int], int]:
        return {moment.facts: number for number, moment in enumerate(self.game.moments)}

    def memory(self, true: frozenset[int]) -> NDArray[np.int32] | None:
        """A memory in a state; None where its autonomous facts are those of no moment."""
        moment = self._moments.get(true.difference(self.inputs))
        if moment is None:
            return None
        memory = self.first.copy()
        values = np.array([fact in true for fact in self.inputs], dtype=np.int32)
        two_way.set_inputs(memory, values, moment)
        return memory

    def facts(self, memory: NDArray[np.int32]) -> frozenset[int]:
        """The state in which a memory stands."""
        begin = int(memory[0])
        true = (self.inputs[place] for place in np.flatnonzero(memory[begin : begin + len(self.inputs)]))
        return self.game.moments[int(two_way.moment_of(memory))].facts.union(true)


class EventGame:
    """A game in turns whose facts go one way in all moments that come again, on the kernel `one_way`; playouts from
    moments that come once begin on a `TurnGame`. Raises OneWayError."""

    def __init__(self, game: Turns, initial: frozenset[int]) -> None:
        self.whole, self.game = game, game.tail()
        self.events = Events(self.game, initial, game.loose())
        self.first = one_way_memory(self.game, self.events)
        """The memory before any event."""
        self.inputs = inputs_of(game)
        self._event = {fact: self.events.literal(game.fact_nodes[fact]) >> 1 for fact in self.inputs}

    @cached_property
    def _moments(self) -> dict[frozenset[int], int]:
        return {moment.facts: number for number, moment in enumerate(self.game.moments)}

    @cached_property
    def before(self) -> TurnGame:
        """The whole game, for states whose moment comes once."""
        return TurnGame(self.whole)

    def memory(self, true: frozenset[int]) -> NDArray[np.uint32] | None:
        """A memory in a state; None where its moment does not come again, or no moves lead there."""
        moment = self._moments.get(true.difference(self.inputs))
        other = [self._event[fact] for fact in self.inputs if (fact in true) != (fact in self.events.initial)]
        if moment is None or not all(other):
            return None
        memory = self.first.copy()
        memory[memory[MOMENT]] = moment
        for event in other:
            one_way.happen(memory, event)
        return memory

    def facts(self, memory: NDArray[np.uint32]) -> frozenset[int]:
        """The state in which a memory stands."""
        flags = memory[memory[FLAGS] :]
        happened = {fact for fact in self.inputs if flags[self._event[fact]]}
        true = self.events.initial.intersection(self.inputs) ^ happened
        return self.game.moments[int(memory[memory[MOMENT]])].facts | true

    def playouts_from_outside(
        self, true: frozenset[int], games: int, seed: int, longest: int, goals: NDArray[np.int64]
    ) -> tuple[int, frozenset[int] | None] | None:
        """Playouts from a state whose moment comes once: all steps and None, or what went wrong and the state in which
        it did. None where no moves lead there."""
        slow = self.before.memory(true)
        if slow is None or int(two_way.moment_of(slow)) >= self.whole.recurring:
            return None
        at_first = np.array([fact in self.events.initial for fact in self.inputs], dtype=np.int32)
        events = np.array([self._event[fact] for fact in self.inputs], dtype=np.int64)
        fast, recurring = self.first.copy(), self.whole.recurring
        steps = int(joined.playouts(slow, fast, recurring, at_first, events, games, seed, longest, goals))
        if steps >= 0:
            return steps, None
        outside = int(two_way.moment_of(slow)) < recurring
        return steps, self.before.facts(slow) if outside else self.facts(fast)

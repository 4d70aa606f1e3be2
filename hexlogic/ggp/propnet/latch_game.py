"""States of a ground sheet as games of the kernel for latches, and back. A state is the set of the numbers of its true
facts."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from hexlogic.ggp.propnet import latch_kernel
from hexlogic.ggp.propnet.control import ControlAutomaton
from hexlogic.ggp.propnet.latch_memory import AT, latch_memory
from hexlogic.ggp.propnet.latch_network import LatchNetwork
from hexlogic.language.propagation.memory import part


class LatchEncoding:
    """A game in turns on the kernel for latches. Raises LatchError."""

    def __init__(self, control: ControlAutomaton, initial: frozenset[int]) -> None:
        self._control = control
        self.phases, self.inputs, self.recurring = control.phases, control.inputs, control.recurring
        self.network = LatchNetwork(control, initial)
        self.initial = self.network.initial.intersection(self.inputs)
        self.latches = {fact: self.network.literal(control.fact_nodes[fact]) >> 1 for fact in self.inputs}
        """By fact the latch that is set where it has not its initial value."""
        self._first = latch_memory(control, self.network, [latch for latch in self.latches.values() if latch])
        """No latch is set."""
        self._choices = [0, *accumulate(len(phase.choices) for phase in self.phases)]
        """By phase: its first choice."""

    def game(self, true: frozenset[int]) -> NDArray[np.uint32] | None:
        """The memory of a game in a state; None for a state that legal moves never lead to."""
        phase = self._control.phase_of(true)
        latches = [self.latches[fact] for fact in self.inputs if (fact in true) != (fact in self.initial)]
        if phase is None or not all(latches):
            return None
        memory = self._first.copy()
        part(memory, AT.phase)[0] = phase
        for latch in latches:
            latch_kernel.set_latch(memory, latch)
        return memory

    def facts(self, memory: NDArray[np.uint32]) -> frozenset[int]:
        """The state of a game."""
        flags = part(memory, AT.flags)
        changed = {fact for fact in self.inputs if flags[self.latches[fact]]}
        return self.phases[int(part(memory, AT.phase)[0])].facts | (self.initial ^ changed)

    def move(self, choice: int) -> int:
        """The number of the move that a choice stands for."""
        phase = bisect_right(self._choices, choice) - 1
        return self.phases[phase].choices[choice - self._choices[phase]].move

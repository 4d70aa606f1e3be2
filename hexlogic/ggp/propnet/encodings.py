"""States of a ground sheet as games of each kernel, and back. A state is the set of the numbers of its true facts."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

import numpy as np

from hexlogic.ggp.propnet import latch_kernel, network_kernel, turn_kernel
from hexlogic.ggp.propnet.control import ControlAutomaton, Phase
from hexlogic.ggp.propnet.game_loop import copy_of
from hexlogic.ggp.propnet.ground_sheet import GroundSheet
from hexlogic.ggp.propnet.hand_over import HandOver
from hexlogic.ggp.propnet.kept_facts import KeptFacts
from hexlogic.ggp.propnet.latch_kernel import LatchGame
from hexlogic.ggp.propnet.latch_memory import AT as LATCHES
from hexlogic.ggp.propnet.latch_memory import latch_memory
from hexlogic.ggp.propnet.latch_network import LatchNetwork
from hexlogic.ggp.propnet.network_kernel import NetworkGame, network_memory
from hexlogic.ggp.propnet.turn_kernel import TurnGame, turn_memory
from hexlogic.language.propagation.delete_rederive import AT as NETWORK
from hexlogic.language.propagation.memory import part


class StateEncoding(Protocol):
    """The games of one kernel."""

    @property
    def phases(self) -> tuple[Phase, ...] | None:
        """The phases whose choices the options are; None where options are the moves themselves."""

    def game(self, true: frozenset[int]) -> Any:
        """A game in a state; None for a state that the kernel cannot take."""

    def facts(self, game: Any) -> frozenset[int]:
        """The state of a game."""


class NetworkEncoding:
    """Any sheet, on the kernel for propositional networks, which takes any state of known facts."""

    phases = None

    def __init__(self, sheet: GroundSheet) -> None:
        self._facts = len(sheet.facts)
        self._first = NetworkGame(network_memory(sheet))
        network_kernel.begin(*self._first)

    def game(self, true: frozenset[int]) -> NetworkGame:
        """As `StateEncoding.game`."""
        game: NetworkGame = copy_of(self._first)
        self.enter(game, true)
        return game

    def enter(self, game: NetworkGame, true: frozenset[int]) -> None:
        """Bring a game into a state."""
        values = np.zeros(self._facts, dtype=np.int32)
        values[list(true)] = 1
        network_kernel.set_facts(*game, values)

    def facts(self, game: NetworkGame) -> frozenset[int]:
        """As `StateEncoding.facts`."""
        return frozenset(map(int, np.flatnonzero(part(game.memory, NETWORK.true)[: self._facts])))


class TurnEncoding:
    """A game in turns, on the kernel for turns."""

    def __init__(self, control: ControlAutomaton) -> None:
        self.phases, self.inputs = control.phases, control.inputs
        self._control = control
        self._first = TurnGame(turn_memory(control))
        """No fact is true."""

    def game(self, true: frozenset[int]) -> TurnGame | None:
        """As `StateEncoding.game`: a state whose autonomous facts are those of a phase."""
        phase = self._control.phase_of(true)
        if phase is None:
            return None
        game: TurnGame = copy_of(self._first)
        turn_kernel.set_inputs(*game, np.array([fact in true for fact in self.inputs], dtype=np.int32), phase)
        return game

    def facts(self, game: TurnGame) -> frozenset[int]:
        """As `StateEncoding.facts`."""
        values = part(game.memory, NETWORK.true)[: len(self.inputs)]
        true = (self.inputs[place] for place in np.flatnonzero(values))
        return self.phases[int(turn_kernel.phase_of(game.memory))].facts.union(true)


class LatchEncoding:
    """The recurring phases of a game in turns, on the kernel for latches. Raises LatchError."""

    def __init__(self, control: ControlAutomaton, initial: frozenset[int]) -> None:
        self._control = recurring = control.tail()
        self.phases, self.inputs = recurring.phases, recurring.inputs
        self.network = LatchNetwork(recurring, initial, control.changed_once())
        self.initial = self.network.initial.intersection(self.inputs)
        self.latches = {fact: self.network.literal(control.fact_nodes[fact]) >> 1 for fact in self.inputs}
        """By fact the latch that is set where it has not its initial value."""
        self.first = LatchGame(latch_memory(recurring, self.network))
        """No latch is set."""

    def game(self, true: frozenset[int]) -> LatchGame | None:
        """As `StateEncoding.game`: a state that moves in recurring phases may lead to."""
        phase = self._control.phase_of(true)
        latches = [self.latches[fact] for fact in self.inputs if (fact in true) != (fact in self.initial)]
        if phase is None or not all(latches):
            return None
        game: LatchGame = copy_of(self.first)
        part(game.memory, LATCHES.phase)[0] = phase
        for latch in latches:
            latch_kernel.set_latch(*game, latch)
        return game

    def facts(self, game: LatchGame) -> frozenset[int]:
        """As `StateEncoding.facts`."""
        flags = part(game.memory, LATCHES.flags)
        changed = {fact for fact in self.inputs if flags[self.latches[fact]]}
        return self.phases[int(part(game.memory, LATCHES.phase)[0])].facts | (self.initial ^ changed)


class KeptEncoding:
    """The games of another encoding, without the facts that follow from the others."""

    def __init__(self, kept: KeptFacts, inner: StateEncoding) -> None:
        self.kept, self.inner = kept, inner
        self.phases = inner.phases

    def game(self, true: frozenset[int]) -> Any:
        """As `StateEncoding.game`: a state whose kept facts are those that follow."""
        rest = self.kept.without(true)
        return None if rest is None else self.inner.game(rest)

    def facts(self, game: Any) -> frozenset[int]:
        """As `StateEncoding.facts`."""
        return self.kept.whole(self.inner.facts(game))


class HandOverEncoding:
    """A game whose first phases come once, handed over from the kernel for turns to that for latches."""

    def __init__(self, control: ControlAutomaton, after: LatchEncoding) -> None:
        self.phases = control.phases
        self._recurring = control.recurring
        self._after = after
        self._first = sum(len(phase.choices) for phase in control.phases[: control.recurring])
        self._initial = np.array([fact in after.initial for fact in after.inputs], dtype=np.int32)
        self._latches = np.array([after.latches[fact] for fact in after.inputs], dtype=np.int64)
        self._control = control

    @cached_property
    def _before(self) -> TurnEncoding:
        return TurnEncoding(self._control)

    def game(self, true: frozenset[int]) -> HandOver | None:
        """As `StateEncoding.game`: a state in a phase that comes once."""
        before = self._before.game(true)
        if before is None or int(turn_kernel.phase_of(before.memory)) >= self._recurring:
            return None
        after, handed_over = self._after.first.memory.copy(), np.zeros(1, dtype=np.int64)
        return HandOver(before.memory, after, handed_over, self._recurring, self._first, self._initial, self._latches)

    def facts(self, game: HandOver) -> frozenset[int]:
        """As `StateEncoding.facts`."""
        return (
            self._after.facts(LatchGame(game.after))
            if game.handed_over[0]
            else self._before.facts(TurnGame(game.before))
        )

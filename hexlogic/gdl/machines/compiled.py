"""The reasoner `compiled`: the ground rules of a sheet in flat arrays, run by numba (see `hexlogic.gdl.compiled`).

Single questions are answered by plain propagation, which takes any state of known facts. Playouts run on the kernel
that suits the game; `analysis` says which, and why. Where terms grow, or somebody made a state up, clingo answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hexlogic.gdl.compiled import one_way, plain
from hexlogic.gdl.compiled.events import Events, OneWayError
from hexlogic.gdl.compiled.ground_sheet import ALWAYS, GroundSheet, ground_sheet
from hexlogic.gdl.compiled.moments import Turns, TurnsError, turns
from hexlogic.gdl.compiled.one_way_memory import FLAGS, MOMENT, one_way_memory
from hexlogic.gdl.compiled.outcomes import ENDLESS
from hexlogic.gdl.compiled.plain_memory import plain_memory
from hexlogic.gdl.machines.state_machine import Playouts, State, StateMachine, endless, goal_values, no_legal_move
from hexlogic.gdl.possible import initial_facts, roles_of
from hexlogic.logic.syntax import Program, Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Arrays", "Machine"]

_GROWING = "no arrays: terms grow, so each state is ground by itself"


class Machine(StateMachine):
    """A sheet on flat arrays. Raises EngineError when it cannot be ground."""

    reasoner = "compiled"

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        ground = ground_sheet(sheet)
        self.arrays = None if ground is None else Arrays(ground)
        """None where terms grow: then every state is ground by itself."""

    @property
    def analysis(self) -> str:
        """Which kernel plays this game, and why."""
        return (
            "no arrays: terms grow, so each state is ground by itself" if self.arrays is None else self.arrays.analysis
        )

    @cached_property
    def _aside(self) -> StateMachine:
        from hexlogic.gdl.machines.clingo import Machine as ClingoMachine

        return ClingoMachine(self.sheet)

    def close(self) -> None:
        """Let go of clingo, if it was asked."""
        if "_aside" in self.__dict__:
            self._aside.close()

    def _arrays_for(self, state: State) -> Arrays | None:
        """The arrays, in this state; None where they do not know all of its facts."""
        return self.arrays if self.arrays is not None and self.arrays.enter(state) else None

    def _roles(self) -> tuple[Term, ...]:
        return roles_of(self.sheet)

    def _initial(self) -> State:
        return State(initial_facts(self.sheet))

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        arrays = self._arrays_for(state)
        return self._aside._legal(state, role) if arrays is None else arrays.legal(role)

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        arrays = self._arrays_for(state)
        return self._aside._next(state, moves) if arrays is None else arrays.play(moves)

    def _terminal(self, state: State) -> bool:
        arrays = self._arrays_for(state)
        return self._aside._terminal(state) if arrays is None else bool(plain.is_over(arrays.memory))

    def _goals(self, state: State, role: int) -> Sequence[int]:
        arrays = self._arrays_for(state)
        return self._aside._goals(state, role) if arrays is None else arrays.goals(role)

    def _playouts(self, n: int, seed: int, start: State, longest: int) -> Playouts:
        arrays = self._arrays_for(start)
        if arrays is None:
            return super()._playouts(n, seed, start, longest)
        goals = np.zeros(len(self.roles), dtype=np.int64)
        memory: NDArray[np.int32] | NDArray[np.uint32] | None = arrays.fast_memory(start)
        if memory is not None:
            steps = one_way.playouts(memory, n, seed, longest, goals)
        else:
            memory = arrays.memory.copy()
            steps = plain.playouts(memory, n, seed, longest, goals)
        if steps == ENDLESS:
            raise endless(longest)
        if steps < 0:
            self._complain(arrays.state_of(memory))
        return Playouts(n, int(steps), tuple(map(int, goals)))

    def _complain(self, state: State) -> None:
        """Say what is wrong with a state in which a game got stuck, or came to an end without goals."""
        for number, role in enumerate(self.roles):
            if self._terminal(state):
                self.goal(state, role)
            elif not self._legal(state, number):
                raise no_legal_move(role)


class Arrays:
    """The arrays of a ground sheet: those of plain propagation, and those of the kernel for events where it suits."""

    def __init__(self, ground: GroundSheet) -> None:
        self.ground = ground
        self.memory = plain_memory(ground)
        """Of plain propagation, in the state that was entered last."""
        plain.begin(self.memory)
        self._state: State | None = None
        self._move_numbers = [{move: place for place, move in enumerate(own)} for own in ground.moves]
        self.turns: Turns | None = None
        self.events: Events | None = None
        self.fast: NDArray[np.uint32] | None = None
        """Of the kernel for events, before the first move."""
        try:
            self.turns = turns(ground)
            self.events = Events(self.turns, ground.initial)
            self.fast = one_way_memory(self.turns, self.events)
            self.analysis = f"events: in turns, {len(self.turns.moments)} moments, {self.events.count - 1} events"
        except TurnsError as reason:
            self.analysis = f"plain propagation: {reason}"
        except OneWayError as reason:
            which = "" if reason.fact is None else f": {ground.facts[reason.fact]}"
            self.analysis = f"plain propagation: in turns, but {reason}{which}"

    def enter(self, state: State) -> bool:
        """Bring the memory into a state; False, and nothing done, where it has a fact that rules never give."""
        if state == self._state:
            return True
        numbers = [self.ground.fact_numbers.get(fact, -1) for fact in state.facts]
        if -1 in numbers:
            return False
        values = np.zeros(len(self.ground.facts), dtype=np.int32)
        values[numbers] = 1
        plain.set_facts(self.memory, values)
        self._state = state
        return True

    def legal(self, role: int) -> tuple[Term, ...]:
        """The legal moves of a role."""
        first = self._first_option(role)
        count = plain.options(self.memory, role)
        moves = sorted(plain.option(self.memory, role, place) - first for place in range(count))
        return tuple(self.ground.moves[role][move] for move in moves)

    def play(self, moves: Sequence[Term]) -> State:
        """Play a legal joint move; the state after it."""
        joint = [self._first_option(role) + self._move_numbers[role][move] for role, move in enumerate(moves)]
        plain.play(self.memory, np.array(joint, dtype=np.int64))
        self._state = self.state_of(self.memory)
        return self._state

    def goals(self, role: int) -> tuple[int, ...]:
        """The goals of a role. Raises GameError for one that is no number."""
        begin = self.memory[0]
        own = self.ground.goals[role]
        true = [value for value, atom in own if atom == ALWAYS or (atom >= 0 and self.memory[begin + atom])]
        return goal_values(self.ground.roles[role], true)

    def state_of(self, memory: NDArray[np.int32] | NDArray[np.uint32]) -> State:
        """The state in which the memory of either kernel stands."""
        facts = self.ground.facts
        if memory.dtype == np.int32:
            begin = int(memory[0])
            return State(frozenset(facts[fact] for fact in np.flatnonzero(memory[begin : begin + len(facts)])))
        assert self.turns is not None
        assert self.events is not None
        flags = memory[memory[FLAGS] :]
        true = set(self.turns.moments[int(memory[memory[MOMENT]])].facts)
        for fact, node in enumerate(self.turns.fact_nodes):
            if node:
                literal = self.events.literal(node)
                if bool(flags[literal >> 1]) != bool(literal & 1):
                    true.add(fact)
        return State(frozenset(facts[fact] for fact in true))

    def fast_memory(self, state: State) -> NDArray[np.uint32] | None:
        """The memory of the kernel for events in a state; None where the game, or the state, does not suit it."""
        if self.fast is None or self.turns is None or self.events is None:
            return None
        true = frozenset(self.ground.fact_numbers[fact] for fact in state.facts)
        free = frozenset(fact for fact, node in enumerate(self.turns.fact_nodes) if node)
        moments = {moment.facts: number for number, moment in enumerate(self.turns.moments)}
        memory = self.fast.copy()
        if true - free not in moments:
            return None
        memory[memory[MOMENT]] = moments[true - free]
        for fact in sorted(free & (true ^ self.ground.initial)):
            event = self.events.literal(self.turns.fact_nodes[fact]) >> 1
            if not event:
                return None
            one_way.happen(memory, event)
        return memory

    def _first_option(self, role: int) -> int:
        return sum(map(len, self.ground.moves[:role]))

"""The reasoner `compiled`: the ground rules of a sheet in flat arrays, run by numba (see `hexlogic.gdl.compiled`).

Single questions are answered by plain propagation, which takes any state. Playouts run on the kernel that suits the
game; `analysis` says which, and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hexlogic.errors import GameError
from hexlogic.gdl.compiled import one_way, plain
from hexlogic.gdl.compiled.events import Events, OneWayError
from hexlogic.gdl.compiled.ground_sheet import ground_sheet
from hexlogic.gdl.compiled.moments import Turns, TurnsError, turns
from hexlogic.gdl.compiled.one_way_memory import MOMENT, one_way_memory
from hexlogic.gdl.compiled.outcomes import ENDLESS, NO_GOAL, NO_MOVE
from hexlogic.gdl.compiled.plain_memory import plain_memory
from hexlogic.gdl.machines.state_machine import Playouts, State, StateMachine
from hexlogic.logic.syntax import Program, Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Machine"]


class Machine(StateMachine):
    """A sheet on flat arrays."""

    reasoner = "compiled"

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        self.ground = ground_sheet(sheet)
        self.memory = plain_memory(self.ground)
        """Of plain propagation, in the state of the last question."""
        plain.begin(self.memory)
        self._state: State | None = None
        self._places = [{move: place for place, move in enumerate(own)} for own in self.ground.moves]
        self.turns: Turns | None = None
        self.events: Events | None = None
        try:
            self.turns = turns(self.ground)
            self.events = Events(self.turns, self.ground.initial)
            self.analysis = f"in turns ({len(self.turns.moments)} moments), {self.events.count - 1} events"
        except TurnsError as reason:
            self.analysis = f"plain propagation: {reason}"
        except OneWayError as reason:
            which = "" if reason.fact is None else f": {self.ground.facts[reason.fact]}"
            self.analysis = f"plain propagation: in turns, but {reason}{which}"
        self.fast = (
            one_way_memory(self.turns, self.events) if self.turns is not None and self.events is not None else None
        )
        """Of the kernel for events, before the first move; None where the game does not suit it."""

    def _roles(self) -> tuple[Term, ...]:
        return self.ground.roles

    def _initial(self) -> State:
        return State(frozenset(self.ground.facts[fact] for fact in self.ground.initial))

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        self._enter(state)
        first = self.ground.does[role][0] - len(self.ground.facts) if self.ground.moves[role] else 0
        options = sorted(
            plain.option(self.memory, role, place) - first for place in range(plain.options(self.memory, role))
        )
        return tuple(self.ground.moves[role][option] for option in options)

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        self._enter(state)
        facts = len(self.ground.facts)
        joint = [self.ground.does[role][self._places[role][move]] - facts for role, move in enumerate(moves)]
        self._state = None
        plain.play(self.memory, np.array(joint, dtype=np.int64))
        begin = self.memory[0]
        true = np.flatnonzero(self.memory[begin : begin + facts])
        self._state = State(frozenset(self.ground.facts[fact] for fact in true))
        return self._state

    def _terminal(self, state: State) -> bool:
        self._enter(state)
        return bool(plain.is_over(self.memory))

    def _goals(self, state: State, role: int) -> Sequence[int]:
        self._enter(state)
        return plain.goals(self.memory, role)

    def _playouts(self, n: int, seed: int, start: State, longest: int) -> Playouts:
        goals = np.zeros(len(self.roles), dtype=np.int64)
        fast = self.fast_memory(start)
        if fast is not None:
            steps = one_way.playouts(fast, n, seed, longest, goals)
        else:
            self._enter(start)
            steps = plain.playouts(self.memory.copy(), n, seed, longest, goals)
        match steps:
            case _ if steps == NO_MOVE:
                raise GameError("a role has no legal move in a state that is not terminal")
            case _ if steps == ENDLESS:
                raise GameError(f"a random game was not over after {longest} steps")
            case _ if steps == NO_GOAL:
                raise GameError("a role has no goal, or several, at the end of a random game")
        return Playouts(n, int(steps), tuple(map(int, goals)))

    def fast_memory(self, state: State) -> NDArray[np.uint32] | None:
        """The memory of the kernel for events in a state; None where the game or the state does not suit it."""
        if self.fast is None or self.turns is None or self.events is None:
            return None
        true = frozenset(map(self._number, state.facts))
        free = frozenset(fact for fact, node in enumerate(self.turns.fact_nodes) if node)
        known = {moment.facts: number for number, moment in enumerate(self.turns.moments)}
        moment = known.get(true - free)
        if moment is None:
            return None
        memory = self.fast.copy()
        memory[memory[MOMENT]] = moment
        for fact in sorted(free & (true ^ self.ground.initial)):
            event = self.events.literal(self.turns.fact_nodes[fact]) >> 1
            if not event:
                return None
            one_way.happen(memory, event)
        return memory

    def _number(self, fact: Term) -> int:
        try:
            return self.ground.fact_numbers[fact]
        except KeyError:
            raise GameError(f"{fact} can be true in no state of this sheet") from None

    def _enter(self, state: State) -> None:
        """Bring the memory into a state."""
        if state == self._state:
            return
        values = np.zeros(len(self.ground.facts), dtype=np.int32)
        values[list(map(self._number, state.facts))] = 1
        self._state = None
        plain.set_facts(self.memory, values)
        self._state = state

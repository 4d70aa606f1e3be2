"""The reasoner `compiled`: the ground rules of a sheet in flat arrays, run by numba (see `hexlogic.gdl.propnet`).

Single questions are answered by plain propagation, which takes any state of known facts. Playouts run on the kernel
that suits the game; `analysis` says which, and why. Where terms grow, or somebody made a state up, clingo answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hexlogic.gdl.language.static_facts import initial_facts, roles_of
from hexlogic.gdl.machines.state_machine import Playouts, State, StateMachine, endless, goal_values, no_legal_move
from hexlogic.gdl.propnet import one_way, plain, two_way
from hexlogic.gdl.propnet.events import OneWayError
from hexlogic.gdl.propnet.ground_sheet import ALWAYS, GroundSheet, ground_sheet
from hexlogic.gdl.propnet.kernels import EventGame, PlainGame, TurnGame
from hexlogic.gdl.propnet.moments import TurnsError, turns
from hexlogic.gdl.propnet.outcomes import ENDLESS
from hexlogic.logic.syntax import Program, Term

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["REASONER", "Arrays", "CompiledMachine"]

_GROWING = "no arrays: terms grow, so each state is ground by itself"


class CompiledMachine(StateMachine):
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

    @property
    def ground_size(self) -> tuple[int, int] | None:
        """Ground rules with a body, and the atoms in them; None where terms grow."""
        ground = None if self.arrays is None else self.arrays.ground.ground
        return None if ground is None else (len(ground.rules), len(ground.atoms))

    @cached_property
    def _aside(self) -> StateMachine:
        from hexlogic.gdl.machines.reasoners.clingo import ClingoMachine

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
        steps, stuck = arrays.playouts(n, seed, start, longest, goals)
        if steps == ENDLESS:
            raise endless(longest)
        if stuck is not None:
            self._complain(stuck)
        return Playouts(n, steps, tuple(map(int, goals)))

    def _complain(self, state: State) -> None:
        """Say what is wrong with a state in which a game got stuck, or came to an end without goals."""
        for number, role in enumerate(self.roles):
            if self._terminal(state):
                self.goal(state, role)
            elif not self._legal(state, number):
                raise no_legal_move(role)


class Arrays:
    """The arrays of a ground sheet: those of plain propagation, and those of the kernel that suits the game."""

    def __init__(self, ground: GroundSheet) -> None:
        self.ground = ground
        self._plain = PlainGame(ground)
        self._state: State | None = None
        self._move_numbers = [{move: place for place, move in enumerate(own)} for own in ground.moves]
        self.in_turns: TurnGame | None = None
        self.in_events: EventGame | None = None
        try:
            game = turns(ground)
            try:
                self.in_events = EventGame(game, ground.initial)
                count = self.in_events.events.count - 1
                self.analysis = f"events: in turns, {len(game.moments)} moments, {count} events"
            except OneWayError as reason:
                self.in_turns = TurnGame(game)
                which = "" if reason.fact is None else f": {ground.facts[reason.fact]}"
                self.analysis = f"turns: {len(game.moments)} moments, but {reason}{which}"
        except TurnsError as reason:
            self.analysis = f"plain propagation: {reason}"

    @property
    def memory(self) -> NDArray[np.int32]:
        """The memory of plain propagation, in the state that was entered last."""
        return self._plain.memory

    def enter(self, state: State) -> bool:
        """Bring the memory into a state; False, and nothing done, where it has a fact that rules never give."""
        if state != self._state:
            true = self._true(state)
            if true is None:
                return False
            self._plain.enter(true)
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
        self._state = self._named(self._plain.facts(self.memory))
        return self._state

    def goals(self, role: int) -> tuple[int, ...]:
        """The goals of a role. Raises GameError for one that is no number."""
        begin = self.memory[0]
        own = self.ground.goals[role]
        true = [value for value, atom in own if atom == ALWAYS or (atom >= 0 and self.memory[begin + atom])]
        return goal_values(self.ground.roles[role], true)

    def fast_memory(self, state: State) -> NDArray[np.uint32] | None:
        """The memory of the kernel for events in a state; None where the game, or the state, does not suit it."""
        true = self._true(state)
        return None if self.in_events is None or true is None else self.in_events.memory(true)

    def playouts(
        self, games: int, seed: int, start: State, longest: int, goals: NDArray[np.int64]
    ) -> tuple[int, State | None]:
        """Random games on the fastest kernel that knows the state: all steps and None, or what went wrong and the state
        in which it did (None for an endless game). `goals` are added up by role. The state was entered before."""
        true = self._true(start)
        assert true is not None
        arguments = (games, seed, longest, goals)
        if self.in_events is not None:
            if (fast := self.in_events.memory(true)) is not None:
                steps = int(one_way.playouts(fast, *arguments))
                return steps, None if steps >= 0 else self._named(self.in_events.facts(fast))
            found = self.in_events.playouts_from_outside(true, *arguments)
            if found is not None:
                return found[0], None if found[1] is None else self._named(found[1])
        if self.in_turns is not None and (slow := self.in_turns.memory(true)) is not None:
            steps = int(two_way.playouts(slow, *arguments))
            return steps, None if steps >= 0 else self._named(self.in_turns.facts(slow))
        memory = self.memory.copy()
        steps = int(plain.playouts(memory, *arguments))
        return steps, None if steps >= 0 else self._named(self._plain.facts(memory))

    def _true(self, state: State) -> frozenset[int] | None:
        """The numbers of a state's facts; None where one is unknown."""
        numbers = frozenset(self.ground.fact_numbers.get(fact, -1) for fact in state.facts)
        return None if -1 in numbers else numbers

    def _named(self, true: Iterable[int]) -> State:
        return State(frozenset(self.ground.facts[fact] for fact in true))

    def _first_option(self, role: int) -> int:
        return sum(map(len, self.ground.moves[:role]))


REASONER = CompiledMachine

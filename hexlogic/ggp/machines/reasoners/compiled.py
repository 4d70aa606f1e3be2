"""The reasoner `compiled`: each question goes to the kernel that answers it fastest (`analysis` says why).

Single questions, and games one after the other, are answered by forward chaining, which starts at once
(`hexlogic.ggp.forward`). Where a sheet has few ground rules it is ground when random games are asked for: many of them
are played at once, and one after the other they are played on latches where the sheet allows it
(`hexlogic.ggp.propnet`). A state that has facts that the rules never give is ground by clingo; where terms grow, or
relations such as that of all lists have no end in practice, a prover answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.language.opened import open_sheet
from hexlogic.ggp.language.static_facts import growing_rule
from hexlogic.ggp.language.types import EndlessType
from hexlogic.ggp.machines.game import Game, SearchStart
from hexlogic.ggp.machines.state_machine import AT_ONCE, FOR_ANY_TERMS, Answering, Playouts, State, StateMachine
from hexlogic.ggp.machines.states import SheetStates
from hexlogic.ggp.propnet import latch_kernel
from hexlogic.ggp.propnet.control import ControlError, control_automaton
from hexlogic.ggp.propnet.filling import FillingEncoding, leaf_of
from hexlogic.ggp.propnet.filling_kernel import Leaf
from hexlogic.ggp.propnet.ground_sheet import GroundSheet, ground_sheet
from hexlogic.ggp.propnet.ground_size import Work, estimated_work, small_grounding
from hexlogic.ggp.propnet.latch_kernel import LatchEncoding
from hexlogic.ggp.propnet.latch_network import LatchError
from hexlogic.ggp.propnet.many_games import ManyGames
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.syntax import Program


class CompiledMachine(StateMachine):
    """A sheet on the kernels. Raises EngineError where the rules alone have no end."""

    reasoner = "compiled"

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        try:
            if reason := cannot_ground(sheet):
                raise EngineError(reason)
            self._opened = None if growing_rule(sheet) else open_sheet(sheet)
        except EndlessType:
            self._opened = None
        except EngineError as error:
            raise EngineError(f"compiled: {error.message}") from None

    @classmethod
    def ground_form(cls, sheet: Program) -> Program:
        """As the reasoner grounds it: with fewer ground rules."""
        return small_grounding(sheet)

    @property
    def analysis(self) -> str:
        """How random games are played, one after the other and many at once, and why."""
        if self.compiled is not None:
            return f"{self.compiled.analysis}; {self.compiled.many_games.analysis}"
        if self.states is not None:
            return f"forward chaining: not ground, {self._estimate} rules and literals"
        return f"{self._other.reasoner} answers for each state: terms grow or are too many"

    @property
    def ground_size(self) -> tuple[int, int] | None:
        """Ground rules with a body, and the atoms in them; None where nothing is ground."""
        ground = None if self.compiled is None else self.compiled.ground.ground
        return None if ground is None else (len(ground.rules), len(ground.atoms))

    @cached_property
    def _estimate(self) -> Work:
        return estimated_work(small_grounding(self.sheet))

    @cached_property
    def compiled(self) -> CompiledSheet | None:
        """The ground rules; None where terms grow, or there are too many rules."""
        ground = ground_sheet(self.sheet) if self._estimate.is_at_most(self.most_ground) else None
        return None if ground is None else CompiledSheet(ground)

    @cached_property
    def states(self) -> SheetStates | None:
        """The states under forward chaining; None where terms grow, or a state has too many tuples."""
        try:
            return None if self._opened is None else SheetStates(self._opened, self.roles)
        except EngineError:
            return None

    @cached_property
    def _other(self) -> StateMachine:
        """Who answers where there is no forward chaining, or none for a state."""
        return StateMachine.first_of(self.sheet, FOR_ANY_TERMS if self.compiled is None else AT_ONCE)

    def close(self) -> None:
        """Close the other machine, if there is one."""
        if "_other" in self.__dict__:
            self._other.close()

    def start(self, state: State) -> SearchStart | None:
        """As `StateMachine.start`."""
        start = None if self.compiled is None else self.compiled.start(state)
        if start is None and self.states is not None and self.states.enter(state):
            return self.states.search_start()
        return start

    def _for(self, state: State) -> Answering:
        return self.states if self.states is not None and self.states.enter(state) else self._other

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        compiled = self.compiled
        true = None if compiled is None else compiled.numbers(start)
        goals = np.zeros(len(self.roles), dtype=np.int64)
        if compiled is not None and true is not None:
            steps = compiled.many_games.play(true, n, seed, longest, lengths, goals)
            if steps is not None:
                return Playouts(n, steps if lengths else None, tuple(map(int, goals)))
            latches = compiled.latches
            if latches is not None and (memory := latches.game(true)) is not None:
                steps = int(latch_kernel.playouts(memory.copy(), memory, n, seed, longest, goals))
                last_state = latches.facts(memory)
                return self._played(n, steps, longest, goals, lambda: compiled.named(last_state), lengths)
        states = self.states
        if states is None or not states.enter(start):
            return super()._playouts(n, seed, start, longest, lengths)
        steps = states.evaluator.playouts(n, seed, longest, goals)
        return self._played(n, steps, longest, goals, lambda: states.named(states.evaluator.last_state), lengths)


class CompiledSheet:
    """A ground sheet, which plays random games, with its latches where it has some."""

    def __init__(self, ground: GroundSheet) -> None:
        self.ground = ground
        self.latches: LatchEncoding | None = None
        self.many_games = ManyGames(ground, None, None)
        try:
            control = control_automaton(ground)
            self.latches = LatchEncoding(control, ground.initial)
            self.many_games = ManyGames(ground, control, self.latches.network)
            count = self.latches.network.count - 1
            self.analysis = f"latches: in turns, {len(control.phases)} phases, {count} latches"
        except ControlError as reason:
            self.analysis = f"forward chaining: {reason}"
        except LatchError as reason:
            which = "" if reason.fact is None else f": {ground.facts[reason.fact]}"
            self.analysis = f"forward chaining: in turns, {len(control.phases)} phases, but {reason}{which}"

    def start(self, state: State) -> SearchStart | None:
        """A state on the kernel for latches; None where it cannot take it."""
        latches, true = self.latches, self.numbers(state)
        if latches is None or true is None or (memory := latches.game(true)) is None:
            return None

        def leaf(seed: int) -> Leaf | None:
            filling = self.many_games.filling
            return leaf_of(latches, filling, true, seed) if isinstance(filling, FillingEncoding) else None

        none: NDArray[np.int64] = np.empty(0, np.int64)
        game = Game(memory, np.empty(0, np.int32), none, none)
        return SearchStart(game, latches, lambda role, option: self.ground.moves[role][latches.moves[option]], leaf)

    def numbers(self, state: State) -> frozenset[int] | None:
        """The numbers of a state's facts; None where there is one that the rules never give."""
        numbers = frozenset(self.ground.fact_numbers.get(fact, -1) for fact in state.facts)
        return None if -1 in numbers else numbers

    def named(self, true: Iterable[int]) -> State:
        """The state of facts with these numbers."""
        return State(frozenset(self.ground.facts[fact] for fact in true))


REASONER = CompiledMachine

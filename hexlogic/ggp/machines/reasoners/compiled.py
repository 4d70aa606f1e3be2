"""The reasoner `compiled`: each question goes to the kernel that answers it fastest (`analysis` says why).

Single questions, and games one after the other, are answered by forward chaining, which starts at once
(`hexlogic.ggp.forward`). Where a sheet has few ground rules it is ground when random games are asked for: many of them
are played at once, and one after the other they are played on latches where the sheet allows it
(`hexlogic.ggp.propnet`). A state that has facts that the rules never give is ground by clingo; where terms grow, or
relations such as that of all lists have no end in practice, a prover answers.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError, StratificationError
from hexlogic.ggp.language.opened import open_sheet
from hexlogic.ggp.language.static_facts import growing_rule
from hexlogic.ggp.language.types import EndlessType
from hexlogic.ggp.machines.game import Game, SearchStart, random_games
from hexlogic.ggp.machines.state_machine import (
    AT_ONCE,
    FOR_ANY_TERMS,
    MANY,
    Answering,
    Playouts,
    State,
    StateMachine,
    endless,
)
from hexlogic.ggp.machines.states import SheetStates
from hexlogic.ggp.propnet.control import ControlError, control_automaton
from hexlogic.ggp.propnet.filling import FillingEncoding, FillingError, leaf_of
from hexlogic.ggp.propnet.filling_kernel import fill_playouts
from hexlogic.ggp.propnet.ground_sheet import GroundSheet, ground_sheet
from hexlogic.ggp.propnet.ground_size import Work, estimated_work, small_grounding
from hexlogic.ggp.propnet.latch_kernel import LatchEncoding
from hexlogic.ggp.propnet.latch_network import LatchError
from hexlogic.ggp.propnet.many_games import LaneGame, lane_game, lane_playouts
from hexlogic.ggp.propnet.random_games import ENDLESS
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.propagation.lanes import seeded_words
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
            return self.compiled.analysis
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
        most = self.most_ground
        ground = ground_sheet(self.sheet, most) if self._estimate.is_at_most(most) else None
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
        goals = np.zeros(len(self.roles), dtype=np.int64)
        if self.compiled is not None:
            steps = self.compiled.play(start, n, seed, longest, lengths, goals)
            if steps is not None:
                return Playouts(n, steps if lengths else None, tuple(map(int, goals)))
        begun = self.start(start)
        if begun is None:
            return super()._playouts(n, seed, start, longest, lengths)
        steps, game = random_games(begun, n, seed, longest, goals)
        if steps == ENDLESS:
            raise endless(longest)
        if steps < 0:
            self._raise_fault(State(begun.facts(game)))
        return Playouts(n, steps if lengths else None, tuple(map(int, goals)))


class CompiledSheet:
    """A ground sheet: many games at once on filled boards where the order of moves does not matter, else in lanes; its
    latches where it has some."""

    def __init__(self, ground: GroundSheet) -> None:
        self.ground = ground
        self.latches: LatchEncoding | None = None
        self.filling: FillingEncoding | None = None
        """The game on filled boards."""
        self._not_filled = "facts come and go, or roles move at once"
        try:
            control = control_automaton(ground)
            self.latches = LatchEncoding(control, ground.initial)
            count = self.latches.network.count - 1
            self._in_turns = f"latches: in turns, {len(control.phases)} phases, {count} latches"
            self.filling = FillingEncoding(control, self.latches.network)
        except FillingError as reason:
            self._not_filled = str(reason)
        except ControlError as reason:
            self._in_turns = f"forward chaining: {reason}"
        except LatchError as reason:
            which = "" if reason.fact is None else f": {ground.facts[reason.fact]}"
            self._in_turns = f"forward chaining: in turns, {len(control.phases)} phases, but {reason}{which}"

    @property
    def analysis(self) -> str:
        """How games are played, one after the other and many at once, and why."""
        if self.filling is not None:
            return f"{self._in_turns}; filled boards: {self.filling.filling.cells} cells whose order does not matter"
        gates = "no lanes" if self.lanes is None else f"lanes: {len(self.lanes.gates):,} gates"
        return f"{self._in_turns}; {gates}; no filled boards: {self._not_filled}"

    @cached_property
    def lanes(self) -> LaneGame | None:
        """The game in lanes; None where an atom depends on its own negation."""
        try:
            return lane_game(self.ground)
        except StratificationError:
            return None

    def play(
        self, state: State, games: int, seed: int, longest: int, lengths: bool, goals: NDArray[np.int64]
    ) -> int | None:
        """Random games from a state: all steps, 0 unless `lengths` are asked for. None where these games must be played
        in their order, one by one, or something went wrong in one; then `goals` (int64[roles], which are added up) are
        as before."""
        true, totals, steps = self.numbers(state), np.zeros_like(goals), -1
        if true is None:
            return None
        if self.filling is not None:
            filling = self.filling.game(true)
            if filling is not None and len(filling.free) <= longest:
                random, free, kinds = seeded_words(seed), filling.free, filling.kinds
                steps = int(fill_playouts(filling, free, len(free), kinds, games, lengths, random, totals))
        elif games >= MANY and self.lanes is not None:
            steps = int(lane_playouts(self.lanes.begun(true), games, longest, seeded_words(seed), totals))
        if steps < 0:
            return None
        goals += totals
        return steps

    def start(self, state: State) -> SearchStart | None:
        """A state on the kernel for latches; None where it cannot take it."""
        latches, filling, true = self.latches, self.filling, self.numbers(state)
        if latches is None or true is None or (memory := latches.game(true)) is None:
            return None
        none: NDArray[np.int64] = np.empty(0, np.int64)
        return SearchStart(
            Game(memory, np.empty(0, np.int32), none, none),
            latches,
            lambda role, option: self.ground.moves[role][latches.moves[option]],
            lambda game: frozenset(self.ground.facts[fact] for fact in latches.facts(game.latches)),
            lambda seed: None if filling is None else leaf_of(latches, filling, true, seed),
        )

    def numbers(self, state: State) -> frozenset[int] | None:
        """The numbers of a state's facts; None where there is one that the rules never give."""
        numbers = frozenset(self.ground.fact_numbers.get(fact, -1) for fact in state.facts)
        return None if -1 in numbers else numbers


REASONER = CompiledMachine

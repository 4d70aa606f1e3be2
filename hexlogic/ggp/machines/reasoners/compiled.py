"""The reasoner `compiled`: the ground rules of a sheet in arrays, run by numba (see `hexlogic.ggp.propnet`).

Single questions are answered by the propositional network, which takes any state of known facts. Playouts run on the
kernel that suits the game; `analysis` says which, and why. A state that has facts that the rules never give is ground
by clingo; where not all that can come is known, or relations such as that of all lists have no end in practice, a
prover answers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import GameError
from hexlogic.ggp.machines.state_machine import Playouts, State, StateMachine, endless, goal_values
from hexlogic.ggp.propnet.control import ControlError, control_automaton
from hexlogic.ggp.propnet.encodings import (
    HandOverEncoding,
    KeptEncoding,
    LatchEncoding,
    NetworkEncoding,
    StateEncoding,
    TurnEncoding,
)
from hexlogic.ggp.propnet.filling_game import FillingEncoding
from hexlogic.ggp.propnet.game_loop import copy_of, is_over, option, options, play, playouts
from hexlogic.ggp.propnet.ground_sheet import ALWAYS, GroundSheet, ground_sheet
from hexlogic.ggp.propnet.kept_facts import kept_facts
from hexlogic.ggp.propnet.latch_network import LatchError
from hexlogic.ggp.propnet.leaf import Leaf, leaf_of
from hexlogic.ggp.propnet.many_games import MANY, ManyGames
from hexlogic.ggp.propnet.outcomes import ENDLESS
from hexlogic.ggp.propnet.small_grounding import small_grounding
from hexlogic.language.propagation.delete_rederive import AT as NETWORK
from hexlogic.language.syntax import Program, Term


class CompiledMachine(StateMachine):
    """A sheet in arrays. Raises EngineError when it cannot be ground."""

    reasoner = "compiled"

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        ground = ground_sheet(sheet)
        self.compiled = None if ground is None else CompiledSheet(ground)
        """None where terms grow, or are too many: then a prover answers."""

    @classmethod
    def ground_form(cls, sheet: Program) -> Program:
        """As the reasoner grounds it: with fewer ground rules."""
        return small_grounding(sheet)

    @property
    def analysis(self) -> str:
        """Which kernel plays this game, how many games are played at once, and why."""
        if self.compiled is None:
            return f"no arrays: terms grow or are too many, so {self._other.reasoner} answers for each state"
        return f"{self.compiled.analysis}; {self.compiled.many_games.analysis}"

    @property
    def ground_size(self) -> tuple[int, int] | None:
        """Ground rules with a body, and the atoms in them; None where nothing is ground."""
        ground = None if self.compiled is None else self.compiled.ground.ground
        return None if ground is None else (len(ground.rules), len(ground.atoms))

    @cached_property
    def _other(self) -> StateMachine:
        """Who answers where there are no arrays, or none for a state."""
        if self.compiled is None:
            return StateMachine.for_any_terms(self.sheet)
        return StateMachine.from_sheet(self.sheet, "clingo")

    def close(self) -> None:
        """Close the other machine, if there is one."""
        if "_other" in self.__dict__:
            self._other.close()

    def _compiled_in(self, state: State) -> CompiledSheet | None:
        """The compiled sheet, in this state; None where it does not know all facts of the state."""
        return self.compiled if self.compiled is not None and self.compiled.enter(state) else None

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        compiled = self._compiled_in(state)
        return self._other._legal(state, role) if compiled is None else compiled.legal(role)

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        compiled = self._compiled_in(state)
        return self._other._next(state, moves) if compiled is None else compiled.play(moves)

    def _terminal(self, state: State) -> bool:
        compiled = self._compiled_in(state)
        return self._other._terminal(state) if compiled is None else compiled.is_terminal()

    def _goals(self, state: State, role: int) -> Sequence[int]:
        compiled = self._compiled_in(state)
        return self._other._goals(state, role) if compiled is None else compiled.goals(role)

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        compiled = self._compiled_in(start)
        if compiled is None:
            return super()._playouts(n, seed, start, longest, lengths)
        goals = np.zeros(len(self.roles), dtype=np.int64)
        if n >= MANY and (total := compiled.many(n, seed, start, longest, lengths, goals)) is not None:
            return Playouts(n, total if lengths else None, tuple(map(int, goals)))
        steps, stuck = compiled.playouts(n, seed, start, longest, goals)
        if steps == ENDLESS:
            raise endless(longest)
        if stuck is not None:
            self._raise_fault(stuck)
        return Playouts(n, steps, tuple(map(int, goals)))


@dataclass(frozen=True)
class GameStart:
    """A state as a game of the fastest kernel that can take it."""

    ground: GroundSheet
    encoding: StateEncoding
    game: Any

    def move(self, role: int, option: int) -> Term:
        """The move of a role that an option of the kernel stands for."""
        moves = self.ground.moves
        if self.encoding.phases is None:
            return moves[role][option - sum(map(len, moves[:role]))]
        phase = bisect_right(self._first, option) - 1
        return moves[role][self.encoding.phases[phase].choices[option - self._first[phase]].move]

    @cached_property
    def _first(self) -> list[int]:
        """By phase: its first choice."""
        return [0, *accumulate(len(phase.choices) for phase in self.encoding.phases or ())]


class CompiledSheet:
    """A ground sheet on its kernels: the propositional network, in the state that was entered last, and the kernels for
    games in turns that the sheet allows."""

    def __init__(self, ground: GroundSheet) -> None:
        self.ground = ground
        self._network = NetworkEncoding(ground)
        self._game = self._network.game(frozenset())
        self._state: State | None = None
        self._move_numbers = [{move: place for place, move in enumerate(own)} for own in ground.moves]
        self.encodings: list[StateEncoding] = [self._network]
        """Those that know the sheet, the fastest first; the last one knows all states."""
        self.kept = kept_facts(ground)
        played = ground if self.kept is None else self.kept.reduced
        """Without the facts that follow from the others."""
        self.many_games = ManyGames(played, None, None)
        try:
            control = control_automaton(played)
            phases = f"{len(control.phases)} phases"
            try:
                latches = LatchEncoding(control, played.initial)
                self.many_games = ManyGames(played, control.tail(), latches.network)
                self.encodings = [latches, HandOverEncoding(control, latches), self._network]
                self.analysis = f"latches: in turns, {phases}, {latches.network.count - 1} latches"
            except LatchError as reason:
                self.encodings = [TurnEncoding(control), self._network]
                which = "" if reason.fact is None else f": {played.facts[reason.fact]}"
                self.analysis = f"turns: {phases}, but {reason}{which}"
        except ControlError as reason:
            self.analysis = f"propositional network: {reason}"
        if self.kept is not None:
            self.encodings = [*(KeptEncoding(self.kept, encoding) for encoding in self.encodings[:-1]), self._network]
            self.analysis += f"; {len(self.kept.kept)} facts follow from the others and are not kept"

    def enter(self, state: State) -> bool:
        """Bring the network into a state; False, and nothing done, where it has a fact that rules never give."""
        if state != self._state:
            try:
                true = self._true(state)
            except GameError:
                return False
            self._network.enter(self._game, true)
            self._state = state
        return True

    def is_terminal(self) -> bool:
        """Whether the game is over in the state that was entered."""
        return bool(is_over(self._game))

    def legal(self, role: int) -> tuple[Term, ...]:
        """The legal moves of a role."""
        first = self._first_option(role)
        moves = sorted(option(self._game, role, place) - first for place in range(options(self._game, role)))
        return tuple(self.ground.moves[role][move] for move in moves)

    def play(self, moves: Sequence[Term]) -> State:
        """Play a legal joint move; the state after it."""
        joint = [self._first_option(role) + self._move_numbers[role][move] for role, move in enumerate(moves)]
        play(self._game, np.array(joint, dtype=np.int64))
        self._state = self._named(self._network.facts(self._game))
        return self._state

    def goals(self, role: int) -> tuple[int, ...]:
        """The goals of a role. Raises GameError for one that is no number."""
        network = self._game.memory
        begin = int(network[NETWORK.true])
        own = self.ground.goals[role]
        true = [value for value, atom in own if atom == ALWAYS or (atom >= 0 and network[begin + atom])]
        return goal_values(self.ground.roles[role], true)

    def start(self, state: State) -> GameStart:
        """A state on the fastest kernel that can take it. Raises GameError for a state that the rules never give."""
        true = self._true(state)
        for encoding in self.encodings:
            if (game := encoding.game(true)) is not None:
                return GameStart(self.ground, encoding, game)
        raise AssertionError("the network takes any state of known facts")

    def many(
        self, games: int, seed: int, state: State, longest: int, lengths: bool, goals: NDArray[np.int64]
    ) -> int | None:
        """Random games played at once, as `ManyGames.play` does. Raises as `start` does."""
        true = self._played(state)
        return None if true is None else self.many_games.play(true, games, seed, longest, lengths, goals)

    def leaf(self, start: GameStart, state: State, seed: int) -> Leaf | None:
        """What evaluates positions after a state by words of games, on the kernel of `start`; None where that cannot
        be."""
        filling = self.many_games.filling
        encoding = start.encoding.inner if isinstance(start.encoding, KeptEncoding) else start.encoding
        true = self._played(state)
        if true is None or not isinstance(encoding, LatchEncoding) or not isinstance(filling, FillingEncoding):
            return None
        return leaf_of(encoding, filling, true, seed)

    def playouts(
        self, games: int, seed: int, state: State, longest: int, goals: NDArray[np.int64]
    ) -> tuple[int, State | None]:
        """Random games one after the other, on the fastest kernel for that: all steps and None, or what went wrong
        and the state in which it did. `goals` (int64[roles]) are added up. Raises as `start` does."""
        start = self.start(state)
        game = copy_of(start.game)
        steps = int(playouts(start.game, game, games, seed, longest, goals))
        return steps, None if steps >= 0 else self._named(start.encoding.facts(game))

    def _played(self, state: State) -> frozenset[int] | None:
        """A state for the kernels that play without kept facts; None where these do not follow from the others.
        Raises GameError as `start` does."""
        true = self._true(state)
        return true if self.kept is None else self.kept.without(true)

    def _true(self, state: State) -> frozenset[int]:
        """The numbers of a state's facts. Raises GameError for a state that the rules never give."""
        numbers = frozenset(self.ground.fact_numbers.get(fact, -1) for fact in state.facts)
        if -1 in numbers:
            raise GameError("a state that the rules never give")
        return numbers

    def _named(self, true: Iterable[int]) -> State:
        return State(frozenset(self.ground.facts[fact] for fact in true))

    def _first_option(self, role: int) -> int:
        return sum(map(len, self.ground.moves[:role]))


REASONER = CompiledMachine

"""The reasoner `compiled`: the ground rules of a sheet in arrays, run by numba (see `hexlogic.ggp.propnet`).

Single questions are answered by the ground rules, under delete and rederive. Many random games are played at once; one
after the other they are played on latches where the sheet allows it (`analysis` says whether, and why not), else by
forward chaining. A state that has facts that the rules never give is ground by clingo; where not all that can come is
known, or relations such as that of all lists have no end in practice, a prover answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.machines.game import Game, SearchStart
from hexlogic.ggp.machines.reasoners.forward import ForwardMachine
from hexlogic.ggp.machines.state_machine import FOR_ANY_TERMS, Answering, Playouts, State, StateMachine, goal_values
from hexlogic.ggp.propnet import latch_kernel
from hexlogic.ggp.propnet.control import ControlError, control_automaton
from hexlogic.ggp.propnet.filling import FillingEncoding, leaf_of
from hexlogic.ggp.propnet.filling_kernel import Leaf
from hexlogic.ggp.propnet.ground_sheet import GroundSheet, ground_sheet
from hexlogic.ggp.propnet.ground_size import small_grounding
from hexlogic.ggp.propnet.latch_kernel import LatchEncoding
from hexlogic.ggp.propnet.latch_network import LatchError
from hexlogic.ggp.propnet.many_games import MANY, ManyGames
from hexlogic.language.propagation.delete_rederive import AT, delete_rederive_memory, flip_all
from hexlogic.language.propagation.memory import part
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
        """How random games are played, one after the other and many at once, and why."""
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
            return StateMachine.first_of(self.sheet, FOR_ANY_TERMS)
        return StateMachine.from_sheet(self.sheet, "clingo")

    @cached_property
    def _forward(self) -> ForwardMachine | None:
        """Who plays one game after the other where there are no latches; None where a state has too many tuples."""
        try:
            return ForwardMachine(self.sheet)
        except EngineError:
            return None

    def close(self) -> None:
        """Close the other machines, if there are any."""
        for name in ("_other", "_forward"):
            if (machine := self.__dict__.get(name)) is not None:
                machine.close()

    def start(self, state: State) -> SearchStart | None:
        """As `StateMachine.start`."""
        if self.compiled is None:
            return None
        start = self.compiled.start(state)
        return start if start is not None or self._forward is None else self._forward.start(state)

    def _for(self, state: State) -> Answering:
        return self.compiled if self.compiled is not None and self.compiled.enter(state) else self._other

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        compiled = self.compiled
        true = None if compiled is None else compiled.numbers(start)
        if compiled is None or true is None:
            return super()._playouts(n, seed, start, longest, lengths)
        goals = np.zeros(len(self.roles), dtype=np.int64)
        steps = compiled.many_games.play(true, n, seed, longest, lengths, goals) if n >= MANY else None
        if steps is not None:
            return Playouts(n, steps if lengths else None, tuple(map(int, goals)))
        latches = compiled.latches
        if latches is None or (memory := latches.game(true)) is None:
            play = super()._playouts if self._forward is None else self._forward._playouts
            return play(n, seed, start, longest, lengths)
        steps = int(latch_kernel.playouts(memory.copy(), memory, n, seed, longest, goals))
        return self._played(n, steps, longest, goals, lambda: compiled.named(latches.facts(memory)), lengths=True)


class CompiledSheet:
    """A ground sheet, which answers about the state that was entered last, with its latches where it has some."""

    def __init__(self, ground: GroundSheet) -> None:
        self.ground = ground
        self._memory = delete_rederive_memory(ground.layout, ())
        self._true = part(self._memory, AT.true)
        self._state: State | None = None
        self._next_atoms = np.array(ground.next, np.int64)
        self._legal_atoms = [np.array(atoms, np.int64) for atoms in ground.legal]
        self._goal_atoms = [np.array([atom for _, atom in goals], np.int64) for goals in ground.goals]
        self._does = [dict(zip(*pair, strict=True)) for pair in zip(ground.moves, ground.does, strict=True)]
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

    def enter(self, state: State) -> bool:
        """Bring the ground rules into a state; False, and nothing done, where it has a fact that rules never give."""
        if state != self._state:
            true = self.numbers(state)
            if true is None:
                return False
            self._flip(true ^ self._facts())
            self._state = state
        return True

    def _terminal(self, state: State) -> bool:
        return bool(self._true[self.ground.terminal])

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        moves = self.ground.moves[role]
        return tuple(moves[move] for move in self._true_places(self._legal_atoms[role]))

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        """The state after a legal joint move, which is entered."""
        does = [self._does[role][move] for role, move in enumerate(moves)]
        self._flip(does)
        following = self._true_places(self._next_atoms)
        self._flip([*does, *self._facts().symmetric_difference(following)])
        self._state = self.named(following)
        return self._state

    def _goals(self, state: State, role: int) -> Sequence[int]:
        true = self._true_places(self._goal_atoms[role])
        return goal_values(self.ground.roles[role], [self.ground.goals[role][place][0] for place in true])

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

    def _flip(self, atoms: Iterable[int]) -> None:
        flip_all(self._memory, np.fromiter(atoms, dtype=np.int64))

    def _true_places(self, atoms: NDArray[np.int64]) -> list[int]:
        """The places of the atoms that are true; the last two of `_true` are false, for NEVER, and true, for ALWAYS."""
        places: list[int] = self._true[atoms].nonzero()[0].tolist()
        return places

    def _facts(self) -> frozenset[int]:
        """The facts of the state that was entered."""
        return frozenset(np.flatnonzero(self._true[: len(self.ground.facts)]).tolist())


REASONER = CompiledMachine

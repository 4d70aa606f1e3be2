"""The reasoner `forward`: relations evaluated bottom-up in each state, without grounding (see `hexlogic.gdl.forward`).

It starts in the time that it takes to read the sheet, whatever the number of ground rules would be. Where a state has
terms that the rules never give, clingo answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from hexlogic.errors import EngineError
from hexlogic.gdl.forward.evaluator import Evaluator
from hexlogic.gdl.forward.opened import open_sheet
from hexlogic.gdl.machines.state_machine import (
    Playouts,
    State,
    StateMachine,
    endless,
    goal_values,
    no_legal_move,
    sorted_by_text,
)
from hexlogic.gdl.propnet.outcomes import ENDLESS
from hexlogic.ground.groundable import cannot_ground
from hexlogic.logic.syntax import Predicate, Program, Term

__all__ = ["REASONER", "ForwardMachine"]


class ForwardMachine(StateMachine):
    """A sheet under forward chaining. Raises EngineError where terms grow."""

    reasoner = "forward"
    engine = "compiled"

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        if reason := cannot_ground(sheet):
            raise EngineError(f"forward: {reason}")
        try:
            self._opened = open_sheet(sheet)
            self._evaluator = Evaluator(self._opened, self.roles)
        except EngineError as error:
            raise EngineError(f"forward: {error}") from None
        self._at: State | None = None
        self._legal_there: dict[Term, list[Term]] | None = None

    @property
    def analysis(self) -> str:
        """How it plays the game."""
        return "relations evaluated in each state, one game after the other: nothing is ground"

    @cached_property
    def _clingo(self) -> StateMachine:
        from hexlogic.gdl.machines.reasoners.clingo import ClingoMachine

        return ClingoMachine(self.sheet)

    def close(self) -> None:
        """Close the clingo machine, if there is one."""
        if "_clingo" in self.__dict__:
            self._clingo.close()

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        if not self._enter(state):
            return self._clingo._legal(state, role)
        if self._legal_there is None:
            found: dict[Term, list[Term]] = {one: [] for one in self.roles}
            for predicate, numbers in self._evaluator.legal():
                kind = self._opened.type_of(predicate, 0)
                found.setdefault(kind.term(numbers[0]), []).append(self._opened.term(predicate, numbers))
            self._legal_there = found
        return sorted_by_text(self._legal_there[self.roles[role]])

    def _terminal(self, state: State) -> bool:
        return self._evaluator.is_over() if self._enter(state) else self._clingo._terminal(state)

    def _goals(self, state: State, role: int) -> Sequence[int]:
        if not self._enter(state):
            return self._clingo._goals(state, role)
        goal = Predicate("goal", 2)
        roles, values = (self._opened.type_of(goal, place) for place in range(2))
        found = [values.term(value) for one, value in self._evaluator.goals() if roles.term(one) == self.roles[role]]
        return goal_values(self.roles[role], found)

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        if not self._enter(state):
            return self._clingo._next(state, moves)
        done = []
        for role, move in zip(self.roles, moves, strict=True):
            atom = self._opened.atom("does", role, move)
            done.append((atom.predicate, self._opened.numbers(atom) or []))
        facts = self._evaluator.step(done)
        self._at = State(frozenset(self._opened.term(predicate, numbers) for predicate, numbers in facts))
        self._legal_there = None
        return self._at

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        if not self._enter(start):
            return super()._playouts(n, seed, start, longest, lengths)
        goals = np.zeros(len(self.roles), dtype=np.int64)
        steps = self._evaluator.playouts(n, seed, longest, goals)
        if steps == ENDLESS:
            raise endless(longest)
        if steps < 0:
            self._raise_fault()
        return Playouts(n, steps if lengths else None, tuple(map(int, goals)))

    def _raise_fault(self) -> None:
        """Raise what is wrong with the state in which a game went wrong."""
        state = self._evaluator.last_state
        self._at = None
        wrong = State(frozenset(self._opened.term(predicate, numbers) for predicate, numbers in state))
        over = self._terminal(wrong)
        for number, role in enumerate(self.roles):
            if over:
                self.goal(wrong, role)
            elif not self._legal(wrong, number):
                raise no_legal_move(role)

    def _enter(self, state: State) -> bool:
        """Bring the evaluator into a state; False where it has a fact that the rules never give."""
        if state == self._at:
            return True
        facts = []
        for fact in state.facts:
            atom = self._opened.atom("true", fact)
            numbers = self._opened.numbers(atom) if atom.predicate in self._opened.words else None
            if numbers is None:
                return False
            facts.append((atom.predicate, numbers))
        self._evaluator.enter(facts)
        self._at, self._legal_there = state, None
        return True


REASONER = ForwardMachine

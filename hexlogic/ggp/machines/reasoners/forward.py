"""The reasoner `forward`: relations evaluated bottom-up in each state, without grounding (see `hexlogic.ggp.forward`).

It starts in the time that it takes to read the sheet, whatever the number of ground rules would be. Where terms grow,
or a state has facts that the rules never give, a prover answers: swipl, or clingo where swipl is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.demand import narrowed
from hexlogic.ggp.forward.evaluator import Evaluator, TooManyTuples
from hexlogic.ggp.forward.memory import FULL
from hexlogic.ggp.language.opened import OpenedSheet, open_sheet
from hexlogic.ggp.language.static_facts import growing_rule
from hexlogic.ggp.language.types import EndlessType
from hexlogic.ggp.machines.game import Game, SearchStart
from hexlogic.ggp.machines.state_machine import (
    Playouts,
    State,
    StateMachine,
    endless,
    goal_values,
    sorted_by_text,
)
from hexlogic.ggp.propnet.random_games import ENDLESS
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.syntax import Predicate, Program, Term

_GOAL = Predicate("goal", 2)
_SHARES = (0.1, 1)
"""Of the tuples that may be looked at in random games: what each form of a sheet gets, and gets where it did not do."""


class ForwardMachine(StateMachine):
    """A sheet under forward chaining. Raises EngineError where the rules alone have no end, and where a state has too
    many tuples; where terms grow from state to state, a prover answers."""

    reasoner = "forward"
    engine = "compiled"

    def __init__(self, sheet: Program) -> None:
        super().__init__(sheet)
        if reason := cannot_ground(sheet):
            raise EngineError(f"forward: {reason}")
        try:
            self._sheet = None if growing_rule(sheet) else _Sheet(sheet, self.roles)
        except EndlessType:
            self._sheet = None
        except EngineError as error:
            raise EngineError(f"forward: {error.message}") from None
        self._at: State | None = None
        self._moves: list[tuple[Term, ...]] | None = None
        """By role: the legal moves of that state."""

    @property
    def analysis(self) -> str:
        """How it plays the game."""
        if self._sheet is None:
            return f"{self._other.reasoner} answers for each state: terms grow"
        return "relations evaluated in each state: no rule is ground"

    @cached_property
    def _other(self) -> StateMachine:
        return StateMachine.for_any_terms(self.sheet)

    def close(self) -> None:
        """Close the other machine, if there is one."""
        if "_other" in self.__dict__:
            self._other.close()

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        sheet = self._in(state)
        if sheet is None:
            return self._other._legal(state, role)
        if self._moves is None:
            self._moves = sheet.moves()
        return self._moves[role]

    def _terminal(self, state: State) -> bool:
        sheet = self._in(state)
        return self._other._terminal(state) if sheet is None else sheet.evaluator.is_over()

    def _goals(self, state: State, role: int) -> Sequence[int]:
        sheet = self._in(state)
        return self._other._goals(state, role) if sheet is None else sheet.goals(role)

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        sheet = self._in(state)
        if sheet is None:
            return self._other._next(state, moves)
        self._at = None
        self._at, self._moves = sheet.step(moves), None
        return self._at

    def _playouts(self, n: int, seed: int, start: State, longest: int, lengths: bool) -> Playouts:
        sheet = self._in(start)
        if sheet is None:
            return super()._playouts(n, seed, start, longest, lengths)
        goals = np.zeros(len(self.roles), dtype=np.int64)
        steps = sheet.evaluator.playouts(n, seed, longest, goals)
        if steps == ENDLESS:
            raise endless(longest)
        if steps < 0:
            self._raise_fault(sheet.named(sheet.evaluator.last_state))
        return Playouts(n, steps if lengths else None, tuple(map(int, goals)))

    def start(self, state: State) -> SearchStart | None:
        """As `StateMachine.start`."""
        sheet = self._in(state)
        return None if sheet is None else ForwardStart(self, sheet)

    def _in(self, state: State) -> _Sheet | None:
        """The sheet, in this state; None where it has a fact that the rules never give."""
        if self._sheet is None:
            return None
        if state != self._at:
            if not self._sheet.enter(state):
                return None
            self._at, self._moves = state, None
        return self._sheet


def _evaluator(opened: OpenedSheet, roles: Sequence[Term]) -> Evaluator:
    """The sheet as it is, or with relations narrowed to what is asked for: the first that has few tuples in its states;
    where none has, the one that came furthest. Raises EngineError when there is none."""
    why = EngineError("")
    for share in _SHARES:
        furthest, most = opened, 0
        for form in _forms(opened):
            try:
                return Evaluator(form, roles, share=share)
            except TooManyTuples as error:
                why = error
                if error.states > most:
                    furthest, most = form, error.states
            except EngineError as error:
                why = error
        if most:
            return Evaluator(furthest, roles, is_patient=True)
    raise why


def _forms(opened: OpenedSheet) -> Iterator[OpenedSheet]:
    """The sheet as it is, and narrowed where that changes it."""
    yield opened
    for also_static in (False, True):
        form = narrowed(opened, also_static=also_static)
        if form is not opened:
            yield form


class _Sheet:
    """A sheet in the kernel, asked and answering in terms."""

    def __init__(self, sheet: Program, roles: Sequence[Term]) -> None:
        self.roles = roles
        self.evaluator = _evaluator(open_sheet(sheet), roles)
        self._opened = self.evaluator.opened

    def enter(self, state: State) -> bool:
        """Bring the kernel into a state; False, and nothing done, where it has a fact that rules never give."""
        facts = []
        for fact in state.facts:
            atom = self._opened.atom("true", fact)
            numbers = self._opened.numbers(atom) if atom.predicate in self._opened.words else None
            if numbers is None:
                return False
            facts.append((atom.predicate, numbers))
        self.evaluator.enter(facts)
        return True

    def moves(self) -> list[tuple[Term, ...]]:
        """By role: the legal moves."""
        found: dict[Term, list[Term]] = {role: [] for role in self.roles}
        for predicate, numbers in self.evaluator.legal():
            role = self._opened.types.of((predicate, 0)).term(numbers[0])
            if role in found:
                found[role].append(self._opened.term(predicate, numbers))
        return list(map(sorted_by_text, found.values()))

    def move(self, option: int) -> Term:
        """The move that an option of the kernel stands for."""
        kinds = self._opened.done
        predicate, key = kinds[option % len(kinds)], option // len(kinds)
        numbers = []
        for factor in self.evaluator.relations.of(predicate).tables[0].factors:
            numbers.append(key // factor)
            key %= factor
        return self._opened.term(predicate, numbers)

    def goals(self, role: int) -> tuple[int, ...]:
        """The goals of a role. Raises GameError for one that is no number."""
        roles, values = (self._opened.types.of((_GOAL, place)) for place in range(2))
        wanted = self.roles[role]
        found = [values.term(value) for one, value in self.evaluator.goals() if roles.term(one) == wanted]
        return goal_values(wanted, found)

    def step(self, moves: Sequence[Term]) -> State:
        """The state after a legal joint move, in which the kernel is then."""
        done = []
        for role, move in zip(self.roles, moves, strict=True):
            atom = self._opened.atom("does", role, move)
            done.append((atom.predicate, self._opened.numbers(atom) or []))
        return self.named(self.evaluator.step(done))

    def named(self, facts: Sequence[tuple[Predicate, Sequence[int]]]) -> State:
        """The state of flat facts."""
        return State(frozenset(self._opened.term(predicate, numbers) for predicate, numbers in facts))


class ForwardStart:
    """The state that the kernel is in, as `SearchStart`."""

    def __init__(self, machine: ForwardMachine, sheet: _Sheet) -> None:
        self._machine, self.numbers = machine, sheet
        self.game = Game(np.empty(0, np.uint32), *sheet.evaluator.arrays())

    def move(self, role: int, option: int) -> Term:
        """As `SearchStart.move`."""
        return self.numbers.move(option)

    def leaf(self, seed: int) -> None:
        """As `SearchStart.leaf`: one random game at a time."""

    def with_room(self, game: Game) -> ForwardStart:
        """As `SearchStart.with_room`."""
        self._machine._at = None  # the kernel is left in the state of the game
        self.numbers.evaluator.make_room(int(game.wide[FULL]), game.state)
        return ForwardStart(self._machine, self.numbers)


REASONER = ForwardMachine

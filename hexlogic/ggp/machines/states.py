"""The states of a sheet as terms, under forward chaining: questions, random games, and the start of a search."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from hexlogic.errors import EngineError
from hexlogic.ggp.forward.demand import narrowed
from hexlogic.ggp.forward.evaluator import Evaluator, TooManyTuples
from hexlogic.ggp.forward.memory import FULL
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.machines.game import Game, SearchStart, random_games
from hexlogic.ggp.machines.state_machine import State, goal_values, sorted_by_text
from hexlogic.language.syntax import Predicate, Rule, Term

_GOAL = Predicate("goal", 2)
_SHARES = (0.1, 1)
"""Of the tuples that may be looked at in random games: what each form of a sheet gets, and gets where it did not do."""


def _evaluator(opened: OpenedSheet, roles: Sequence[Term]) -> Evaluator:
    """The sheet as it is, or with relations narrowed to what is asked for: the first that has few tuples in its states;
    where none has, the one that came furthest. Raises EngineError when there is none."""
    why = EngineError("")
    for share in _SHARES:
        furthest, most = opened, 0
        narrow = (narrowed(opened, also_static=also_static) for also_static in (False, True))
        for form in chain([opened], (form for form in narrow if form is not opened)):
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


class SheetStates:
    """A sheet in the kernel, which answers in terms about the state that was entered last. Raises EngineError where a
    state has too many tuples."""

    def __init__(self, opened: OpenedSheet, roles: Sequence[Term]) -> None:
        self.roles = roles
        self.evaluator = _evaluator(opened, roles)
        self._opened = self.evaluator.opened
        self._state: State | None = None
        """The state that was entered; None where the kernel is in another one."""
        self._moves: list[tuple[Term, ...]] | None = None
        """By role: the legal moves of that state."""

    def enter(self, state: State) -> bool:
        """Bring the kernel into a state; False, and nothing done, where it has a fact that rules never give."""
        if state == self._state:
            return True
        facts = []
        for fact in state.facts:
            atom = self._opened.atom("true", fact)
            numbers = self._opened.numbers(atom) if atom.predicate in self._opened.words else None
            if numbers is None:
                return False
            facts.append((atom.predicate, numbers))
        self.evaluator.enter(facts)
        self._state, self._moves = state, None
        return True

    def _terminal(self, state: State) -> bool:
        return self.evaluator.is_over()

    def _legal(self, state: State, role: int) -> tuple[Term, ...]:
        if self._moves is None:
            moves: dict[Term, list[Term]] = {name: [] for name in self.roles}
            for predicate, numbers in self.evaluator.legal():
                name = self._opened.types.of((predicate, 0)).term(numbers[0])
                if name in moves:
                    moves[name].append(self._opened.term(predicate, numbers))
            self._moves = list(map(sorted_by_text, moves.values()))
        return self._moves[role]

    def _move(self, option: int) -> Term:
        """The move that an option of the kernel stands for."""
        kinds = self._opened.done
        predicate, key = kinds[option % len(kinds)], option // len(kinds)
        numbers = []
        for factor in self.evaluator.relations.of(predicate).tables[0].factors:
            numbers.append(key // factor)
            key %= factor
        return self._opened.term(predicate, numbers)

    def _goals(self, state: State, role: int) -> Sequence[int]:
        roles, values = (self._opened.types.of((_GOAL, place)) for place in range(2))
        wanted = self.roles[role]
        return goal_values(
            wanted, [values.term(value) for name, value in self.evaluator.goals() if roles.term(name) == wanted]
        )

    def _next(self, state: State, moves: tuple[Term, ...]) -> State:
        """The state after a legal joint move, in which the kernel is then."""
        done = []
        for role, move in zip(self.roles, moves, strict=True):
            atom = self._opened.atom("does", role, move)
            done.append((atom.predicate, self._opened.numbers(atom) or []))
        self._state, self._moves = None, None
        self._state = self.named(self.evaluator.step(done))
        return self._state

    def search_start(self) -> SearchStart:
        """The state that was entered, for a search."""
        game = Game(np.empty(0, np.uint32), *self.evaluator.arrays())
        return SearchStart(game, self, lambda _, option: self._move(option), self._facts, with_room=self._with_room)

    def _facts(self, game: Game) -> frozenset[Term]:
        return self.named(self.evaluator.facts_of(game.narrow, game.wide)).facts

    def profile(self, games: int, seed: int, longest: int) -> tuple[int, dict[Rule, tuple[int, int]]]:
        """Random games from the state that was entered, on code that counts: their states, and by rule the tuples that
        are looked at and those that are made. Slow from then on."""
        self.evaluator.count()
        steps, played = random_games(
            self.search_start(), games, seed, longest, np.zeros(len(self.roles), dtype=np.int64)
        )
        totals: dict[Rule, tuple[int, int]] = {}
        for rule, address in self.evaluator.relations.tallies:
            looked_at, made = totals.get(rule, (0, 0))
            totals[rule] = looked_at + int(played.wide[address]), made + int(played.wide[address + 1])
        return steps + games, totals

    def _with_room(self, game: Game) -> SearchStart:
        self._state = None  # the kernel is left in the state of the game
        self.evaluator.make_room(int(game.wide[FULL]), game.state)
        return self.search_start()

    def named(self, facts: Sequence[tuple[Predicate, Sequence[int]]]) -> State:
        """The state of flat facts."""
        return State(frozenset(self._opened.term(predicate, numbers) for predicate, numbers in facts))

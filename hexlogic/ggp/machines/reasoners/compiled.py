"""The reasoner `compiled`: each question goes to the kernel that answers it fastest (`analysis` says why).

Single questions, and games one after the other, are answered by forward chaining, which starts at once
(`hexlogic.ggp.forward`). Where a sheet has few ground rules it is ground when random games are asked for: many of them
are played at once, and one after the other they are played on latches where the sheet allows it
(`hexlogic.ggp.propnet`). A state that has facts that the rules never give is ground by clingo; where terms grow, or
relations such as that of all lists have no end in practice, a prover answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError, StratificationError
from hexlogic.ggp.forward.demand import narrowed
from hexlogic.ggp.forward.evaluator import Evaluator, TooManyTuples
from hexlogic.ggp.forward.memory import FULL
from hexlogic.ggp.language.opened import OpenedSheet, open_sheet
from hexlogic.ggp.language.static_facts import growing_rule
from hexlogic.ggp.language.types import EndlessType, factors
from hexlogic.ggp.machines import Playouts, State, StateMachine
from hexlogic.ggp.machines.game import Game, SearchStart, random_games
from hexlogic.ggp.machines.state_machine import (
    AT_ONCE,
    FOR_ANY_TERMS,
    MANY,
    Answering,
    endless,
    goal_values,
    sorted_by_text,
)
from hexlogic.ggp.propnet.control import ControlError, control_automaton
from hexlogic.ggp.propnet.filling import Filling, FillingError, leaf_of
from hexlogic.ggp.propnet.filling_kernel import fill_playouts
from hexlogic.ggp.propnet.ground_sheet import GroundSheet, ground_sheet
from hexlogic.ggp.propnet.ground_size import Work, estimated_work, small_grounding
from hexlogic.ggp.propnet.latch_kernel import LatchEncoding
from hexlogic.ggp.propnet.latch_network import LatchError
from hexlogic.ggp.propnet.many_games import LaneGame, lane_game, lane_playouts
from hexlogic.ggp.propnet.random_games import ENDLESS
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.propagation.lanes import seeded_words
from hexlogic.language.syntax import Predicate, Program, Rule, Term

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
        for factor in factors(self.evaluator.relations.of(predicate).terms):
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
        most, about = self.most_ground, self._estimate.amount
        ground = ground_sheet(self.sheet, most) if about is not None and about <= most else None
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
        self.filling: Filling | None = None
        """The game on filled boards."""
        self._not_filled = "facts come and go, or roles move at once"
        try:
            control = control_automaton(ground)
            self.latches = LatchEncoding(control, ground.initial)
            count = self.latches.network.count - 1
            self._in_turns = f"latches: in turns, {len(control.phases)} phases, {count} latches"
            self.filling = Filling(control, self.latches.network)
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
            return f"{self._in_turns}; filled boards: {self.filling.cells} cells whose order does not matter"
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

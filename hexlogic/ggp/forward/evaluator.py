"""The states of a sheet in the kernel: made ready, asked, and moved on. All terms are numbers here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.forward import kernel, memory
from hexlogic.ggp.forward.estimates import Sizes, guessed
from hexlogic.ggp.forward.instructions import Component, Entry, Join
from hexlogic.ggp.forward.llvm_code import MachineCode
from hexlogic.ggp.forward.memory import Addresses
from hexlogic.ggp.forward.plans import Relations, plan_of
from hexlogic.ggp.forward.state_change import StateChange
from hexlogic.ggp.forward.translation import translated
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.ggp.propnet.random_games import seeded, whole_goal
from hexlogic.language.syntax import Literal, Predicate, Rule, Term

_SMALL = 4_096
"""Atoms up to which a relation has room for all."""
_SAMPLED_GAMES, _SAMPLED_STEPS = 2, 30
_BUDGET = 30_000_000
"""Tuples that may be looked at in a sample of games; a second or two."""
_ENDLESS = 1 << 62

Answer = TypeVar("Answer")


class TooManyTuples(EngineError):  # noqa: N818
    """The budget of the sample is spent; `states` are those that were evaluated until then."""

    def __init__(self, states: int) -> None:
        super().__init__("too many tuples are derived in a state")
        self.states = states


class Evaluator:
    """Relations in memory. A state is an array: `relation columns value*` for each fact, sorted.

    Raises EngineError for a sheet that needs too much room, and TooManyTuples for one that looks at too many tuples in
    the states of some random games: with `is_patient` only where that is so in the first state. `share` of the budget
    is spent on these games."""

    def __init__(
        self, opened: OpenedSheet, roles: Sequence[Term], *, share: float = 1, is_patient: bool = False
    ) -> None:
        self.opened, self.roles = opened, tuple(roles)
        self._capacity: dict[Predicate, int] = {}
        self._state: NDArray[np.int64] | None = None
        self._looked = False
        self.last_state: list[tuple[Predicate, list[int]]] = []
        """The facts of the state in which playouts went wrong."""
        self._budget = int(share * _BUDGET)
        self._prepare(guessed(opened))
        sizes = self._measured(is_patient)
        self._budget = _ENDLESS
        self._prepare(sizes)

    @property
    def relations(self) -> Relations:
        """The relations by their numbers."""
        return self._relations

    def enter(self, facts: Sequence[tuple[Predicate, Sequence[int]]]) -> None:
        """Bring the relations into a state, given by its flat facts."""
        rows = sorted((self._relations.number(predicate), *numbers) for predicate, numbers in facts)
        self._state = np.array([word for one, *rest in rows for word in (one, len(rest), *rest)], dtype=np.int64)
        self._load()

    def is_over(self) -> bool:
        """Whether the state is terminal."""
        self._look()
        return bool(kernel.is_over(self._narrow, self._wide))

    def legal(self) -> Iterator[tuple[Predicate, list[int]]]:
        """The legal moves: relations of `legal`, and the role and the move in numbers."""
        self._look()
        return self._tuples(self.opened.pairs[one] for one in self.opened.done)

    def goals(self) -> Iterator[list[int]]:
        """The goals: role and value."""
        self._look()
        self._attempt(lambda: self._run(memory.GOAL), lambda: self._run(memory.LOOK))
        return (numbers for _, numbers in self._tuples([Predicate("goal", 2)]))

    def step(self, moves: Sequence[tuple[Predicate, Sequence[int]]]) -> list[tuple[Predicate, list[int]]]:
        """The facts after a joint move, given by its flat atoms; the relations are in that state then."""

        def go() -> None:
            for predicate, numbers in moves:
                number = self._relations.number(predicate)
                kernel.insert(self._narrow, self._wide, number, np.array(numbers, dtype=np.int64))
            self._run(memory.STEP)
            self._run(memory.ADVANCE)

        self._look()
        self._attempt(go, lambda: self._run(memory.LOOK))
        facts = list(self._tuples(self.opened.state))
        self.enter(facts)
        return facts

    def playouts(self, games: int, seed: int, longest: int, goals: NDArray[np.int64]) -> int:
        """Random games from the state, as `kernel.playouts`; the relations are left where the last one ended."""
        assert self._state is not None
        before = goals.copy()
        state = self._state

        def go() -> int:
            goals[:] = before
            return int(kernel.playouts(self._narrow, self._wide, state, games, seed, longest, goals))

        steps = self._attempt(go, lambda: None)
        self.last_state = self.facts_now() if steps < 0 else []
        self._state, self._looked = state, False
        self._load()
        return steps

    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """A game for the kernel: copies of its memory, narrow and wide, and the state, in which the game is."""
        assert self._state is not None
        self._look()
        return self._narrow.copy(), self._wide.copy(), self._state

    def make_room(self, full: int, state: NDArray[np.int64]) -> None:
        """More room, where a game found a relation full (`wide[FULL]`); the relations are in this state then."""
        self._make_room(full)
        self._lay_out()
        self._state = state
        self._load()

    def facts_now(self) -> list[tuple[Predicate, list[int]]]:
        """The facts of the state that the relations are in."""
        return list(self._tuples(self.opened.state))

    def _look(self) -> None:
        if not self._looked:
            self._attempt(lambda: self._run(memory.LOOK), lambda: None)
            self._looked = True

    def _load(self) -> None:
        self._looked = False
        self._attempt(self._load_once, lambda: None)

    def _load_once(self) -> None:
        kernel.load(self._narrow, self._wide, self._state)

    def _run(self, part: int) -> None:
        kernel.run(self._narrow, self._wide, part)

    def _attempt(self, work: Callable[[], Answer], again: Callable[[], None]) -> Answer:
        """Work in the kernel; when a relation was full, once more with a larger one, and `again` before it."""
        while True:
            answer = work()
            full = int(self._wide[memory.FULL])
            if not full:
                return answer
            self._make_room(full)
            self._lay_out()
            if self._state is not None:
                self._load_once()
                again()

    def _tuples(self, predicates: Iterable[Predicate]) -> Iterator[tuple[Predicate, list[int]]]:
        for predicate in predicates:
            for row in self._rows(predicate).tolist():
                yield predicate, row

    def _rows(self, predicate: Predicate) -> NDArray[np.int32]:
        """The tuples of a relation (tuples, columns), in its own memory."""
        at = memory.HEADER + memory.RECORD * self._relations.numbers[predicate]
        begin, count = int(self._wide[at + memory.COLUMNS]), int(self._wide[at + memory.TUPLES])
        return self._narrow[begin : begin + count * predicate.arity].reshape(count, predicate.arity)

    def _make_room(self, full: int) -> None:
        """More room for the relation that the kernel found full. Raises EngineError when its budget is spent."""
        if full == memory.SPENT:
            raise TooManyTuples(0)
        predicate = next(one for one, number in self._relations.numbers.items() if number == full - 1)
        room = self._room(predicate)
        self._capacity[predicate] = (4 if room > _SMALL else 16) * room

    def _room(self, predicate: Predicate) -> int:
        """How many tuples a relation can hold."""
        own = self._capacity.get(predicate, _SMALL)
        if predicate in self._twins:
            own = max(own, self._capacity.get(self._twins[predicate], _SMALL))
        return min(own, prod(self._relations.sizes(predicate, range(predicate.arity))))

    def _prepare(self, sizes: Sizes) -> None:
        """Plan all rules."""
        opened = self.opened
        self._relations = relations = Relations(opened.types)
        self._twins = {one: other for one, other in opened.pairs.items() if one in opened.state}
        self._twins |= {other: one for one, other in self._twins.items()}
        for one, other in opened.pairs.items():
            relations.number(one)
            relations.number(other)
        definitions = opened.program.definitions
        phases = [self._phase(phase, definitions, sizes) for phase in opened.phases]
        # What is next becomes true: both have the same tables.
        for one in opened.state:
            other = opened.pairs[one]
            own = relations.tables[one]
            own += [columns for columns in relations.tables[other][1:] if columns not in own[1:]]
            self._renumber(other, own)
        self._lists = self._listed()
        self._compile(phases, sizes)
        self._lay_out()

    def _renumber(self, predicate: Predicate, tables: list[tuple[int, ...]]) -> None:
        """Give `next` the tables of `true`: no plan reads it."""
        assert len(self._relations.tables[predicate]) == 1
        self._relations.tables[predicate] = list(tables)

    def _phase(
        self,
        components: Sequence[frozenset[Predicate]],
        definitions: Mapping[Predicate, Sequence[Rule]],
        sizes: Sizes,
    ) -> list[Entry]:
        """The plans of a phase."""
        entries: list[Entry] = []
        fixed = frozenset().union(*self.opened.phases[0])
        for component in components:
            recursive: defaultdict[Predicate, list[Join]] = defaultdict(list)
            for predicate in sorted(component):
                self._relations.number(predicate)
                for rule in definitions.get(predicate, ()):
                    if rule in self.opened.frames.values():
                        continue  # the facts stay where they are
                    inside = [
                        place
                        for place, item in enumerate(rule.body)
                        if isinstance(item, Literal) and item.positive and item.atom.predicate in component
                    ]
                    if not inside:
                        entries.append(plan_of(rule, None, self._relations, sizes, fixed))
                    for place in inside:
                        item = rule.body[place]
                        assert isinstance(item, Literal)
                        plan = plan_of(rule, place, self._relations, sizes, fixed)
                        recursive[item.atom.predicate].append(plan)
            if recursive:
                numbers = self._relations.numbers
                entries.append(Component(tuple((numbers[one], tuple(plans)) for one, plans in recursive.items())))
        return entries

    def _compile(self, phases: Sequence[Sequence[Entry]], sizes: Sizes) -> None:
        """Machine code of the phases."""
        numbers = self._relations.numbers
        inserted = {numbers[one] for one in (*self.opened.state, *self.opened.done)}
        counted = self._budget < _ENDLESS
        self._addresses = Addresses(
            self._relations, lambda one: max(sizes.size(one), sizes.size(self._twins.get(one, one)))
        )
        text = translated(self._addresses, phases, inserted, self._state_change(), is_counted=counted)
        self._machine_code = MachineCode(text, is_optimised=not counted)
        names = (*(f"phase_{number}" for number in range(len(phases))), "advance", "empty")
        self._code = list(map(self._machine_code.address, names))
        self._inserts = {one: self._machine_code.address(f"insert_{one}") for one in inserted}

    def _state_change(self) -> StateChange:
        """The relations that a step changes."""
        opened, number = self.opened, self._relations.number
        state = [(number(one), number(opened.pairs[one]), one in opened.frames) for one in opened.state]
        following = {opened.pairs[one] for one in opened.state}
        derived = {one for phase in opened.phases[1:] for component in phase for one in component} - following
        return StateChange(tuple(state), tuple(sorted({*map(number, derived), *map(number, opened.done)})))

    def _listed(self) -> list[list[int]]:
        """The lists of moves, goals and values that the header points to."""
        opened, relations, types = self.opened, self._relations, self.opened.types
        moves = [len(opened.done)]
        for one in opened.done:
            legal = opened.pairs[one]
            roles = [types.of((legal, 0)).number(role) for role in self.roles]
            moves += [relations.number(legal), relations.number(one), self._table(legal), *roles]
        goal, terminal = Predicate("goal", 2), Predicate("terminal", 0)
        roles = [types.of((goal, 0)).number(role) for role in self.roles]
        goals = [len(roles), relations.number(goal), self._table(goal), relations.number(terminal), *roles]
        values = types.of((goal, 1))
        return [moves, goals, [whole_goal(values.term(number)) for number in range(values.size)]]

    def _table(self, predicate: Predicate) -> int:
        """The table of `legal` or `goal` over its role."""
        if self.opened.types.of((predicate, 0)).size > memory.DENSE:
            raise EngineError(f"too many terms may be a role of {predicate}")
        table = self._relations.table(predicate, (0,))
        assert table is not None
        return table

    def _lay_out(self) -> None:
        """Memory for all relations, with what no state changes."""
        while True:
            rooms = {predicate: self._room(predicate) for predicate in self._relations.numbers}
            self._narrow, self._wide = memory.lay_out(
                self._addresses, rooms, self._inserts, self._lists, self._code, self._budget
            )
            self._run(memory.DERIVE_ONCE)
            full = int(self._wide[memory.FULL])
            if not full:
                return
            self._make_room(full)

    def _measured(self, is_patient: bool) -> Sizes:
        """The sizes in some states of random games, fewer where the budget is spent early and `is_patient`."""
        sums: defaultdict[Predicate, float] = defaultdict(float)
        seen: defaultdict[Predicate, int] = defaultdict(int)
        try:
            self._sample(sums, seen)
        except TooManyTuples:
            states = max(seen.values(), default=0)
            if not is_patient or not states:
                raise TooManyTuples(states) from None
            self._wide[memory.FULL] = 0
        sizes = guessed(self.opened)
        sizes.counts |= {one: sums[one] / seen[one] for one in sums}
        fixed = (one for part in self.opened.phases[0] for one in part)
        sizes.rows = {one: self._rows(one) for one in fixed}
        sizes.counts |= {one: len(rows) for one, rows in sizes.rows.items()}
        return sizes

    def _sample(self, sums: dict[Predicate, float], seen: dict[Predicate, int]) -> None:
        """Play random games, and note the sizes of relations: their sums, and in how many states."""
        first = [self.opened.atom("true", fact) for fact in sorted(self.opened.initial, key=str)]
        start = [(atom.predicate, self.opened.numbers(atom) or []) for atom in first]
        random = seeded(1)
        for _ in range(_SAMPLED_GAMES):
            self.enter(start)
            for _ in range(_SAMPLED_STEPS):
                if self.is_over():
                    break
                self._note(sums, seen, (*self.opened.state, *(one for part in self.opened.phases[1] for one in part)))
                if not kernel.draw(self._narrow, self._wide, random):
                    break
                done = list(self._tuples(self.opened.done))
                self._attempt(lambda: self._run(memory.STEP), partial(self._do_again, done))
                self._note(sums, seen, (*self.opened.done, *(one for part in self.opened.phases[2] for one in part)))
                self._run(memory.ADVANCE)
                self.enter(self.facts_now())
        if self.is_over():
            list(self.goals())
            self._note(sums, seen, [one for part in self.opened.phases[3] for one in part])

    def _do_again(self, done: Sequence[tuple[Predicate, Sequence[int]]]) -> None:
        self._run(memory.LOOK)
        for predicate, numbers in done:
            number = self._relations.number(predicate)
            kernel.insert(self._narrow, self._wide, number, np.array(numbers, dtype=np.int64))

    def _note(self, sums: dict[Predicate, float], seen: dict[Predicate, int], predicates: Sequence[Predicate]) -> None:
        for predicate in predicates:
            at = memory.HEADER + memory.RECORD * self._relations.numbers[predicate]
            sums[predicate] += float(self._wide[at + memory.TUPLES])
            seen[predicate] += 1

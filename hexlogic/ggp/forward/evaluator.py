"""The states of a sheet in the kernel: made ready, asked, and moved on. All terms are numbers here."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from math import prod
from operator import attrgetter
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import EngineError
from hexlogic.ggp.forward import kernel, memory
from hexlogic.ggp.forward.demand import narrowed_where_large
from hexlogic.ggp.forward.differences import by_differences
from hexlogic.ggp.forward.estimates import NONE_ASKED, Asked, guessed
from hexlogic.ggp.forward.kept import with_kept_views
from hexlogic.ggp.forward.llvm_code import MachineCode
from hexlogic.ggp.forward.memory import Relations
from hexlogic.ggp.forward.moves import header_lists, move_list
from hexlogic.ggp.forward.pairs import with_pairs
from hexlogic.ggp.forward.sheet_code import sheet_code, with_constants
from hexlogic.ggp.forward.static_joins import StaticJoins
from hexlogic.ggp.forward.static_tables import MOST_KEYS, StaticTables
from hexlogic.ggp.forward.tries import with_tries
from hexlogic.ggp.forward.unique import keys_of_kept, unique_views
from hexlogic.ggp.forward.views import PUT, only_where_asked, views_on_demand, walked_views
from hexlogic.ggp.language.opened import OpenedSheet
from hexlogic.language.ground.profile import Statistics
from hexlogic.language.propagation.lanes import seeded
from hexlogic.language.syntax import Predicate, Term

_SAMPLED_GAMES, _SAMPLED_STEPS = 2, 30
_WORTH = 0.7
"""The part of the tuples that are looked at with narrowed views, up to which they are narrowed."""
_BUDGET = 30_000_000
"""Tuples that may be looked at in a sample of games; a second or two."""
_ENDLESS = 1 << 62

Answer = TypeVar("Answer")
FlatFact: TypeAlias = tuple[Predicate, Sequence[int]]
"""A relation and the numbers of a tuple's terms."""


class TooManyTuples(EngineError):  # noqa: N818
    """The budget of the sample is spent; `states` are those that were evaluated until then."""

    def __init__(self, states: int) -> None:
        super().__init__("too many tuples are derived in a state")
        self.states = states


class Evaluator:
    """Relations in memory. A state is an array of its facts, as `kernel.insert` takes it, sorted.

    Raises EngineError for a sheet that needs too much room, and TooManyTuples for one that looks at too many tuples in
    the states of some random games: with `is_patient` only where that is so in the first state. `share` of the budget
    is spent on these games."""

    def __init__(
        self, opened: OpenedSheet, roles: Sequence[Term], *, share: float = 1, is_patient: bool = False
    ) -> None:
        self.opened, self.roles = opened, tuple(roles)
        self._rooms: dict[Predicate, int] = {}
        """Relations that were full: the tuples there is room for now."""
        self._state: NDArray[np.int64] | None = None
        self._looked = False
        self._budget, self._is_profiled = int(share * _BUDGET), False
        self._statics = StaticTables({}, opened.types)
        self._tested: Mapping[Predicate, Asked] = NONE_ASKED
        self._changes: dict[Predicate, float] = {}
        """By relation of facts: how many go or come in a step of the sample."""
        self._seen: list[dict[Predicate, list[int]]] = []
        """By state of the sample and relation of `legal`: how many moves were legal, by the number of the role."""
        sizes = self._try(opened, guessed(opened), is_patient)
        self._derive_once()
        statics = self._static_tables(sizes)
        asked: Collection[Predicate] = views_on_demand(opened, sizes, statics=statics, is_unfolded=False)[1].keys()
        narrow = narrowed_where_large(opened, sizes, statics)
        if narrow is not opened:
            first = self.opened, self.relations, self._narrow, self._wide
            narrow_sizes = guessed(narrow).updated(sizes)
            narrow_asked = views_on_demand(narrow, narrow_sizes, statics=statics, is_unfolded=False)[1]
            asked = asked & narrow_asked.keys()
            before = self._cost_of_step(sizes, asked)
            self._tested = {view: each for view, each in narrow_asked.items() if len(each.columns) < view.arity}
            narrow_sizes = self._try(narrow, narrow_sizes, is_patient)
            if self._cost_of_step(narrow_sizes, asked) < _WORTH * before:
                sizes = narrow_sizes
            else:
                self.opened, self.relations, self._narrow, self._wide = first
        self._budget = _ENDLESS
        self._derive_once()
        self._tested = NONE_ASKED
        self._statics = self._static_tables(sizes)
        self.opened, tested = by_differences(self.opened, self._statics, sizes.sizes)
        for true, gone in self.opened.drops.items():
            coming = self._changes.get(true, 0) / 2
            sizes.sizes |= {predicate: coming for predicate in (gone, self.opened.pairs[true]) if predicate is not None}
        self.opened, paired = with_pairs(
            self.opened, self._statics, sizes, tested, walked_views(self.opened, self._statics)
        )
        tested = frozenset(paired.get(predicate, predicate) for predicate in tested)
        self._changes = {paired.get(predicate, predicate): count for predicate, count in self._changes.items()}
        joins = StaticJoins(self._statics, sizes)
        self.opened = self.opened.with_rules(tuple(map(joins.joined, self.opened.program.rules)))
        # A view that would be written in the place of its literals may be kept: that is decided first.
        plain, tests = views_on_demand(self.opened, sizes, tested, statics=self._statics, is_unfolded=False)
        derived = plain.program.heads - tests.keys()
        self.opened = with_kept_views(self.opened, sizes, self._changes, self.roles, derived)
        seen = [{paired.get(legal, legal): own for legal, own in state.items()} for state in self._seen]
        self.opened = with_tries(self.opened, sizes, seen, tested, self._statics)
        tested = tested.union(self.opened.tries.values())
        self.opened = only_where_asked(self.opened, sizes, {*tests, *tested})
        self.opened, self._tested = views_on_demand(self.opened, sizes, tested, statics=self._statics)
        self._sizes = sizes
        self._prepare(sizes)

    relations: Relations
    _narrow: NDArray[np.int32]
    _wide: NDArray[np.int64]

    def _try(self, opened: OpenedSheet, sizes: Statistics, is_patient: bool) -> Statistics:
        """Play random games with code that is compiled quickly: the sizes of relations."""
        self.opened, self._statics = opened, StaticTables({}, opened.types)
        self._prepare(sizes)
        counts: defaultdict[Predicate, list[int]] = defaultdict(list)
        try:
            self._sample(counts)
        except TooManyTuples:
            states = max(map(len, counts.values()), default=0)
            if not is_patient or not states:
                raise TooManyTuples(states) from None
            self._wide[memory.FULL] = 0
        self._states_tried = max(map(len, counts.values()), default=1)
        if self._wide[memory.BUDGET] > 0 and self.is_over():
            self.goals()
            self._note(counts, 3)
        self._note(counts, 0)
        return sizes.updated(Statistics({predicate: sum(each) / len(each) for predicate, each in counts.items()}))

    def _cost_of_step(self, sizes: Statistics, asked: Collection[Predicate]) -> float:
        """What a step of these games cost, in tuples that are looked at, without relations that are asked later."""
        looked_at = sum(
            int(self._wide[at]) for rule, at in self.relations.tallies if rule.conclusion.predicate not in asked
        )
        derived = frozenset[Predicate]().union(*self.opened.phases[1], *self.opened.phases[2]).difference(asked)
        return looked_at / self._states_tried + PUT * sum(map(sizes.size, derived))

    def enter(self, facts: Iterable[FlatFact]) -> None:
        """Bring the relations into a state, given by its flat facts."""
        self._state = self._packed(sorted(facts))
        self._load()

    def is_over(self) -> bool:
        """Whether the state is terminal."""
        self._attempt(self._look)
        return bool(kernel.is_over(self._narrow, self._wide))

    def legal(self) -> list[FlatFact]:
        """The legal moves: relations of `legal`, and the role and the move in numbers."""
        self._attempt(self._list)
        opened, moves = self.opened, []
        for legal in (opened.pairs[done] for done in opened.done):
            there = {numbers[0] for _, numbers in self._tuples(filter(None, [opened.gates.get(legal)]))}
            moves += [move for move in self._tuples([legal]) if legal not in opened.gates or move[1][0] in there]
        return moves

    def goals(self) -> list[Sequence[int]]:
        """The goals: role and value."""

        def judge() -> None:
            self._look()
            self._run(memory.GOAL)

        self._attempt(judge)
        return [numbers for _, numbers in self._tuples([Predicate("goal", 2)])]

    def step(self, moves: Iterable[FlatFact], *, before_advance: Callable[[], None] = lambda: None) -> list[FlatFact]:
        """The facts after a joint move, given by its flat atoms; the relations are in that state then."""
        joint = self._packed(moves)

        def derive() -> None:
            self._look()
            kernel.insert(self._narrow, self._wide, joint)
            self._run(memory.STEP)

        def advance() -> None:
            derive()
            self._run(memory.ADVANCE)

        self._attempt(derive)
        before_advance()
        self._attempt(advance)
        facts = self.facts_now()
        self._state, self._looked, self._wide[memory.JUDGED] = self._packed(sorted(facts)), False, 0
        return facts

    def count(self) -> None:
        """Count, from now on, the tuples that each rule looks at and makes; slow from then on."""
        facts, self._is_profiled = self.facts_now(), True
        self._prepare(self._sizes)
        self.enter(facts)

    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """A game for the kernel, to be copied: its memory, narrow and wide, and the state, in which the game is."""
        assert self._state is not None
        self._attempt(self._look)
        return self._narrow, self._wide, self._state

    def make_room(self, full: int, state: NDArray[np.int64]) -> None:
        """More room, where a game found a relation full (`wide[FULL]`); the relations are in this state then."""
        self._state = state
        self._enlarge(full)
        self._load()

    def facts_now(self) -> list[FlatFact]:
        """The facts of the state that the relations are in."""
        return self._tuples(self.opened.state)

    def facts_of(self, narrow: NDArray[np.int32], wide: NDArray[np.int64]) -> list[FlatFact]:
        """The facts of the state that a copy of the memory is in."""
        return self._tuples(self.opened.state, narrow, wide)

    def _packed(self, facts: Iterable[FlatFact]) -> NDArray[np.int64]:
        rows = [(self.relations.of(predicate).address, len(numbers), *numbers) for predicate, numbers in facts]
        return np.array([*chain(*rows)], dtype=np.int64)

    def _look(self) -> None:
        if not self._looked:
            self._run(memory.LOOK)
            self._looked = True

    def _list(self) -> None:
        self._look()
        kernel.list_moves(self._narrow, self._wide)

    def _load(self) -> None:
        self._attempt(self._load_once)

    def _load_once(self) -> None:
        self._looked = False
        if self._state is not None:
            kernel.load(self._narrow, self._wide, self._state)

    def _run(self, part: int) -> None:
        kernel.run(self._narrow, self._wide, part)

    def _attempt(self, work: Callable[[], Answer]) -> Answer:
        """Work in the kernel; when a relation was full, once more from the state on, with a larger one."""
        while True:
            answer = work()
            full = int(self._wide[memory.FULL])
            if not full:
                return answer
            self._enlarge(full)
            self._load_once()

    def _tuples(
        self,
        predicates: Iterable[Predicate],
        narrow: NDArray[np.int32] | None = None,
        wide: NDArray[np.int64] | None = None,
    ) -> list[FlatFact]:
        """The tuples of relations, in a copy of the memory or here."""
        narrow, wide = self._narrow if narrow is None else narrow, self._wide if wide is None else wide
        tuples: list[FlatFact] = []
        for predicate in predicates:
            record, arity = self.relations.of(predicate).address, predicate.arity
            begin, count = int(wide[record + memory.COLUMNS]), int(wide[record + memory.TUPLES])
            rows = narrow[begin : begin + count * arity].reshape(count, arity)
            tuples += [(predicate, row) for row in rows.tolist()]
        return tuples

    def _enlarge(self, full: int) -> None:
        """Lay out the memory with more room for the relation that the kernel found full. Raises EngineError when its
        budget is spent."""
        while full:
            if full == memory.SPENT:
                raise TooManyTuples(0)
            relation = next(relation for relation in self.relations if relation.address == full)
            room = self._room(relation.predicate)
            self._rooms[relation.predicate] = (4 if room > memory.ALWAYS_ROOM else 16) * room
            full = self._lay_out()

    def _room(self, predicate: Predicate) -> int:
        """How many tuples a relation can hold: all that there can be, unless a list has some several times."""
        relation = self.relations.of(predicate)
        if not relation.tables:
            return self._rooms.get(predicate, min(memory.ALWAYS_ROOM, memory.LEAST_ROOM + prod(relation.terms)))
        return min(self._rooms.get(predicate, memory.ALWAYS_ROOM), prod(relation.terms))

    def _prepare(self, sizes: Statistics) -> None:
        """Compile all rules, and lay out the memory."""
        opened = self.opened
        read = {item.atom.predicate for rule in opened.program.rules for item in rule.literals}
        changing = {*opened.drops.values(), *(opened.pairs[true] for true in opened.drops)} - read
        # A sample looks at tuples as estimates do.
        once = {*unique_views(opened, self._statics, self._tested), *opened.done} if self._budget == _ENDLESS else ()
        keys, rules = keys_of_kept(opened, self._statics), opened.program.definitions
        self.relations = Relations(self._statics, self._tested, rules, filter(None, changing), once, keys)
        self._lists = header_lists(opened, self.relations, self.roles)
        is_counted = self._is_profiled or self._budget < _ENDLESS
        self._text = sheet_code(opened, self.relations, sizes, is_counted=is_counted)
        self._enlarge(self._lay_out())

    def _derive_once(self) -> None:
        static = (predicate for component in self.opened.phases[0] for predicate in component)
        self._derived_once = self._tuples(filter(self.relations.__contains__, static))

    def _static_tables(self, sizes: Statistics) -> StaticTables:
        """These tuples as constants, but for very large relations; their sizes are noted."""
        tuples: dict[Predicate, list[Sequence[int]]] = {
            predicate: []
            for component in self.opened.phases[0]
            for predicate in component
            if predicate in self.relations and prod(self.relations.of(predicate).terms) <= MOST_KEYS
        }
        for predicate, numbers in self._derived_once:
            if predicate in tuples:
                tuples[predicate].append(numbers)
        statics = StaticTables({}, self.opened.types)
        for predicate, rows in tuples.items():
            statics.add(predicate, np.array(rows, np.int32).reshape(len(rows), predicate.arity), sizes)
        return statics

    def _lay_out(self) -> int:
        """Memory for all relations, with what no state changes; the relation that is full, 0 for none."""
        relations, count = self.relations, len(self.opened.phases)
        rooms = {relation.predicate: self._room(relation.predicate) for relation in relations}
        self._narrow, self._wide = memory.lay_out(relations, rooms, self._lists, self._budget)
        moves, begin = move_list(self.opened, relations, self.roles, self._narrow, self._wide), self._wide[memory.MOVES]
        self._wide[begin : begin + len(moves)] = moves
        text = with_constants(self._text, self._wide)
        self._machine_code = MachineCode(text, is_optimised=self._budget == _ENDLESS)
        names = (*(f"phase_{number}" for number in range(count)), "advance", "empty", "keep")
        self._wide[memory.CODE : memory.CODE + len(names)] = list(map(self._machine_code.address, names))
        tried = [relations.of(done).address for done, legal in self.opened.pairs.items() if legal in self.opened.tries]
        for record in tried:
            self._wide[record + memory.TRY] = self._machine_code.address(f"try_{record}")
        static = {predicate for component in self.opened.phases[0] for predicate in component}
        for predicate in (*self.opened.inputs, *static.intersection(map(attrgetter("predicate"), relations))):
            record = relations.of(predicate).address
            self._wide[record + memory.INSERT] = self._machine_code.address(f"insert_{record}")
        kernel.insert(self._narrow, self._wide, self._packed(self._once()))
        self._run(memory.DERIVE_ONCE)
        return int(self._wide[memory.FULL])

    def _once(self) -> list[FlatFact]:
        """What no state changes: facts, and later all that follows from them, where it is in memory."""
        opened = self.opened
        if self._budget == _ENDLESS:
            return [fact for fact in self._derived_once if fact[0] in self.relations]
        return [
            (predicate, opened.numbers(rule.head) or [])
            for component in opened.phases[0]
            for predicate in sorted(component)
            for rule in opened.program.defining(predicate)
            if rule.is_fact and rule.head is not None
        ]

    def _sample(self, counts: dict[Predicate, list[int]]) -> None:
        """Play random games, and note the sizes of relations in their states."""
        start = [self.opened.atom("true", fact) for fact in sorted(self.opened.initial, key=str)]
        random = seeded(1)
        changed, steps = Counter[Predicate](), 0
        legal, self._seen = [self.opened.pairs[done] for done in self.opened.done], []
        for _ in range(_SAMPLED_GAMES):
            self.enter((atom.predicate, self.opened.numbers(atom) or []) for atom in start)
            for _ in range(_SAMPLED_STEPS):
                if self.is_over():
                    break
                self._note(counts, 1, self.opened.state)
                self._seen.append(dict(zip(legal, map(self._counts_by_role, legal), strict=True)))
                if not kernel.draw(self._narrow, self._wide, random):
                    break
                before = self._keys_of_facts()
                self.step(
                    self._tuples(self.opened.done), before_advance=lambda: self._note(counts, 2, self.opened.done)
                )
                steps += 1
                for predicate, _ in before ^ self._keys_of_facts():
                    changed[predicate] += 1
        self._changes = {predicate: count / max(1, steps) for predicate, count in changed.items()}

    def _counts_by_role(self, legal: Predicate) -> list[int]:
        table = self.relations.by_role(legal)
        begin = int(self._wide[table.address + memory.ENTRIES])
        return list(map(int, self._narrow[begin : begin + table.keys]))

    def _keys_of_facts(self) -> set[tuple[Predicate, tuple[int, ...]]]:
        return {(predicate, tuple(numbers)) for predicate, numbers in self.facts_now()}

    def _note(self, counts: dict[Predicate, list[int]], phase: int, others: Sequence[Predicate] = ()) -> None:
        """Note the sizes of the relations of a phase, and of others."""
        for predicate in (*others, *(predicate for component in self.opened.phases[phase] for predicate in component)):
            if predicate not in self._tested:
                counts[predicate].append(int(self._wide[self.relations.of(predicate).address + memory.TUPLES]))

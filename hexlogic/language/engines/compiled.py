"""compiled: our own engine. clingo grounds the program once for all inputs, a numba kernel propagates each change.

A question makes its facts true one by one, in a machine that is otherwise in its first state. Inputs that nobody has
named before are ground together with the old ones; a game loop names all of them at the beginning.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Self

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.engines import Engine
from hexlogic.language.engines.base import Answer, Follower, Session, require_ground
from hexlogic.language.ground.program import Layout, ground_program
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.parser import parse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CompiledFollower(Follower):
    """The least model of a ground program while inputs change, in one array, which is all that a copy copies.

    Both kernels give the same answers; `monotone` is the faster one, for programs without negation.
    """

    def __init__(self, layout: Layout, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        from hexlogic.language.propagation import delete_rederive, monotone

        super().__init__(inputs, queries)
        self.layout = layout
        count = len(layout.atoms)
        # A fact, which may have a number as an input, is always true, and an atom without a number never: the kernels
        # have a number for each of these.
        watch = [count + 1 if atom in layout.facts else layout.number.get(atom, count) for atom in queries]
        self._memory: NDArray[np.int32] | None
        if layout.grows:
            self._insert, self._retract = monotone.insert, monotone.retract
            self._memory = monotone.monotone_memory(layout, watch)
        else:
            self._insert = self._retract = delete_rederive.flip
            self._memory = delete_rederive.delete_rederive_memory(layout, watch)
        self._true: list[int] = []  # The true inputs, in the order in which they came
        self._answers = [sum(1 << place for place, atom in enumerate(queries) if self.is_true(atom))]
        """The true queries at first and after each input."""

    def holds(self) -> int:
        """The last answer."""
        return self._answers[-1]

    def add(self, number: int) -> int:
        """Call the kernel."""
        self._answers.append(int(self._insert(self._open(), number)))
        self._true.append(number)
        return self._answers[-1]

    def undo(self) -> int:
        """Call the kernel that takes the last input back."""
        memory = self._open()
        if not self._true:
            raise EngineError("no input is true, so none can be taken back")
        self._answers.pop()
        return int(self._retract(memory, self._true.pop()))

    def is_true(self, atom: Atom) -> bool:
        """Whether an atom is true now."""
        number = self.layout.number.get(atom)
        return atom in self.layout.facts or (number is not None and bool(self._truth()[number]))

    def true_atoms(self) -> frozenset[Atom]:
        """All numbered atoms that are true now."""
        return frozenset(self.layout.atoms[number] for number in self._truth().nonzero()[0])

    def kept(self) -> int | None:
        """All numbered atoms that are true, less the inputs: what was derived that the queries depend on."""
        return None if self._memory is None else int((self._truth() != 0).sum()) - len(self._true)

    def copy(self) -> Self:
        """A follower with a copy of the array."""
        other = object.__new__(type(self))
        lists = {"_true": self._true.copy(), "_answers": self._answers.copy()}
        other.__dict__ |= self.__dict__ | lists | {"_memory": self._open().copy()}
        return other

    def close(self) -> None:
        """Let go of the array."""
        self._memory = None

    def _open(self) -> NDArray[np.int32]:
        if self._memory is None:
            raise EngineError("the follower is closed")
        return self._memory

    def _truth(self) -> NDArray[np.int32]:
        """The truth of each numbered atom, int32[A]: the first part of the memory."""
        memory = self._open()
        return memory[memory[0] : memory[0] + len(self.layout.atoms)]


def build_follower(
    program: Program, inputs: Iterable[Atom], queries: Sequence[Atom], wanted: Sequence[Predicate] = ()
) -> CompiledFollower:
    """The follower of a stratified program. It holds what the program's queries, `queries` and the other `wanted`
    predicates depend on.

    Raises EngineError when clingo cannot ground it and StratificationError for recursion through negation.
    """
    given = tuple(inputs)
    needed = (*program.queries, *(atom.predicate for atom in queries), *wanted)
    return CompiledFollower(Layout(ground_program(program, given, wanted=needed)), given, queries)


@functools.cache
def _load_kernels() -> None:
    """Have numba load the compiled kernels, or compile them when this is the first time on this machine."""
    for text in ("#defined a/0. b :- a.", "#defined a/0. b :- not a."):
        machine = build_follower(parse(text), [Atom("a")], (), (Predicate("b", 0),))
        machine.add(0)
        machine.undo()


class CompiledSession(Session):
    """A program and a machine for the inputs and queries that were asked about so far."""

    def __init__(self, program: Program) -> None:
        begin = time.perf_counter()
        _load_kernels()
        self.start_s = time.perf_counter() - begin
        self._program = program
        self._inputs: dict[Atom, int] = {}
        self._asked: dict[Predicate, None] = dict.fromkeys(program.queries)
        self._machine: CompiledFollower | None = None
        self._closed = False

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Set the facts and look. Counters: ground_rules, and true_atoms, what was derived and the facts."""
        if self._closed:
            raise EngineError("the session of the compiled engine is closed")
        require_ground(facts, query)
        spent, begin = time.process_time(), time.perf_counter()
        machine = self._machine_for(facts, query)
        ground = time.perf_counter()
        for fact in dict.fromkeys(facts):
            machine.add(self._inputs[fact])
        holds = machine.is_true(query)
        solved, spent = time.perf_counter(), time.process_time() - spent
        derived = len(machine.true_atoms())
        for _ in dict.fromkeys(facts):
            machine.undo()
        counters = {"ground_rules": len(machine.layout.head), "true_atoms": derived}
        return Answer(holds, solved - ground, ground - begin, counters, spent)

    def _machine_for(self, facts: Sequence[Atom], query: Atom) -> CompiledFollower:
        """The machine, made anew when a fact or a predicate is new to it."""
        new = [fact for fact in dict.fromkeys(facts) if fact not in self._inputs]
        if self._machine is None or new or query.predicate not in self._asked:
            inputs = {**self._inputs, **{fact: len(self._inputs) + place for place, fact in enumerate(new)}}
            asked = {**self._asked, query.predicate: None}
            # Kept only when it could be built: arithmetic may be undefined for a fact that is never seen again.
            self._machine = build_follower(self._program, inputs, (), tuple(asked))
            self._inputs, self._asked = inputs, asked
        return self._machine

    def close(self) -> None:
        """Let go of the machine."""
        self._closed = True
        self._machine = None


class CompiledEngine(Engine):
    """The adapter of our own kernels."""

    name = "compiled"
    package = "numba"
    dialect = "asp"
    order_sensitive = False

    def version(self) -> str:
        """The version of hexlogic, whose engine it is, and of the numba that compiles it."""
        return f"{metadata.version('hexlogic')} (numba {super().version()})"

    def supports(self, program: Program) -> str | None:
        """What gringo cannot ground."""
        return cannot_ground(program)

    def open(self, program: Program) -> CompiledSession:
        """A session of `program`; the first question grounds it. Raises EngineError when numba is missing."""
        if reason := self.missing():
            raise EngineError(reason)
        return CompiledSession(program)

    def follow(self, program: Program, inputs: Sequence[Atom], queries: Sequence[Atom]) -> Follower:
        """The machine itself."""
        self.require(program)
        require_ground(inputs, *queries)
        _load_kernels()
        return build_follower(program, inputs, queries)


ENGINE = CompiledEngine()

"""compiled: our own engine. clingo grounds the program once for all inputs, a numba kernel propagates each change.

A question makes its facts true one by one, in a machine that is otherwise in its first state. Inputs that nobody has
named before are ground together with the old ones; a game loop names all of them at the beginning.
"""

import functools
import time
from collections.abc import Sequence
from importlib import metadata
from typing import Self

from hexlogic.errors import EngineError
from hexlogic.language import Atom, Predicate, Program
from hexlogic.language.engines import Engine
from hexlogic.language.engines.base import Answer, Follower, Session, require_ground
from hexlogic.language.ground.solving import cannot_ground
from hexlogic.language.parser import parse
from hexlogic.language.propagation.propagator import Propagator, build_propagator


class CompiledFollower(Follower):
    """A propagator that watches the queries. A copy copies one array."""

    def __init__(self, machine: Propagator, inputs: Sequence[Atom]) -> None:
        super().__init__(inputs, machine.watch)
        self._machine: Propagator | None = machine
        self._answers = [sum(1 << place for place, atom in enumerate(machine.watch) if machine.holds(atom))]
        """The true queries at first and after each input."""

    def holds(self) -> int:
        """The last answer."""
        return self._answers[-1]

    def add(self, number: int) -> int:
        """Call the kernel."""
        self._answers.append(self._open().set(number))
        return self._answers[-1]

    def undo(self) -> int:
        """Call the kernel that takes the last input back."""
        machine = self._open()
        if len(self._answers) == 1:
            raise EngineError("no input is true, so none can be taken back")
        self._answers.pop()
        return machine.undo()

    def kept(self) -> int | None:
        """All atoms of the machine that are true, less the inputs: what was derived that the queries depend on."""
        return None if self._machine is None else self._machine.count_true() - (len(self._answers) - 1)

    def copy(self) -> Self:
        """A follower with a copy of the machine."""
        machine, other = self._open().copy(), object.__new__(type(self))
        other.__dict__ |= self.__dict__ | {"_machine": machine, "_answers": self._answers.copy()}
        return other

    def close(self) -> None:
        """Let go of the machine."""
        self._machine = None

    def _open(self) -> Propagator:
        if self._machine is None:
            raise EngineError("the follower is closed")
        return self._machine


@functools.cache
def _load_kernels() -> None:
    """Have numba load the compiled kernels, or compile them when this is the first time on this machine."""
    for text in ("#defined a/0. b :- a.", "#defined a/0. b :- not a."):
        machine = build_propagator(parse(text), [Atom("a")], (), (Predicate("b", 0),))
        machine.set(0)
        machine.undo()


class CompiledSession(Session):
    """A program and a propagator for the inputs and queries that were asked about so far."""

    def __init__(self, program: Program) -> None:
        begin = time.perf_counter()
        _load_kernels()
        self.start_s = time.perf_counter() - begin
        self._program = program
        self._inputs: dict[Atom, int] = {}
        self._asked: dict[Predicate, None] = dict.fromkeys(program.queries)
        self._machine: Propagator | None = None
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
            machine.set(self._inputs[fact])
        holds = machine.holds(query)
        solved, spent = time.perf_counter(), time.process_time() - spent
        derived = len(machine.true_atoms())
        machine.reset()
        counters = {"ground_rules": len(machine.layout.head), "true_atoms": derived}
        return Answer(holds, solved - ground, ground - begin, counters, spent)

    def _machine_for(self, facts: Sequence[Atom], query: Atom) -> Propagator:
        """The machine, made anew when a fact or a predicate is new to it."""
        new = [fact for fact in dict.fromkeys(facts) if fact not in self._inputs]
        if self._machine is None or new or query.predicate not in self._asked:
            inputs = {**self._inputs, **{fact: len(self._inputs) + place for place, fact in enumerate(new)}}
            asked = {**self._asked, query.predicate: None}
            # Kept only when it could be built: arithmetic may be undefined for a fact that is never seen again.
            self._machine = build_propagator(self._program, inputs, (), tuple(asked))
            self._inputs, self._asked = inputs, asked
        return self._machine

    def close(self) -> None:
        """Let go of the machine."""
        self._closed = True
        self._machine = None


class CompiledEngine(Engine):
    """The adapter of our own propagator."""

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
        return CompiledFollower(build_propagator(program, inputs, queries), inputs)


ENGINE = CompiledEngine()

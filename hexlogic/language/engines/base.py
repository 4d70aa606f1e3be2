"""Sessions answer questions about a loaded program, followers after every move; why an engine refuses a program."""

import contextlib
import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from hexlogic.errors import EngineError
from hexlogic.language import Arithmetic, Atom, Predicate, Program
from hexlogic.language.analysis.binding import first_unbound
from hexlogic.language.analysis.bounds import bounds
from hexlogic.language.constants import named_values
from hexlogic.language.walk import is_ground, rule_terms


@dataclass(frozen=True, slots=True)
class Answer:
    """One answered query.

    `ground_s` and `solve_s` are wall seconds inside the engine (`ground_s` is None where there is no such phase);
    `counters` are the engine's deterministic work counters, by name. `cpu_s` are the CPU seconds of the process that
    answered during the whole query; None where they are unknown.
    """

    holds: bool
    solve_s: float
    ground_s: float | None = None
    counters: Mapping[str, int] = field(default_factory=dict)
    cpu_s: float | None = None

    @property
    def query_s(self) -> float:
        """Wall seconds of the whole query: grounding and solving."""
        return self.solve_s + (self.ground_s or 0.0)


class Closing(ABC):
    """A resource that a `with` statement closes."""

    @abstractmethod
    def close(self) -> None:
        """Release the resource; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class FactStack(Closing):
    """Facts in an engine, added and taken back like a stack, and what follows from them."""

    def declare(self, given: Iterable[Predicate]) -> None:
        """Make predicates known that the program may not mention, where the engine needs that."""
        return

    @abstractmethod
    def push(self, fact: Atom) -> None:
        """Add a fact. Raises EngineError, and nothing has changed then."""

    @abstractmethod
    def pop(self) -> None:
        """Remove the fact that was added last. Raises EngineError."""

    @abstractmethod
    def truths(self, queries: Sequence[Atom]) -> int:
        """Which of these ground atoms hold: a bit for each, the first one lowest. Raises EngineError."""

    def kept(self) -> int | None:
        """How many derived facts the engine stores; None where it does not tell."""
        return None


class Session(FactStack):
    """A loaded program, ready for questions. Close it, or use it in a `with` statement.

    `start_s` and `load_s` are the wall seconds that starting the engine and loading the program took. Unless an engine
    can do better, it is asked anew, with all facts of its stack.
    """

    start_s: float = 0.0
    load_s: float = 0.0
    _stack: tuple[Atom, ...] = ()

    @abstractmethod
    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Does ground `query` hold when the input `facts` are added? Earlier questions leave no trace. Raises
        EngineError when the engine reports an error or dies: an error is never the answer "no"."""

    def push(self, fact: Atom) -> None:
        """The next question names the fact."""
        self._stack += (fact,)

    def pop(self) -> None:
        """The next question does not name the fact."""
        self._stack = self._stack[:-1]

    def truths(self, queries: Sequence[Atom]) -> int:
        """One question for each query."""
        return sum(1 << place for place, query in enumerate(queries) if self.ask(self._stack, query).holds)


class ProcessSession(Session):
    """A session in a process of its own, which is sent the program and says when it has read it."""

    def __init__(self, name: str, command: Sequence[str], load: str) -> None:
        from hexlogic.process.children import LineProcess  # Imported late: most engines start no process.

        begin = time.perf_counter()
        self._process = LineProcess(name, command)
        try:
            self._receive("ready")
            self.start_s = time.perf_counter() - begin
            begin = time.perf_counter()
            self._process.send(load)
            self._receive("loaded")
            self.load_s = time.perf_counter() - begin
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _receive(self, *kinds: str) -> object:
        """The next reply. Raises EngineError for an error reply, one of another kind, and when there is none."""

    def kill(self) -> None:
        """End the process from another thread: whoever waits for a reply gets an EngineError."""
        self._process.kill()

    def close(self) -> None:
        """End the process; a second call does nothing."""
        self._process.close()


class AskedAnew(Session):
    """A session that is asked anew, with all facts, though its engine could keep them."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Ask the session."""
        return self._session.ask(facts, query)

    def close(self) -> None:
        """Close the session."""
        self._session.close()


class Follower(Closing):
    """A loaded program that follows a game. Close it, or use it in a `with` statement.

    An input is known by its index in `inputs`. The true queries are a number: a bit for each of `queries`, the first
    one lowest. Raises EngineError for atoms that are not ground; once closed, so do `add` and `undo`.
    """

    def __init__(self, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        require_ground(inputs, *queries)
        self.inputs = tuple(inputs)
        self.queries = tuple(queries)

    @abstractmethod
    def add(self, number: int) -> int:
        """Make a false input true; return the true queries. Raises EngineError, and the input stays false then."""

    @abstractmethod
    def undo(self) -> int:
        """Take back the last `add`; return the true queries. Raises EngineError, also when there is none."""

    @abstractmethod
    def holds(self) -> int:
        """The true queries."""

    def kept(self) -> int | None:
        """How many facts that follow from the inputs are stored; None where the engine does not tell."""
        return None

    @abstractmethod
    def copy(self) -> Self:
        """Another follower in the same state, independent of this one. Raises EngineError."""


class StackFollower(Follower):
    """A follower that pushes its inputs on a stack in an engine and asks after each; a copy opens another stack."""

    def __init__(self, open_stack: Callable[[], FactStack], inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._closed = False
        self._open = open_stack
        self._true: list[int] = []  # The true inputs, in the order in which they came
        self._stack = self._filled()
        try:
            self._answers = [self._stack.truths(self.queries)]
            """The engine's answers at first and after each input: taking an input back asks nothing."""
        except BaseException:
            self.close()
            raise

    def holds(self) -> int:
        """The last answer."""
        return self._answers[-1]

    def add(self, number: int) -> int:
        """Push the input and ask."""
        self._require_open()
        self._stack.push(self.inputs[number])
        try:
            answer = self._stack.truths(self.queries)
        except BaseException:
            with contextlib.suppress(EngineError):  # the engine may be gone
                self._stack.pop()
            raise
        self._true.append(number)
        self._answers.append(answer)
        return answer

    def undo(self) -> int:
        """Pop the last input; the answer before it is known."""
        self._require_open()
        if not self._true:
            raise EngineError("no input is true, so none can be taken back")
        self._stack.pop()
        self._true.pop()
        self._answers.pop()
        return self._answers[-1]

    def kept(self) -> int | None:
        """Those that the stack stores."""
        return self._stack.kept()

    def copy(self) -> Self:
        """A follower with another stack; nothing is asked."""
        self._require_open()
        other = object.__new__(type(self))
        lists = {"_true": self._true.copy(), "_answers": self._answers.copy()}
        other.__dict__ |= self.__dict__ | lists | {"_stack": self._copied()}
        return other

    def close(self) -> None:
        """Close the stack: nothing can be added or taken back any more."""
        self._closed = True
        self._stack.close()

    def _require_open(self) -> None:
        if self._closed:
            raise EngineError("the follower is closed")

    def _copied(self) -> FactStack:
        return self._filled()

    def _filled(self) -> FactStack:
        stack = self._open()
        try:
            stack.declare({atom.predicate for atom in (*self.inputs, *self.queries)})
            for number in self._true:
                stack.push(self.inputs[number])
        except BaseException:
            stack.close()
            raise
        return stack


def require_ground(facts: Sequence[Atom], *queries: Atom) -> None:
    """Raise EngineError unless all atoms of a question are ground: no engine is asked for bindings."""
    for atom in (*facts, *queries):
        if not is_ground(atom):
            raise EngineError(f"{atom} is not ground", hint="ask about one ground atom, like wins(red)")


def reached_unbound(program: Program) -> str | None:
    """Why an engine that evaluates left to right cannot run it: a literal is reached unbound. None when none is."""
    for rule in program.rules:
        if rule.head is not None and (item := first_unbound(rule)) is not None:
            return f"`{item}` is reached with an unbound variable in `{rule}`"
    return None


@functools.lru_cache(maxsize=16)
def leaves_32_bits(program: Program) -> str | None:
    """Why an engine whose integers do not wrap at 32 bits may differ from clingo; None when no term leaves them. Inputs
    without a promise, and numbers that only grow under recursion, are taken to stay small."""
    if not any(isinstance(term, Arithmetic) for rule in program.rules for term in rule_terms(rule)):
        return None
    failed = bounds(named_values(program), {}).overflow
    return None if failed is None else f"`{failed.term}` may leave the 32 bits of clingo's integers in `{failed.rule}`"

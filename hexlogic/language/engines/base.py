"""Sessions answer questions about a loaded program, followers after every move; why an engine refuses a program."""

from __future__ import annotations

import contextlib
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Self, TypeVar

from hexlogic.errors import EngineError
from hexlogic.language import Arithmetic, Atom, Predicate, Program, Symbol, Term
from hexlogic.language.analysis.binding import first_unbound
from hexlogic.language.analysis.bounds import bounds
from hexlogic.language.constants import constant_values
from hexlogic.language.walk import is_ground, map_terms, rule_terms


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


class Session(Closing):
    """A loaded program, ready for questions. Close it, or use it in a `with` statement.

    `start_s` and `load_s` are the wall seconds that starting the engine and loading the program took.
    """

    start_s: float = 0.0
    load_s: float = 0.0

    @abstractmethod
    def ask(self, facts: Sequence[Atom], query: Atom) -> Answer:
        """Does ground `query` hold when the input `facts` are added? Earlier questions leave no trace.

        Raises EngineError when the engine reports an error or dies: an error is never the answer "no".
        """


class FactSession(Session):
    """A session that keeps facts from question to question, as a stack."""

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
        """Which of these ground atoms hold with the added facts: a bit for each, the first one lowest."""

    def kept(self) -> int | None:
        """How many derived facts the engine stores; None where it does not tell."""
        return None


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
    """Why an engine whose integers do not wrap at 32 bits may differ from clingo; None when no term leaves them.

    Inputs without a promise, and numbers that only grow under recursion, are taken to stay small.
    """
    if not any(isinstance(term, Arithmetic) for rule in program.rules for term in rule_terms(rule)):
        return None
    values = constant_values(program)

    def with_values(term: Term) -> Term:
        return values.get(term.name, term) if isinstance(term, Symbol) else term

    rules = tuple(map_terms(rule, with_values) for rule in program.rules)
    failed = bounds(replace(program, rules=rules, constants=()), {}).overflow
    return None if failed is None else f"`{failed.term}` may leave the 32 bits of clingo's integers in `{failed.rule}`"


S = TypeVar("S", bound=Session)


class QueryingFollower(Follower):
    """A follower that asks its engine after every input. A subclass calls `_begin` at the end of its `__init__`."""

    def __init__(self, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._true: list[int] = []
        """The true inputs, in the order in which they came."""
        self._answers: list[int] = []
        """The engine's answers at first and after each input: taking an input back asks nothing."""
        self._closed = False

    def _begin(self) -> None:
        """Ask which queries hold while no input is true."""
        self._answers.append(self._query())

    def holds(self) -> int:
        """The last answer."""
        return self._answers[-1]

    def add(self, number: int) -> int:
        """Hand the input to the engine and ask it."""
        self._require_open()
        self._put(number)
        self._true.append(number)
        try:
            answer = self._query()
        except BaseException:
            self._true.pop()
            with contextlib.suppress(EngineError):  # the engine may be gone
                self._take(number)
            raise
        self._answers.append(answer)
        return answer

    def undo(self) -> int:
        """Take the last input back; the answer before it is known."""
        self._require_open()
        if not self._true:
            raise EngineError("no input is true, so none can be taken back")
        self._take(self._true[-1])
        self._true.pop()
        self._answers.pop()
        return self._answers[-1]

    def copy(self) -> Self:
        """A new follower in which the same inputs are true; its engine is not asked."""
        self._require_open()
        other = self._again()
        other._true = self._true.copy()
        other._answers = self._answers.copy()
        return other

    def close(self) -> None:
        """Nothing can be added or taken back any more."""
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise EngineError("the follower is closed")

    def _given(self, other: Self) -> Self:
        """The other follower, after its engine was given all inputs that are true in this one's."""
        try:
            for number in self._true:
                other._put(number)
        except BaseException:
            other.close()
            raise
        return other

    @abstractmethod
    def _again(self) -> Self:
        """A new follower of the same program, in whose engine the same inputs are true."""

    @abstractmethod
    def _put(self, number: int) -> None:
        """Make an input true in the engine. Raises EngineError, and the input stays false."""

    @abstractmethod
    def _take(self, number: int) -> None:
        """Make the input that came last false in the engine. Raises EngineError."""

    @abstractmethod
    def _query(self) -> int:
        """Which queries hold, as bits by their number. Raises EngineError."""


class SessionFollower(QueryingFollower, Generic[S]):
    """A follower that owns a session of its engine; a copy opens another session."""

    def __init__(self, open_session: Callable[[], S], inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._open = open_session
        self._session = open_session()
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _again(self) -> Self:
        return self._given(type(self)(self._open, self.inputs, self.queries))

    def close(self) -> None:
        """Close the session."""
        super().close()
        self._session.close()


class AskingFollower(SessionFollower[Session]):
    """The follower of any engine: after every change it asks one question for each query, with all facts."""

    def _put(self, number: int) -> None:
        """The next question names the input."""

    def _take(self, number: int) -> None:
        """The next question does not name it."""

    def _query(self) -> int:
        facts = [self.inputs[number] for number in self._true]
        return sum(1 << place for place, query in enumerate(self.queries) if self._session.ask(facts, query).holds)


class FactFollower(SessionFollower[FactSession]):
    """A follower whose session keeps the facts: a move adds one fact and asks the queries."""

    def kept(self) -> int | None:
        """How many derived facts the session stores."""
        return self._session.kept()

    def _begin(self) -> None:
        self._session.declare({atom.predicate for atom in (*self.inputs, *self.queries)})
        super()._begin()

    def _put(self, number: int) -> None:
        self._session.push(self.inputs[number])

    def _take(self, number: int) -> None:
        self._session.pop()

    def _query(self) -> int:
        return self._session.truths(self.queries)

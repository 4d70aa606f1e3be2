"""Followers that give each input to their engine and then ask it which queries hold."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, Self, TypeVar

from hexlogic.errors import EngineError
from hexlogic.language import Atom
from hexlogic.language.engines.base import FactSession, Follower, Session

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

"""Followers that tell their engine of an input, and then look what holds."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, Self, TypeVar

from hexlogic.engines.base import Follower, Session
from hexlogic.errors import EngineError
from hexlogic.logic import Atom

__all__ = ["LookingFollower", "SessionFollower"]

S = TypeVar("S", bound=Session)


class LookingFollower(Follower):
    """Whoever makes a subclass calls `_begin` at the end of `__init__`."""

    def __init__(self, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._true: list[int] = []
        """The inputs that are true, in the order in which they came."""
        self._found: list[int] = []
        """What held at first and after each of them: so taking one back asks nothing."""
        self._closed = False

    def _begin(self) -> None:
        """Ask what holds while no input is true."""
        self._found.append(self._look())

    def holds(self) -> int:
        """What holds now."""
        return self._found[-1]

    def add(self, number: int) -> int:
        """Tell the engine and look."""
        self._require_open()
        self._put(number)
        self._true.append(number)
        try:
            found = self._look()
        except BaseException:
            self._true.pop()
            with contextlib.suppress(EngineError):  # the engine may be gone
                self._take(number)
            raise
        self._found.append(found)
        return found

    def undo(self) -> int:
        """Tell the engine; what held before is known."""
        self._require_open()
        if not self._true:
            raise EngineError("no input is true, so none can be taken back")
        self._take(self._true[-1])
        self._true.pop()
        self._found.pop()
        return self._found[-1]

    def copy(self) -> Self:
        """A new one that is told of all inputs."""
        self._require_open()
        other = self._again()
        try:
            for number in self._true:
                other._put(number)
        except BaseException:
            other.close()
            raise
        other._true = self._true.copy()
        other._found = self._found.copy()
        return other

    def close(self) -> None:
        """Nothing can be added or taken back any more."""
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise EngineError("the follower is closed")

    @abstractmethod
    def _again(self) -> Self:
        """The same at its beginning."""

    @abstractmethod
    def _put(self, number: int) -> None:
        """Tell the engine that an input is true. Raises EngineError, and then it is not."""

    @abstractmethod
    def _take(self, number: int) -> None:
        """Tell the engine that the last input it was told of is not true any more. Raises EngineError."""

    @abstractmethod
    def _look(self) -> int:
        """What holds. Raises EngineError."""


class SessionFollower(LookingFollower, Generic[S]):
    """A follower with an engine's session of its own; a copy opens another one."""

    def __init__(self, open_session: Callable[[], S], inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        super().__init__(inputs, queries)
        self._open = open_session
        self._session = open_session()
        try:
            self._prepare()
            self._begin()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """What is to be done before the first look."""

    def _again(self) -> Self:
        return type(self)(self._open, self.inputs, self.queries)

    def close(self) -> None:
        """Close the session."""
        super().close()
        self._session.close()

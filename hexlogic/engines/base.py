"""What an engine gives: a `Session` answers questions about a loaded program, a `Follower` answers after every move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from hexlogic.errors import EngineError
from hexlogic.logic import Atom
from hexlogic.logic.walk import is_ground

__all__ = ["Answer", "Follower", "Session", "require_ground"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answered query.

    `ground_s` and `solve_s` are wall seconds inside the engine (`ground_s` is None where there is no such phase);
    `counters` are the engine's deterministic work counters, by name, empty where it has none. `cpu_s` are the CPU
    seconds of the process that answered during the whole query; None where nothing tells them.
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


class Session(ABC):
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

    @abstractmethod
    def close(self) -> None:
        """Release the engine; a second call does nothing."""

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Follower(ABC):
    """A loaded program that follows a game. Close it, or use it in a `with` statement.

    An input is known by its place in `inputs`. What holds is told as a number: a bit for each of `queries`, the first
    one lowest. Raises EngineError for atoms that are not ground.
    """

    def __init__(self, inputs: Sequence[Atom], queries: Sequence[Atom]) -> None:
        require_ground(inputs, *queries)
        self.inputs = tuple(inputs)
        self.queries = tuple(queries)

    @abstractmethod
    def add(self, number: int) -> int:
        """Make an input true that is false; what holds then. Raises EngineError, and then the input is still false."""

    @abstractmethod
    def undo(self) -> int:
        """Take back the last `add`; what holds then. Raises EngineError, also when there is none."""

    @abstractmethod
    def holds(self) -> int:
        """What holds now."""

    def kept(self) -> int | None:
        """How many facts it keeps that follow from the inputs; None, unless an engine can tell."""
        return None

    @abstractmethod
    def copy(self) -> Self:
        """Another follower in the same state, independent of this one. Raises EngineError."""

    @abstractmethod
    def close(self) -> None:
        """Release the engine; a second call does nothing. From then on `add` and `undo` raise EngineError."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def require_ground(facts: Sequence[Atom], *queries: Atom) -> None:
    """Raise EngineError unless all atoms of a question are ground: no engine is asked for bindings."""
    for atom in (*facts, *queries):
        if not is_ground(atom):
            raise EngineError(f"{atom} is not ground", hint="ask about one ground atom, like wins(red)")

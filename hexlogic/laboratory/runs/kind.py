"""What a kind of measurement is, and what a configuration on a task is."""

from __future__ import annotations

import hashlib
import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.laboratory.records.types import Exit, Measured, Measurement, Session
from hexlogic.laboratory.runs.protocol import Asked, Reply

if TYPE_CHECKING:
    from hexlogic.games.rulesets import RuleSet
    from hexlogic.laboratory.runs.classify import Classification
    from hexlogic.process.isolate import Outcome

Tell: TypeAlias = Callable[[Asked], None]
"""Takes the message that a measured process says before its query begins."""


class Job(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What a measured process is told; its tag is the name of the kind."""


J = TypeVar("J", bound=Job)


@dataclass(frozen=True, slots=True)
class Kind(Generic[J]):
    """A kind of measurement: the type of its jobs, the type of its records, and what the measured process does.

    `execute` carries a job out and tells when the query begins. A HexlogicError or MemoryError that it raises becomes a
    reply without an answer: `unsupported` for a SizeError, which says that the rules cannot take the board.
    """

    job: type[J]
    record: type[Measurement]
    execute: Callable[[J, Tell], Reply]


class Configuration(ABC):
    """One configuration on one task: what is run once as a warm-up and then repeated."""

    __slots__ = ()

    floors: ClassVar[bool] = True
    """Whether the start-up floors of its engine are measured beside it."""
    code: ClassVar[tuple[str, ...]] = ()
    """Packages that decide what is measured, besides those of every measurement (see `session.code_hash`)."""

    @property
    def brief(self) -> str:
        """What runs, in a few words."""
        return str(self)

    @property
    def series(self) -> object | None:
        """What the configurations on boards that grow have in common; None for one that belongs to no series."""
        return None

    @property
    def size(self) -> int:
        """Orders the configurations of a series."""
        return 0

    def first_jobs(self) -> tuple[Job, ...]:
        """Small jobs that have numba compile what the configuration needs; they run before anything is measured."""
        return ()

    @abstractmethod
    def job(self, repeat: int) -> Job:
        """What the measured process is told in its repeat of that number."""

    @abstractmethod
    def identity(self, session: Session) -> tuple[object, ...]:
        """What decides the result, as plain JSON data: hashes of texts, names, versions."""

    @abstractmethod
    def record(self, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Measurement:
        """The record of a run that ended."""

    def key(self, session: Session, *, warmup: bool, repeat: int) -> str:
        """Names one run: its identity, the host, the code, the limits and what kept them, warm-up or not, number."""
        limits = session.limits
        parts = (
            session.host,
            session.code_hash,
            *self.identity(session),
            (limits.cpu_s, limits.wall_s, limits.memory_bytes),
            session.meter,
            warmup,
            repeat,
        )
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    def measured(
        self, session: Session, outcome: Outcome, verdict: Classification, *, warmup: bool, repeat: int
    ) -> dict[str, Any]:
        """The fields of a `ConfigurationRun`. A warm-up counts when it is not repeated: when it got no right answer."""
        return {
            "key": self.key(session, warmup=warmup, repeat=repeat),
            "warmup": warmup,
            "repeat": repeat,
            "counted": not (warmup and verdict.status == "answered" and verdict.category != "wrong"),
            "phases": verdict.phases,
            "usage": Measured.of(outcome.usage),
            "machine": outcome.machine,
            "termination": outcome.termination,
            "exit": Exit(code=outcome.exit_code, signal=outcome.exit_signal),
            "status": verdict.status,
            "category": verdict.category,
            "message": verdict.message,
        }


class Measurer(Protocol):
    """Makes one run, as `measure` does on this machine; None when `stop` was set while it ran."""

    def __call__(
        self, configuration: Configuration, session: Session, *, warmup: bool, repeat: int, stop: threading.Event | None
    ) -> Measurement | None:
        """The record of the run."""


def require_hash(rules: RuleSet, name: str, expected: str | None) -> None:
    """Raise HexlogicError when the text of the rules is not the one that the session began with."""
    if rules.hash != expected:
        raise HexlogicError(f"the text of {name} changed during the session", hint="start again")

"""What a kind of measurement is: a class of configurations, which a measured process gets as JSON and carries out."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeVar

import msgspec

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games.rulesets import RuleSet, find_rule_set
from hexlogic.laboratory.records.types import Exit, Measured, Measurement, Phases, Played, Replayed, Session, Started
from hexlogic.laboratory.runs.verdict import Asked, Built, Classification, Reply, classify
from hexlogic.language import Program
from hexlogic.process.process_tree import TreeClock

if TYPE_CHECKING:
    from hexlogic.process.isolate import Outcome

C = TypeVar("C", bound="Configuration")


class Unsupported(HexlogicError):  # noqa: N818
    """The engine, or the reasoner, cannot take the program."""


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule set of a configuration: what finds it, and the hash of its text when the session began."""

    name: str
    reference: str
    """A name, or a file of rules."""
    hash: str
    complete: bool = True

    @classmethod
    def of(cls, rule_set: RuleSet) -> Rules:
        """The reference to a rule set."""
        return cls(rule_set.name, rule_set.reference, rule_set.hash, rule_set.complete)

    def load(self) -> RuleSet:
        """The rule set. Raises HexlogicError when its text has changed."""
        return self.check(find_rule_set(self.reference))

    def check(self, rule_set: RuleSet) -> RuleSet:
        """The same rule set. Raises HexlogicError when its text is not the one that the session began with."""
        if rule_set.hash != self.hash:
            raise HexlogicError(f"the text of {self.reference} changed during the session", hint="start again")
        return rule_set


class Measuring:
    """The measurements of a process so far; `tell` sends the message that its query begins."""

    def __init__(self, tell: Callable[[Asked], None]) -> None:
        self._tell = tell
        self.phases = Phases()
        self.built: Built | None = None

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time what is done inside as a phase."""
        begin = time.perf_counter()
        yield
        self.took(**{name: time.perf_counter() - begin})

    def took(self, **seconds: float | None) -> None:
        """Record the seconds of phases that were timed elsewhere."""
        self.phases = msgspec.structs.replace(self.phases, **seconds)

    def build(
        self, make: Callable[[], Program], dialect: str, refuses: Callable[[Program], str | None] = lambda program: None
    ) -> Program:
        """The program that `make` makes, timed; from then on garbage is collected.

        Raises Unsupported with the reason for which the engine `refuses` it.
        """
        with self.phase("transform_s"):
            program = make()
        self.built = Built.of(program, dialect)
        if (reason := refuses(program)) is not None:
            raise Unsupported(reason)
        # The engine works with the collector on, as anywhere, but need not look through what came before it.
        gc.freeze()
        gc.enable()
        return program

    def ask(self, started: Started | None = None) -> None:
        """Send the message that the query begins now."""
        self._tell(Asked(built=self.built, phases=self.phases, cpu_s=TreeClock().cpu_s(), started=started))

    def answered(
        self,
        answer: bool,
        *,
        counters: dict[str, int] | None = None,
        warm: tuple[float | None, int] = (None, 0),
        replayed: Replayed | None = None,
        played: Played | None = None,
    ) -> Reply:
        """The reply with an answer; `warm` are the seconds of a repeated query, and how often it was repeated."""
        return Reply(
            status="answered",
            built=self.built,
            phases=self.phases,
            answer=answer,
            counters=counters or {},
            warm_query_s=warm[0],
            warm_queries=warm[1],
            replayed=replayed,
            played=played,
        )


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """One configuration on one task: what is run once as a warm-up and then repeated.

    A subclass is a kind of measurement; its tag is the name of its module. What it inherits and does not override is
    right for one that belongs to no series.
    """

    record_type: ClassVar[type[Measurement]]
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

    def first_jobs(self) -> tuple[Configuration, ...]:
        """Small jobs that have numba compile what the configuration needs; they run before anything is measured."""
        return ()

    def in_repeat(self: C, number: int) -> C:
        """The configuration of a repeat: with a seed of its own where anything is drawn at random."""
        return self

    def execute(self, measuring: Measuring) -> Reply:
        """Measure; this is what the measured process does.

        A HexlogicError or MemoryError becomes a reply without an answer: `unsupported` for Unsupported, and for a
        SizeError, which says that the rules cannot take the board.
        """
        raise NotImplementedError

    def identity(self, session: Session) -> tuple[object, ...]:
        """What decides the result, as plain JSON data: hashes of texts, names, versions."""
        raise NotImplementedError

    def judge(self, outcome: Outcome) -> Classification:
        """What became of a run."""
        return classify(outcome, expected=True)

    def fields(self, session: Session, verdict: Classification) -> dict[str, object]:
        """The fields of the record that this kind adds or replaces; those that the record and the configuration have
        under the same name are there already."""
        return {}

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

    def record(self, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Measurement:
        """The record of a run that ended. A warm-up counts when it got no right answer, for it is not repeated then."""
        verdict = self.judge(outcome)
        asked, last = verdict.asked, verdict.last
        built = None if last is None else last.built
        asdict, drawn = msgspec.structs.asdict, self.in_repeat(repeat)
        known: dict[str, object] = {
            **asdict(verdict.reply or Reply(status="error")),
            **(dict.fromkeys(Built.__struct_fields__) if built is None else asdict(built)),
            "key": self.key(session, warmup=warmup, repeat=repeat),
            "warmup": warmup,
            "repeat": repeat,
            "counted": not (warmup and verdict.status == "answered" and verdict.category != "wrong"),
            "phases": Phases() if last is None else last.phases,
            "usage": Measured.of(outcome.usage),
            "machine": outcome.machine,
            "termination": outcome.termination,
            "exit": Exit(code=outcome.exit_code, signal=outcome.exit_signal),
            "status": verdict.status,
            "category": verdict.category,
            "message": verdict.message,
            "answer": verdict.answer,
            "asked_cpu_s": None if asked is None else asked.cpu_s,
            "started": None if asked is None else asked.started,
            **asdict(drawn),
            **drawn.fields(session, verdict),
        }
        fields = {name: known[name] for name in self.record_type.__struct_fields__ if name in known}
        return msgspec.convert(fields, self.record_type)


def carry_out(configuration: Configuration, tell: Callable[[Asked], None]) -> Reply:
    """Execute a configuration in this process; `tell` sends the message before its query begins."""
    measuring = Measuring(tell)

    def failed(status: Literal["out-of-memory", "unsupported", "error"], text: str) -> Reply:
        return Reply(status=status, built=measuring.built, phases=measuring.phases, text=text)

    try:
        return configuration.execute(measuring)
    except MemoryError:
        return failed("out-of-memory", "Python could not get more memory")
    except (SizeError, Unsupported) as error:
        return failed("unsupported", str(error))
    except HexlogicError as error:
        return failed("error", str(error))


class Measurer(Protocol):
    """Makes one run, as `measure` does on this machine; None when `stop` was set while it ran."""

    def __call__(
        self, configuration: Configuration, session: Session, *, warmup: bool, repeat: int, stop: threading.Event | None
    ) -> Measurement | None:
        """The record of the run."""

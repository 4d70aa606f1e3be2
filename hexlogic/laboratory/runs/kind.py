"""What a kind of measurement is: a class of configurations, which a measured process gets as JSON and carries out.

The process sends messages, JSON lines on stdout: `asked` just before its query begins, so that a killed query still has
its phases, and on the last line how it ended. Only a complete last line counts: an engine that dies half-way must not
look as if it had answered. The verdict on a run is its status, category, answer and a text.
"""

import contextlib
import gc
import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, Self, TypeAlias

import msgspec
from msgspec.structs import asdict, replace

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games.rulesets import RuleSet, find_rule_set
from hexlogic.laboratory.records.types import (
    Category,
    Measurement,
    Phases,
    Played,
    Replayed,
    Session,
    Sizes,
    Started,
    Status,
)
from hexlogic.language import Program
from hexlogic.process.isolate import Outcome
from hexlogic.process.limits import Termination
from hexlogic.process.process_tree import TreeClock


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
    def of(cls, rule_set: RuleSet) -> "Rules":
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


_STDERR_KEPT = 200  # Characters of a dead worker's stderr worth keeping


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a worker has measured so far, under the names of records; `asked` when its query begins, else how it ends:
    with an answer, or why there is none."""

    status: Literal["asked", "answered", "out-of-memory", "error", "unsupported"]
    program_hash: str | None = None
    dialect: str | None = None
    sizes: Sizes | None = None
    phases: Phases = Phases()
    asked_cpu_s: float | None = None
    """The CPU seconds of worker and engine when the query began."""
    started: Started | None = None
    answer: bool | None = None
    counters: dict[str, int] = {}
    warm_query_s: float | None = None
    warm_queries: int = 0
    replayed: Replayed | None = None
    played: Played | None = None
    text: str | None = None
    """What to tell people when there is no answer."""

    def with_program(self, program: Program, dialect: str) -> "Message":
        """The message with the fields of a record about the program that the engine gets."""
        bodies = [rule.body for rule in program.rules if rule.body]
        facts, literals = sum(rule.is_fact for rule in program.rules), sum(map(len, bodies))
        return replace(
            self,
            program_hash=hashlib.sha256(str(program).encode()).hexdigest(),
            dialect=dialect,
            sizes=Sizes(rules=len(bodies), facts=facts, literals=literals),
        )


_decoder = msgspec.json.Decoder(Message)


def encode_message(message: Message) -> bytes:
    """One line of JSON with its line end."""
    return msgspec.json.encode(message) + b"\n"


def read_messages(stdout: bytes) -> tuple[Message | None, Message | None]:
    """The messages of a worker: the start of its query, and its end when the last line is complete and is one.

    >>> line = encode_message(Message(status="answered", answer=True))
    >>> read_messages(line)[1].answer, read_messages(line[:-1])[1], read_messages(line + b"Bus error")[1]
    (True, None, None)
    """
    *lines, torn = stdout.split(b"\n")
    asked: Message | None = None
    last: Message | None = None
    for line in lines:
        try:
            last = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            last = None
        if last is not None and last.status == "asked":
            asked, last = last, None
    return asked, None if torn else last


@dataclass(frozen=True, slots=True)
class Classification:
    """The classified end of a run. `said` is the last message of the worker that counts, None without any."""

    status: Status
    category: Category
    message: str | None
    said: Message | None

    @property
    def answer(self) -> bool | None:
        """The answer; None without one that counts."""
        return self.said.answer if self.said is not None and self.status == "answered" else None


_LIMITS: Final[dict[Termination, tuple[Status, str]]] = {
    "cpu-limit": ("timeout", "CPU limit reached"),
    "wall-limit": ("timeout", "wall clock limit reached"),
    "memory-limit": ("out-of-memory", "memory limit reached"),
}


def classify(outcome: Outcome, *, expected: bool, complete: bool = True, winners: str | None = None) -> Classification:
    """Judge an outcome. `complete` is False for a rule set that may miss wins: its "no" to a win is not a wrong
    answer, and its category is unknown. Of a game, `winners` are the referee's after each move.

    An answer counts when its line is complete, the process ended by itself with exit code 0, and in time.
    """
    asked, reply = read_messages(outcome.stdout)
    where = "" if asked else " before the query began"

    def without(status: Status, message: str | None) -> Classification:
        return Classification(status, "unknown", message, asked)

    if outcome.termination == "interrupted":
        return without("crashed", "interrupted")
    if outcome.termination in _LIMITS:
        status, limit = _LIMITS[outcome.termination]
        return without(status, f"{limit}{where}")
    if outcome.exit_code != 0:
        words = " ".join(outcome.stderr.decode("utf-8", "replace").split())[-_STDERR_KEPT:]
        return without("crashed", f"{outcome.ending}{': ' * bool(words)}{words}{where}")
    if reply is None or reply.status == "asked":
        return without("crashed", f"ended without a complete answer{where}")
    if reply.status != "answered":
        return Classification(reply.status, "unknown", reply.text, reply)
    if reply.answer is None or (winners is not None and reply.replayed is None):
        return without("crashed", "said that it answered, and did not say what")
    if winners is not None and reply.replayed is not None:
        category, message = _judge_game(reply.replayed.winners, winners, complete)
    elif reply.answer == expected:
        category, message = "correct", None
    elif expected and not complete:
        category, message = _MISSED
    else:
        answer, truth = ("yes" if holds else "no" for holds in (reply.answer, expected))
        category, message = "wrong", f"answered {answer}, the oracle says {truth}"
    return Classification("answered", category, message, reply)


_MISSED: Final[tuple[Category, str]] = ("unknown", "misses this win, as an incomplete rule set may")


def _judge_game(answers: str, winners: str, complete: bool) -> tuple[Category, str | None]:
    """An incomplete rule set may miss a win, but a win that it answers must be right."""
    if answers == winners:
        return "correct", None
    if len(answers) != len(winners):
        return "wrong", f"answered after {len(answers)} moves of {len(winners)}"
    differing = [ply for ply, (answer, winner) in enumerate(zip(answers, winners, strict=True)) if answer != winner]
    if not complete and all(answers[ply] == "." for ply in differing):
        return _MISSED
    ply = differing[0]
    words = {".": "nobody", "r": "red", "b": "blue", "x": "both"}
    return "wrong", f"answered {words[answers[ply]]} after move {ply + 1}, the oracle says {words[winners[ply]]}"


class Measuring:
    """What a process has measured so far; `tell` sends the message that its query begins."""

    def __init__(self, tell: Callable[[Message], None]) -> None:
        self._tell = tell
        self.said = Message(status="asked")

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time what is done inside as a phase."""
        begin = time.perf_counter()
        yield
        self.took(**{name: time.perf_counter() - begin})

    def took(self, **seconds: float | None) -> None:
        """Record the seconds of phases that were timed elsewhere."""
        self.said = replace(self.said, phases=replace(self.said.phases, **seconds))

    def build(
        self, make: Callable[[], Program], dialect: str, refuses: Callable[[Program], str | None] = lambda program: None
    ) -> Program:
        """The program that `make` makes, timed; from then on garbage is collected. Raises Unsupported with the reason
        for which the engine `refuses` it."""
        with self.phase("transform_s"):
            program = make()
        self.said = self.said.with_program(program, dialect)
        if (reason := refuses(program)) is not None:
            raise Unsupported(reason)
        # The engine works with the collector on, as anywhere, but need not look through what came before it.
        gc.freeze()
        gc.enable()
        return program

    def ask(self, started: Started | None = None) -> None:
        """Send the message that the query begins now."""
        self.said = replace(self.said, asked_cpu_s=TreeClock().cpu_s(), started=started)
        self._tell(self.said)

    def answered(self, answer: bool, **measured: object) -> Message:
        """The last message of a process that has an answer, with what else it has `measured`."""
        return replace(self.said, status="answered", answer=answer, **measured)


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
    def series(self) -> tuple[object, int]:
        """What the configurations on boards that grow have in common, and the size of the board; one that belongs to no
        series is a series of its own."""
        return self, 0

    def first_jobs(self) -> "tuple[Configuration, ...]":
        """Small jobs that have numba compile what the configuration needs; they run before it is measured."""
        return ()

    def figure(self, run: Measurement) -> str | None:
        """What progress tells of a run when it has ended; None where a session has too many runs for that."""
        return None

    def in_repeat(self, number: int) -> Self:
        """The configuration of a repeat: with a seed of its own where anything is drawn at random."""
        return self

    def execute(self, measuring: Measuring) -> Message:
        """Measure; this is what the measured process does. A HexlogicError or MemoryError becomes a message without an
        answer: `unsupported` for Unsupported, and for a SizeError, which says that the rules cannot take the board."""
        raise NotImplementedError

    def judge(self, outcome: Outcome) -> Classification:
        """What became of a run."""
        return classify(outcome, expected=True)

    def fields(self, session: Session, verdict: Classification) -> dict[str, object]:
        """The fields of the record that this kind adds or replaces; those that the record and the configuration have
        under the same name are there already."""
        return {}

    def key(self, session: Session, *, warmup: bool, repeat: int) -> str:
        """Names one run: the configuration with its hashes of texts, the host, the code, the versions, the limits and
        what kept them, warm-up or not, number."""
        versions = {name: engine.version for name, engine in session.engines.items()}
        place = (session.host, session.code_hash, versions, session.limits, session.meter)
        return hashlib.sha256(msgspec.json.encode((self, place, warmup, repeat))).hexdigest()[:16]

    def record(self, session: Session, outcome: Outcome, *, warmup: bool, repeat: int) -> Measurement:
        """The record of a run that ended. A warm-up counts when it got no right answer, for it is not repeated then."""
        verdict, used, drawn = self.judge(outcome), outcome.usage, self.in_repeat(repeat)
        known: dict[str, object] = {
            **asdict(verdict.said or Message(status="asked")),
            "key": self.key(session, warmup=warmup, repeat=repeat),
            "warmup": warmup,
            "repeat": repeat,
            "counted": not (warmup and verdict.status == "answered" and verdict.category != "wrong"),
            # A process that ended before its memory was looked at has no peak.
            "usage": {"cpu_s": used.cpu_s, "wall_s": used.wall_s, "peak_bytes": used.peak_bytes or None},
            "machine": outcome.machine,
            "termination": outcome.termination,
            "exit": {"code": outcome.exit_code, "signal": outcome.exit_signal},
            "status": verdict.status,
            "category": verdict.category,
            "message": verdict.message,
            "answer": verdict.answer,
            **asdict(drawn),
            **drawn.fields(session, verdict),
        }
        fields = {name: known[name] for name in self.record_type.__struct_fields__ if name in known}
        return msgspec.convert(fields, self.record_type)


def carry_out(configuration: Configuration, tell: Callable[[Message], None]) -> Message:
    """Execute a configuration in this process; `tell` sends the message before its query begins."""
    measuring = Measuring(tell)
    try:
        return configuration.execute(measuring)
    except MemoryError:
        return replace(measuring.said, status="out-of-memory", text="Python could not get more memory")
    except HexlogicError as error:
        status = "unsupported" if isinstance(error, SizeError | Unsupported) else "error"
        return replace(measuring.said, status=status, text=str(error))


Measurer: TypeAlias = Callable[..., Measurement | None]
"""Makes one run, as `measure` does on this machine; None when it was stopped while it ran."""

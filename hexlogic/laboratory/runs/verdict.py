"""The messages of a measured process, JSON lines on stdout, and the verdict on its run: status, answer, category, text.

A worker sends `Asked` just before its query begins, so that a killed query still has its phases, and ends with `Reply`.
Only a reply on a complete last line counts: an engine that dies half-way must not look as if it had answered.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from hexlogic.laboratory.records.types import Category, Phases, Played, Replayed, Sizes, Started, Status

if TYPE_CHECKING:
    from hexlogic.language import Program
    from hexlogic.process.isolate import Outcome
    from hexlogic.process.limits import Termination

_STDERR_KEPT = 200
"""Characters of a dead worker's stderr worth keeping."""


class Built(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The program that the engine gets."""

    program_hash: str
    dialect: str
    sizes: Sizes

    @classmethod
    def of(cls, program: Program, dialect: str) -> Built:
        """The fields of a record about a program."""
        bodies = [rule.body for rule in program.rules if rule.body]
        facts, literals = sum(rule.is_fact for rule in program.rules), sum(map(len, bodies))
        return cls(
            program_hash=hashlib.sha256(str(program).encode()).hexdigest(),
            dialect=dialect,
            sizes=Sizes(rules=len(bodies), facts=facts, literals=literals),
        )


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="asked"):
    """Sent just before the query begins: the phases so far, and the CPU seconds of worker and engine so far."""

    built: Built | None
    phases: Phases
    cpu_s: float
    started: Started | None = None


class Reply(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="reply"):
    """The last line: an answer, or why there is none."""

    status: Literal["answered", "out-of-memory", "error", "unsupported"]
    built: Built | None = None
    phases: Phases = Phases()
    answer: bool | None = None
    counters: dict[str, int] = {}
    warm_query_s: float | None = None
    warm_queries: int = 0
    replayed: Replayed | None = None
    played: Played | None = None
    text: str | None = None
    """What to tell people when there is no answer."""


Message: TypeAlias = Asked | Reply

_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def encode_message(message: Message) -> bytes:
    """One line of JSON with its line end."""
    return msgspec.json.encode(message) + b"\n"


def read_messages(stdout: bytes) -> tuple[Asked | None, Reply | None]:
    """The messages of a worker: the start of its query, and its reply when the last line is complete and is one.

    >>> line = encode_message(Reply(status="answered", answer=True))
    >>> read_messages(line)[1].answer, read_messages(line[:-1])[1], read_messages(line + b"Bus error")[1]
    (True, None, None)
    """
    *lines, torn = stdout.split(b"\n")
    asked: Asked | None = None
    last: Message | None = None
    for line in lines:
        try:
            last = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            last = None
        if isinstance(last, Asked):
            asked = last
    return asked, last if isinstance(last, Reply) and not torn else None


@dataclass(frozen=True, slots=True)
class Classification:
    """The classified end of a run; `reply` and `asked` are the messages of the worker, `reply` only if it counts."""

    status: Status
    category: Category
    answer: bool | None
    message: str | None
    asked: Asked | None
    reply: Reply | None

    @property
    def last(self) -> Message | None:
        """The last message that tells of the program that was built, or that its query began."""
        return self.reply if self.reply is not None and self.reply.built is not None else self.asked


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

    def without(status: Status, message: str | None, reply: Reply | None = None) -> Classification:
        return Classification(status, "unknown", None, message, asked, reply)

    if outcome.termination == "interrupted":
        return without("crashed", "interrupted")
    if outcome.termination in _LIMITS:
        status, limit = _LIMITS[outcome.termination]
        return without(status, f"{limit}{where}")
    if outcome.exit_code != 0:
        words = " ".join(outcome.stderr.decode("utf-8", "replace").split())[-_STDERR_KEPT:]
        return without("crashed", f"{outcome.ending}{': ' * bool(words)}{words}{where}")
    if reply is None:
        return without("crashed", f"ended without a complete answer{where}")
    if reply.status != "answered":
        return without(reply.status, reply.text, reply)
    if reply.answer is None or (winners is not None and reply.replayed is None):
        return without("crashed", "said that it answered, and did not say what")
    if winners is not None and reply.replayed is not None:
        category, message = _judge_game(reply.replayed.winners, winners, complete)
    else:
        category, message = _judge(reply.answer, expected, complete)
    return Classification("answered", category, reply.answer, message, asked, reply)


_MISSED: Final[tuple[Category, str]] = ("unknown", "misses this win, as an incomplete rule set may")


def _judge(answer: bool, expected: bool, complete: bool) -> tuple[Category, str | None]:
    if answer == expected:
        return "correct", None
    words = {True: "yes", False: "no"}
    is_missed = expected and not complete
    return _MISSED if is_missed else ("wrong", f"answered {words[answer]}, the oracle says {words[expected]}")


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

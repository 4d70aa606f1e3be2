"""What a measured process says: messages as JSON lines on stdout. What it gets is a job (see `kind`), JSON on stdin.

A worker says `Asked` just before its query begins, so that a killed query still has its phases, and ends with `Reply`.
Only a reply on a complete last line counts: an engine that dies half-way must not look as if it had answered.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from hexlogic.laboratory.records.types import Phases, Played, Replayed, Sizes, Started

if TYPE_CHECKING:
    from hexlogic.language import Program


class Built(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The program that the engine gets."""

    program_hash: str
    dialect: str
    sizes: Sizes

    @classmethod
    def of(cls, program: Program, dialect: str) -> Built:
        """What a record says of a program."""
        bodies = [rule.body for rule in program.rules if rule.body]
        facts, literals = sum(rule.is_fact for rule in program.rules), sum(map(len, bodies))
        return cls(
            program_hash=hashlib.sha256(str(program).encode()).hexdigest(),
            dialect=dialect,
            sizes=Sizes(rules=len(bodies), facts=facts, literals=literals),
        )


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="message", tag="asked"):
    """The query begins now; the phases so far, and the CPU seconds of worker and engine so far."""

    built: Built
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
    started: Started | None = None
    played: Played | None = None
    text: str | None = None
    """What to tell people when there is no answer."""


Message: TypeAlias = Asked | Reply

_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def encode_message(message: Message) -> bytes:
    """One line of JSON with its line end."""
    return msgspec.json.encode(message) + b"\n"


def read_messages(stdout: bytes) -> tuple[Asked | None, Reply | None]:
    """What a worker said: the start of its query, and its reply when the last line is complete and is one.

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

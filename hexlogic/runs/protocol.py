"""What goes to a worker and what comes back: a job as JSON on stdin, messages as JSON lines on stdout.

A worker says `Asked` just before its query begins, so that a killed query still has its phases, and ends with `Reply`.
Only a reply on a complete last line counts: an engine that dies half-way must not look as if it had answered.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from hexlogic.runs.records import Mode, Phases, Played, Replayed, Sizes, Started

__all__ = [
    "Asked",
    "Built",
    "FloorJob",
    "GameJob",
    "Job",
    "Message",
    "PlayJob",
    "Reply",
    "WarmUp",
    "Work",
    "encode_message",
    "read_messages",
]


class WarmUp(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How often a short query is repeated in the same process: `batches` of it, each of which adds up to `batch_s`
    seconds of query, so that the grain of the engine's clock does not matter; but no longer than `budget_s` in all.

    Only a cold query below `below_s` seconds is repeated.
    """

    below_s: float = 0.1
    budget_s: float = 0.04
    batch_s: float = 0.0001
    batches: int = 200


class Job(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="job", tag="question"):
    """One question: which program to build, which engine to ask, about which position and player."""

    rule_set: str
    """A name, or a file of rules."""
    rule_set_hash: str
    game: str
    rows: int
    columns: int
    red: list[int]
    blue: list[int]
    player: Literal["red", "blue"]
    pipeline: str
    engine: str
    warm: WarmUp = WarmUp()


class FloorJob(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="job", tag="floor"):
    """The smallest question: a program of one fact, asked for it, with no position."""

    engine: str
    warm: WarmUp = WarmUp()


class GameJob(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="job", tag="game"):
    """A game to replay: after each move, who has won?"""

    rule_set: str
    rule_set_hash: str
    game: str
    rows: int
    columns: int
    moves: list[tuple[Literal["red", "blue"], int]]
    mode: Mode
    pipeline: str
    engine: str


class PlayJob(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="job", tag="playouts"):
    """Random games: until so many are played, or until they have taken so long."""

    text: str | None
    """The sheet, as KIF; None for that of `rule_set` on the board, and for a peer."""
    rule_set: str | None
    rule_set_hash: str | None
    game: str
    rows: int | None
    columns: int | None
    reasoner: str
    seed: int
    games: int | None
    seconds: float
    longest: int


Work: TypeAlias = Job | FloorJob | GameJob | PlayJob


class Built(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The program that the engine gets."""

    program_hash: str
    dialect: str
    sizes: Sizes


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

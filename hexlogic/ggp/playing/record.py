"""The record of a match: one JSON object, a line of its file. Terms are KIF text.

A value that was not measured or does not exist is None. Decoding is strict: an unknown field is an error.
"""

from typing import Literal, TypeAlias

import msgspec

from hexlogic.process.files import decode_json

SCHEMA = 1
"""The version of these types; a reader refuses any other."""

Kind: TypeAlias = Literal["late", "unreachable", "refused", "unparsable", "illegal", "not-ready"]
"""What was wrong with an answer: it came too late, none came, an HTTP error came, it was no term, it was no legal
move, it was not READY."""

Outcome: TypeAlias = Literal["finished", "endless"]
"""Whether the match came to its end or was stopped after the longest number of steps."""


class Fault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a player did wrong. In a step the host then drew a legal move for it."""

    role: int
    """The number of its role, from 0."""
    kind: Kind
    answer: str | None
    """What the player said; None when it said nothing in time."""
    message: str


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A state and what was done in it."""

    state: list[str]
    """What is true, sorted."""
    moves: list[str]
    """The move of each role."""
    answered_s: list[float | None]
    """Seconds until each player's answer; None when it was late or none came."""
    faults: list[Fault] = []


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match from its start to its end."""

    schema: int = SCHEMA
    match: str
    """The name that the players were told, with the number of the role behind it."""
    started: str
    """UTC, ISO 8601."""
    hexlogic: str
    """The version of the host."""
    sheet: str
    """The name of the sheet."""
    sheet_sha256: str
    """Of the sheet's canonical KIF text."""
    seed: int
    """Of the host's draws, where a player had no legal answer, and of built-in players."""
    start_clock_s: int
    play_clock_s: int
    roles: list[str]
    players: list[str]
    """Who played each role: a built-in player's name or a URL."""
    start_faults: list[Fault] = []
    """What went wrong before the first step."""
    steps: list[Step]
    outcome: Outcome
    end: list[str]
    """What is true in the last state, sorted."""
    goals: list[int] | None
    """What each role has got, 0 to 100; None when the match was endless."""

    @property
    def states(self) -> list[list[str]]:
        """Every state, the last one included."""
        return [*(step.state for step in self.steps), self.end]

    @property
    def faults(self) -> list[tuple[int | None, Fault]]:
        """All faults with the number of their step, from 1; None before the first step."""
        early: list[tuple[int | None, Fault]] = [(None, fault) for fault in self.start_faults]
        return early + [(ply, fault) for ply, step in enumerate(self.steps, 1) for fault in step.faults]


def encode_match(record: MatchRecord) -> bytes:
    """The record as one line of JSON."""
    return msgspec.json.encode(record) + b"\n"


def decode_match(line: bytes | str) -> MatchRecord:
    """The record in a line. Raises msgspec.DecodeError."""
    return decode_json(line, MatchRecord)

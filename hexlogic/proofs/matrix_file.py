"""A matrix of proofs as data: for `--json`, and as a file in a folder of records, which reports read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, Position, load_game
from hexlogic.process.files import read_stored
from hexlogic.process.line_file import lock_in
from hexlogic.proofs.outcome import Finding, Outcome, Refutation, Unfinished

SCHEMA = 1
"""The version of these types; a reader refuses any other."""

Relation: TypeAlias = Literal["equal", "smaller", "different", "unknown"]
"""Equal on every position of the board, or on every position of a smaller one only; different; not settled."""

_NAME = "proofs-{game}-{rows}x{columns}.json"


class StoredPosition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position by cell names."""

    game: str
    rows: int
    columns: int
    red: tuple[str, ...]
    blue: tuple[str, ...]
    name: str | None = None


class CounterExample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What two rule sets and the referee say about `player` on a position."""

    position: StoredPosition
    player: str
    left: bool
    right: bool
    referee: bool
    smallest: bool

    @property
    def board(self) -> Position:
        """The position on its board."""
        stored = self.position
        return Position.of(load_game(stored.game).of_extent(stored.rows, stored.columns), stored.red, stored.blue)


class StoredOutcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A proof, a refutation with its counter-example, or neither, with the reason."""

    verdict: Literal["equal", "different", "unfinished"]
    left: str
    right: str
    game: str
    rows: int
    columns: int
    findings: tuple[Finding, ...]
    counter_example: CounterExample | None = None
    reason: str | None = None
    progress: tuple[str, ...] | None = None


class StoredRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule set against the reference, and against each other one in `pairs`."""

    name: str
    complete: bool
    relation: Relation
    as_declared: bool
    refusal: str | None
    summary: str
    outcome: StoredOutcome | None
    pairs: dict[str, Relation]


class StoredMatrix(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All rule sets on one board. `started` is UTC, ISO 8601; `hexlogic` the version that proved it."""

    schema: int
    hexlogic: str
    started: str
    command: tuple[str, ...]
    game: str
    rows: int
    columns: int
    reference: str
    as_declared: bool
    rule_sets: tuple[StoredRow, ...]


def stored_outcome(outcome: Outcome) -> StoredOutcome:
    """The outcome as plain data."""
    example: CounterExample | None = None
    if isinstance(outcome, Refutation):
        example = CounterExample(
            position=msgspec.json.decode(outcome.position.to_json(), type=StoredPosition),
            player=outcome.player,
            left=outcome.left_says,
            right=outcome.right_says,
            referee=outcome.truth,
            smallest=outcome.smallest,
        )
    stopped = outcome if isinstance(outcome, Unfinished) else None
    return StoredOutcome(
        verdict="different" if example else "unfinished" if stopped else "equal",
        left=outcome.left,
        right=outcome.right,
        game=outcome.asked.name,
        rows=outcome.asked.rows,
        columns=outcome.asked.columns,
        findings=outcome.findings,
        counter_example=example,
        reason=stopped.reason if stopped else None,
        progress=stopped.progress if stopped else None,
    )


@contextlib.contextmanager
def matrix_path(folder: Path, board: Game) -> Iterator[Path]:
    """Where the matrix of a board is stored, held for the caller meanwhile. Makes the folder.

    Raises HexlogicError when the file cannot be written, is there already or is held by another process, so that it is
    known before the proofs begin.
    """
    path = folder / _NAME.format(game=board.name, rows=board.rows, columns=board.columns)
    lock = lock_in(folder, path.with_suffix(".lock").name, "proofs")
    try:
        if path.exists():
            raise HexlogicError(f"{path} is there already", hint="give another folder with --out")
        yield path
    finally:
        lock.release()


def proof_files(folder: Path) -> tuple[Path, ...]:
    """The stored matrices in a folder, sorted by name."""
    return tuple(sorted(folder.glob("proofs-*.json")))


def read_matrix(path: Path) -> StoredMatrix:
    """A stored matrix. Raises HexlogicError for a file of another schema or of none."""
    return read_stored(path, StoredMatrix, "proofs", SCHEMA, hint="prove them again")

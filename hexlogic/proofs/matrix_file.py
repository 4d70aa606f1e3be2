"""A matrix of proofs as data: for `--json`, and as a file beside records, which reports read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from hexlogic.errors import HexlogicError
from hexlogic.process.files import read_stored
from hexlogic.process.lock import lock_in

if TYPE_CHECKING:
    from hexlogic.games import Game
    from hexlogic.proofs.matrix import Matrix
    from hexlogic.proofs.outcome import Finding, Outcome

SCHEMA = 1
"""The version of these types; a reader refuses any other."""

_NAME = "proofs-{game}-{rows}x{columns}.json"


class StoredFinding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A `Finding` with its board as numbers; seconds are wall time unless named otherwise."""

    player: str
    method: str
    positions: int | None
    reads: tuple[str, ...]
    ground_rules: int | None
    choices: int | None
    conflicts: int | None
    ground_s: float
    solve_s: float
    cpu_s: float
    rows: int
    columns: int


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


class StoredOutcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A proof, a refutation with its counter-example, or neither, with the reason."""

    verdict: Literal["equal", "different", "unfinished"]
    left: str
    right: str
    game: str
    rows: int
    columns: int
    findings: tuple[StoredFinding, ...]
    counter_example: CounterExample | None = None
    reason: str | None = None
    progress: tuple[str, ...] | None = None


class StoredRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule set against the reference, and against each other one in `pairs`."""

    name: str
    complete: bool
    relation: str
    as_declared: bool
    refusal: str | None
    summary: str
    outcome: StoredOutcome | None
    pairs: dict[str, Literal["equal", "smaller", "different", "unknown"]]


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
    from hexlogic.proofs.outcome import Proof, Refutation, Unfinished

    example, reason, progress = None, None, None
    verdict: Literal["equal", "different", "unfinished"] = "equal"
    match outcome:
        case Proof():
            pass
        case Refutation():
            verdict = "different"
            example = CounterExample(
                position=msgspec.json.decode(outcome.position.to_json(), type=StoredPosition),
                player=outcome.player,
                left=outcome.left_says,
                right=outcome.right_says,
                referee=outcome.truth,
                smallest=outcome.smallest,
            )
        case Unfinished():
            verdict, reason, progress = "unfinished", outcome.reason, outcome.progress
    return StoredOutcome(
        verdict=verdict,
        left=outcome.left,
        right=outcome.right,
        game=outcome.asked.name,
        rows=outcome.asked.rows,
        columns=outcome.asked.columns,
        findings=tuple(map(_finding, outcome.findings)),
        counter_example=example,
        reason=reason,
        progress=progress,
    )


def stored_matrix(matrix: Matrix, *, started: str, command: tuple[str, ...]) -> StoredMatrix:
    """The matrix as plain data."""
    from importlib import metadata

    return StoredMatrix(
        schema=SCHEMA,
        hexlogic=metadata.version("hexlogic"),
        started=started,
        command=command,
        game=matrix.game.name,
        rows=matrix.game.rows,
        columns=matrix.game.columns,
        reference=matrix.game.reference,
        as_declared=matrix.as_declared,
        rule_sets=tuple(
            StoredRow(
                name=row.rules.name,
                complete=row.rules.complete,
                relation=row.relation,
                as_declared=row.as_declared,
                refusal=row.refusal or None,
                summary=row.summary,
                outcome=None if row.outcome is None else stored_outcome(row.outcome),
                pairs={other.rules.name: matrix.relation(row, other) for other in matrix.rows},
            )
            for row in matrix.rows
        ),
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


def _finding(finding: Finding) -> StoredFinding:
    game = finding.game
    same = {name: getattr(finding, name) for name in StoredFinding.__struct_fields__ if name not in ("rows", "columns")}
    return StoredFinding(**same, rows=game.rows, columns=game.columns)

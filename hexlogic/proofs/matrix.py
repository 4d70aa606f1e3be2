"""All rule sets against each other on one board: the matrix of proofs, and its file in a folder of records.

Each is proved equal to the reference, or refuted, directly; the other pairs follow: equal and equal is equal, equal
and different differ on the same position. Two that both differ from the reference are compared directly.
"""

import itertools
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from hexlogic.errors import EngineError, SizeError
from hexlogic.games import PLAYERS, Game, Player, Position, load_game
from hexlogic.games.rulesets import RuleSet, load_rule_set, rule_set_names
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.process.cluster import Cluster
from hexlogic.process.files import read_stored
from hexlogic.process.line_file import new_file
from hexlogic.proofs.equality import Finding, Outcome, Proof, Refutation, Unfinished
from hexlogic.proofs.equivalence import prove_equivalent

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


REFEREE_S = 45.0
"""Wall seconds for a rule set that only the referee can check, so that the others are not kept waiting."""
_WORST_FIRST: Final[tuple[Relation, ...]] = ("different", "smaller", "equal")


def prove_all(
    game: Game,
    *,
    names: Sequence[str] | None = None,
    players: Sequence[Player] = PLAYERS,
    time_s: float | None = None,
    command: tuple[str, ...] = (),
    report: Callable[[str], None] = lambda _: None,
    cluster: Cluster | None = None,
) -> StoredMatrix:
    """Compare all rule sets (or those of `names`) with the reference, and where that does not settle it directly.

    `time_s` bounds the whole matrix in wall seconds; a rule set that it does not reach stays unknown. With a cluster
    the comparisons are made on its workers, side by side. `command` is what a reader is told to run for the same.
    """
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    deadline = None if time_s is None else time.time() + time_s

    def compare_all(pairs: list[tuple[RuleSet, RuleSet]]) -> list[Outcome | str]:
        tasks = [(*pair, game, tuple(players), deadline) for pair in pairs]
        if cluster is not None:
            return [answer for _, answer in sorted(cluster.stream(_compare, tasks), key=lambda answered: answered[0])]
        outcomes = []
        for task in tasks:
            report(f"{task[0].name} and {task[1].name} ...")
            outcomes.append(_compare(*task, report))
        return outcomes

    reference = load_rule_set(game.reference)
    chosen = [load_rule_set(name) for name in names or rule_set_names(game.name)]
    outcomes = compare_all([(reference, rules) for rules in chosen])
    relations = {rules.name: _relation(outcome) for rules, outcome in zip(chosen, outcomes, strict=True)}
    pairs = list(itertools.combinations([rules for rules in chosen if relations[rules.name] == "different"], 2))
    direct = {
        frozenset((first.name, second.name)): _relation(outcome)
        for (first, second), outcome in zip(pairs, compare_all(pairs), strict=True)
    }

    def between(name: str, other: str) -> Relation:
        if name == other:
            return "equal"
        both = {relations[name], relations[other]}
        if "unknown" in both or both in ({"different"}, {"different", "smaller"}):  # the reference settles nothing
            return direct.get(frozenset((name, other)), "unknown")
        return next(relation for relation in _WORST_FIRST if relation in both)

    rows = tuple(
        StoredRow(
            name=rules.name,
            complete=rules.complete,
            relation=relations[rules.name],
            as_declared=_as_declared(rules, outcome),
            refusal=outcome if isinstance(outcome, str) else None,
            summary=_summary(rules, outcome),
            outcome=None if isinstance(outcome, str) else stored_outcome(outcome),
            pairs={other: between(rules.name, other) for other in relations},
        )
        for rules, outcome in zip(chosen, outcomes, strict=True)
    )
    return StoredMatrix(
        schema=SCHEMA,
        hexlogic=metadata.version("hexlogic"),
        started=started,
        command=command,
        game=game.name,
        rows=game.rows,
        columns=game.columns,
        reference=game.reference,
        as_declared=all(row.as_declared for row in rows),
        rule_sets=rows,
    )


def _relation(outcome: Outcome | str) -> Relation:
    """How two rule sets stand to each other on the board."""
    match outcome:
        case Proof(proved=proved):
            return "equal" if proved else "smaller"
        case Refutation():
            return "different"
        case _:
            return "unknown"


def _as_declared(rules: RuleSet, outcome: Outcome | str) -> bool:
    """Whether the registry says so: complete rule sets are equal, incomplete ones only miss wins."""
    if isinstance(outcome, Refutation):
        return not rules.complete and not outcome.right_says and outcome.truth
    return isinstance(outcome, Proof)


def _summary(rules: RuleSet, outcome: Outcome | str) -> str:
    """One line: what is known and how."""
    match outcome:
        case Proof(findings=findings, left=reference, boards=boards):
            methods = {finding.method for finding in findings}
            by = "by clingo" if any(method.startswith("clingo") for method in methods) else "by asking the engine"
            return f"{rules.name} is equal to {reference} on {boards}, {by}"
        case Refutation(position=position, left=reference):
            stones = len(position.red) + len(position.blue)
            declared = "complete" if rules.complete else "incomplete"
            return f"{rules.name}, declared {declared}, differs from {reference}, with {stones} stones at the least"
        case str():
            return f"{rules.name} was not compared: {outcome}"
        case _:
            return str(outcome)


def _compare(
    left: RuleSet,
    right: RuleSet,
    game: Game,
    players: tuple[Player, ...],
    deadline: float | None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome | str:
    """The outcome, or why there was nothing to compare. The deadline is a time of day: it holds on any machine."""
    limits = [] if deadline is None else [max(0.5, deadline - time.time())]
    try:
        if left.name == game.reference and growing_predicates(right.instantiate(game)):
            limits.append(REFEREE_S)
        return prove_equivalent(left, right, game, players=players, time_s=min(limits, default=None), report=report)
    except (SizeError, EngineError) as error:
        return str(error)


def matrix_path(folder: Path, board: Game) -> AbstractContextManager[Path]:
    """Where the matrix of a board is stored, held for the caller meanwhile. Raises as `new_file` does."""
    return new_file(folder, _NAME.format(game=board.name, rows=board.rows, columns=board.columns), "proofs")


def proof_files(folder: Path) -> tuple[Path, ...]:
    """The stored matrices in a folder, sorted by name."""
    return tuple(sorted(folder.glob("proofs-*.json")))


def read_matrix(path: Path) -> StoredMatrix:
    """A stored matrix. Raises HexlogicError for a file of another schema or of none."""
    return read_stored(path, StoredMatrix, "proofs", SCHEMA, hint="prove them again")

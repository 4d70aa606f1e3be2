"""All rule sets against each other on one board.

Each is proved equal to the reference, or refuted, directly; the other pairs follow: equal and equal is equal, equal
and different differ on the same position. Two that both differ from the reference are compared directly.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from hexlogic.errors import EngineError, SizeError
from hexlogic.games import PLAYERS, Game, Player
from hexlogic.games.rulesets import RuleSet, load_rule_set, rule_set_names
from hexlogic.process.cluster import Cluster
from hexlogic.proofs.bounded import groundable
from hexlogic.proofs.equivalence import prove_equivalent
from hexlogic.proofs.outcome import Outcome, Proof, Refutation, Unfinished

REFEREE_S = 45.0
"""Wall seconds for a rule set that only the referee can check, so that the others are not kept waiting."""

Relation: TypeAlias = Literal["equal", "smaller", "different", "unknown"]
"""Equal on every position of the board, or on every position of a smaller one only; different; not settled."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule set against the reference; `refusal` says why there was nothing to compare."""

    rules: RuleSet
    outcome: Outcome | None
    refusal: str = ""

    @property
    def relation(self) -> Relation:
        """How it stands to the reference on the board."""
        match self.outcome:
            case Proof(covers=covers):
                return "equal" if covers else "smaller"
            case Refutation():
                return "different"
            case Unfinished() | None:
                return "unknown"

    @property
    def as_declared(self) -> bool:
        """Whether the outcome is what the registry says.

        A complete rule set must be equal. An incomplete one may miss wins, and must not claim any that is none.
        """
        if isinstance(self.outcome, Refutation):
            claims = self.outcome.right_says
            return not self.rules.complete and not claims and self.outcome.truth
        return isinstance(self.outcome, Proof)

    @property
    def summary(self) -> str:
        """One line: what is known and how."""
        match self.outcome:
            case Proof(findings=findings, left=reference, boards=boards):
                methods = {finding.method for finding in findings}
                by = "by clingo" if any(method.startswith("clingo") for method in methods) else "by asking the engine"
                return f"{self.rules.name} is equal to {reference} on {boards}, {by}"
            case Refutation(position=position, left=reference):
                stones = len(position.red) + len(position.blue)
                declared = "declared incomplete" if not self.rules.complete else "declared complete"
                return f"{self.rules.name}, {declared}, differs from {reference}, with {stones} stones at the least"
            case Unfinished():
                return str(self.outcome)
            case None:
                return f"{self.rules.name} was not compared: {self.refusal}"


@dataclass(frozen=True)
class Matrix:
    """The rows, sorted by name, and the pairs that had to be compared directly, by their names."""

    game: Game
    rows: tuple[Row, ...]
    direct: dict[tuple[str, str], Outcome]

    @property
    def as_declared(self) -> bool:
        """Whether every rule set, and with it every pair, is as the registry declares it."""
        return all(row.as_declared for row in self.rows)

    def relation(self, one: Row, other: Row) -> Relation:
        """How two rule sets stand to each other: directly compared, or by way of the reference."""
        if one is other:
            return "equal"
        first, second = sorted((one.rules.name, other.rules.name))
        match self.direct.get((first, second)):
            case Proof():
                return "equal"
            case Refutation():
                return "different"
        relations = {one.relation, other.relation}
        if "unknown" in relations or relations == {"different"}:
            return "unknown"
        if "different" in relations:
            return "unknown" if "smaller" in relations else "different"
        return "smaller" if "smaller" in relations else "equal"


def prove_all(
    game: Game,
    *,
    names: Sequence[str] | None = None,
    players: Sequence[Player] = PLAYERS,
    time_s: float | None = None,
    report: Callable[[str], None] = lambda _: None,
    cluster: Cluster | None = None,
) -> Matrix:
    """Compare all rule sets (or those of `names`) with the reference, and where that does not settle it directly.

    `time_s` bounds the whole matrix in wall seconds; a rule set that it does not reach stays unknown. With a cluster
    the comparisons are made on its workers, side by side.
    """
    deadline = None if time_s is None else time.time() + time_s

    def compare_all(pairs: list[tuple[RuleSet, RuleSet]]) -> list[Outcome | str]:
        tasks = [(*pair, game, tuple(players), deadline) for pair in pairs]
        if cluster is not None:
            found = dict(cluster.stream(_compare, tasks, report))
            return [found[number] for number in range(len(tasks))]
        outcomes = []
        for task in tasks:
            report(f"{task[0].name} and {task[1].name} ...")
            outcomes.append(_compare(*task, report))
        return outcomes

    reference = load_rule_set(game.reference)
    chosen = [load_rule_set(name) for name in names or rule_set_names(game.name)]
    rows = [
        Row(rules, None, outcome) if isinstance(outcome, str) else Row(rules, outcome)
        for rules, outcome in zip(chosen, compare_all([(reference, rules) for rules in chosen]), strict=True)
    ]
    different = sorted((row.rules for row in rows if row.relation == "different"), key=lambda rules: rules.name)
    pairs = list(itertools.combinations(different, 2))
    direct = {
        (first.name, second.name): outcome
        for (first, second), outcome in zip(pairs, compare_all(pairs), strict=True)
        if not isinstance(outcome, str)
    }
    return Matrix(game, tuple(rows), direct)


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
        if left.name == game.reference and not groundable(right.instantiate(game)):
            limits.append(REFEREE_S)
        return prove_equivalent(left, right, game, players=players, time_s=min(limits, default=None), report=report)
    except (SizeError, EngineError) as error:
        return str(error)

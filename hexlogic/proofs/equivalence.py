"""The front door of bounded proofs: are two rule sets, or a rule set and what passes made of it, the same?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexlogic.games import PLAYERS, Game, Player
from hexlogic.games.rulesets import RuleSet
from hexlogic.language import Program
from hexlogic.language.passes import Pipeline
from hexlogic.proofs.bounded import by_clingo, groundable
from hexlogic.proofs.conditions import own_program, shown, sound_program
from hexlogic.proofs.enumeration import by_enumeration, smaller_boards
from hexlogic.proofs.equality import InputSpace
from hexlogic.proofs.integers import in_32_bits
from hexlogic.proofs.outcome import Outcome


def prove_equivalent(
    left: RuleSet | Program,
    right: RuleSet | Program,
    game: Game,
    *,
    players: Sequence[Player] = PLAYERS,
    pipeline: Pipeline | None = None,
    options: Sequence[str] = (),
    time_s: float | None = None,
    parts: int = 1,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Prove or refute that `wins(p)` is the same in both, for each of `players` on every position of `game`.

    The `pipeline` is applied to `right`, so a rule set can be compared with what passes make of it. `options` go to
    clasp. The work is done in a child process; `time_s` bounds it in wall seconds. A program that cannot be grounded
    over a choice of stones is compared with the referee instead, on the largest board up to `game` that the time
    allows; the findings say so. `report` is told about progress, of long searches as often as they have `parts`.

    Raises SizeError when the board is too large for a rule set, EngineError when no engine takes a program, and
    HexlogicError with the place when a rule set breaks a condition of the theorem (`conditions.py`).

    >>> from hexlogic.games import Hex
    >>> from hexlogic.games.rulesets import load_rule_set
    >>> proof = prove_equivalent(load_rule_set("follow-line-tabled"), load_rule_set("clusters"), Hex.square(2))
    >>> print(proof, [finding.positions for finding in proof.findings])
    follow-line-tabled and clusters are equal on 2x2 Hex [16, 16]
    """
    passes = pipeline or Pipeline()
    for rules in (left, right):
        if isinstance(rules, RuleSet):
            own_program(rules, game)
        else:
            sound_program(rules)

    def at(board: Game) -> tuple[Program, Program]:
        return _instantiate(left, board), passes.apply(_instantiate(right, board))

    names = _name(left, "the left program"), _name(right, "the right program")
    if passes.steps:
        names = names[0], f"{names[1]} after {passes}"
    programs = at(game)
    if all(map(groundable, programs)):
        return by_clingo(names, programs, game, players, options, time_s, report, parts)
    for program in programs:
        in_32_bits(program, game)
    fixed = isinstance(left, Program) or isinstance(right, Program)
    boards = [game] if fixed else list(smaller_boards(game))
    return by_enumeration(names, at, game, players, boards, time_s, report)


@dataclass(frozen=True)
class Boards(InputSpace[RuleSet | Program, RuleSet | Program, Outcome]):
    """The positions of a board; see `prove_equivalent`."""

    game: Game
    pipeline: Pipeline | None = None
    time_s: float | None = None

    def compare(self, left: RuleSet | Program, right: RuleSet | Program) -> Outcome:
        """A proof, a refutation with its position, or how far the attempt came."""
        return prove_equivalent(left, right, self.game, pipeline=self.pipeline, time_s=self.time_s)


def _name(rules: RuleSet | Program, otherwise: str) -> str:
    return shown(rules) if isinstance(rules, RuleSet) else otherwise


def _instantiate(rules: RuleSet | Program, game: Game) -> Program:
    return rules.instantiate(game) if isinstance(rules, RuleSet) else rules

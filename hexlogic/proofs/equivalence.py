"""The front door of bounded proofs: are two rule sets, or a rule set and what passes made of it, the same?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hexlogic.games import PLAYERS, Game, Player
from hexlogic.games.rulesets import RuleSet
from hexlogic.language import Program
from hexlogic.language.passes import Pipeline
from hexlogic.proofs.bounded import by_clingo, groundable
from hexlogic.proofs.conditions import own_program, shown, sound_program
from hexlogic.proofs.enumeration import by_enumeration, smaller_boards
from hexlogic.proofs.equality import InputSpace, equal
from hexlogic.proofs.integers import in_32_bits
from hexlogic.proofs.outcome import Outcome


@dataclass(frozen=True)
class Boards(InputSpace[RuleSet | Program, RuleSet | Program, Outcome]):
    """The positions of a board `game`; `wins(p)` is compared for each of `players`.

    The `pipeline` is applied to the right side, so a rule set can be compared with what passes make of it. The work is
    done in a child process; `time_s` bounds it in wall seconds. `report` is told about progress, of long searches as
    often as they have `parts`.
    """

    game: Game
    players: Sequence[Player] = PLAYERS
    pipeline: Pipeline = field(default_factory=Pipeline)
    time_s: float | None = None
    parts: int = 1
    report: Callable[[str], None] = lambda _: None

    def compare(self, left: RuleSet | Program, right: RuleSet | Program) -> Outcome:
        """A proof, a refutation with its position, or how far the attempt came.

        A program that cannot be grounded over a choice of stones is compared with the referee, on the largest board up
        to `game` that the time allows; the findings say so. Raises SizeError when the board is too large for a rule
        set, EngineError when no engine takes a program, and HexlogicError with the place when a rule set breaks a
        condition of the theorem (`conditions.py`).
        """
        for rules in (left, right):
            if isinstance(rules, RuleSet):
                own_program(rules, self.game)
            else:
                sound_program(rules)

        def at(board: Game) -> tuple[Program, Program]:
            return _instantiate(left, board), self.pipeline.apply(_instantiate(right, board))

        names = _name(left, "the left program"), _name(right, "the right program")
        if self.pipeline.steps:
            names = names[0], f"{names[1]} after {self.pipeline}"
        programs = at(self.game)
        if all(map(groundable, programs)):
            return by_clingo(names, programs, self.game, self.players, self.time_s, self.report, self.parts)
        for program in programs:
            in_32_bits(program, self.game)
        fixed = isinstance(left, Program) or isinstance(right, Program)
        boards = [self.game] if fixed else list(smaller_boards(self.game))
        return by_enumeration(names, at, self.game, self.players, boards, self.time_s, self.report)


def prove_equivalent(
    left: RuleSet | Program,
    right: RuleSet | Program,
    game: Game,
    *,
    players: Sequence[Player] = PLAYERS,
    pipeline: Pipeline | None = None,
    time_s: float | None = None,
    parts: int = 1,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Prove or refute that `wins(p)` is the same in both, for each of `players` on every position of `game`.

    The question `equal` over `Boards`, which says what the options mean.

    >>> from hexlogic.games import Hex
    >>> from hexlogic.games.rulesets import load_rule_set
    >>> proof = prove_equivalent(load_rule_set("follow-line-tabled"), load_rule_set("clusters"), Hex.square(2))
    >>> print(proof, [finding.positions for finding in proof.findings])
    follow-line-tabled and clusters are equal on 2x2 Hex [16, 16]
    """
    return equal(left, right, Boards(game, players, pipeline or Pipeline(), time_s, parts, report))


def _name(rules: RuleSet | Program, otherwise: str) -> str:
    return shown(rules) if isinstance(rules, RuleSet) else otherwise


def _instantiate(rules: RuleSet | Program, game: Game) -> Program:
    return rules.instantiate(game) if isinstance(rules, RuleSet) else rules

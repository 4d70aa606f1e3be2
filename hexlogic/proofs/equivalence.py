"""Equivalence over the positions of one board: of two rule sets, or of a rule set and what passes made of it.

Programs that clingo can ground over a choice of stones are decided by one clingo program (`bounded.py`). Any other,
such as one with lists of visited cells, is compared with the referee (`referee.py`). Its partner is compared with the
referee too when that covers the board, else with the reference rule set by clingo, and the reference with the referee.
Boards are tried from small to large until the time is over: the largest finished one counts.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Game, Hex, Player, Position
from hexlogic.games.rulesets import RuleSet, load_rule_set
from hexlogic.language import Program
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.engines import installed_engines
from hexlogic.language.passes import Pipeline
from hexlogic.process.call import Stopped, name_of
from hexlogic.proofs.bounded import by_clingo
from hexlogic.proofs.conditions import finite_on, in_32_bits, own_program, shown, sound_program
from hexlogic.proofs.equality import Finding, Outcome, Proof, Refutation, Unfinished
from hexlogic.proofs.jobs import run_job
from hexlogic.proofs.question import InputSpace, equal
from hexlogic.proofs.referee import compare, cover

DEFAULT_S: Final = 60.0
"""Wall seconds for all boards together when no other limit is given."""
_ENGINES: Final = ("swipl", "clingo", "pydatalog")
"""The engines that are asked before others."""


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

        left_name = shown(left) if isinstance(left, RuleSet) else "the left program"
        right_name = shown(right) if isinstance(right, RuleSet) else "the right program"
        names = left_name, f"{right_name} after {self.pipeline}" if self.pipeline.steps else right_name
        programs = at(self.game)
        if not any(map(growing_predicates, programs)):
            for program in programs:
                finite_on(program, self.game)
            return by_clingo(names, programs, self.game, self.players, self.time_s, self.report, self.parts)
        for program in programs:
            in_32_bits(program, self.game)
        fixed = isinstance(left, Program) or isinstance(right, Program)
        return self._by_the_referee(names, at, [self.game] if fixed else smaller_boards(self.game))

    def _by_the_referee(
        self, names: tuple[str, str], at: Callable[[Game], tuple[Program, Program]], boards: Iterable[Game]
    ) -> Outcome:
        """The programs that `at` gives for each of the boards, in order, until time is over or a position differs."""
        limit = DEFAULT_S if self.time_s is None else self.time_s
        deadline = time.monotonic() + limit
        best: Proof | None = None
        reason, progress = f"stopped after {limit:g} s", []
        for board in boards:
            outcome = self._on_board(names, at(board), board, deadline)
            if isinstance(outcome, Refutation):
                return outcome
            if isinstance(outcome, Unfinished):
                reason = outcome.reason
                progress.append(f"{board}: {', '.join(outcome.progress) or 'nothing asked yet'}")
                break
            best = Proof(*names, self.game, outcome.findings)
            self.report(f"{board}: equal")
        return best or Unfinished(*names, self.game, (), reason, tuple(progress))

    def _on_board(
        self, names: tuple[str, str], programs: tuple[Program, Program], board: Game, deadline: float
    ) -> Outcome:
        findings = []
        for player in self.players:
            begin = time.perf_counter()
            methods: dict[str, None] = {}
            for name, program in zip(names, programs, strict=True):
                if cover(program, board, player) is None and not growing_predicates(program):
                    reference = load_rule_set(board.reference).instantiate(board)
                    pair = (name, board.reference)
                    outcome = by_clingo(pair, (program, reference), board, [player], _left(deadline), self.report)
                    if not isinstance(outcome, Proof):
                        return replace(outcome, left=names[0], right=names[1])  # a refutation against the reference
                    methods[f"{name}: equal to {board.reference}, by clingo"] = None
                    name, program = board.reference, reference
                asked = self._ask(names, name, program, board, player, deadline)
                if not isinstance(asked, str):
                    return asked
                methods[asked] = None
            findings.append(
                Finding(
                    player=player,
                    method="; ".join(methods),
                    positions=2 ** len(board.cells),
                    solve_s=time.perf_counter() - begin,
                    rows=board.rows,
                    columns=board.columns,
                )
            )
        return Proof(*names, board, tuple(findings))

    def _ask(
        self, names: tuple[str, str], name: str, program: Program, board: Game, player: Player, deadline: float
    ) -> str | Refutation | Unfinished:
        """The program of that name against the referee: a sentence about how it was covered, or why not."""
        able = [engine.name for engine in installed_engines() if engine.supports(program) is None]
        if not able:
            raise EngineError(f"no installed engine takes {name}", hint="swipl takes lists; see hexlogic doctor")
        engine = min(able, key=lambda name: _ENGINES.index(name) if name in _ENGINES else len(_ENGINES))
        how = cover(program, board, player)
        if how is None:
            return Unfinished(*names, board, (), f"too many positions on {board} to ask about each")
        task = {
            "program": str(program),
            "kind": name_of(type(board)),
            "rows": board.rows,
            "columns": board.columns,
            "player": player,
            "engine": engine,
        }
        try:
            comparison = run_job(compare, task, time_s=_left(deadline), report=self.report)
        except Stopped as stopped:
            return Unfinished(*names, board, (), stopped.reason, stopped.progress)
        if comparison.late:
            progress = f"{comparison.asked:,} of {how.questions:,} positions asked"
            return Unfinished(*names, board, (), "out of time", (progress,))
        if comparison.difference is not None:
            says = comparison.says if name == names[0] else not comparison.says
            position = Position(board, *comparison.difference)
            return Refutation(*names, board, (), player, position, says, not says, not comparison.says, False)
        return f"{name}: {how.words}, on {engine}, and the referee agrees"


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


def _left(deadline: float) -> float:
    return max(0.5, deadline - time.monotonic())


def _instantiate(rules: RuleSet | Program, game: Game) -> Program:
    return rules.instantiate(game) if isinstance(rules, RuleSet) else rules


def smaller_boards(game: Game) -> Iterator[Game]:
    """Hex boards of the same shape from small to `game` itself; of another game `game` alone.

    >>> [str(board) for board in smaller_boards(Hex(2, 3))]
    ['1x1 Hex', '2x2 Hex', '2x3 Hex']
    """
    if not isinstance(game, Hex):
        yield game
        return
    for side in range(1, max(game.rows, game.columns) + 1):
        yield Hex(min(side, game.rows), min(side, game.columns))

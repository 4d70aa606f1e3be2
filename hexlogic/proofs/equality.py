"""The answers about one board: `Proof`, `Refutation` with its position, `Unfinished`.

`hexlogic.proofs.question` asks. Each kind of input space has a method of its own, in the room whose texts it compares:

proofs.program_equality   Instances           programs, over sets of input facts
proofs.equivalence        Boards              rule sets, over the positions of a board
proofs.all_boards         AllBoards           rule sets, over the positions of every board
encodings.checking        EncodingInstances   encodings, over the answer sets of instances
ggp.optimise.equality     GameStates          game descriptions, over the states of a game
"""

from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from hexlogic.games import Game, Player, Position


class Finding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One question that was settled: is `wins(player)` the same in both, on `positions` positions of a board?

    `method` is one sentence for people, `reads` the players whose stones the question depends on, `positions` None
    when they were not counted. Seconds are wall time, `cpu_s` processor time; clingo's counters are None where
    another method was used. `rows` and `columns` are the board's.
    """

    player: Player
    method: str
    positions: int | None
    reads: tuple[Player, ...] = ()
    ground_rules: int | None = None
    choices: int | None = None
    conflicts: int | None = None
    ground_s: float = 0.0
    solve_s: float = 0.0
    cpu_s: float = 0.0
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class _Attempt:
    """`left` and `right` compared; `asked` is the board that was asked about."""

    left: str
    right: str
    asked: Game
    findings: tuple[Finding, ...]

    def board_of(self, finding: Finding) -> Game:
        """The board that a finding is about."""
        return self.asked.of_extent(finding.rows, finding.columns)

    @property
    def equal(self) -> bool:
        """Whether the two are equal on every position that the findings name."""
        return isinstance(self, Proof)

    @property
    def proved(self) -> bool:
        """Whether they are equal on the board that was asked about, and not only on a smaller one."""
        return self.equal and all(self.board_of(finding) == self.asked for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Proof(_Attempt):
    """The same answers on every position of the findings, which may be about a smaller board than `asked`."""

    statement: str = ""
    """What was proved, where "left and right are equal" is not the way to say it."""

    @property
    def boards(self) -> str:
        """The boards that the findings are about, small ones first, in words."""
        boards = sorted(set(map(self.board_of, self.findings)), key=lambda board: (board.rows, board.columns))
        return " and ".join(map(str, boards))

    def __str__(self) -> str:
        return self.statement or f"{self.left} and {self.right} are equal on {self.boards}"


@dataclass(frozen=True, slots=True)
class Refutation(_Attempt):
    """A position on which the two differ about `player`: `left_says` and `right_says` are their answers. `smallest`
    says that no position with fewer stones does it, `truth` what the referee says."""

    player: Player
    position: Position
    left_says: bool
    right_says: bool
    truth: bool
    smallest: bool
    statement: str = ""

    def __str__(self) -> str:
        if self.statement:
            return self.statement
        yes, no = (self.left, self.right) if self.left_says else (self.right, self.left)
        how = "the smallest" if self.smallest else "a"
        stones = len(self.position.red) + len(self.position.blue)
        where = f"on {how} position, of {stones} stones,"
        return f"{self.left} and {self.right} differ: {where} {yes} says that {self.player} has won and {no} does not"


@dataclass(frozen=True, slots=True)
class Unfinished(_Attempt):
    """Neither proved nor refuted: `reason` is the limit that was reached, `progress` what was done until then."""

    reason: str
    progress: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.left} and {self.right} on {self.asked}: neither proved nor refuted, {self.reason}"


Outcome: TypeAlias = Proof | Refutation | Unfinished

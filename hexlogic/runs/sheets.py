"""Playouts as the cells of a plan: a sheet, or a peer, and what plays it at random."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from hexlogic.errors import HexlogicError, SuiteError, UnknownNameError
from hexlogic.games import Game, load_game
from hexlogic.gdl import read_sheet
from hexlogic.gdl.export import export_sheet, find_rules, sheet_rule_sets
from hexlogic.gdl.machines import reasoner_names
from hexlogic.logic.dialects import render
from hexlogic.process.limits import Limits
from hexlogic.rulesets import RuleSet
from hexlogic.runs.peers import REFEREE, peer_info, peer_names, peer_plays
from hexlogic.runs.plan import missing_engines
from hexlogic.runs.playouts import SMALL_GAMES
from hexlogic.runs.protocol import PlayJob
from hexlogic.runs.records import Session

__all__ = [
    "SUITE",
    "Amount",
    "PlayCell",
    "PlayPlan",
    "SheetSource",
    "board_sheets",
    "file_sheets",
    "make_play_plan",
    "warm_up",
]

SUITE = "sheets"
"""The name of these sessions."""

_BACKSTOP_S = 5.0
_JUDGE_S = 1.0
"""What the referee plays at least: the others are judged by its means."""


@dataclass(frozen=True, slots=True)
class SheetSource:
    """A sheet: of a rule set on a board, or the text of a file. A peer plays a board without any."""

    name: str
    hash: str
    game: str
    board: Game | None
    text: str | None = None

    @property
    def place(self) -> str:
        """What is played: all who play it must agree.

        >>> SheetSource("nim", "", "nim.kif", None, "").place
        'nim.kif'
        """
        return self.game if self.board is None else f"{self.game} {self.board.size_text}"


@dataclass(frozen=True, slots=True)
class Amount:
    """How much a run plays: so many games, or where that is None for so many CPU seconds; none longer than this."""

    games: int | None
    seconds: float
    longest: int
    seed: int


@dataclass(frozen=True, slots=True)
class PlayCell:
    """A reasoner, or a peer, on a sheet: what a cell of a table measures."""

    sheet: SheetSource
    reasoner: str
    amount: Amount

    def __str__(self) -> str:
        return f"{self.sheet.name} on {self.reasoner}, {self.sheet.place}"

    @property
    def brief(self) -> str:
        """What runs, in a few words."""
        return str(self)

    def job(self, limits: Limits, repeat: int = 0) -> PlayJob:
        """What the worker is told."""
        board, amount = self.sheet.board, self.amount
        plays_rules = self.sheet.text is None and self.reasoner not in peer_names()
        return PlayJob(
            text=self.sheet.text,
            rule_set=self.sheet.name if plays_rules else None,
            rule_set_hash=self.sheet.hash,
            game=self.sheet.game,
            rows=None if board is None else board.rows,
            columns=None if board is None else board.columns,
            reasoner=self.reasoner,
            seed=amount.seed + repeat,
            games=amount.games,
            seconds=max(amount.seconds, _JUDGE_S) if self.reasoner == REFEREE else amount.seconds,
            longest=amount.longest,
            backstop_cpu_s=limits.cpu_s + _BACKSTOP_S,
        )

    def key(self, session: Session, *, warmup: bool, repeat: int) -> str:
        """Names one run: the same sheet, code, reasoner and its version, amount, limits, host, kind and number."""
        limits, amount = session.limits, self.amount
        parts = (
            session.host,
            session.code_hash,
            (self.sheet.name, self.sheet.hash, self.sheet.place),
            (self.reasoner, session.engines[self.reasoner].version),
            (amount.games, amount.seconds, amount.longest, amount.seed),
            (limits.cpu_s, limits.wall_s, limits.memory_bytes),
            session.meter,
            warmup,
            repeat,
        )
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class PlayPlan:
    """All playouts that a session will measure, in the order of the sheets. There are no warm-ups: each run starts
    its reasoner, and a first playout is part of that."""

    suite: str
    cells: tuple[PlayCell, ...]
    engines: tuple[str, ...]
    missing: dict[str, str]
    limits: Limits
    repeats: int
    warm_ups: int
    seed: int

    def chains(self) -> tuple[tuple[PlayCell, ...], ...]:
        """The cells in groups: a rule set on a reasoner goes up the boards, and stops at one it cannot do in time."""
        groups: dict[object, list[PlayCell]] = {}
        for cell in self.cells:
            board = cell.sheet.board
            series = cell if board is None else (cell.sheet.name, cell.reasoner, cell.sheet.game)
            groups.setdefault(series, []).append(cell)
        return tuple(tuple(sorted(group, key=_size)) for group in groups.values())


def _size(cell: PlayCell) -> int:
    return 0 if cell.sheet.board is None else len(cell.sheet.board.cells)


def file_sheets(files: Sequence[Path]) -> list[SheetSource]:
    """The sheets in files. Raises HexlogicError with the place of what is wrong."""
    found = []
    for file in files:
        text = render(read_sheet(file), "gdl")
        found.append(SheetSource(file.stem, hashlib.sha256(text.encode()).hexdigest(), str(file), None, text))
    return found


def board_sheets(boards: Sequence[Game], names: Sequence[str] | None) -> list[SheetSource]:
    """The sheets of rule sets on boards: of those named, or of all that can be exported.

    Raises UnknownNameError, and HexlogicError for a rule set named of which no sheet can be made on any board.
    """
    found = []
    for board in boards:
        for name in names or sheet_rule_sets(board.name):
            rules = find_rules(name, board.name)
            try:
                export_sheet(rules, load_game(board.name).of_size(_SMALL))
            except HexlogicError:
                if names is None:
                    continue
                raise
            own = rules if isinstance(rules, RuleSet) else rules.rules
            found.append(SheetSource(name, own.hash, board.name, board))
    return found


_SMALL = 3
"""The board on which it is tried whether a rule set makes a sheet at all."""


def make_play_plan(
    sheets: Sequence[SheetSource],
    amount: Amount,
    limits: Limits,
    *,
    players: Sequence[str] | None = None,
    repeats: int = 1,
) -> PlayPlan:
    """The plan of sheets with these reasoners and peers (all unless named; peers only where they know the game).

    Raises UnknownNameError, SuiteError when none of them is here or when nothing would be played.
    """
    known = (*reasoner_names(), *peer_names())
    names = tuple(dict.fromkeys(players or known))
    for name in names:
        if name not in known:
            raise UnknownNameError.among("reasoner", name, list(known))
    missing = missing_engines(name for name in names if name in reasoner_names())
    infos = {name: peer_info(name) for name in names if name in peer_names()}
    missing |= {name: info.missing for name, info in infos.items() if info.missing is not None}
    if len(missing) == len(names):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
        raise SuiteError("none of the reasoners can run here", hint=reasons)
    here = [name for name in names if name not in missing]
    cells = [PlayCell(sheet, name, amount) for sheet in sheets for name in here if name in reasoner_names()]
    boards = {sheet.place: sheet for sheet in sheets if sheet.board is not None}
    for sheet in boards.values():
        assert sheet.board is not None
        for name in (name for name in here if name in peer_names() and peer_plays(name, sheet.board)):
            peer = SheetSource(_PEERS[name], "", sheet.game, sheet.board)
            cells.append(PlayCell(peer, name, amount))
    played = {cell.reasoner for cell in cells}
    engines = tuple(name for name in names if name in played or (name in missing and name in reasoner_names()))
    if not cells:
        raise SuiteError("there is nothing to play", hint="peers know boards and no files")
    kept = {name: reason for name, reason in missing.items() if name in engines}
    return PlayPlan(SUITE, tuple(cells), engines, kept, limits, repeats, 0, amount.seed)


_PEERS = {REFEREE: "the referee", "open_spiel": "OpenSpiel (C++)"}


def warm_up() -> None:
    """Have numba's cache filled, so that starting the compiled machine is loading and not compiling.

    Raises HexlogicError when it cannot be.
    """
    from hexlogic.runs.classify import classify
    from hexlogic.runs.measure import run_job

    limits = Limits.of(cpu_s=_COLD_S, memory_mb=_COLD_MB)
    amount = Amount(games=1, seconds=0, longest=100, seed=0)
    for text in SMALL_GAMES:
        cell = PlayCell(SheetSource("small", "", "small", None, text), "compiled", amount)
        verdict = classify(run_job(msgspec.json.encode(cell.job(limits)), limits), expected=True)
        if verdict.status != "answered":
            raise HexlogicError(f"compiled cannot play: {verdict.message}")


_COLD_S, _COLD_MB = 900, 4000
"""Limits of a first start, in which numba compiles."""

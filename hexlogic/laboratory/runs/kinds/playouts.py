"""Playouts: make a sheet, start a reasoner, play random games, count.

The time that the sheet takes is apart from that of starting: what is ground, analysed and compiled, and the first
playout, so that code which is loaded at its first use is on the bill.

Baseline players play without any logic program. `referee` plays by the board's own referee, which shares no code with
any rule: what a game's mean length and the mean goals must be. Its speed says nothing. `open_spiel` is OpenSpiel's C++,
with Hex written by hand: what speed there is.
"""

import random
import time
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeAlias

import msgspec

from hexlogic.errors import EngineError
from hexlogic.games import PLAYERS, Game, load_game
from hexlogic.games.rulesets import RuleSet
from hexlogic.ggp import StateMachine, read_kif
from hexlogic.ggp.export import export_sheet, find_rules
from hexlogic.ggp.machines.state_machine import MANY
from hexlogic.laboratory.records.types import (
    BASELINES,
    OPEN_SPIEL,
    REFEREE,
    Batch,
    Measurement,
    Played,
    Playing,
    Session,
    Started,
)
from hexlogic.laboratory.runs.kind import Classification, Configuration, Measuring, Message, Rules, Unsupported
from hexlogic.language import Program
from hexlogic.language.analysis.checks import check
from hexlogic.language.dialects.gdl import write_term
from hexlogic.process.process_tree import TreeClock

_JUDGE_S = 1.0  # CPU seconds that the referee plays at least: the others are judged by its means
_SMALL = 3  # Rows and columns of a small board

BATCHES = 20
"""Of a run, at least, where games are short."""

_SEEDS = 1_000_003  # Between the seeds of one batch and the next

SMALL_GAMES = Path(__file__).with_name("small_games.kif").read_text(encoding="ascii").split("\n\n")
"""Who plays `MANY` of each at once has numba compile what is needed, or load it from its cache."""

BASELINE_TITLES = {REFEREE: "the referee", OPEN_SPIEL: "OpenSpiel (C++)"}
"""What tables and records call the sheet of a baseline player."""

_ROLLOUTS = 2000  # Of one evaluation of OpenSpiel

Player: TypeAlias = Callable[[int, int], Batch]
"""Plays about so many games with a seed; its CPU time is not filled in."""


def referee_player(game: Game) -> Player:
    """Stones in a random order, up to the first that wins: found by halving, since more stones never undo a win."""

    def length(order: list[int], number: int) -> int:
        """The stones on the board when a player has won; one more than there are when he never has."""
        mine = PLAYERS[number]
        stones = range(len(order) + 1)
        return bisect_left(stones, True, key=lambda count: game.has_won(frozenset(order[number:count:2]), mine))

    def play(games: int, seed: int) -> Batch:
        draw = random.Random(seed)
        steps, goals = 0, [0.0, 0.0]
        for _ in range(games):
            order = draw.sample(list(game.cells), len(game.cells))
            lengths = [length(order, number) for number in range(2)]
            is_drawn = min(lengths) > len(order)
            steps += min(*lengths, len(order))
            for role in range(2):
                goals[role] += 50.0 if is_drawn else 100.0 * (lengths[role] == min(lengths))
        return Batch(games=games, steps=steps, goals=goals, cpu_s=0.0)

    return play


def _open_spiel(game: Game) -> Player:
    """One simulation of a tree search evaluates the first position by so many random games, all in C++."""
    import pyspiel

    hex_game = pyspiel.load_game(f"hex(board_size={game.rows})")

    def play(games: int, seed: int) -> Batch:
        value, count = 0.0, 0
        while count < games:
            evaluator = pyspiel.RandomRolloutEvaluator(_ROLLOUTS, seed + count)
            bot = pyspiel.MCTSBot(hex_game, evaluator, 2.0, 1, 100, False, seed, False)
            value += _ROLLOUTS * bot.mcts_search(hex_game.new_initial_state()).total_reward
            count += _ROLLOUTS
        # From -1 for a loss to 1 for a win of the first player.
        return Batch(games=count, steps=None, goals=[50.0 * (count + value), 50.0 * (count - value)], cpu_s=0.0)

    return play


class SheetSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game description (sheet): of a rule set on a board, or the text of a file, which has no rows and columns. A
    baseline player plays a board without any sheet."""

    name: str
    hash: str
    game: str
    """`hex` and the like; of a file its name."""
    rows: int | None = None
    columns: int | None = None
    text: str | None = None

    @property
    def board(self) -> Game | None:
        """The board; None for a file."""
        if self.rows is None or self.columns is None:
            return None
        return load_game(self.game).of_extent(self.rows, self.columns)

    @property
    def place(self) -> str:
        """What is played: all who play it must agree.

        >>> SheetSource("nim", "", "nim.kif", text="").place, SheetSource("clusters", "", "hex", 3, 4).place
        ('nim.kif', 'hex 3x4')
        """
        return self.game if self.rows is None else f"{self.game} {self.rows}x{self.columns}"

    def make(self) -> Program:
        """The sheet as a program. Raises HexlogicError for one that cannot be made."""
        if self.text is not None:
            return check(read_kif(self.text, self.game))
        rules, board = find_rules(self.name, self.game), self.board
        assert board is not None
        Rules(self.name, self.name, self.hash).check(rules if isinstance(rules, RuleSet) else rules.rules)
        return export_sheet(rules, board).program


class Amount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much a run plays: so many games, or where that is None for so many CPU seconds; none longer than this."""

    games: int | None
    seconds: float
    longest: int
    seed: int


class SheetOnReasoner(Configuration, frozen=True, forbid_unknown_fields=True, tag="playouts"):
    """A reasoner, or a baseline player, on a sheet. There are no warm-ups: each run starts its reasoner, and a first
    playout is part of that."""

    record_type = Playing
    floors = False
    code = ("ggp",)

    sheet: SheetSource
    reasoner: str
    amount: Amount

    def __str__(self) -> str:
        return f"{self.sheet.name} on {self.reasoner}, {self.sheet.place}"

    @property
    def series(self) -> tuple[object, int]:
        """The rule set, the reasoner and the game; the boards grow."""
        board = self.sheet.board
        return (self, 0) if board is None else ((self.sheet.name, self.reasoner, self.sheet.game), len(board.cells))

    def first_jobs(self) -> tuple[Configuration, ...]:
        """Where numba compiles the reasoner: the same sheet on a small board, in place of a file small games."""
        if self.reasoner != "compiled":
            return ()
        amount = Amount(games=BATCHES * MANY, seconds=0, longest=self.amount.longest, seed=0)
        sheets = [SheetSource("small", "", "small", text=text) for text in SMALL_GAMES]
        if self.sheet.rows is not None and self.sheet.columns is not None:
            rows, columns = min(self.sheet.rows, _SMALL), min(self.sheet.columns, _SMALL)
            sheets = [msgspec.structs.replace(self.sheet, rows=rows, columns=columns)]
        return tuple(SheetOnReasoner(sheet, self.reasoner, amount) for sheet in sheets)

    def figure(self, run: Measurement) -> str:
        """Playouts a second, or why there are none."""
        playout_s = run.played.playout_s if isinstance(run, Playing) and run.played is not None else None
        if playout_s is None:
            return run.message or run.status
        if not playout_s:
            return "more than the clock tells playouts/s"
        rate = 1 / playout_s
        return f"{rate:.3g} playouts/s" if rate < 100 else f"{rate:,.0f} playouts/s"

    def in_repeat(self, number: int) -> Self:
        """Each repeat has a seed of its own."""
        amount = msgspec.structs.replace(self.amount, seed=self.amount.seed + number)
        return msgspec.structs.replace(self, amount=amount)

    def fields(self, session: Session, verdict: Classification) -> dict[str, object]:
        """What was played. No answer of it is wrong by itself (see `agreement`)."""
        known = msgspec.structs.asdict(self.sheet) | msgspec.structs.asdict(self.amount)
        return {**known, "sheet": self.sheet.name, "sheet_hash": self.sheet.hash, "category": "unknown"}

    def execute(self, measuring: Measuring) -> Message:
        """Play. Raises Unsupported when the reasoner cannot take the sheet, HexlogicError for a sheet that cannot be
        made or a game that does not end."""
        if self.reasoner in BASELINES:
            return self._play_baseline(measuring)
        sheet = measuring.build(self.sheet.make, "gdl")
        begin, before_s = time.perf_counter(), TreeClock().cpu_s()
        seed, longest = self.amount.seed, self.amount.longest
        try:
            with StateMachine.from_sheet(sheet, self.reasoner) as machine:
                machine.playouts(1, seed, longest=longest)
                rules, atoms = machine.ground_size or (None, None)
                spent_s = TreeClock().cpu_s() - before_s
                measuring.took(load_s=time.perf_counter() - begin)
                measuring.ask(Started(cpu_s=spent_s, rules=rules, atoms=atoms, analysis=machine.analysis))

                def play(games: int, seed: int) -> Batch:
                    played = machine.playouts(games, seed, longest=longest)
                    return Batch(games=games, steps=played.steps, goals=list(map(float, played.goals)), cpu_s=0.0)

                return self._play(play, list(map(write_term, machine.roles)), self.amount.seconds, measuring)
        except EngineError as error:
            raise Unsupported(str(error)) from None

    def _play_baseline(self, measuring: Measuring) -> Message:
        board = self.sheet.board
        assert board is not None
        with measuring.phase("load_s"):
            play = referee_player(board) if self.reasoner == REFEREE else _open_spiel(board)
        measuring.said = measuring.said.with_program(Program(()), "none")
        measuring.ask()
        seconds = max(self.amount.seconds, _JUDGE_S) if self.reasoner == REFEREE else self.amount.seconds
        return self._play(play, ["red", "blue"], seconds, measuring)

    def _play(self, play: Player, roles: list[str], seconds: float, measuring: Measuring) -> Message:
        """The batches: of one game at first, then of as many as a twentieth of the time, or of the games, allows; of
        `MANY`, which a machine may play at once, where they take a quarter of the time at most."""
        wanted, clock, begin = self.amount.games, TreeClock(), time.perf_counter()
        batches: list[Batch] = []
        size, spent_s, total = 1, 0.0, 0
        while (spent_s < seconds) if wanted is None else (total < wanted):
            if wanted is not None:
                size = min(max(1, wanted // BATCHES), wanted - total)
            before_s = clock.cpu_s()
            played = play(size, self.amount.seed + _SEEDS * (1 + len(batches)))
            taken_s = clock.cpu_s() - before_s
            batches.append(msgspec.structs.replace(played, cpu_s=taken_s))
            spent_s, total = spent_s + taken_s, total + played.games
            if wanted is None and taken_s < seconds / BATCHES / 2:
                size *= 2
            if wanted is None and size < MANY and taken_s / played.games * MANY < seconds / 4:
                size = MANY
        measuring.took(solve_s=time.perf_counter() - begin, query_cpu_s=spent_s)
        return measuring.answered(True, played=Played(roles=roles, batches=batches))


KIND = SheetOnReasoner

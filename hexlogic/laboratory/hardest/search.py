"""The board that costs SWI-Prolog most, by local search: move one stone at a time, and ask the engine what it costs.

From each start the search moves to the first neighbour found that costs more, until none of the stones * empty cells
neighbours does. Then it goes on from the best board with some stones moved at random, and gives up after a number of
such rounds without a better board. Inferences repeat exactly, so the same starts and seed give the same boards.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final, TypeAlias

import msgspec

from hexlogic.games import RED, Hex, Position, has_won
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.laboratory.hardest.chains import BetterBoard
from hexlogic.language.engines import Session, load_engine
from hexlogic.language.passes import Pipeline

RULES: Final = "power-set"
"""The rule set whose work is measured."""

PATIENCE: Final = 8
"""Rounds without a better board after which a search ends."""

_KICK: Final = (2, 6)  # stones moved at random between rounds, at least and at most

Stones: TypeAlias = frozenset[int]


class LocalSearch(msgspec.Struct, frozen=True):
    """How a local search ended: the boards measured, the rounds, and whether it `ended` before its time was over."""

    measured: int
    rounds: int
    ended: bool


class _Late(Exception):  # noqa: N818
    """The deadline has passed."""


def maximise_inferences(
    *,
    rows: int,
    columns: int,
    starts: Sequence[Sequence[int]],
    pipelines: Sequence[str],
    seed: int = 0,
    patience: int = PATIENCE,
    time_s: float | None = None,
    report: Callable[[BetterBoard], None] = lambda _: None,
) -> LocalSearch:
    """Search from `starts` (red cells of boards that red has not won) until `patience` rounds or the time are over;
    reports each better board."""
    game = Hex(rows, columns)
    deadline = math.inf if time_s is None else time.monotonic() + time_s
    with ExitStack() as stack:
        engine, rules = load_engine("swipl"), load_rule_set(RULES).instantiate(game)
        sessions = [stack.enter_context(engine.open(Pipeline.parse(text).apply(rules))) for text in pipelines]
        search = _Search(game, sessions, random.Random(seed), deadline, report)
        ended = search.run([frozenset(start) for start in starts], patience)
        return LocalSearch(len(search.work), search.rounds, ended)


class _Search:
    def __init__(
        self,
        game: Hex,
        sessions: Sequence[Session],
        rng: random.Random,
        deadline: float,
        report: Callable[[BetterBoard], None],
    ) -> None:
        self.game, self.sessions, self.rng = game, sessions, rng
        self.deadline, self.report = deadline, report
        self.work: dict[Stones, list[int]] = {}
        """The inferences of each board that was measured, by pipeline."""
        self.rounds = 0
        self.best: Stones = frozenset()
        self.figure = -1

    def run(self, starts: Sequence[Stones], patience: int) -> bool:
        """Climb from each start, then around the best board; False when the time ended it."""
        try:
            for start in starts:
                self._note(start)
            for start in starts:
                self._climb(start)
            fruitless = 0
            while fruitless < patience:
                before = self.figure
                self._climb(self._kicked(self.best))
                fruitless = 0 if self.figure > before else fruitless + 1
        except _Late:
            return False
        return True

    def _climb(self, red: Stones) -> None:
        self.rounds += 1
        figure: int | None = self._note(red)
        while figure is not None:
            red, figure = self._better(red, figure)

    def _better(self, red: Stones, figure: int) -> tuple[Stones, int | None]:
        """The first neighbour, in random order, that costs more; None in place of its figure when there is none."""
        empty = [cell for cell in self.game.cells if cell not in red]
        swaps = [(stone, cell) for stone in sorted(red) for cell in empty]
        self.rng.shuffle(swaps)
        for stone, cell in swaps:
            other = red - {stone} | {cell}
            if (more := self._note(other)) > figure:
                return other, more
        return red, None

    def _note(self, red: Stones) -> int:
        """The inferences that asking whether red has won takes, -1 for a board that red has won; the best one so far is
        reported. Raises EngineError."""
        if time.monotonic() > self.deadline:
            raise _Late
        position = Position(self.game, red)
        if has_won(position, RED):
            return -1
        if red not in self.work:
            facts, query = position_facts(position), win_query(RED)
            self.work[red] = [session.ask(facts, query).counters["inferences"] for session in self.sessions]
        figure = sum(self.work[red])
        if figure > self.figure:
            self.best, self.figure = red, figure
            self.report(BetterBoard(sorted(red), figure, self.work[red]))
        return figure

    def _kicked(self, red: Stones) -> Stones:
        """The board with a few stones moved anywhere, and still not won."""
        for _ in range(self.rng.randint(*_KICK)):
            stone = self.rng.choice(sorted(red))
            cell = self.rng.choice([cell for cell in self.game.cells if cell not in red])
            moved = red - {stone} | {cell}
            if not has_won(Position(self.game, moved), RED):
                red = moved
        return red

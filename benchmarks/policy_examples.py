"""Positions whose moves are known to win or to lose, for `train_policy.py`.

A position is seen by the player to move: as red, who joins left and right. Where blue is to move the board is mirrored
and the colours exchanged, which is the same game.

The moves of a position that the solver can solve are all known. Let the opponent move instead: where he loses, every
move wins; else only moves inside his proof can win, and each of them is solved. On larger boards virtual connections
prove some moves won and others lost, and the rest stays unknown.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import Hex, opponent
from hexlogic.games.game_state import GameState
from hexlogic.players.evaluation.policy import seen_by_mover
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.solver import Solver
from hexlogic.players.strategies import load_strategy
from hexlogic.players.strategy import Budget

UNKNOWN: Final = -1
_LIMITS: Final = (6, 16)
"""Full and semi-connections kept for a pair of ends."""
_ROWS: Final = 1 << 19
_MOST: Final = 60
"""Positions that the solver may expand for one question."""


class Example(NamedTuple):
    """One position, seen by the player to move."""

    rows: int
    columns: int
    cells: NDArray[np.uint8]
    """`[rows * columns]`: 0 empty, 1 a stone of the player to move, 2 of the opponent."""
    wins: NDArray[np.int8]
    """`[rows * columns]`: 1 where a move wins, 0 where it loses, UNKNOWN elsewhere."""
    chosen: int
    """The cell, from 0, that a strong player chose; -1 where nobody was asked."""


@dataclass(slots=True)
class SolvedMoves:
    """Tells by the solver which moves win, on one board."""

    board: Hex
    solver: Solver

    @classmethod
    def on(cls, board: Hex) -> SolvedMoves:
        """For a board of at most MOST_CELLS cells. Raises SizeError."""
        return cls(board, Solver(board, _ROWS))

    def wins(self, state: GameState) -> NDArray[np.int8] | None:
        """`[cells]` as in `Example`, in the order of the board; None where the solver does not end in time."""
        if self.solver.table.counts[0] > _ROWS * 3 // 4:
            self.solver = Solver(self.board, _ROWS)
        mover, other = state.to_move, opponent(state.to_move)
        answer = self.solver.solve(state.position, other, most=_MOST)
        if answer is None:
            return None
        wins = np.full(len(state.cells), UNKNOWN, np.int8)
        empty = [cell - 1 for cell in state.empty]
        if answer.winner == mover:
            wins[empty] = 1
            return wins
        wins[empty] = 0
        for cell in answer.proof:
            twin = state.copy()
            twin.play(mover, cell)
            winner = twin.winner or self.solver.winner(twin.position, other, most=_MOST)
            if winner is None:
                return None
            wins[cell - 1] = winner == mover
        return wins


def connected_moves(state: GameState, tracker: Tracker) -> NDArray[np.int8]:
    """`[cells]` as in `Example`: moves that virtual connections prove won or lost, on a board of any size."""
    mover, other = state.to_move, opponent(state.to_move)
    wins = np.full(len(state.cells), UNKNOWN, np.int8)
    tracker.follow(state)
    keep = tracker.connections.must_play(mover)
    for cell in state.empty:
        if cell not in keep:
            wins[cell - 1] = 0
            continue
        tracker.enter([(cell, mover)])
        if tracker.wins_as_second(mover):
            wins[cell - 1] = 1
        elif tracker.wins_to_move(other):
            wins[cell - 1] = 0
    tracker.enter(())
    return wins


def random_positions(board: Hex, draw: random.Random) -> Iterator[GameState]:
    """Positions that are not decided yet, after uniformly random moves of both players."""
    cells = len(board.cells)
    while True:
        state = GameState(board)
        for cell in draw.sample(board.cells, draw.randint(cells // 6, cells * 2 // 3)):
            state.play(state.to_move, cell)
            if state.winner is not None:
                break
        else:
            yield state


def played_positions(board: Hex, player: str, draw: random.Random) -> Iterator[tuple[GameState, int]]:
    """Positions of games of a strategy with itself after some random stones, and the cell, from 1, that it chose.
    After every fourth move a random one stands in, so that games differ."""
    strategy = load_strategy(player, draw.randrange(2**31))
    strategy.prepare(board)
    while True:
        state = GameState(board)
        strategy.reset(draw.randrange(2**31))
        for cell in draw.sample(board.cells, draw.randint(1, 3)):
            state.play(state.to_move, cell)
        while state.winner is None:
            chosen = strategy.choose(state, Budget())
            if not isinstance(chosen, int):
                break
            yield state, chosen
            state.play(state.to_move, draw.choice(state.empty) if draw.random() < 0.15 else chosen)


def examples(kind: str, board: Hex, player: str, draw: random.Random) -> Iterator[Example]:
    """Examples without end: `random` positions or those that a player `played`, on a board that the solver takes; or
    `large` ones, with what connections know and what the player chose. Positions whose moves all win are rare."""
    if kind == "large":
        tracker = Tracker(*_LIMITS)
        for state, chosen in played_positions(board, player, draw):
            yield example_of(state, connected_moves(state, tracker), chosen)
        return
    solved = SolvedMoves.on(board)
    states = random_positions(board, draw)
    if kind == "played":
        states = (state for state, _ in played_positions(board, player, draw))
    for state in states:
        wins = solved.wins(state)
        if wins is not None and (wins.min(where=wins >= 0, initial=1) == 0 or draw.random() < 0.3):
            yield example_of(state, wins)


def example_of(state: GameState, wins: NDArray[np.int8], chosen: int = 0) -> Example:
    """The example of a position; `chosen` is a cell from 1, 0 for none."""
    seen = np.frombuffer(bytes(state.cells), np.uint8)
    rows, columns, cells, places = seen_by_mover(state.board, seen, state.to_move)
    place = int(np.flatnonzero(places == chosen - 1)[0]) if chosen else -1
    return Example(rows, columns, cells, wins[places], place)

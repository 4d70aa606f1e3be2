"""Minimax over few moves with virtual connections at every node (Pszona 2006): shallow and very shallow search."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hexlogic.games.game_state import GameState
from hexlogic.games.players import Player, opponent
from hexlogic.players.evaluation.position_graph import FAR, PositionGraph, position_graph
from hexlogic.players.search.tracker import Tracker

_WIN: Final = 1000.0
_NEAR: Final = 0.08
"""What a stone of the opponent in the 3x3 rhombus around a node takes off its sum."""


@dataclass(frozen=True, slots=True)
class VcSettings:
    """`depth` moves ahead with `candidates` at each node; `evaluation` is `edges` (the distance between the edges) or
    `nodes` (the least sum over the nodes)."""

    depth: int
    candidates: int
    evaluation: Literal["edges", "nodes"] = "edges"


class _OutOfTime(Exception):  # noqa: N818
    """The clock of the move is over."""


class VcSearch:
    """The search in one game. `tracker` has followed the state when `best` is called."""

    def __init__(self, tracker: Tracker, settings: VcSettings) -> None:
        self.tracker, self.settings = tracker, settings
        self.positions = 0
        self._near: NDArray[np.bool_] | None = None
        self._until: float | None = None
        self.now = time.monotonic
        """The clock that `until` is on."""

    def best(self, state: GameState, depth: int, until: float | None) -> tuple[int, float] | None:
        """The best move at a depth and its value for the mover; None when time ran out before it was found."""
        self._until = until
        if self._near is None or len(self._near) != len(state.cells) + 1:
            self._near = _rhombi(state)
        mover = state.to_move
        best: tuple[int, float] | None = None
        try:
            alpha = -2 * _WIN
            for cell in self._candidates(mover):
                self.tracker.connections.play(cell, mover)
                try:
                    value = -self._value(opponent(mover), depth - 1, -2 * _WIN, -alpha)
                finally:
                    self.tracker.connections.undo()
                if best is None or value > best[1]:
                    best = cell, value
                    alpha = max(alpha, value)
        except _OutOfTime:
            return None
        return best

    def _value(self, mover: Player, depth: int, alpha: float, beta: float) -> float:
        """The value for the mover of the position that the tracker is in."""
        if self._until is not None and self.now() > self._until:
            raise _OutOfTime
        self.positions += 1
        if self.tracker.wins_to_move(mover):
            return _WIN + depth
        other = opponent(mover)
        if self.tracker.wins_as_second(other):
            return -_WIN - depth
        if depth == 0:
            mine, yours = (position_graph(self.tracker.connections, who) for who in (mover, other))
            return self._worth(yours) - self._worth(mine)
        best = -2 * _WIN
        for cell in self._candidates(mover):
            self.tracker.connections.play(cell, mover)
            try:
                best = max(best, -self._value(other, depth - 1, -beta, -max(alpha, best)))
            finally:
                self.tracker.connections.undo()
            if best >= beta:
                break
        return best

    def _worth(self, graph: PositionGraph) -> float:
        """How far a player is from winning."""
        if self.settings.evaluation == "edges":
            return graph.distance
        few = np.sort(graph.sums[1:])[:4]
        return float(few.mean()) if len(few) else FAR

    def _candidates(self, mover: Player) -> list[int]:
        """The cells that are worth a look, the best first: those of the must-play region with small sums for both
        players, the more so with stones of the opponent near."""
        other = opponent(mover)
        connections = self.tracker.connections
        allowed = sorted(connections.must_play(mover) or connections.position.empty)
        mine, yours = position_graph(connections, mover), position_graph(connections, other)
        assert self._near is not None
        stones = np.zeros(len(mine.sums), bool)
        stones[list(connections.position.stones(other))] = True
        sums = np.minimum(mine.sums, FAR) + np.minimum(yours.sums, FAR) - _NEAR * self._near @ stones
        return sorted(allowed, key=lambda cell: (sums[cell], cell))[: self.settings.candidates]


def _rhombi(state: GameState) -> NDArray[np.bool_]:
    """By cell number twice: whether the cells are at most one row and one column apart."""
    numbers = np.arange(len(state.cells))
    row, column = numbers // state.board.columns, numbers % state.board.columns
    near = np.zeros((len(numbers) + 1, len(numbers) + 1), bool)
    near[1:, 1:] = (np.abs(row[:, None] - row) <= 1) & (np.abs(column[:, None] - column) <= 1)
    return near

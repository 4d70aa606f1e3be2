"""`vc-shallow[:DEPTH[:CANDIDATES[:FULL]]]`: minimax over few moves with virtual connections (Pszona 2006).

4 moves deep with 6 candidates and 6 full connections for a pair of ends, unless other numbers are given. With seconds
for a move, the deepest search up to that depth that ends in time.

The position graph has groups and empty cells as nodes and virtual connections as edges. An edge is as long as the
stones that it still needs, and a little longer with its depth; an empty node on the way needs a stone too. Two
evaluations: the distance between the edges of the board, and by node the sum of its distances from both.
"""

from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games.game import Player, opponent
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.connections import Connections, codes
from hexlogic.players.search.tracker import Tracker
from hexlogic.players.strategy import Budget, Strategy, positive_number

FAR: Final = 99.0
"""The distance where there is no way."""
_DEPTH: Final = 0.12  # The length that each move of depth adds to a connection
_NOTHING: Final = 1e-9  # A length of 0 would be no edge


@dataclass(frozen=True, slots=True)
class PositionGraph:
    """The shortest distances of one player: the distance between the edges, and by cell number (entry 0 unused) the sum
    of the distances from both; FAR for cells of the opponent and those without a way."""

    distance: float
    sums: NDArray[np.float64]


def position_graph(connections: Connections, player: Player) -> PositionGraph:
    """The graph of a player's connections in the position as it is."""
    store = connections.store(player)
    rows = store.rows[: store.counts[codes.ROWS]]
    rows = rows[rows[:, codes.STATE] != codes.DEAD]
    nodes = len(connections.board.cells) + 2
    owner = store.nodes[:nodes, codes.OWNER]
    length = np.where(rows[:, codes.KIND] == codes.SEMI, 1.0 - _DEPTH, 0.0) + _DEPTH * rows[:, codes.DEPTH] + _NOTHING
    link = np.full((nodes, nodes), np.inf)
    np.minimum.at(link, (rows[:, codes.X], rows[:, codes.Y]), length)
    link = np.minimum(link, link.T)
    enter = np.ones(nodes)
    enter[0] = enter[-1] = 0.0
    enter[owner == codes.OWN] = 0.0
    enter[owner == codes.OTHER] = np.inf
    # Edges of the board are no stones to go through: only into them.
    weights = link + enter[None, :]
    low, high = weights.copy(), weights.copy()
    low[-1, :] = np.inf
    high[0, :] = np.inf
    from_low = _distances(low, 0)
    from_high = _distances(high, nodes - 1)
    sums = from_low + from_high - np.where(np.isfinite(enter), enter, 0.0)
    sums[~np.isfinite(sums)] = FAR
    stones = 1 + np.flatnonzero(owner[1:-1] == codes.OWN)
    sums[stones] = sums[store.nodes[stones, codes.GROUP]]
    sums[1:-1][owner[1:-1] == codes.OTHER] = FAR
    distance = float(from_low[nodes - 1])
    return PositionGraph(distance if np.isfinite(distance) else FAR, sums[: nodes - 1])


def _distances(weights: NDArray[np.float64], source: int) -> NDArray[np.float64]:
    """The distances from a node: entry [i, j] of the weights is the length from i to j; inf for no edge and no way."""
    distances = np.full(len(weights), np.inf)
    distances[source] = 0.0
    changed = np.array([source])
    while len(changed):
        nearer = np.minimum(distances, (distances[changed, None] + weights[changed]).min(axis=0))
        changed = np.flatnonzero(nearer < distances)
        distances = nearer
    return distances


_SEMI_LIMIT: Final = 16
_WIN: Final = 1000.0
_NEAR: Final = 0.08  # The amount that a stone of the opponent in the 3x3 rhombus around a node takes off its sum


class _OutOfTime(Exception):  # noqa: N818
    """The clock of the move is over."""


class ShallowSearch(Strategy):
    """Plays what connections prove; else what a search of the best `candidates` at each node likes best."""

    def __init__(self, depth: int, candidates: int, seed: int, full_limit: int = 6) -> None:
        super().__init__(None, seed)
        self.depth, self.candidates, self._limits = depth, candidates, (full_limit, _SEMI_LIMIT)
        self._tracker = Tracker(*self._limits)
        self._budget, self._until = Budget(), inf
        self._positions = 0

    def prepare(self, board: Hex) -> None:
        """Compile the deduction."""
        state = GameState(Hex(3, 3))
        state.play("red", 5)
        self.choose(state, Budget(seconds=60.0))

    def reset(self, seed: int) -> None:
        """Forget the last game."""
        super().reset(seed)
        self._tracker = Tracker(*self._limits)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """A winning move that is known, or the best candidate."""
        until = budget.deadline()
        tracker, mover = self._tracker, state.to_move
        tracker.follow(state)
        if (winning := tracker.winning_move(mover)) is not None:
            self.note = "wins by a virtual connection"
            return winning
        # By cell number twice: whether the cells are at most one row and one column apart.
        numbers = np.arange(len(state.cells))
        row, column = numbers // state.board.columns, numbers % state.board.columns
        near = np.zeros((len(numbers) + 1, len(numbers) + 1), bool)
        near[1:, 1:] = (np.abs(row[:, None] - row) <= 1) & (np.abs(column[:, None] - column) <= 1)
        self._near, self._budget, self._positions = near, budget, 0
        chosen, value, reached = state.empty[0], -2 * _WIN, 0
        for depth in range(1, self.depth + 1) if until is not None else [self.depth]:
            self._until = inf if until is None or not reached else until  # the first search is finished in any case
            try:
                chosen, value = self._best(mover, depth, -2 * _WIN, 2 * _WIN)
                reached = depth
            except _OutOfTime:
                break
        self.note = f"value {value:.2f} at depth {reached}, {self._positions} positions"
        return chosen

    def _best(self, mover: Player, depth: int, alpha: float, beta: float) -> tuple[int, float]:
        chosen, best = 0, -2 * _WIN
        for cell in self._candidates(mover):
            self._tracker.connections.play(cell, mover)
            try:
                value = -self._value(opponent(mover), depth - 1, -beta, -max(alpha, best))
            finally:
                self._tracker.connections.undo()
            if value > best or not chosen:
                chosen, best = cell, value
            if best >= beta:
                break
        return chosen, best

    def _value(self, mover: Player, depth: int, alpha: float, beta: float) -> float:
        if self._budget.now() > self._until:
            raise _OutOfTime
        self._positions += 1
        if self._tracker.wins_to_move(mover):
            return _WIN + depth
        if self._tracker.wins_as_second(opponent(mover)):
            return -_WIN - depth
        if depth == 0:
            mine, yours = (position_graph(self._tracker.connections, who) for who in (mover, opponent(mover)))
            return yours.distance - mine.distance
        return self._best(mover, depth, alpha, beta)[1]

    def _candidates(self, mover: Player) -> list[int]:
        """Cells of the must-play region with small sums for both players, less with stones of the opponent near."""
        other, connections = opponent(mover), self._tracker.connections
        allowed = sorted(connections.must_play(mover) or connections.position.empty)
        mine, yours = position_graph(connections, mover), position_graph(connections, other)
        stones = np.zeros(len(mine.sums), bool)
        stones[list(connections.position.stones(other))] = True
        sums = np.minimum(mine.sums, FAR) + np.minimum(yours.sums, FAR) - _NEAR * self._near @ stones
        return sorted(allowed, key=lambda cell: (sums[cell], cell))[: self.candidates]


class VcShallowStrategy(ShallowSearch):
    """Shallow search."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        parts = () if option is None else tuple(option.split(":"))
        if len(parts) > 3:
            raise HexlogicError(f"{option!r} is more than three numbers", hint="such as vc-shallow:4:6:6")
        usual = (4, "depth", 12), (6, "number of candidates", 1000), (6, "number of connections", 100)
        depth, candidates, full = (positive_number(part, *each) for part, each in zip_longest(parts, usual))
        super().__init__(depth, candidates, seed, full_limit=full)


STRATEGY = VcShallowStrategy

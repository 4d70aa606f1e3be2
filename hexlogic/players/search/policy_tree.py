"""A tree search of one position that a policy leads, without playouts: PUCT (Silver et al. 2017).

The policy gives each move the probability that it wins. The value of a position is the largest of them, the prior of a
move the softmax of their log-odds, and the value of a move that was not visited its own probability. Leaves are
evaluated in batches: a visit counts as lost until its value is known (virtual loss), so that the visits of a batch
spread out.

A proved outcome, from connections or from proved moves, overrides all values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.games import RED, Player, opponent
from hexlogic.games.game_state import GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.kernels import joins
from hexlogic.players.evaluation.policy import Floats, Policy, log_odds_of
from hexlogic.players.geometry import BLUE_SIGN, RED_SIGN, geometry_of
from hexlogic.players.strategy import Budget

_EXPLORE: Final = 0.7
_TOGETHER: Final = 8
"""Positions that are evaluated at once."""
_NODES: Final = 100_000
"""Positions that a search visits at most, of some 3 kB each."""
_CLOSED: Final = -1e9


class Node:
    """A position; `moves` is empty before it is evaluated, and where the game is over."""

    __slots__ = ("cells", "children", "closed", "known", "mover", "moves", "parent", "prior", "visits", "win", "worth")

    def __init__(self, cells: NDArray[np.uint8], mover: Player, parent: tuple[Node, int] | None = None) -> None:
        self.cells = cells
        """`[cells]`: 0 empty, 1 red, 2 blue."""
        self.mover = mover
        self.parent = parent
        """The position before and the place there of the move that leads here."""
        self.known: bool | None = None
        """Whether the mover wins, where that is proved."""
        self.moves: NDArray[np.intp] = np.empty(0, np.intp)
        """The empty cells, from 0."""
        self.prior = self.win = self.worth = self.visits = self.closed = _zeros(0)
        """By move: its prior, its probability of winning, the sum of the values of its visits, their number, and a
        large negative number where it is known to lose."""
        self.children: dict[int, Node] = {}
        """By the place of a move."""

    def value(self) -> float:
        """The probability that the mover wins, by the policy."""
        if self.known is not None:
            return float(self.known)
        return float((self.win + self.closed).max(initial=0.0))

    def evaluated(self, log_odds: Floats) -> None:
        """Set priors and probabilities from the policy's log-odds `[cells]`."""
        self.moves = np.flatnonzero(self.cells == 0)
        values = log_odds[self.moves]
        self.win = (np.tanh(values / np.float32(2)) + np.float32(1)) / np.float32(2)
        shares = np.exp(values - values.max())
        self.prior = shares / shares.sum()
        self.worth, self.visits, self.closed = (_zeros(len(values)) for _ in range(3))

    def best_place(self) -> int:
        """The place of the move with the highest bound."""
        visits = self.visits + 1.0
        bounds = (self.worth + self.win) / visits + (_EXPLORE * sqrt(self.visits.sum() + 1.0)) * self.prior / visits
        return int((bounds + self.closed).argmax())

    def close(self, places: NDArray[np.intp]) -> None:
        """Mark moves as losing; where all lose, so does the mover."""
        self.closed[places] = _CLOSED
        if self.closed.max() < 0:
            self.prove(wins=False)

    def prove(self, wins: bool) -> None:
        """Mark the position as won or lost for the mover, and the move that leads to it accordingly."""
        self.known = wins
        if self.parent is None:
            return
        before, place = self.parent
        if wins:
            before.close(np.array([place]))
        else:
            before.closed[:] = _CLOSED
            before.closed[place] = 0
            before.prove(wins=True)


class PolicyTree:
    """The search of one position. Moves may be closed before `run`."""

    def __init__(self, state: GameState, policy: Policy | None, earlier: PolicyTree | None = None) -> None:
        """An `earlier` search of the same game hands over what it knows below the moves that were made since."""
        self.board: Hex = state.board
        self.turns = list(state.turns)
        self.policy = policy
        self._neighbours = geometry_of(state.board.rows, state.board.columns).neighbours
        self._waiting: deque[Node] = deque()
        self.visits = 0
        """Visits of this search."""
        self.root = (earlier and earlier.node_of(state)) or Node(
            np.frombuffer(bytes(state.cells), np.uint8), state.to_move
        )
        self.root.parent = None
        if not len(self.root.moves):
            self._evaluate([self.root])
        if self.root.known is not None and np.count_nonzero(self.root.closed) < len(self.root.moves) - self.root.known:
            self.root.known = None  # connections proved it, which name no move

    def node_of(self, later: GameState) -> Node | None:
        """The node of a later position of the same game; None for another game, or below the tree."""
        if later.board != self.board or later.turns[: len(self.turns)] != self.turns:
            return None
        node: Node | None = self.root
        for turn in later.turns[len(self.turns) :]:
            if node is None or turn.player != node.mover or not isinstance(turn.action, int):
                return None
            places = np.flatnonzero(node.moves == turn.action - 1)
            node = node.children.get(int(places[0])) if len(places) else None
        if node is None or bytes(node.cells) != bytes(later.cells) or node.mover != later.to_move:
            return None
        return node

    def keep(self, node: Node, cells: set[int]) -> None:
        """Mark every move from a node as losing except those on `cells` (from 1)."""
        node.close(np.flatnonzero(~np.isin(node.moves + 1, list(cells))))

    def path(self, node: Node) -> list[tuple[int, Player]]:
        """The moves from the root to a node: cell, from 1, and player."""
        moves: list[tuple[int, Player]] = []
        while node.parent is not None:
            node, place = node.parent
            moves.append((int(node.moves[place]) + 1, node.mover))
        return moves[::-1]

    def run(self, budget: Budget, look: Callable[[Node], None], look_at: int) -> None:
        """Search until the budget is spent or the position is known. `look` is called for each node with so many
        visits, for about half of the time; without a time for every such node, so that the search repeats exactly."""
        until = budget.deadline()
        looking = searching = 0.0
        while self.root.known is None:
            begin = budget.now()
            left = _TOGETHER if budget.playouts is None else budget.playouts - self.visits
            if left <= 0 or self.visits >= _NODES or (until is not None and begin >= until):
                return
            self._visit(min(left, _TOGETHER, 1 + self.visits // 16), look_at)
            now = budget.now()
            searching, begin = searching + now - begin, now
            while self._waiting and (until is None or (looking <= searching and begin < until)):
                node = self._waiting.popleft()
                if all(each.known is None for each in _way_up(node)):
                    look(node)
                now = budget.now()
                looking, begin = looking + now - begin, now

    def _visit(self, together: int, look_at: int) -> None:
        """Descend so many times, and evaluate the leaves in one batch."""
        leaves = []
        for _ in range(together):
            node = self.root
            while len(node.moves) and node.known is None:
                place = node.best_place()
                node.visits[place] += 1
                if place not in node.children:
                    node.children[place] = self._after(node, place)
                node = node.children[place]
                if len(node.moves) and node.visits.sum() == look_at:
                    self._waiting.append(node)
            leaves.append(node)
        self.visits += together
        self._evaluate(list({id(node): node for node in leaves if node.known is None and not len(node.moves)}.values()))
        for node in leaves:
            value = node.value()
            while node.parent is not None:
                node, place = node.parent
                value = 1 - value
                node.worth[place] += value

    def _after(self, node: Node, place: int) -> Node:
        """The position after a move; known where it ends the game."""
        cells = node.cells.copy()
        cell = int(node.moves[place])
        cells[cell] = RED_SIGN if node.mover == RED else BLUE_SIGN
        after = Node(cells, opponent(node.mover), (node, place))
        if joins(cells, self._neighbours, cell):
            after.prove(wins=False)
        return after

    def _evaluate(self, nodes: list[Node]) -> None:
        positions = [(node.cells, node.mover) for node in nodes]
        for node, values in zip(nodes, log_odds_of(self.board, positions, self.policy), strict=True):
            node.evaluated(values)

    def best(self) -> tuple[int, float]:
        """The cell, from 1, of the move with most visits (of those that do not lose, where there are any), and its
        worth."""
        root = self.root
        place = int((root.visits + root.prior + root.closed).argmax())
        share = float(root.known) if root.known is not None else float(root.worth[place] / max(1.0, root.visits[place]))
        return int(root.moves[place]) + 1, share


def _zeros(count: int) -> Floats:
    return np.zeros(count, np.float32)


def _way_up(node: Node) -> list[Node]:
    """A node and those above it."""
    nodes = [node]
    while nodes[-1].parent is not None:
        nodes.append(nodes[-1].parent[0])
    return nodes

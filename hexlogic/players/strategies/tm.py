"""`tm:MODEL[:PLAYOUTS]`: the clauses that a Tsetlin machine has learned, from a file of `hexlogic predict train`.

Without a number of playouts it plays one ply: a winning move, else the move after which the votes are best for the
mover. With a number, that many nodes of a UCT tree are evaluated by the votes in the place of playouts, or as many as
the time of the move allows.
"""

from __future__ import annotations

from math import exp, log, sqrt
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError, SizeError
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.games.players import RED
from hexlogic.players.budget import Budget
from hexlogic.players.evaluation.chain import joins
from hexlogic.players.evaluation.clause_model import read_model
from hexlogic.players.evaluation.clause_votes import position_votes, voting_table
from hexlogic.players.geometry import flat_cells, mirror_cells
from hexlogic.players.strategy import Strategy, positive_number

_EXPLORE: Final = 0.6
_EXCHANGED: Final = np.array([0, 2, 1], np.int8)


class _Node:
    """A position after a move: `value` sums what its visits were worth to who made the move."""

    __slots__ = ("children", "sign", "value", "visits")

    def __init__(self, sign: int) -> None:
        self.sign = sign
        self.visits, self.value = 0, 0.0
        self.children: dict[int, _Node] | None = None


class TmStrategy(Strategy):
    """The strategy with its model."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(None, seed)
        if not option:
            raise HexlogicError("it needs a model", hint="tm:FILE, a file of `hexlogic predict train`")
        file, colon, number = option.rpartition(":")
        if not colon or not number.isdigit():
            file, number = option, ""
        self.playouts = positive_number(number, 0, "number of playouts") if number else None
        self.model = read_model(Path(file))
        self._table = voting_table(self.model)
        self._view = str(self.model.card.get("view"))
        self._mirror = mirror_cells(self.model.board.rows)
        # Votes of this size are worth as much as a sure win, about.
        self._scale = max(1.0, float(np.abs(self.model.weights).sum()) / max(1.0, sqrt(len(self.model))))

    def prepare(self, board: Hex) -> None:
        """Compile, on the board of the model."""
        self.votes(np.zeros(len(self.model.board.cells), np.int8), 1)

    def votes(self, cells: NDArray[np.int8], to_move: int) -> int:
        """The votes for red on flat cells, with the player of sign `to_move` to move, as the model's view has it."""
        if self._view == "mover" and to_move == 2:
            return -int(position_votes(self._table, _EXCHANGED[cells[self._mirror]], 1))
        votes = int(position_votes(self._table, cells, to_move))
        if self._view == "twins":
            votes -= int(position_votes(self._table, _EXCHANGED[cells[self._mirror]], 3 - to_move))
        return votes

    def choose(self, state: GameState, budget: Budget) -> Action:
        """A move of one ply, or of the search. Raises SizeError for a board that the model is not for."""
        if state.board != self.model.board:
            hint = "train one for this board"
            raise SizeError(f"the model is for {self.model.board}, not for {state.board}", hint=hint)
        cells = flat_cells(state)
        sign = 1 if state.to_move == RED else 2
        if self.playouts is not None:
            return self._search(cells, sign, budget) + 1
        best, best_value = -1, -float("inf")
        for cell in np.flatnonzero(cells == 0):
            value = self._after(cells, int(cell), sign)
            # A small random number decides between moves with as many votes.
            value += 0.5 * self.draw.random()
            if value > best_value:
                best, best_value = int(cell), value
        self.note = f"votes {best_value:.0f}"
        return best + 1

    def _after(self, cells: NDArray[np.int8], cell: int, sign: int) -> float:
        """What a move is worth to its player; a winning one more than any votes."""
        cells[cell] = sign
        if joins(cells, self._table.neighbours, cell):
            value = float("inf")
        else:
            votes = self.votes(cells, 3 - sign)
            value = float(votes if sign == 1 else -votes)
        cells[cell] = 0
        return value

    def _search(self, cells: NDArray[np.int8], sign: int, budget: Budget) -> int:
        """As many evaluations as were asked for, or until the time of the move is over."""
        root, deadline = _Node(3 - sign), budget.deadline()
        for _ in range(self.playouts or 1):
            self._descend(root, cells.copy())
            if deadline is not None and root.children and budget.now() >= deadline:
                break
        assert root.children is not None
        move = max(root.children, key=lambda cell: (root.children[cell].visits, -cell) if root.children else (0, 0))
        node = root.children[move]
        self.note = f"{node.value / max(1, node.visits):.1%} of {root.visits} evaluations"
        return move

    def _descend(self, root: _Node, cells: NDArray[np.int8]) -> None:
        """One evaluation: down by upper confidence bounds, then the votes of a new position."""
        path, node, cell = [root], root, -1
        while node.children:
            node, cell = _best(node)
            cells[cell] = node.sign
            path.append(node)
        if cell >= 0 and joins(cells, self._table.neighbours, cell):
            value, of = 1.0, node.sign
        else:
            # Votes for red as a probability; each node takes it for the player who moved to it.
            votes = self.votes(cells, 3 - node.sign)
            value, of = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, 4.0 * votes / self._scale)))), 1
            node.children = {int(empty): _Node(3 - node.sign) for empty in np.flatnonzero(cells == 0)}
        for visited in path:
            visited.visits += 1
            visited.value += value if visited.sign == of else 1.0 - value


def _best(node: _Node) -> tuple[_Node, int]:
    """The child with the highest bound, and its cell; a child without visits first."""
    assert node.children
    bonus = _EXPLORE * sqrt(log(node.visits + 1.0))

    def bound(cell: int) -> float:
        child = node.children[cell] if node.children else node
        return child.value / child.visits + bonus / sqrt(child.visits) if child.visits else float("inf")

    cell = max(node.children, key=bound)
    return node.children[cell], cell


STRATEGY = TmStrategy

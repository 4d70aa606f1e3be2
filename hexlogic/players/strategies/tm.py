"""`tm:MODEL[:POSITIONS]`: the clauses that a Tsetlin machine has learned, from a file of `hexlogic predict train`.

Without a number it plays one ply: a winning move, else the move after which the votes are best for the mover. With a
number, a UCT tree of so many positions, or of as many as the time of the move allows: at each new position the votes
after every move, in one batch, are what a first visit of the move is worth.
"""

from math import log, sqrt
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games.game import RED
from hexlogic.games.game_state import Action, GameState
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.evaluation.clause_model import Predictor, read_model
from hexlogic.players.evaluation.kernels import joins
from hexlogic.players.geometry import flat_cells, geometry_of
from hexlogic.players.strategy import Budget, Strategy, positive_number

_EXPLORE: Final = 0.6


class _Node:
    """A position with its moves: `sums` of what their visits were worth to the player to move, the first by votes."""

    __slots__ = ("children", "moves", "sums", "visits")

    def __init__(self, moves: NDArray[np.int64], worth: NDArray[np.float64]) -> None:
        self.moves, self.sums, self.visits = moves, worth.copy(), np.ones(len(moves))
        self.children: dict[int, _Node] = {}


class TmStrategy(Strategy):
    """The strategy with its model."""

    def __init__(self, option: str | None = None, seed: int = 0) -> None:
        super().__init__(None, seed)
        if not option:
            raise HexlogicError("it needs a model", hint="tm:FILE, a file of `hexlogic predict train`")
        file, colon, number = option.rpartition(":")
        if not colon or not number.isdigit():
            file, number = option, ""
        self.positions = positive_number(number, 0, "number of positions") if number else None
        self.predictor = Predictor(read_model(Path(file)))
        model = self.predictor.model
        self._neighbours = geometry_of(model.board.rows, model.board.columns).neighbours
        # Votes of this size are worth as much as a sure win, about; the predictor counts each twice.
        self._scale = 2 * max(1.0, float(np.abs(model.weights).sum()) / max(1.0, sqrt(len(model))))

    def prepare(self, board: Hex) -> None:
        """Compile, on the board of the model."""
        self._worth(np.zeros(len(self.predictor.model.board.cells), np.int8), 1)

    def choose(self, state: GameState, budget: Budget) -> Action:
        """A move of one ply, or of the search. Raises SizeError for a board that the model is not for."""
        self.predictor.check_board(state.board)
        cells, sign = flat_cells(state), 1 if state.to_move == RED else 2
        moves, worth = self._worth(cells, sign)
        if self.positions is None:
            # A small random number decides between moves with as many votes.
            best = int(np.argmax(worth + 1e-9 * np.array([self.draw.random() for _ in moves])))
            self.note = f"{worth[best]:.1%} by votes"
            return int(moves[best]) + 1
        root, deadline, count = _Node(moves, worth), budget.deadline(), 0
        while count < self.positions and (not count or deadline is None or budget.now() < deadline):
            self._descend(root, cells.copy(), sign)
            count += 1
        best = int(np.argmax(root.visits))
        self.note = f"{root.sums[best] / root.visits[best]:.1%} of {count} positions"
        return int(root.moves[best]) + 1

    def _worth(self, cells: NDArray[np.int8], sign: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The moves of a player, and what each is worth: the votes as a probability, 1 for a winning move."""
        moves = np.flatnonzero(cells == 0)
        after = np.repeat(cells[None], len(moves), axis=0)
        after[np.arange(len(moves)), moves] = sign
        votes = self.predictor.votes(after.astype(np.uint8), np.full(len(moves), 3 - sign, np.uint8))
        worth = 1.0 / (1.0 + np.exp(np.clip((-4.0 if sign == 1 else 4.0) * votes / self._scale, -30.0, 30.0)))
        worth[[joins(row, self._neighbours, move) for row, move in zip(after, moves, strict=True)]] = 1.0
        return moves, worth

    def _descend(self, root: _Node, cells: NDArray[np.int8], sign: int) -> None:
        """One new position: down by upper confidence bounds, then the votes after each of its moves."""
        node, path = root, []
        while True:
            bounds = node.sums / node.visits + _EXPLORE * np.sqrt(log(node.visits.sum()) / node.visits)
            place = int(np.argmax(bounds))
            path.append((node, place))
            cells[node.moves[place]] = sign
            if joins(cells, self._neighbours, node.moves[place]):
                value = 1.0
                break
            sign = 3 - sign
            if place not in node.children:
                node.children[place] = new = _Node(*self._worth(cells, sign))
                value = 1.0 - float(new.sums.max())
                break
            node = node.children[place]
        for node, place in reversed(path):
            node.visits[place] += 1
            node.sums[place] += value
            value = 1.0 - value


STRATEGY = TmStrategy

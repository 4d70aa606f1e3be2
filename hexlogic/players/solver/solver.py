"""The winner of a position with best play, the winning move, and the cells that the winner needs."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hexlogic.errors import HexlogicError, PositionError, SizeError
from hexlogic.games import BLUE, PLAYERS, RED, Game, Hex, Player, Position, has_won, opponent
from hexlogic.players.connections import codes
from hexlogic.players.connections.store import new_store
from hexlogic.players.evaluation.policy import log_odds_of
from hexlogic.players.solver import memory
from hexlogic.players.solver.search import fill_in, prove

MOST_CELLS: Final = codes.WORD - 1
"""Empty cells of the largest position that can be solved: carriers are single words."""
FULL_LIMIT: Final = 20
SEMI_LIMIT: Final = 50
_SMALL_BOARD: Final = 36
"""Cells of a board for which a small memory suffices."""
_PARALLEL_STEPS: Final = 1000
_ROWS: Final = 60_000
_OTHER_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Solution:
    """The winner with best play; `move` wins when the winner is to move, and is None otherwise or at the end. `proof`
    are the empty cells that the winner needs, `positions` is how many were expanded."""

    winner: Player
    to_move: Player
    move: int | None
    proof: frozenset[int]
    positions: int

    def to_json(self, board: Game) -> dict[str, object]:
        """The winner, the move and the proof, with names in the place of cells."""
        move = None if self.move is None else board.cell_name(self.move)
        return {"winner": self.winner, "move": move, "proof": board.cell_names(self.proof)}


def player_to_move(position: Position) -> Player:
    """Red when both have as many stones, blue when red has one more. Raises PositionError otherwise."""
    extra = len(position.red) - len(position.blue)
    if extra not in (0, 1):
        raise PositionError(
            f"red has {len(position.red)} stones and blue {len(position.blue)}: no game gets there by turns",
            hint="say who is to move",
        )
    return RED if extra == 0 else BLUE


def check_solvable(board: Hex, stones: int = 0) -> None:
    """Raises SizeError for a board with more than MOST_CELLS empty cells."""
    if (empty := len(board.cells) - stones) > MOST_CELLS:
        what = f"a {board.size_text} board with {empty} empty cells is too large to solve"
        raise SizeError(what, hint=f"at most {MOST_CELLS} empty cells")


class MemoryFullError(HexlogicError):
    """A solver cannot remember the positions that an answer needs."""


class Solver:
    """A solver for one board, with a memory that later positions profit from.

    `rows` is how many positions it can remember, about 180 bytes each: by default 131,072 on boards of up to 36
    cells and two million on larger ones. `played` are stones that each position has, which a board of more than
    MOST_CELLS cells needs. Raises SizeError when they leave more empty. Masks have bit `c` for cell `c` of the board.

    >>> board = Hex.square(3)
    >>> Solver(board).solve(Position.of(board, red=["b2"])).winner
    'red'
    """

    def __init__(self, board: Hex, rows: int | None = None, played: Position | None = None) -> None:
        self.board, self._played = board, played or Position(board)
        stones = self._played.red | self._played.blue
        check_solvable(board, len(stones))
        # The cells of the nodes from 1 on: stones come last where a word is too short for all cells.
        last = stones if len(board.cells) > MOST_CELLS else frozenset()
        self._order = [*sorted(set(board.cells) - last), *sorted(last)]
        self._places = np.array(self._order) - 1
        self._nodes = np.arange(1, min(len(self._order), codes.WORD - 1) + 1)
        self._cells = np.array([0 if c not in last else 1 + (c in self._played.blue) for c in board.cells], np.uint8)
        self._node = {cell: node for node, cell in enumerate(self._order, 1)}
        self.table = memory.new_table(rows or (1 << 17 if len(board.cells) <= _SMALL_BOARD else 1 << 21))
        self.stores = new_store(board, RED, _ROWS, self._order), new_store(board, BLUE, _ROWS, self._order)
        self.snapshots = memory.new_snapshots(len(board.cells) + 2, self.stores[0].carrier.shape[1])
        for player, store in zip(PLAYERS, self.stores, strict=True):
            store.counts[codes.FULL_MOST :] = (FULL_LIMIT, SEMI_LIMIT, _PARALLEL_STEPS, 1)
            for cell in last:
                store.nodes[self._node[cell], codes.OWNER] = (
                    codes.OWN if cell in self._played.stones(player) else codes.OTHER
                )

    def row(self, red: int, blue: int, turn: int) -> int:
        """The row of the table for two masks and a player (0 red, 1 blue). Raises MemoryFullError, and PositionError
        for a position without the stones played before."""
        for mask, stones in ((red, self._played.red), (blue, self._played.blue)):
            if mask_of(stones) & ~mask:
                raise PositionError("the position lacks stones that the solver was made for")
        row = int(memory.find_row(self.table, self._word(red), self._word(blue), turn))
        if row < 0:
            raise MemoryFullError("the memory of the solver is full")
        return row

    def proof(self, row: int) -> int:
        """The mask of the cells that the winner of a solved row needs."""
        return self._mask(self.table.proof[row])

    def _word(self, mask: int) -> np.uint64:
        """A mask by nodes, without the stones of all positions."""
        return np.uint64(sum(1 << node for cell in cells_of_mask(mask) if (node := self._node[cell]) < codes.WORD))

    def _mask(self, word: np.uint64) -> int:
        """The mask of a word by nodes."""
        return mask_of(frozenset(self._order[node - 1] for node in cells_of_mask(int(word))))

    def knows(self, position: Position) -> bool:
        """Whether it can be asked about a position: the board, and the stones that each position has."""
        return position.game == self.board and self._played.red <= position.red and self._played.blue <= position.blue

    @property
    def visited(self) -> int:
        """The number of positions expanded so far."""
        return int(self.table.counts[memory.VISITED])

    @property
    def is_full(self) -> bool:
        """Whether the memory is used up: nothing more can be solved that needs a new position."""
        return bool(self.table.counts[memory.ROWS] >= self.table.turn.shape[0])

    def solve_row(self, row: int, most: int | None = None) -> bool:
        """Whether a row is solved after expanding at most so many positions more."""
        if self.table.counts[memory.STOP] and self.is_full:
            return bool(self.table.state[row] == memory.SOLVED)
        self.table.counts[memory.STOP] = 0
        self.table.counts[memory.VISITED_MOST] = -1 if most is None else int(self.table.counts[memory.VISITED]) + most
        levels = len(self.board.cells) + 2
        way = np.full((4, levels), memory.INFINITE, np.int64)
        way[0, 0], way[3, 0] = row, 0
        while (wanted := prove(self.table, self.snapshots, way, self.stores)) >= 0:
            self._order_moves(wanted)
        return bool(self.table.state[row] == memory.SOLVED)

    def _order_moves(self, row: int) -> None:
        """Order the moves of a row by the policy for both players: where the opponent would like to play is good."""
        red, blue = (self.table.filled[row][:, None] >> self._nodes.astype(np.uint64) & np.uint64(1)).astype(np.uint8)
        cells = self._cells.copy()
        places = self._places[: len(self._nodes)]
        cells[places] = red + 2 * blue
        mover = PLAYERS[self.table.turn[row]]
        own, other = log_odds_of(self.board, [(cells, mover), (cells, opponent(mover))])
        values = own + _OTHER_SHARE * other
        best = np.argsort(np.where(red | blue, np.inf, -values[places]), kind="stable")
        best = best[: len(best) - np.count_nonzero(red | blue)]
        self.table.order[row, : len(best)] = self._nodes[best]

    def solve(self, position: Position, to_move: Player | None = None, most: int | None = None) -> Solution | None:
        """The solution of a position, or None when `most` positions or the memory do not suffice. Raises PositionError
        when stone counts do not tell who is to move."""
        to_move = to_move or player_to_move(position)
        before = self.visited
        winner = self.winner(position, to_move, most)
        if winner is None:
            return None
        if has_won(position, winner):
            return Solution(winner, to_move, None, frozenset(), 0)
        try:
            row = self._row_of(position, to_move)
            proof = frozenset(cells_of_mask(self.proof(row)))
            move = self.winning_move(row) if winner == to_move else None
        except MemoryFullError:
            return None
        return Solution(winner, to_move, move, proof, self.visited - before)

    def winner(self, position: Position, to_move: Player | None = None, most: int | None = None) -> Player | None:
        """The winner alone, for less than `solve` asks: a won position may need more positions to tell its move. None
        and errors as for `solve`."""
        to_move = to_move or player_to_move(position)
        for player in PLAYERS:
            if has_won(position, player):
                return player
        try:
            row = self._row_of(position, to_move)
        except MemoryFullError:
            return None
        if not self.solve_row(row, most):
            return None
        return to_move if self.table.phi[row] == 0 else opponent(to_move)

    def _row_of(self, position: Position, to_move: Player) -> int:
        return self.row(mask_of(position.red), mask_of(position.blue), PLAYERS.index(to_move))

    def winning_move(self, row: int) -> int:
        """A winning move of a row that the player to move wins. Raises MemoryFullError."""
        if self.table.best[row] >= 0:
            return self._order[int(self.table.best[row]) - 1]
        turn = int(self.table.turn[row])
        played = [mask_of(self._played.red), mask_of(self._played.blue)]
        raw = [self._mask(word) | stones for word, stones in zip(self.table.raw[row], played, strict=True)]
        filled = [self._mask(word) | stones for word, stones in zip(self.table.filled[row], played, strict=True)]
        # A connection wins: some cell of its carrier is the first move, or any move when it is a full one.
        inside = cells_of_mask(self.proof(row) & ~(raw[0] | raw[1]))
        outside = [cell for cell in self.board.cells if not (raw[0] | raw[1]) >> cell & 1]
        # The first position after the right move shows a full connection; a search is for what captured cells hide.
        for most in (1, 50, None):
            for cell in (*inside, *outside):
                masks = list(filled if not (filled[0] | filled[1]) >> cell & 1 else raw)
                masks[turn] |= 1 << cell
                child = self.row(masks[0], masks[1], 1 - turn)
                if self.solve_row(child, most) and self.table.delta[child] == 0:
                    return cell
        if self.is_full:
            raise MemoryFullError("the memory of the solver is full")
        raise HexlogicError("no winning move in a won position (please report it)")

    def fill(self, red: int, blue: int) -> list[tuple[Player, tuple[int, ...]]]:
        """The fill-in of a position in order: captured pairs with their owner, dead cells one by one."""
        masks = np.array([self._word(red), self._word(blue)])
        log = np.zeros((self.board.rows * self.board.columns + 2, 3), np.int64)
        taken = np.zeros(2, np.uint64)
        fill_in(self.stores, masks, taken, log)
        steps = log[1 : int(log[0, 0]) + 1].tolist()
        return [(PLAYERS[who], tuple(self._order[node - 1] for node in (a, b) if node)) for who, a, b in steps]


def mask_of(cells: frozenset[int]) -> int:
    """The mask of cells: bit `c` for cell `c`."""
    return sum(1 << cell for cell in cells)


def cells_of_mask(mask: int) -> list[int]:
    """The cells of a mask, ascending."""
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]

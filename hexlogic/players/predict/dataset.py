"""A set of labelled positions with its card, as a folder of two files: `positions.npz` and `card.json`.

The card says what the labels mean, how the positions came about, and what they give away without any understanding of
Hex: in games that stop at the win the winner made the last move, so that the parity of the stones names the winner. The
same input gives the same bytes: the archive holds no dates.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.players.solver import Solver
from hexlogic.process.files import named, read_stored, write_text

Split = Literal["train", "validation", "test"]
SPLITS: Final[tuple[Split, ...]] = ("train", "validation", "test")
_SHARES: Final = (0.7, 0.1, 0.2)
_BLOCK: Final = 1000
_ROWS: Final = 1 << 19
"""Of the table in which the solver keeps positions."""
_ARRAYS: Final = ("boards", "winners", "to_move", "games")


@dataclass(frozen=True, eq=False)
class Dataset:
    """P positions on one board: `boards[P, cells]` (0 empty, 1 red, 2 blue), `winners[P]` and `to_move[P]` (1 red, 2
    blue), all uint8, and `games[P]` (int32), the game that a position is from. `card` is plain JSON data."""

    board: Hex
    boards: NDArray[np.uint8]
    winners: NDArray[np.uint8]
    to_move: NDArray[np.uint8]
    games: NDArray[np.int32]
    card: dict[str, Any]

    def __len__(self) -> int:
        return len(self.boards)

    def take(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> Dataset:
        """The positions of an index or a mask."""
        return Dataset(
            self.board, self.boards[which], self.winners[which], self.to_move[which], self.games[which], self.card
        )

    @property
    def stones(self) -> NDArray[np.int64]:
        """The number of stones of each position."""
        count: NDArray[np.int64] = np.count_nonzero(self.boards, axis=1).astype(np.int64)
        return count

    def split(self, name: Split) -> Dataset:
        """One of three parts, in shares of 70, 10 and 20 percent of the games: all positions of a game are in one part.

        Raises HexlogicError for a part without positions.
        """
        games = np.unique(self.games)
        order = np.random.default_rng(int(self.card.get("seed", 0))).permutation(games)
        ends = np.round(np.cumsum(_SHARES) * len(games)).astype(int)
        place = SPLITS.index(name)
        chosen = order[(ends[place - 1] if place else 0) : ends[place]]
        part = self.take(np.isin(self.games, chosen))
        if not len(part):
            raise HexlogicError(f"the {name} split of {len(self)} positions is empty", hint="generate more games")
        return part


def equal_cells(one: Dataset, other: Dataset) -> Iterator[NDArray[np.float32]]:
    """In how many cells the positions of two sets agree: `[positions of a block of one, positions of other]`, block by
    block."""
    asked, known = (
        np.concatenate([data.boards == sign for sign in (0, 1, 2)], axis=1).astype(np.float32) for data in (one, other)
    )
    for begin in range(0, len(asked), _BLOCK):
        yield asked[begin : begin + _BLOCK] @ known.T


def majority_winner(winners: NDArray[np.uint8]) -> int:
    """The winner (1 red, 2 blue) of most positions; blue when there are as many."""
    return 1 if np.count_nonzero(winners == 1) * 2 > len(winners) else 2


def parity_rule(stones: NDArray[np.int64], winners: NDArray[np.uint8]) -> tuple[int, int]:
    """The winner of most positions with an even number of stones, and of those with an odd number."""
    even, odd = (majority_winner(winners[stones % 2 == parity]) for parity in (0, 1))
    return even, odd


def statistics(data: Dataset) -> dict[str, object]:
    """Plain figures of a set: winners, stones, empties, duplicates, and how often parity names the winner."""
    stones = data.stones
    if not len(data):
        return {"positions": 0}
    rule = np.array(parity_rule(stones, data.winners))
    _, first = np.unique(data.boards, axis=0, return_index=True)
    empties, counts = np.unique(data.boards.shape[1] - stones, return_counts=True)
    return {
        "positions": len(data),
        "games": len(np.unique(data.games)),
        "won": {player: round(float(np.mean(data.winners == sign)), 4) for sign, player in enumerate(PLAYERS, start=1)},
        "stones_mean": round(float(np.mean(stones)), 2),
        "empties": {str(number): int(count) for number, count in zip(empties, counts, strict=True)},
        "duplicates": len(data) - len(first),
        "parity_names_winner": round(float(np.mean(rule[stones % 2] == data.winners)), 4),
        "majority": round(float(np.mean(data.winners == majority_winner(data.winners))), 4),
    }


def position_of(board: Hex, cells: NDArray[np.uint8]) -> Position:
    """A row of a `boards` array as a position."""
    red, blue = (frozenset((np.flatnonzero(cells == sign) + 1).tolist()) for sign in (1, 2))
    return Position(board, red, blue)


def exact_winners(
    board: Hex,
    boards: NDArray[np.uint8],
    to_move: NDArray[np.uint8],
    most: int | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> NDArray[np.uint8]:
    """The winner of each position with perfect play (1 red, 2 blue), 0 where `most` expanded positions do not suffice.

    One solver remembers what it has solved for the positions that follow. Raises SizeError for a board that is too
    large to solve.
    """
    solver = Solver(board, _ROWS)
    found = np.zeros(len(boards), np.uint8)
    for number, (cells, mover) in enumerate(zip(boards, to_move, strict=True)):
        if solver.table.counts[0] > _ROWS * 3 // 4:
            solver = Solver(board, _ROWS)
        solution = solver.solve(position_of(board, cells), PLAYERS[int(mover) - 1], most)
        if solution is not None:
            found[number] = PLAYERS.index(solution.winner) + 1
        report(number + 1)
    return found


def write_dataset(data: Dataset, folder: Path) -> None:
    """Write both files, the folder too."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "positions.npz"
    with named(path):
        np.savez_compressed(path, boards=data.boards, winners=data.winners, to_move=data.to_move, games=data.games)
    write_text(folder / "card.json", json.dumps(data.card, indent=2) + "\n")


def read_dataset(folder: Path) -> Dataset:
    """Read a folder. Raises HexlogicError for files that are no such set."""
    path = folder / "positions.npz"
    if not path.is_file():
        raise HexlogicError("there is no data set here", file=str(folder), hint="`hexlogic predict generate` makes one")
    try:
        with np.load(path, allow_pickle=False) as archive:
            boards, winners, to_move, games = (archive[name] for name in _ARRAYS)
    except (KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise HexlogicError(f"no data set: {error}", file=str(path)) from None
    card = _read_card(folder / "card.json")
    board = Hex.square(int(card["size"]))
    count, signs = len(boards), ((winners, {1, 2}), (to_move, {1, 2}), (boards, {0, 1, 2}))
    shapes_fit = boards.shape == (count, len(board.cells)) and winners.shape == to_move.shape == games.shape == (count,)
    if not shapes_fit or any(not set(np.unique(array).tolist()) <= known for array, known in signs):
        raise HexlogicError(f"the arrays are no positions of {board}", file=str(path), hint="generate the set again")
    return Dataset(board, boards, winners, to_move, games, card)


def _read_card(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise HexlogicError("the card is missing", file=str(path), hint="generate the set again")
    card = read_stored(path, dict[str, Any], "the card of a data set")
    if not isinstance(card.get("size"), int) or not isinstance(card.get("seed"), int):
        raise HexlogicError("a card without size and seed", file=str(path), hint="generate the set again")
    return card

"""A set of labelled positions with its card, as a folder of two files: `positions.npz` and `card.json`.

The card says what the labels mean, how the positions came about, and what is known of their leaks. Same input, same
bytes: the archive holds no dates.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.files import named, read_json, write_text
from hexlogic.games import Hex

__all__ = ["SPLITS", "Dataset", "Split", "equal_cells", "read_dataset", "write_dataset"]

Split = Literal["train", "validation", "test"]
SPLITS: Final[tuple[Split, ...]] = ("train", "validation", "test")
_SHARES: Final = (0.7, 0.1, 0.2)
_BLOCK: Final = 1000
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

    def take(self, which: NDArray[Any]) -> Dataset:
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
    card = read_json(path)
    if not isinstance(card, dict) or not isinstance(card.get("size"), int) or not isinstance(card.get("seed"), int):
        raise HexlogicError("a card without size and seed", file=str(path), hint="generate the set again")
    return card

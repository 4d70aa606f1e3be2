"""A set of labelled positions with its card, as a folder of two files: `positions.npz` and `card.json`.

The card says what the labels mean, how the positions came about, and what they give away: in games that stop at the win
the parity of the stones names the winner. The same input gives the same bytes: the archive holds no dates.

The public set of finished games that the study used is read from CSV: 49 columns of -1, 0 and 1, and the winner. There
1 is the first mover, whom the study calls blue, and joins the left side with the right one. In this library blue joins
top and bottom. So a board is transposed and the colours keep their names: 1 is a blue stone and -1 a red one.
"""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isqrt
from pathlib import Path
from typing import Final, Literal

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import BLUE, PLAYERS, Hex
from hexlogic.players.evaluation.prediction_file import ANY, DataCard, First
from hexlogic.players.evaluation.symbols import Signs, SymbolSet, exchanged, mirrored, position_of
from hexlogic.players.solver import Solver
from hexlogic.process.files import named, read_stored, readable, write_stored

Split = Literal["train", "validation", "test"]
SPLITS: Final[tuple[Split, ...]] = ("train", "validation", "test")
_SHARES: Final = (0.7, 0.1, 0.2)
_ROWS: Final = 1 << 19  # Rows of the table in which the solver keeps positions
SOLVED_EMPTIES: Final = 20
"""The most empty cells of a position whose winner with perfect play is asked for, on boards beyond 5x5."""
_ARRAYS: Final = ("boards", "winners", "to_move", "games")


@dataclass(frozen=True, eq=False)
class Dataset:
    """P positions on one board: `boards[P, cells]` (0 empty, 1 red, 2 blue), `winners[P]` and `to_move[P]` (1 red, 2
    blue), all uint8, and `games[P]` (int32), the game that a position is from."""

    board: Hex
    boards: Signs
    winners: Signs
    to_move: Signs
    games: NDArray[np.int32]
    card: DataCard

    def __len__(self) -> int:
        return len(self.boards)

    def take(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> "Dataset":
        """The positions of an index or a mask."""
        return replace(self, **{name: getattr(self, name)[which] for name in _ARRAYS})

    @property
    def stones(self) -> NDArray[np.int64]:
        """The number of stones of each position."""
        return np.asarray(np.count_nonzero(self.boards, axis=1), np.int64)

    @property
    def red_ahead(self) -> NDArray[np.int64]:
        """By how many stones red is ahead in each position."""
        return np.asarray(2 * np.count_nonzero(self.boards == 1, axis=1) - self.stones, np.int64)

    @property
    def empties(self) -> NDArray[np.int64]:
        """The number of empty cells of each position."""
        return len(self.board.cells) - self.stones

    def split(self, name: Split) -> "Dataset":
        """One of three parts, in shares of 70, 10 and 20 percent of the games: all positions of a game are in one part.
        Raises HexlogicError for a part without positions."""
        games = np.unique(self.games)
        order = np.random.default_rng(self.card.seed).permutation(games)
        ends = np.round(np.cumsum((0, *_SHARES)) * len(games)).astype(int)
        place = SPLITS.index(name)
        part = self.take(np.isin(self.games, order[ends[place] : ends[place + 1]]))
        if not len(part):
            raise HexlogicError(f"the {name} split of {len(self)} positions is empty", hint="generate more games")
        return part


def representatives(board: Hex, boards: Signs, to_move: Signs) -> Signs:
    """`[positions, cells + 1]`, of each position, with the player to move in the last column, the least of the four
    that are the same for Hex: as it is, turned by half, and both mirrored with the colours exchanged."""
    shown = ((boards, to_move), (mirrored(board, boards), exchanged(to_move)))
    forms = [np.column_stack([turned, mover]) for cells, mover in shown for turned in (cells, cells[:, ::-1])]
    least: Signs = forms[0]
    for form in forms[1:]:
        place = np.arange(len(form)), np.argmax(form != least, axis=1)
        least = np.where((form[place] < least[place])[:, None], form, least)
    return least


def first_of_each(board: Hex, boards: Signs, to_move: Signs) -> NDArray[np.int64]:
    """The places, in order, of the positions that are not the same as an earlier one, turned or mirrored."""
    _, first = np.unique(representatives(board, boards, to_move), axis=0, return_index=True)
    return np.sort(first).astype(np.int64)


def usual_winners(learned: Dataset, asked: Dataset, number_of: Callable[[Dataset], NDArray[np.int64]]) -> Signs:
    """For each position asked about the winner of most learned positions with the same number; blue of as many."""
    known, wanted = number_of(learned), number_of(asked)
    winners = np.zeros(len(asked), np.uint8)
    for number in np.unique(wanted):
        alike = learned.winners[known == number]
        winners[wanted == number] = 1 if 2 * np.count_nonzero(alike == 1) > len(alike) else 2
    return winners


def parity(data: Dataset) -> NDArray[np.int64]:
    """Whether the number of stones of each position is odd: 0 or 1."""
    return data.stones % 2


def with_figures(data: Dataset, **facts: object) -> Dataset:
    """The set with figures in its card: stones, empties, how often the parity of the stones names the winner, and other
    `facts`."""
    figures: dict[str, object] = {
        "positions": len(data),
        "games": len(np.unique(data.games)),
        "stones_mean": round(float(np.mean(data.stones)), 2),
        "empties": {str(number): int(np.sum(data.empties == number)) for number in np.unique(data.empties)},
        "parity_names_winner": round(float(np.mean(usual_winners(data, data, parity) == data.winners)), 4),
    }
    return replace(data, card=structs.replace(data.card, **figures, **facts))


def exact_winners(data: Dataset, report: Callable[[int], None] = lambda done: None) -> Signs:
    """The winner of each position with perfect play (1 red, 2 blue). One solver remembers what it has solved for the
    positions that follow. Raises SizeError for a board that is too large to solve."""
    solver = Solver(data.board, _ROWS)
    winners = np.zeros(len(data), np.uint8)
    for number, (cells, mover) in enumerate(zip(data.boards, data.to_move, strict=True)):
        if solver.table.counts[0] > _ROWS * 3 // 4:
            solver = Solver(data.board, _ROWS)
        winner = solver.winner(position_of(data.board, cells), PLAYERS[int(mover) - 1])
        winners[number] = (None, *PLAYERS).index(winner)
        report(number + 1)
    return winners


def write_dataset(data: Dataset, folder: Path) -> None:
    """Write both files, the folder too."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "positions.npz"
    with named(path), path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{name: getattr(data, name) for name in _ARRAYS})
    write_stored(folder / "card.json", data.card)


def read_dataset(folder: Path) -> Dataset:
    """Read a folder. Raises HexlogicError for files that are no such set."""
    path = folder / "positions.npz"
    if not path.is_file():
        raise HexlogicError("there is no data set here", file=str(folder), hint="`hexlogic predict generate` makes one")
    try:
        with np.load(path, allow_pickle=False) as archive:
            boards, winners, to_move, games = arrays = [archive[name] for name in _ARRAYS]
    except (KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise HexlogicError(f"no data set: {error}", file=str(path)) from None
    card = read_stored(folder / "card.json", DataCard, "the card of a data set")
    board = Hex.square(card.size)
    shapes = [(len(boards), len(board.cells)), *[(len(boards),)] * 3]
    signs = (boards, {0, 1, 2}), (winners, {1, 2}), (to_move, {1, 2})
    if [array.shape for array in arrays] != shapes or any(set(np.unique(a).tolist()) - known for a, known in signs):
        raise HexlogicError(f"the arrays are no positions of {board}", file=str(path), hint="generate the set again")
    return Dataset(board, boards, winners, to_move, games, card)


def read_study_csv(path: Path, seed: int, first: First = BLUE, transpose: bool = False) -> Dataset:
    """The positions of a file; a line of column names at the top is left out.

    In a file that is to `transpose`, 1 joins top and bottom. Boards that no game by turns gives (of a game that either
    player began, for `any`), boards where both or the wrong player has won, and repeated boards are counted in the card
    and left out. Raises HexlogicError with line and column for other entries and numbers of columns, and for a file
    whose finished boards show that it is the other way round.
    """
    rows = _rows(path)
    if not rows:
        raise HexlogicError("no positions", file=str(path), hint="n x n columns of -1, 0, 1, then the winner")
    signs = np.array([1, 0, 2], np.uint8)[np.array(rows) + 1]
    size = isqrt(signs.shape[1] - 1)
    board, leader = Hex.square(size), PLAYERS.index(first) + 1 if first in PLAYERS else 2
    squares, winners = signs[:, :-1].reshape(-1, size, size), signs[:, -1]
    upright, turned = (squares.transpose(0, *axes).reshape(len(rows), -1).copy() for axes in ((2, 1), (1, 2)))
    boards, others = (turned, upright) if transpose else (upright, turned)
    ahead = np.count_nonzero(boards == leader, axis=1) - np.count_nonzero(boards == 3 - leader, axis=1)
    to_move = np.where(ahead > 0, 3 - leader, leader).astype(np.uint8)
    won, won_otherwise = (SymbolSet("won", board).truths(cells, to_move) for cells in (boards, others))
    right, right_otherwise = (int(np.sum(each[np.arange(len(rows)), winners - 1])) for each in (won, won_otherwise))
    if right_otherwise > right:
        hint = "leave out --transpose" if transpose else "say --transpose"
        shares = f"the winner of the file joins its sides on {right} boards, with rows and columns exchanged on"
        raise HexlogicError(f"{shares} {right_otherwise}", file=str(path), hint=hint)
    possible: dict[str, NDArray[np.bool_]] = {
        "stone counts that turns do not give": (ahead == 0) | (ahead == 1) | ((ahead == -1) & (first == ANY)),
        "both players have won": won.sum(axis=1) < 2,
        "the other player has won": won[np.arange(len(rows)), 2 - winners] == 0,
    }
    left_out: dict[str, int] = {}
    kept = np.arange(len(rows))
    for reason, mask in possible.items():
        left_out[reason] = int(np.count_nonzero(~mask[kept]))
        kept = kept[mask[kept]]
    once = kept[first_of_each(board, boards[kept], to_move[kept])] if len(kept) else kept
    left_out["repeated"] = len(kept) - len(once)
    if not len(once):
        raise HexlogicError("no row is a position of a game", file=str(path), hint=f"counted: {left_out}")
    if other_first := int(np.sum(ahead == -1)) * (first != ANY):
        left_out["of these, games that the other player began (--first any keeps them)"] = other_first
    card = DataCard(size, len(rows), seed, first, kind="turns", label="the winner column of the file", source=path.name)
    return with_figures(
        Dataset(board, boards, winners, to_move, np.arange(len(rows), dtype=np.int32), card).take(once),
        rows=len(rows),
        impossible=left_out,
        unfinished=int(np.count_nonzero(won[once].sum(axis=1) == 0)),
    )


def _rows(path: Path) -> list[list[int]]:
    rows: list[list[int]] = []
    width = 0
    with readable(path), path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            texts = [text.strip(' "\n').removesuffix(".0") for text in line.split(",")]
            if not any(texts):
                continue
            hint = f"the first line has {width}" if width else "n x n cells and the winner, such as 50 for 7x7"
            if len(texts) != (width or isqrt(max(len(texts) - 1, 4)) ** 2 + 1):
                raise HexlogicError(f"{len(texts)} columns", file=str(path), line=number, hint=hint)
            is_header = not width and not any(text.lstrip("+-").replace(".", "", 1).isdigit() for text in texts)
            width = len(texts)
            if is_header:
                continue
            for column, text in enumerate(texts, start=1):
                what, known = ("entry", ["-1", "0", "1"]) if column < width else ("winner", ["-1", "1"])
                if text not in known:
                    hint = f"one of {', '.join(known)}"
                    raise HexlogicError(f"{text!r} is no {what}", file=str(path), line=number, column=column, hint=hint)
            rows.append(list(map(int, texts)))
    return rows

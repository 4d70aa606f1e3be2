"""Read the public set of finished games that the study used: 49 columns of -1, 0 and 1, and a column with the winner.

There 1 is the first mover, whom the study calls blue, and joins the left side with the right one; -1 joins top and
bottom. In this library blue joins top and bottom. So a board is transposed and the colours keep their names: the entry
in row r and column c becomes the cell in row c and column r, 1 a blue stone and -1 a red one.
"""

from __future__ import annotations

import csv
from math import isqrt
from pathlib import Path

import numpy as np

from hexlogic.errors import HexlogicError
from hexlogic.games import BLUE, PLAYERS, Hex, Player
from hexlogic.players.evaluation.symbols import SymbolSet
from hexlogic.players.predict.dataset import Dataset, first_of_each, with_card
from hexlogic.process.files import readable


def read_study_csv(path: Path, seed: int, first: Player = BLUE, most: int | None = None) -> Dataset:
    """The positions of a file, at most `most` rows of it; a line of column names at the top is left out.

    Boards that no game by turns gives, boards where both or the wrong player has won, and repeated boards are counted
    in the card and left out. Raises HexlogicError with line and column for other entries and numbers of columns.
    """
    rows = _rows(path, most)
    if not rows:
        raise HexlogicError("no positions", file=str(path), hint="n x n columns of -1, 0, 1, then the winner")
    signs = np.array([1, 0, 2], np.uint8)[np.array(rows) + 1]
    size = isqrt(signs.shape[1] - 1)
    board, leader = Hex.square(size), PLAYERS.index(first) + 1
    boards = signs[:, :-1].reshape(-1, size, size).transpose(0, 2, 1).reshape(len(rows), -1).copy()
    winners = signs[:, -1]
    ahead = np.count_nonzero(boards == leader, axis=1) - np.count_nonzero(boards == 3 - leader, axis=1)
    to_move = np.where(ahead == 0, leader, 3 - leader).astype(np.uint8)
    won = SymbolSet("won", board).truths(boards, to_move)
    reasons: dict[str, int] = {}
    kept = np.ones(len(rows), dtype=np.bool_)
    for reason, wrong in (
        ("stone counts that turns do not give", (ahead != 0) & (ahead != 1)),
        ("both players have won", won.sum(axis=1) == 2),
        ("the other player has won", won[np.arange(len(rows)), 2 - winners] == 1),
    ):
        reasons[reason] = int(np.count_nonzero(wrong & kept))
        kept &= ~wrong
    if kept.any():
        places = np.flatnonzero(kept)
        once = first_of_each(board, boards[places], to_move[places])
        reasons["repeated"] = len(places) - len(once)
        kept[np.delete(places, once)] = False
    if not kept.any():
        raise HexlogicError("no row is a position of a game", file=str(path), hint=f"counted: {reasons}")
    card: dict[str, object] = {
        "size": size,
        "seed": seed,
        "first": first,
        "kind": "turns",
        "label": "the winner column of the file",
        "source": path.name,
        "convention": "transposed: 1 in row r and column c is a blue stone in row c and column r",
        "rows": len(rows),
        "impossible": reasons,
        "unfinished": int(np.count_nonzero(won[kept].sum(axis=1) == 0)),
    }
    return with_card(
        Dataset(board, boards, winners, to_move, np.arange(len(rows), dtype=np.int32), {}).take(kept), card
    )


def _rows(path: Path, most: int | None) -> list[list[int]]:
    """The numbers of each row."""
    rows: list[list[int]] = []
    width = 0
    with readable(path), path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        try:
            for fields in filter(None, reader):
                begins = not width
                width = width or len(fields)
                hint = f"the first line has {width}"
                if begins and isqrt(max(width - 1, 4)) ** 2 + 1 != width:
                    hint = "n x n cells and the winner, such as 50 for 7x7"
                    width = 0
                if len(fields) != width:
                    raise HexlogicError(f"{len(fields)} columns", file=str(path), line=reader.line_num, hint=hint)
                if begins and not any(field.strip().lstrip("+-").replace(".", "", 1).isdigit() for field in fields):
                    continue
                rows.append([_entry(fields, column, str(path), reader.line_num) for column in range(width)])
                if len(rows) == most:
                    break
        except csv.Error as error:
            raise HexlogicError(str(error), file=str(path), line=len(rows) + 1) from None
    return rows


def _entry(fields: list[str], column: int, file: str, line: int) -> int:
    what, known = ("entry", ["-1", "0", "1"]) if column < len(fields) - 1 else ("winner", ["-1", "1"])
    text = fields[column].strip()
    if text.removesuffix(".0") not in known:
        hint = f"one of {', '.join(known)}"
        raise HexlogicError(f"{text!r} is no {what}", file=file, line=line, column=column + 1, hint=hint)
    return int(text.removesuffix(".0"))

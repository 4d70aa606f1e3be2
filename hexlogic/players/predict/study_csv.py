"""Read the public set of finished games that the study used: 49 columns of -1, 0 and 1, and a column with the winner.

There 1 is the first mover, whom the study calls blue, and joins the left side with the right one; -1 joins top and
bottom. In this library blue joins top and bottom. So a board is transposed and the colours keep their names: the entry
in row r and column c becomes the cell in row c and column r, 1 a blue stone and -1 a red one.
"""

from __future__ import annotations

import csv
from collections import Counter
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np

from hexlogic.errors import HexlogicError
from hexlogic.games import BLUE, PLAYERS, Hex, Player, opponent
from hexlogic.players.predict.dataset import Dataset, statistics
from hexlogic.players.predict.symbols import SymbolSet
from hexlogic.players.predict.views import first_of_each
from hexlogic.process.files import readable

_SIGN = {1: 2, 0: 0, -1: 1}


def read_study_csv(path: Path, seed: int, first: Player = BLUE, most: int | None = None) -> Dataset:
    """The positions of a file, at most `most` rows of it; a line of column names at the top is left out.

    Boards that no game by turns gives, boards where both or the wrong player has won, and repeated boards are counted
    in the card and left out. Raises HexlogicError with line and column for other entries and numbers of columns.
    """
    rows, size = _rows(path, most)
    if not rows:
        raise HexlogicError("no positions", file=str(path), hint="n x n columns of -1, 0, 1, then the winner")
    table = np.array(rows, dtype=np.int64)
    board = Hex.square(size)
    signs = np.vectorize(_SIGN.__getitem__)(table).astype(np.uint8)
    boards = signs[:, :-1].reshape(-1, size, size).transpose(0, 2, 1).reshape(len(rows), -1).copy()
    winners = signs[:, -1]
    ahead = np.count_nonzero(boards == PLAYERS.index(first) + 1, axis=1) - np.count_nonzero(
        boards == PLAYERS.index(opponent(first)) + 1, axis=1
    )
    to_move = np.where(ahead == 0, PLAYERS.index(first) + 1, 2 - PLAYERS.index(first)).astype(np.uint8)
    won = SymbolSet("won", board).truths(boards, to_move)
    reasons = Counter[str]()
    kept = np.ones(len(rows), dtype=np.bool_)
    for reason, wrong in (
        ("stone counts that turns do not give", (ahead != 0) & (ahead != 1)),
        ("both players have won", won.sum(axis=1) == 2),
        ("the other player has won", won[np.arange(len(rows)), 2 - winners] == 1),
    ):
        reasons[reason] = int(np.count_nonzero(wrong & kept))
        kept &= ~wrong
    places = np.flatnonzero(kept)
    if len(places):
        once = first_of_each(board, boards[places], to_move[places])
        reasons["repeated"] = len(places) - len(once)
        kept[np.delete(places, once)] = False
    games = np.arange(len(rows), dtype=np.int32)
    data = Dataset(board, boards, winners, to_move, games, {}).take(kept)
    if not len(data):
        raise HexlogicError("no row is a position of a game", file=str(path), hint=f"counted: {dict(reasons)}")
    card: dict[str, Any] = {
        "rules": "Hex: red joins the first column with the last, blue the first row with the last",
        "size": size,
        "seed": seed,
        "first": first,
        "kind": "turns",
        "label": "the winner column of the file",
        "source": path.name,
        "convention": "transposed: 1 in row r and column c is a blue stone in row c and column r",
        "rows": len(rows),
        "impossible": dict(reasons),
        "unfinished": int(np.count_nonzero(won[kept].sum(axis=1) == 0)),
        **statistics(data),
    }
    return Dataset(board, data.boards, data.winners, data.to_move, data.games, card)


def _rows(path: Path, most: int | None) -> tuple[list[list[int]], int]:
    """The numbers of each row, and the side of the board."""
    rows: list[list[int]] = []
    width = 0
    try:
        with readable(path), path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            for fields in reader:
                if not fields:
                    continue
                if not width:
                    width = _width(fields, str(path), reader.line_num)
                    if not any(map(_is_number, fields)):
                        continue
                rows.append(_row(fields, width, str(path), reader.line_num))
                if len(rows) == most:
                    break
    except csv.Error as error:
        raise HexlogicError(str(error), file=str(path), line=len(rows) + 1) from None
    return rows, isqrt(max(width - 1, 0))


def _is_number(field: str) -> bool:
    return field.strip().lstrip("+-").replace(".", "", 1).isdigit()


def _width(fields: list[str], file: str, line: int) -> int:
    """How many columns the first line has."""
    side = isqrt(max(len(fields) - 1, 0))
    if side < 2 or side * side + 1 != len(fields):
        raise HexlogicError(
            f"{len(fields)} columns", file=file, line=line, hint="n x n cells and the winner, such as 50 for 7x7"
        )
    return len(fields)


def _row(fields: list[str], width: int, file: str, line: int) -> list[int]:
    if len(fields) != width:
        raise HexlogicError(f"{len(fields)} columns", file=file, line=line, hint=f"the first line has {width}")
    numbers = []
    for column, field in enumerate(fields, start=1):
        known = ("-1", "1") if column == width else ("-1", "0", "1")
        text = field.strip().removesuffix(".0")
        if text not in known:
            what = "winner" if column == width else "entry"
            raise HexlogicError(
                f"{field.strip()!r} is no {what}",
                file=file,
                line=line,
                column=column,
                hint=f"one of {', '.join(known)}",
            )
        numbers.append(int(text))
    return numbers

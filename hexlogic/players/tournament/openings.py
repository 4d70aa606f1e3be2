"""Balanced openings: two stones after which both players have about the same chances, kept as files by size.

The files lie in the folder `openings` beside this module. A line is a red and a blue cell; comments say how they were
found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hexlogic.errors import HexlogicError, PositionError
from hexlogic.games.kinds.hex import Hex
from hexlogic.players.tournament.plan import board_of
from hexlogic.process.files import read_text, readable

FOLDER: Final = Path(__file__).parent / "openings"


def openings_for(text: str, size: str) -> tuple[tuple[str, ...], ...]:
    """The openings that `--openings` names for a size: `balanced` (the empty board where there is no file), `none`, or
    a file. Raises PositionError with its place, and SizeError.

    >>> openings_for("none", "9")
    ((),)
    """
    board = board_of(size)
    if text == "none":
        return ((),)
    if text == "balanced":
        file = FOLDER / f"{board.size_text}.txt"
        return read_openings(file, board) if file.is_file() else ((),)
    return read_openings(Path(text), board)


def read_openings(file: Path, board: Hex) -> tuple[tuple[str, ...], ...]:
    """The openings of a file: cells in turn, red first. Raises PositionError with its place."""
    with readable(file, "openings", PositionError):
        lines = read_text(file).splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        try:
            cells = [board.parse_cell(word) for word in words]
        except HexlogicError as error:
            raise error.at(file=str(file), line=number) from None
        if len(set(cells)) < len(cells):
            raise PositionError("a cell is given twice", file=str(file), line=number)
        if words:
            found.append(tuple(words))
    if not found:
        raise PositionError("there is no opening in this file", file=str(file), hint="such as a2 f5")
    return tuple(found)

"""A clause on a board, as the study draws it: required connections as lines, forbidden ones crossed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hexlogic.games import check_player
from hexlogic.games.svg_marks import Mark

__all__ = ["marks_of"]

_PLACED: Final = re.compile(r"(?:connected|owns|bridge)\((red|blue),(\d+)(?:,(\d+))?\)")


def marks_of(literals: Iterable[tuple[str, bool]]) -> list[Mark]:
    """The marks of literals, atoms by cell numbers and whether they are to hold; symbols that lie on no cell have none.

    >>> marks_of([("connected(red,1,9)", False), ("to_move(red)", True)])
    [Mark(player='red', cells=(1, 9), forbidden=True)]
    """
    marks = []
    for atom, holds in literals:
        if found := _PLACED.fullmatch(atom):
            cells = tuple(int(cell) for cell in found.groups()[1:] if cell is not None)
            marks.append(Mark(check_player(found.group(1)), cells, forbidden=not holds))
    return marks

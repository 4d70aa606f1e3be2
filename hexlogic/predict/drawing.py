"""A clause on a board, as the study draws it: required connections as lines, forbidden ones crossed."""

from __future__ import annotations

import re
from typing import Final

from hexlogic.games import check_player
from hexlogic.games.svg_marks import Mark
from hexlogic.predict.clause_proofs import Proved

__all__ = ["marks_of"]

_PLACED: Final = re.compile(r"(?:connected|owns|bridge)\((red|blue),(\d+)(?:,(\d+))?\)")


def marks_of(proof: Proved) -> list[Mark]:
    """The marks of the literals that a clause needs; symbols that lie on no cell have none."""
    marks = []
    for atom, holds in proof.kept:
        if found := _PLACED.fullmatch(atom):
            cells = tuple(int(cell) for cell in found.groups()[1:] if cell is not None)
            marks.append(Mark(check_player(found.group(1)), cells, forbidden=not holds))
    return marks

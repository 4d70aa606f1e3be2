"""General game playing: sheets in GDL as programs of the rule language, and back.

>>> from hexlogic.logic.dialects import render
>>> sheet = read_kif("(role robot) (<= terminal (true (step 3)))")
>>> print(render(sheet, "hrf"), end="")
role(robot)
<BLANKLINE>
terminal :-
  true(step(3))
"""

from __future__ import annotations

from hexlogic.gdl.language.reading import read_hrf, read_kif, read_sheet
from hexlogic.gdl.language.sheet import INPUTS, QUERIES, sheet_of
from hexlogic.gdl.language.terms import read_term, write_term
from hexlogic.gdl.machines import State, StateMachine

__all__ = [
    "INPUTS",
    "QUERIES",
    "State",
    "StateMachine",
    "read_hrf",
    "read_kif",
    "read_sheet",
    "read_term",
    "sheet_of",
    "write_term",
]

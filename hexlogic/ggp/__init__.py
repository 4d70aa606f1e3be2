"""General game playing: sheets in GDL as programs of the rule language, and back.

>>> from hexlogic.language.dialects import render
>>> sheet = read_kif("(role robot) (<= terminal (true (step 3)))")
>>> print(render(sheet, "hrf"), end="")
role(robot)
<BLANKLINE>
terminal :-
  true(step(3))
"""

from hexlogic.ggp.language.reading import read_hrf, read_kif, read_sheet, read_term
from hexlogic.ggp.language.sheet import INPUTS, QUERIES, sheet_of
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.language.dialects.gdl import write_term

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

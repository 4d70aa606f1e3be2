"""General game playing: sheets in GDL as programs of the rule language, and back.

>>> from hexlogic.logic.printers import render
>>> sheet = read_kif("(role robot) (<= terminal (true (step 3)))")
>>> print(render(sheet, "hrf"), end="")
role(robot)
<BLANKLINE>
terminal :-
  true(step(3))
"""

from __future__ import annotations

from hexlogic.gdl.reading import read_hrf, read_kif, read_sheet
from hexlogic.gdl.sheet import INPUTS, QUERIES, sheet_of

__all__ = ["INPUTS", "QUERIES", "read_hrf", "read_kif", "read_sheet", "sheet_of"]

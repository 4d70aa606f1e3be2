"""Whether two sheets agree in every state that the facts of a game can form, reachable or not: one question to clingo.

Each fact that can come up is true or not, each move that is legal is made or not. Is there a case in which a legal
move, a next fact, a goal or the end differs? Where there is none, the sheets are the same game, however large it is.
"""

from __future__ import annotations

import time
from dataclasses import replace

from hexlogic.engines.grounding import cannot_ground
from hexlogic.gdl.optimising.flat import PLAYED
from hexlogic.gdl.possible import closed_inputs
from hexlogic.logic import Program
from hexlogic.logic.difference import BEFORE, difference

__all__ = ["agree_everywhere"]


def agree_everywhere(before: Program, after: Program, limit_s: float) -> int | None:
    """How many facts and moves there are, when the sheets agree whatever is true and done; None when this is not known.

    A case in which they differ means nothing: it may be out of reach. The limit is for solving, not for grounding.
    """
    import clingo

    possible = closed_inputs(before)
    if possible is None or cannot_ground(after):
        return None
    asked = tuple(query for query in PLAYED if query in before.queries or query in after.queries)
    text = difference(replace(before, queries=asked), replace(after, queries=asked), possible)
    control = clingo.Control(["--warn=none"])
    control.add("base", [], f"{text}\n:- does(R,M), not {BEFORE}_legal(R,M).\n")
    control.ground([("base", [])])
    until = time.monotonic() + limit_s
    with control.solve(async_=True) as handle:
        if not handle.wait(max(until - time.monotonic(), 0.0)):
            handle.cancel()
            return None
        return len(possible) if handle.get().unsatisfiable else None

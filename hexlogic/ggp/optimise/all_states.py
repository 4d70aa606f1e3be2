"""Whether two sheets agree in every state that the facts of a game can form, reachable or not: a miter for clingo.

Each fact that can come up is true or not, each move that is legal is made or not. Is there a case in which a legal
move, a next fact, a goal or the end differs? Where there is none, the sheets are the same game, however large it is.
"""

from __future__ import annotations

import time
from dataclasses import replace

from hexlogic.ggp.language.sheet import PLAYED
from hexlogic.ggp.language.static_facts import closed_inputs
from hexlogic.language import Program
from hexlogic.language.ground.groundable import cannot_ground
from hexlogic.language.ground.satisfiable import has_stable_model
from hexlogic.language.parser import parse_rule
from hexlogic.proofs.miter import miter, one_step_miter

DONE_IS_LEGAL = parse_rule(":- does(R,M), not legal(R,M).")
"""A constraint on what is asked of the sheet before: only legal moves are made."""


def agree_in_all_states(before: Program, after: Program, limit_s: float) -> int | None:
    """How many facts and moves there are, when the sheets agree whatever is true and done; None when this is not known.

    First the immediate consequences of their rules are compared, which is quick and often enough, then all that
    follows from them. A case in which they differ means nothing: it may be out of reach. Grounding is not interrupted
    after `limit_s` wall seconds, solving is.
    """
    possible = closed_inputs(before)
    if possible is None or cannot_ground(before) or cannot_ground(after):
        return None
    if any(sheet.constants or sheet.constraints for sheet in (before, after)):
        return None  # no sheet has them, and what they forbid would be left out
    until = time.monotonic() + limit_s
    asked = tuple(query for query in PLAYED if query in before.queries or query in after.queries)
    left, right = (replace(sheet, queries=asked) for sheet in (before, after))
    steps = one_step_miter(left, right, possible, DONE_IS_LEGAL)
    if steps is not None and has_stable_model(steps, until) is False:
        return len(possible)
    watched = left.with_rules((*left.rules, DONE_IS_LEGAL))
    return len(possible) if has_stable_model(miter(watched, right, possible), until) is False else None

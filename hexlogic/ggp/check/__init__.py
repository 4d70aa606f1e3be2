"""Whether a sheet is a proper game: every slip that a reader, a validator or a random game can show, with its place.

finding     what is wrong, and where
mentions    the sheet as it is written, word by word
vocabulary  the words of GDL, and what was meant for them
examined    the sheet under examination
games       random games
undeclared  what the rules derive beyond `base` and `input`
registry    the checks by name; `checks` holds them
run         all of them on one sheet
"""

from __future__ import annotations

from hexlogic.ggp.check.finding import Finding
from hexlogic.ggp.check.games import Plays
from hexlogic.ggp.check.registry import Check, all_checks
from hexlogic.ggp.check.run import Verdict, check_sheet, text_findings

__all__ = ["Check", "Finding", "Plays", "Verdict", "all_checks", "check_sheet", "text_findings"]

"""Whether a sheet is a proper game: every mistake that a reader, a validator or a random game can show, with its place.

finding   findings, and the registry of the checks; `checks` holds them
words     the words of GDL, and the sheet as it is written, word by word
examined  the sheet under examination
games     random games
run       all checks on one sheet
"""

from __future__ import annotations

from hexlogic.ggp.check.finding import Check, Finding, all_checks
from hexlogic.ggp.check.games import Plays
from hexlogic.ggp.check.run import Verdict, check_sheet, text_findings

__all__ = ["Check", "Finding", "Plays", "Verdict", "all_checks", "check_sheet", "text_findings"]

"""Whether a sheet is a proper game: every mistake that a reader, a validator or a random game can show, with its place.

finding   findings, the registry of the checks (`checks` holds them), and all of them on one sheet
examined  the sheet under examination, as it is written, word by word, and as rules; random games
"""

from hexlogic.ggp.check.examined import Plays
from hexlogic.ggp.check.finding import Check, Finding, Verdict, all_checks, check_sheet, text_findings

__all__ = ["Check", "Finding", "Plays", "Verdict", "all_checks", "check_sheet", "text_findings"]

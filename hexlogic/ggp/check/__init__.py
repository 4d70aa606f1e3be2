"""Whether a sheet is a proper game: every mistake that a reader, a validator or a random game can show, with its
place."""

from hexlogic.ggp.check.examined import Plays
from hexlogic.ggp.check.finding import Check, Finding, Verdict, all_checks, check_sheet, text_findings

__all__ = ["Check", "Finding", "Plays", "Verdict", "all_checks", "check_sheet", "text_findings"]

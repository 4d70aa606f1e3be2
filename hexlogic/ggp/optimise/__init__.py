"""`hexlogic optimise` for sheets: the passes on what is asked in play, chosen by the work they save, and checked."""

from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.optimise.phases import OptimisedSheet, Rates, optimise_sheet, rates

__all__ = ["GameStates", "OptimisedSheet", "Rates", "SheetEquality", "optimise_sheet", "rates"]

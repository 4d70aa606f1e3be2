"""`hexlogic optimise` for sheets: the passes on what is asked in play, chosen by the work they save, and checked.

pipelines  a sheet after a pipeline, still a sheet
equality   whether two sheets are the same game: played side by side, and by proof
phases     the pipeline that saves a reasoner most work; each phase under a limit, in a process of its own
files      the front end: files in any of the languages
"""

from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.optimise.phases import OptimisedSheet, Rates, optimise_sheet, rates

__all__ = ["GameStates", "OptimisedSheet", "Rates", "SheetEquality", "optimise_sheet", "rates"]

"""`hexlogic optimise` for sheets: the passes on what is asked in play, chosen by the work they save, and checked.

flat       facts and moves laid open, so that every argument counts
promises   what every game promises about its states and moves
pipelines  a sheet after a pipeline, still a sheet
choose     the pipeline that saves most work for a reasoner
agree      whether two sheets are the same game, played side by side
everywhere the same for all states at once, by proof
stepwise   the question that is asked first: do the rules agree step by step
rates      playouts a second, before and after
"""

from __future__ import annotations

from hexlogic.gdl.optimise.agree import Agreement, Difference, agree
from hexlogic.gdl.optimise.choose import Choice, optimise_sheet
from hexlogic.gdl.optimise.rates import Rates, rates

__all__ = ["Agreement", "Choice", "Difference", "Rates", "agree", "optimise_sheet", "rates"]

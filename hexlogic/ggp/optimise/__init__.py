"""`hexlogic optimise` for sheets: the passes on what is asked in play, chosen by the work they save, and checked.

invariants     what holds in every state and of every legal move of a game
pipelines      a sheet after a pipeline, still a sheet
best_pipeline  the pipeline that saves a reasoner most work
equality       whether two sheets are the same game: played side by side, and by proof
all_states     the proof: a miter over all states that the facts of a game can form
phases         each of these under a limit, in a process of its own
rates          playouts a second, before and after
"""

from __future__ import annotations

from hexlogic.ggp.machines.side_by_side import Difference
from hexlogic.ggp.optimise.best_pipeline import OptimisedSheet, optimise_sheet
from hexlogic.ggp.optimise.equality import GameStates, SheetEquality
from hexlogic.ggp.optimise.rates import Rates, rates

__all__ = ["Difference", "GameStates", "OptimisedSheet", "Rates", "SheetEquality", "optimise_sheet", "rates"]

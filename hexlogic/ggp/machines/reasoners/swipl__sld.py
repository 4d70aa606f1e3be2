"""SWI-Prolog as a prover without tables: the stand-in for provers of other general game players.

Literals are proved from left to right by an interpreter in the process (`sld_driver.pl`), which tries all clauses of a
relation. Answers to a call are kept as long as the state and the moves stay; recursion is repeated until it finds
nothing new. So the cost of a game is the work in each state: frame axioms and all.
"""

from pathlib import Path

from hexlogic.ggp.machines.reasoners.swipl import SwiplMachine


class SldMachine(SwiplMachine):
    """A sheet in a swipl process that keeps no tables. Raises EngineError when there is no swipl."""

    reasoner = "swipl:sld"
    driver = Path(__file__).with_name("sld_driver.pl")


REASONER = SldMachine

"""The reasoner toy: clingo under another name."""

from __future__ import annotations

from hexlogic.ggp.machines.reasoners.clingo import ClingoMachine


class ToyMachine(ClingoMachine):
    """A state machine."""

    reasoner = "toy"


REASONER = ToyMachine

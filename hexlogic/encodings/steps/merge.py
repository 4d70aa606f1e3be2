"""Rules and constraints that an earlier one repeats in other variables are dropped.

Before:  :- p(X,Y), q(Y).   :- q(B), p(A,B).
After:   :- p(X,Y), q(Y).
"""

from collections.abc import Mapping
from dataclasses import replace

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.steps.base import Dropped, Step
from hexlogic.language import Rule
from hexlogic.language.passes.merge import canonical


class Merge(Step):
    """Drop a rule that another one repeats."""

    def dropped(self, analysis: Analysis) -> Mapping[int, Dropped]:
        """The later rules."""
        known: set[tuple[str, str, tuple[str, ...], Rule]] = set()
        repeated: dict[int, Dropped] = {}
        for block in analysis.blocks:
            if block.kind in ("rule", "constraint") and not block.kept:
                key = block.kind, block.part, block.parameters, replace(canonical(block.rule), place=None)
                if key in known:
                    repeated[block.statement] = Dropped(block, "definitions")
                known.add(key)
        return repeated


STEP = Merge("merge")

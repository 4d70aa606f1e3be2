"""Body literals that the rest of the body implies are dropped: see `hexlogic.encodings.analysis`."""

from collections.abc import Iterator

from hexlogic.encodings.analysis import Analysis
from hexlogic.encodings.blocks import Block
from hexlogic.encodings.steps.base import Change, Step
from hexlogic.language import Rule
from hexlogic.language.passes.rule_pass import RuleContext


def changes(rule: Rule, context: RuleContext, block: Block, analysis: Analysis) -> Iterator[Change]:
    """The shorter body, where no step has changed the given one."""
    shorter = analysis.pruned.get((block.statement, block.begin), rule)
    if rule == block.rule and shorter != rule:
        yield Change((shorter,), "guarantees")


STEP = Step("prune", changes)

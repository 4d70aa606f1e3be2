"""A rule set as text that an engine runs: header, program, and the stones when there are some."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexlogic.games import Game, Position
    from hexlogic.passes import Pipeline
    from hexlogic.rulesets import RuleSet

__all__ = ["listing"]


def listing(rule_set: RuleSet, board: Game, pipeline: Pipeline, dialect: str, stones: Position | None = None) -> str:
    """The runnable text of a rule set, with a header that says how it came about. Raises HexlogicError.

    >>> from hexlogic.games import Hex
    >>> from hexlogic.passes import Pipeline
    >>> from hexlogic.rulesets import load_rule_set
    >>> print(listing(load_rule_set("clusters"), Hex(2, 3), Pipeline.parse("ground"), "asp").splitlines()[0])
    % clusters for 2x3 Hex, pipeline ground, dialect asp
    """
    from hexlogic.logic import Rule
    from hexlogic.logic.dialects import load_dialect
    from hexlogic.rulesets import position_facts

    text = load_dialect(dialect)
    program = pipeline.apply(rule_set.instantiate(board))
    header = [f"{rule_set.name} for {board}, pipeline {pipeline}, dialect {dialect}", f"idea: {rule_set.idea}"]
    separate = ""
    if stones is not None:
        # the stones are all there is to read, so no input is left: the tool would look for a file
        inputs = () if text.reads_inputs else program.inputs
        rules = program.rules + tuple(map(Rule, position_facts(stones)))
        program = dataclasses.replace(program, rules=rules, inputs=inputs)
        name = f"{stones.name}, " if stones.name else ""
        header.append(f"stones: {name}{len(stones.red)} red and {len(stones.blue)} blue")
    else:
        header.append(f"stones: none yet; {text.stones}")
        separate = text.stones_file
    if text.run is not None:
        header.append(f"run: {text.run.format(stones=separate)}")
    return "".join(f"{text.comment} {line}\n" for line in header) + "\n" + text.render(program)

"""A rule set as text that an engine runs: header, program, and the stones when there are some."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from hexlogic.errors import UnknownNameError

if TYPE_CHECKING:
    from hexlogic.games import Hex, Position
    from hexlogic.passes import Pipeline
    from hexlogic.rulesets import RuleSet

__all__ = ["listing"]

_COMMENT = {"pydatalog": "#"}
_RUN = {
    "asp": "clingo FILE.lp STONES.lp, where STONES.lp says owns(red,1). owns(blue,2). ...",
    "prolog": "swipl FILE.pl, then the query wins(P).",
    "pydatalog": "pyDatalog.pyDatalog.load(text), then pyDatalog.pyDatalog.ask('wins(P)')",
}


def listing(rule_set: RuleSet, board: Hex, pipeline: Pipeline, dialect: str, stones: Position | None = None) -> str:
    """The runnable text of a rule set, with a header that says how it came about. Raises HexlogicError.

    >>> from hexlogic.games import Hex
    >>> from hexlogic.passes import Pipeline
    >>> from hexlogic.rulesets import load_rule_set
    >>> print(listing(load_rule_set("clusters"), Hex(2, 3), Pipeline.parse("ground"), "asp").splitlines()[0])
    % clusters for 2x3 Hex, pipeline ground, dialect asp
    """
    from hexlogic.logic import Rule
    from hexlogic.logic.printers import dialects, render
    from hexlogic.rulesets import position_facts

    if dialect not in dialects():
        raise UnknownNameError.among("dialect", dialect, list(dialects()))
    program = pipeline.apply(rule_set.instantiate(board))
    mark = _COMMENT.get(dialect, "%")
    header = [
        f"{rule_set.name} for {board}, pipeline {pipeline}, dialect {dialect}",
        f"idea: {rule_set.idea}",
        f"run:  {_RUN.get(dialect, 'see the page of the engine')}",
    ]
    if stones is not None:
        facts = tuple(Rule(fact) for fact in position_facts(stones))
        program = dataclasses.replace(program, rules=program.rules + facts)
        red, blue = len(stones.red), len(stones.blue)
        header.insert(1, f"stones: {f'{stones.name}, ' if stones.name else ''}{red} red and {blue} blue")
    return "".join(f"{mark} {line}\n" for line in header) + "\n" + render(program, dialect)

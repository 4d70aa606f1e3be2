"""A rule set as text that an engine runs: header, program, and the stones when there are some."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from hexlogic.errors import UnknownNameError

if TYPE_CHECKING:
    from hexlogic.games import Game, Position
    from hexlogic.passes import Pipeline
    from hexlogic.rulesets import RuleSet

__all__ = ["listing"]

_COMMENT = {"egglog": ";", "gdl": ";", "pydatalog": "#", "souffle": "//"}
# How to ask for the winner; {stones} names a second file when the stones are not in this one.
_RUN = {
    "asp": "clingo FILE.lp{stones}",
    "egglog": 'python -c "from egglog.bindings import EGraph; graph = EGraph();'
    + " print(*graph.run_program(*graph.parse_program(open('FILE').read())))\"",
    "prolog": 'swipl -g "forall(wins(P), (print(wins(P)), nl))" -t halt FILE.pl{stones}',
    "pydatalog": "python -c "
    + "\"from pyDatalog.pyDatalog import ask, load; load(open('FILE').read()); print(ask('wins(P)'))\"",
    "souffle": "souffle -F. -D- FILE.dl",
}
_STONES = {"asp": " STONES.lp", "prolog": " STONES.pl"}
_EXAMPLE = {
    "egglog": 'add the stones as (owns/2 (Sym "red") (Int 1)), before the run',
    "epilog": "the next comments say how to write them",
    "gdl": "write them as (owns red 1) (owns blue 2) ...",
    "hrf": "write them as owns(red,1) owns(blue,2) ...",
    "pydatalog": "add the stones as + owns('red',1)",
    "souffle": "write them to owns.facts, one per line: red, a tab, the cell's number",
}


def listing(rule_set: RuleSet, board: Game, pipeline: Pipeline, dialect: str, stones: Position | None = None) -> str:
    """The runnable text of a rule set, with a header that says how it came about. Raises HexlogicError.

    >>> from hexlogic.games import Hex
    >>> from hexlogic.passes import Pipeline
    >>> from hexlogic.rulesets import load_rule_set
    >>> print(listing(load_rule_set("clusters"), Hex(2, 3), Pipeline.parse("ground"), "asp").splitlines()[0])
    % clusters for 2x3 Hex, pipeline ground, dialect asp
    """
    from hexlogic.logic import Rule
    from hexlogic.logic.dialects import dialects, render
    from hexlogic.rulesets import position_facts

    if dialect not in dialects():
        raise UnknownNameError.among("dialect", dialect, list(dialects()))
    program = pipeline.apply(rule_set.instantiate(board))
    mark = _COMMENT.get(dialect, "%")
    header = [f"{rule_set.name} for {board}, pipeline {pipeline}, dialect {dialect}", f"idea: {rule_set.idea}"]
    separate = ""
    if stones is not None:
        # the stones are all there is to read, so no input is left: Souffle would look for a file
        inputs = () if dialect == "souffle" else program.inputs
        rules = program.rules + tuple(map(Rule, position_facts(stones)))
        program = dataclasses.replace(program, rules=rules, inputs=inputs)
        name = f"{stones.name}, " if stones.name else ""
        header.append(f"stones: {name}{len(stones.red)} red and {len(stones.blue)} blue")
    else:
        header.append(f"stones: none yet; {_EXAMPLE.get(dialect, 'write them as owns(red,1). owns(blue,2). ...')}")
        separate = _STONES.get(dialect, "")
    if dialect in _RUN:
        header.append(f"run: {_RUN[dialect].format(stones=separate)}")
    return "".join(f"{mark} {line}\n" for line in header) + "\n" + render(program, dialect)

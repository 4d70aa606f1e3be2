"""Rule text from the page: who has won by it, what holds, and whether it equals a rule set.

A stranger may have written it, so it runs in a child process under limits. It reaches clingo only as our parser has
understood it, and the rule language has no `#include` and no `#script`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.ground.least_model import least_model
from hexlogic.logic.parser import parse
from hexlogic.logic.syntax import Atom, Integer, Predicate
from hexlogic.passes import Pipeline
from hexlogic.process.call import Stopped, call_isolated
from hexlogic.process.limits import Limits
from hexlogic.proofs import prove_equivalent
from hexlogic.proofs.outcome import Refutation
from hexlogic.rulesets import RuleSet, load_rule_set, position_facts, win_query
from hexlogic.rulesets.registry import rule_set_of
from hexlogic.web.game_request import board_of

__all__ = ["ask_child", "difference", "evaluate", "prove", "text_of"]

FILE: Final = "rules.lp"
"""The name that errors give to the text."""
_EVALUATE: Final = Limits.of(cpu_s=3, wall_s=30, memory_mb=500)
_PROVE: Final = Limits.of(cpu_s=60, wall_s=90, memory_mb=1000)
_PROVE_S: Final = 60.0
_MOST_PATTERNS: Final = 60
_MOST_LINES: Final = 200


def text_of(name: str, size: str) -> str:
    """The text of a rule set for a board, templates expanded. Raises UnknownNameError and SizeError."""
    return load_rule_set(name).expand(board_of(size))


def ask_child(function: str, task: dict[str, Any]) -> dict[str, Any]:
    """The result of `evaluate`, `difference` or `prove` in a process of its own; what stopped the process is a problem
    without a place."""
    try:
        found: dict[str, Any] = call_isolated(
            f"hexlogic.web.rule_text:{function}", task, _PROVE if function == "prove" else _EVALUATE
        )
    except Stopped as stopped:
        return {"problem": {"message": f"the rules were {stopped.reason}", "line": None, "column": None}}
    return found


def evaluate(
    *, text: str, size: str, red: list[str], blue: list[str], report: Callable[[Any], None] = lambda _: None
) -> dict[str, Any]:
    """Who has won by the text in a position, and the cells of each pattern such as `reach(red,_)`.

    The blank of a pattern is the place of the cells; `?` is any other number. A slip in the text is the `problem`, with
    its line and column. Raises HexlogicError for a position that is none.
    """
    board = board_of(size)
    position = Position.of(board, red, blue)
    try:
        program = _rule_set(text).instantiate(board)
        own = [predicate for predicate in parse(text, FILE).heads if predicate != Predicate("wins", 1)]
        model = least_model(program, position_facts(position), only=[*own, Predicate("wins", 1)])
    except HexlogicError as error:
        return _problem(error)
    winners = [player for player in PLAYERS if win_query(player) in model]
    return {"problem": None, "winners": winners, "cells": _patterns(board, model)}


def prove(*, text: str, size: str, name: str, report: Callable[[Any], None] = lambda _: None) -> dict[str, Any]:
    """Whether the text equals the rule set of that name on a board: a sentence, and the stones of a counter-example."""
    board = board_of(size)
    try:
        outcome = prove_equivalent(_rule_set(text), load_rule_set(name), board, time_s=_PROVE_S)
    except HexlogicError as error:
        return _problem(error)
    stones = {"red": list[str](), "blue": list[str]()}
    if isinstance(outcome, Refutation):
        stones = {p: [board.cell_name(cell) for cell in sorted(outcome.position.stones(p))] for p in PLAYERS}
    return {"problem": None, "refuted": isinstance(outcome, Refutation), "sentence": str(outcome), **stones}


def difference(
    *, text: str, size: str, pipeline: str, report: Callable[[Any], None] = lambda _: None
) -> dict[str, Any]:
    """What each pass of a pipeline changes in the text, board included: its name and the lines of a difference."""
    try:
        program = _rule_set(text).instantiate(board_of(size))
        steps = []
        for step in Pipeline.parse(pipeline).steps:
            after = Pipeline((step,)).apply(program)
            lines = unified_diff(str(program).splitlines(), str(after).splitlines(), lineterm="", n=0)
            changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
            steps.append({"name": str(step), "lines": changed[:_MOST_LINES], "left_out": len(changed[_MOST_LINES:])})
            program = after
    except HexlogicError as error:
        return _problem(error)
    return {"problem": None, "steps": steps}


def _rule_set(text: str) -> RuleSet:
    """The text as a rule set for Hex that answers `wins/1`."""
    header = dict.fromkeys(("idea", "source", "needs", "cost"), "")
    header |= {"name": "your rules", "query": "wins/1", "games": "any", "complete": "yes"}
    return rule_set_of(Path(FILE), text, header)


def _problem(error: HexlogicError) -> dict[str, Any]:
    # A place in another file, such as the board's, is no place in the text.
    mine = error.file == FILE
    place = {"line": error.line if mine else None, "column": error.column if mine else None}
    return {"problem": {"message": str(error), **place}}


def _patterns(board: Hex, model: frozenset[Atom]) -> dict[str, list[str]]:
    """By pattern the names of the cells, at most so many patterns, sorted."""
    found: dict[str, set[int]] = defaultdict(set)
    last = board.cells[-1]
    for atom in model:
        for place, argument in enumerate(atom.arguments):
            if isinstance(argument, Integer) and 1 <= argument.value <= last:
                words = ["?" if isinstance(other, Integer) else str(other) for other in atom.arguments]
                words[place] = "_"
                found[f"{atom.name}({','.join(words)})"].add(argument.value)
    return {key: [board.cell_name(cell) for cell in sorted(found[key])] for key in sorted(found)[:_MOST_PATTERNS]}

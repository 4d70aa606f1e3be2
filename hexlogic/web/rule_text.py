"""Rule text from the page: who has won by it, what holds, and whether it equals a rule set.

A stranger may have written it, so these functions run in a child process under limits. The text reaches clingo only as
our parser has understood it, and the rule language has no `#include` and no `#script`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final

from hexlogic.engines import Engine, load_engine
from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Game, Position, load_game
from hexlogic.ground.least_model import least_model
from hexlogic.logic.parser import parse
from hexlogic.logic.syntax import Atom, Integer, Predicate, Program
from hexlogic.passes import Pipeline
from hexlogic.proofs import prove_equivalent
from hexlogic.proofs.outcome import Outcome, Proof, Refutation
from hexlogic.rulesets import RuleSet, load_rule_set, position_facts, rule_set_names, win_query
from hexlogic.rulesets.registry import rule_set_of
from hexlogic.web.game_request import board_of
from hexlogic.web.problems import problem_of

__all__ = ["difference", "evaluate", "patterns_of", "prove", "rules", "text_of", "work"]

FILE: Final = "rules.lp"
"""The name that errors give to the text."""
_PROVE_S: Final = 600.0
_PARTS: Final = 4096
"""Steps in which the progress of a long proof is told, at most."""
_ENGINES: Final = ("clingo", "swipl", "egglog", "pydatalog")
_COUNTERS: Final = {"inferences": "inferences", "ground_rules": "ground rules", "rule_matches": "rule matches"}
_MOST_PATTERNS: Final = 60
_MOST_LINES: Final = 200


def text_of(name: str, size: str, game: str = "hex") -> str:
    """The text of a rule set for a board, templates expanded. Raises UnknownNameError and SizeError."""
    return load_rule_set(name).expand(board_of(size, game))


def rules(size: str, name: str, game: str = "hex") -> dict[str, Any]:
    """The names of the rule sets of a game, and the text of one of them, the reference unless it is named."""
    chosen = name or load_game(game).reference
    return {"names": list(rule_set_names(game)), "name": chosen, "text": text_of(chosen, size, game)}


def evaluate(
    *,
    text: str,
    size: str,
    red: list[str],
    blue: list[str],
    game: str = "hex",
    report: Callable[[Any], None] = lambda _: None,
) -> dict[str, Any]:
    """Who has won by the text in a position, and the cells of each pattern such as `reach(red,_)`.

    The blank of a pattern is the place of the cells; `?` is any other number. A slip in the text is the `problem`, with
    its line and column. Raises HexlogicError for a position that is none.
    """
    board = board_of(size, game)
    position = Position.of(board, red, blue)
    try:
        program = _rule_set(text, board).instantiate(board)
        own = [predicate for predicate in parse(text, FILE).heads if predicate != Predicate("wins", 1)]
        model = least_model(program, position_facts(position), only=[*own, Predicate("wins", 1)])
    except HexlogicError as error:
        return problem_of(error, FILE)
    winners = [player for player in PLAYERS if win_query(player) in model]
    return {"problem": None, "winners": winners, "cells": patterns_of(board, model)}


def prove(
    *, text: str, size: str, name: str, game: str = "hex", report: Callable[[Any], None] = lambda _: None
) -> dict[str, Any]:
    """Whether the text equals the rule set of that name on a board: a sentence, and the stones of a counter-example.

    The reports say how many positions are done.
    """
    board = board_of(size, game)
    try:
        rules, other = _rule_set(text, board), load_rule_set(name)
        outcome = prove_equivalent(rules, other, board, time_s=_PROVE_S, parts=_PARTS, report=report)
    except HexlogicError as error:
        return problem_of(error, FILE)
    stones = {"red": list[str](), "blue": list[str]()}
    if isinstance(outcome, Refutation):
        stones = {p: [board.cell_name(cell) for cell in sorted(outcome.position.stones(p))] for p in PLAYERS}
    return {"problem": None, "refuted": isinstance(outcome, Refutation), "sentence": _sentence(outcome), **stones}


def _sentence(outcome: Outcome) -> str:
    """The outcome in words; a proof with the positions that it covers, where they were counted."""
    counts = [finding.positions for finding in outcome.findings if finding.positions is not None]
    if not isinstance(outcome, Proof) or not outcome.covers or not counts:
        return str(outcome)
    most = max(counts)
    power = f"2^{most.bit_length() - 1} = " if most.bit_count() == 1 else ""
    return f"{outcome}, on all {power}{most:,} positions"


def difference(
    *, text: str, size: str, pipeline: str, game: str = "hex", report: Callable[[Any], None] = lambda _: None
) -> dict[str, Any]:
    """What each pass of a pipeline changes in the text, board included: its name and the lines of a difference."""
    board = board_of(size, game)
    try:
        program = _rule_set(text, board).instantiate(board)
        steps = []
        for step in Pipeline.parse(pipeline).steps:
            after = Pipeline((step,)).apply(program)
            lines = unified_diff(str(program).splitlines(), str(after).splitlines(), lineterm="", n=0)
            changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
            steps.append({"name": str(step), "lines": changed[:_MOST_LINES], "left_out": len(changed[_MOST_LINES:])})
            program = after
    except HexlogicError as error:
        return problem_of(error, FILE)
    return {"problem": None, "steps": steps}


def work(
    *,
    text: str,
    size: str,
    pipeline: str,
    red: list[str],
    blue: list[str],
    game: str = "hex",
    report: Callable[[Any], None] = lambda _: None,
) -> dict[str, Any]:
    """What each engine does to find out whether red has won, with the text as written and after each pass.

    Each report is `[stage, engine, words]`; the engines are those that are installed.
    """
    board = board_of(size, game)
    facts = position_facts(Position.of(board, red, blue))
    try:
        program = _rule_set(text, board).instantiate(board)
        stages = [("as written", program)]
        for step in Pipeline.parse(pipeline).steps:
            stages.append((str(step), Pipeline((step,)).apply(stages[-1][1])))
    except HexlogicError as error:
        return problem_of(error, FILE)
    for name in _ENGINES:
        for number, (_, stage) in enumerate(stages):
            report([number, name, _counted(load_engine(name), stage, facts)])
    return {"problem": None}


def _counted(engine: Engine, program: Program, facts: Sequence[Atom]) -> str:
    """The work of an engine on one question, in words; why there is none, where it cannot be asked."""
    try:
        if reason := engine.missing() or engine.supports(program):
            return reason
        with engine.open(program) as session:
            answer = session.ask(facts, win_query("red"))
    except HexlogicError as error:
        return str(error)
    for name, words in _COUNTERS.items():
        if name in answer.counters:
            return f"{answer.counters[name]:,} {words}"
    return f"{1000 * answer.query_s:.1f} ms"


def _rule_set(text: str, board: Game) -> RuleSet:
    """The text as a rule set for a game that answers `wins/1`."""
    header = dict.fromkeys(("idea", "source", "needs", "cost"), "")
    header |= {"name": "your text", "query": "wins/1", "games": board.name, "complete": "yes"}
    return rule_set_of(Path(FILE), text, header)


def patterns_of(board: Game, model: frozenset[Atom]) -> dict[str, list[str]]:
    """By pattern such as `reach(red,_)` the names of the cells, at most so many patterns, sorted."""
    found: dict[str, set[int]] = defaultdict(set)
    last = board.cells[-1]
    for atom in model:
        for place, argument in enumerate(atom.arguments):
            if isinstance(argument, Integer) and 1 <= argument.value <= last:
                words = ["?" if isinstance(other, Integer) else str(other) for other in atom.arguments]
                words[place] = "_"
                found[f"{atom.name}({','.join(words)})"].add(argument.value)
    return {key: [board.cell_name(cell) for cell in sorted(found[key])] for key in sorted(found)[:_MOST_PATTERNS]}

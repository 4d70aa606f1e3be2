"""Prove rule text from the page equal to a rule set, transform it by passes, and count what engines do with it.

As in `evaluation`, these functions run in a child process under limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import unified_diff
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Position
from hexlogic.games.rulesets import load_rule_set, position_facts, win_query
from hexlogic.language.engines import Engine, load_engine
from hexlogic.language.passes import Pipeline
from hexlogic.language.syntax import Atom, Program
from hexlogic.proofs import prove_equivalent
from hexlogic.proofs.outcome import Outcome, Proof, Refutation
from hexlogic.web.game_request import board_of, problem_of
from hexlogic.web.texts import FILE, rule_set_from

_PROVE_S: Final = 600.0
_PARTS: Final = 4096
"""Steps in which the progress of a long proof is reported, at most."""
_ENGINES: Final = ("clingo", "swipl", "egglog", "pydatalog")
_COUNTERS: Final = {"inferences": "inferences", "ground_rules": "ground rules", "rule_matches": "rule matches"}
_MOST_LINES: Final = 200


def prove(
    *, text: str, size: str, name: str, game: str = "hex", report: Callable[[str], None] = lambda _: None
) -> dict[str, object]:
    """Whether the text equals the rule set of that name on a board: a sentence, and the stones of a counter-example.

    The reports say how many positions are done.
    """
    board = board_of(size, game)
    try:
        rules, other = rule_set_from(text, board), load_rule_set(name)
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
    if not isinstance(outcome, Proof) or not outcome.proved or not counts:
        return str(outcome)
    most = max(counts)
    power = f"2^{most.bit_length() - 1} = " if most.bit_count() == 1 else ""
    return f"{outcome}, on all {power}{most:,} positions"


def difference(*, text: str, size: str, pipeline: str, game: str = "hex") -> dict[str, object]:
    """What each pass of a pipeline changes in the text, board included: its name and the lines of a difference."""
    board = board_of(size, game)
    try:
        program = rule_set_from(text, board).instantiate(board)
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
    red: Sequence[str] = (),
    blue: Sequence[str] = (),
    game: str = "hex",
    report: Callable[[tuple[int, str, str]], None] = lambda _: None,
) -> dict[str, object]:
    """What each engine does to find out whether red has won, with the text as written and after each pass.

    Each report is `[stage, engine, words]`; the engines are those that are installed.
    """
    board = board_of(size, game)
    facts = position_facts(Position.of(board, red, blue))
    try:
        program = rule_set_from(text, board).instantiate(board)
        stages = [("as written", program)]
        for step in Pipeline.parse(pipeline).steps:
            stages.append((str(step), Pipeline((step,)).apply(stages[-1][1])))
    except HexlogicError as error:
        return problem_of(error, FILE)
    for name in _ENGINES:
        for number, (_, stage) in enumerate(stages):
            report((number, name, _counted(load_engine(name), stage, facts)))
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

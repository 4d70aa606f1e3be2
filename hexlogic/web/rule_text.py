"""The rule texts that the workbench offers, and what it asks of a text: a proof, what passes change, engines' work.

As in `evaluation`, what reads a text from the page runs in a child process under limits.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from difflib import unified_diff
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Game, Hex, Position, load_game, rules_of_game
from hexlogic.games.rulesets import RuleSet, load_rule_set, position_facts, rule_set_names, win_query
from hexlogic.games.rulesets.transitions import load_transitions
from hexlogic.language.engines import Engine, load_engine
from hexlogic.language.parser import parse_predicate
from hexlogic.language.passes import Pipeline
from hexlogic.language.syntax import Atom, Program
from hexlogic.process.files import read_text, rules_folder
from hexlogic.proofs import prove_equivalent
from hexlogic.proofs.outcome import Outcome, Proof, Refutation
from hexlogic.web.game_request import board_of, problem_of

FILE: Final = "rules.lp"
"""The name that errors give to the text."""
_KEY: Final = re.compile(r"% *([a-z]+): *(.*?) *$")
_FOLDERS: Final = {
    "transitions": "from move to move",
    "strategy": "strategies",
    "games": "the board",
    "gdl": "parts of sheets",
    "bridges": "bridges of proofs",
}
"""By folder of `rules/`, what its texts are; those of Hex, but for the board."""
_PROVE_S: Final = 600.0
_PARTS: Final = 4096
"""Steps in which the progress of a long proof is reported, at most."""
_ENGINES: Final = ("clingo", "swipl", "egglog", "pydatalog")
_COUNTERS: Final = {"inferences": "inferences", "ground_rules": "ground rules", "rule_matches": "rule matches"}
_MOST_LINES: Final = 200


def rules(size: str, name: str, game: str = "hex") -> dict[str, object]:
    """The names of the rule sets of a game, those of all other texts by group, and one text, of the reference rule set
    unless it is named, with the `pattern` that it is asked for. Raises HexlogicError."""
    names = list(rule_set_names(game))
    chosen = name or load_game(game).reference
    groups = [[words, others] for folder, words in _FOLDERS.items() if (others := _others(folder, game))]
    text = text_of(chosen, size, game)
    return {"names": names, "groups": groups, "name": chosen, "text": text, "pattern": _pattern(text)}


def text_of(name: str, size: str, game: str = "hex") -> str:
    """A text for a board, templates expanded. Raises UnknownNameError and SizeError."""
    board = board_of(size, game)
    folder, _, rest = name.partition("/")
    if name not in _others(folder, game):
        return load_rule_set(name).expand(board)
    if folder == "transitions":
        return load_transitions(rest).rules.expand(board)
    return read_text((rules_of_game(game) if folder == "games" else rules_folder()) / f"{name}.lp")


def header_of(text: str) -> dict[str, str]:
    """The keys of the comment that a text begins with, each with its first line; none where it begins otherwise.

    >>> header_of("% name: tiny\\n%       two lines\\n% query: best/1\\n\\n% move: no\\n")
    {'name': 'tiny', 'query': 'best/1'}
    """
    lines = itertools.takewhile(str.strip, text.splitlines())
    return {match[1]: match[2] for line in lines if (match := _KEY.match(line))}


def rule_set_from(text: str, board: Game, query: str = "wins/1") -> RuleSet:
    """A text as a rule set for a game."""
    return RuleSet.from_text(text, "your text", games=board.name, query=query, file=FILE)


def _pattern(text: str) -> str:
    """What lights up of a text that is not asked who has won, such as `best(_)`."""
    for query in header_of(text).get("query", "").split(","):
        predicate = parse_predicate(query) if query.strip() else None
        if predicate and predicate.arity == 1 and predicate.name != "wins":
            return f"{predicate.name}(_)"
    return ""


def _others(folder: str, game: str) -> list[str]:
    """The names of the texts in a folder of `rules/` that are for a game, sorted."""
    if folder == "games":
        return [f"games/{game}"]
    if folder not in _FOLDERS or game != Hex.name:
        return []
    return sorted(f"{folder}/{path.name.partition('.')[0]}" for path in (rules_folder() / folder).glob("*.lp*"))


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
        stones = {p: board.cell_names(outcome.position.stones(p)) for p in PLAYERS}
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
        stages = _stages(text, board, pipeline)
    except HexlogicError as error:
        return problem_of(error, FILE)
    steps = []
    for (_, before), (name, after) in itertools.pairwise(stages):
        lines = unified_diff(str(before).splitlines(), str(after).splitlines(), lineterm="", n=0)
        changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        steps.append({"name": name, "lines": changed[:_MOST_LINES], "left_out": len(changed[_MOST_LINES:])})
    return {"problem": None, "steps": steps}


def _stages(text: str, board: Game, pipeline: str) -> list[tuple[str, Program]]:
    """The program of a text for a board as written, and after each pass, with the names of the stages."""
    stages = [("as written", rule_set_from(text, board).instantiate(board))]
    for step in Pipeline.parse(pipeline).steps:
        stages.append((str(step), Pipeline((step,)).apply(stages[-1][1])))
    return stages


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
        stages = _stages(text, board, pipeline)
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

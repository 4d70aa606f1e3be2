"""Each rule set before and after its pipelines, side by side."""

from __future__ import annotations

from typing import TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.games import Game, Hex, game_names, load_game
from hexlogic.logic import Predicate, Program, Rule
from hexlogic.logic.parser import parse
from hexlogic.passes import Pipeline
from hexlogic.report.changes import compare_programs
from hexlogic.report.document import Block, Heading, Listing, Text
from hexlogic.report.formatting import pipeline_name, pipeline_rank
from hexlogic.report.material import Material
from hexlogic.report.section import Section
from hexlogic.rulesets import RuleSet, load_rule_set
from hexlogic.rulesets.transitions import transition_names

__all__ = ["SECTION"]

_LONGEST = 3_000
"""Letters of a rule set worth showing; a longer one is shown for a smaller board."""


_LEAD = (
    "What the engines were given, in the order in which an engine that works from left to right reads it. What "
    "went has a minus and a dashed line, what came a plus and a solid one, a literal at another place an arrow "
    "and a dotted one; many facts are counted and not listed. The board's own rules are the same in all "
    "reformulations and are shown once."
)


def _blocks(material: Material) -> list[Block]:
    """Game by game; the longest pipeline of each rule set is open, the others are folded."""
    blocks: list[Block] = [Text(_LEAD)]
    every = [run for suite in material.suites for run in suite.runs if run.rule_set not in transition_names()]
    for kind in sorted({run.game for run in every} & set(game_names())):
        runs = [run for run in every if run.game == kind]
        names = sorted({run.rule_set for run in runs})
        everywhere = sorted({run.pipeline for run in runs}, key=pipeline_rank)
        blocks += _board(names[0], everywhere, kind, sorted({(run.rows, run.columns) for run in runs}))
        for name in names:
            own = [run for run in runs if run.rule_set == name]
            pipelines = sorted({run.pipeline for run in own} - {"none"}, key=pipeline_rank)
            boards = sorted({(run.rows, run.columns) for run in own})
            blocks.append(Heading(name))
            blocks += _rule_set(name, {run.rule_set_hash for run in own}, pipelines, kind, boards)
    return blocks


def _rule_set(
    name: str, hashes: set[str], pipelines: list[str], kind: str, boards: list[tuple[int, int]]
) -> list[Block]:
    try:
        rules = load_rule_set(name)
        if hashes != {rules.hash}:
            return [Text("The rule text has changed since it was measured, so it is not shown.", "late")]
        game = _readable(rules, kind, boards)
        program = rules.instantiate(game)
        own = _own(rules, game)
        found = [(pipeline, Pipeline.parse(pipeline).apply(program)) for pipeline in pipelines]
    except HexlogicError as error:
        return [Text(f"{error}.", "late")]
    measured = (game.rows, game.columns) in boards
    note = "" if measured else f"For {game}, since the measured board makes it too long to read. "
    listings: list[Block] = []
    for pipeline, after in reversed(found or [("none", program)]):
        lines = compare_programs(_without(program, program, own), _without(after, program, own))
        same = "Nothing of its own changes. " if all(old == new for old, new in lines) and pipeline != "none" else ""
        title = f"{name}, {game}: as written, and after {pipeline_name(pipeline)} ({pipeline})"
        listings.append(Listing(title, lines, f"{note}{same}".strip(), folded=bool(listings)))
    return listings


def _board(name: str, pipelines: list[str], kind: str, boards: list[tuple[int, int]]) -> list[Block]:
    """What the shortest pipeline that grounds makes of the board's rules."""
    grounding = sorted((text for text in pipelines if "ground" in text.split(",")), key=pipeline_rank)
    try:
        rules = load_rule_set(name)
        game = _readable(rules, kind, boards)
        program = rules.instantiate(game)
        after = Pipeline.parse(grounding[0]).apply(program) if grounding else program
    except HexlogicError:
        return []
    own = _own(rules, game)
    theirs = program.with_rules(tuple(rule for rule in program.rules if _head(rule) not in own))
    kept = after.with_rules(tuple(rule for rule in after.rules if _heads(theirs) & {_head(rule)}))
    title = f"The board, {game}: as written, and after {pipeline_name(grounding[0]) if grounding else 'no pass'}"
    return [Listing(title, compare_programs(theirs, kept))]


_Head: TypeAlias = Predicate | None


def _head(rule: Rule) -> _Head:
    return None if rule.head is None else rule.head.predicate


def _heads(program: Program) -> set[_Head]:
    return {_head(rule) for rule in program.rules}


def _own(rules: RuleSet, game: Game) -> set[_Head]:
    """The predicates that the rule set itself defines; None for its constraints."""
    return _heads(parse(rules.expand(game), rules.path.name))


def _without(program: Program, before: Program, own: set[_Head]) -> Program:
    """The program without the board's rules: those of `before` that are not the rule set's own."""
    theirs = _heads(before) - own
    return program.with_rules(tuple(rule for rule in program.rules if _head(rule) not in theirs))


def _readable(rules: RuleSet, kind: str, boards: list[tuple[int, int]]) -> Game:
    """The largest measured board up to 9x9, or the largest smaller one (of Hex any, else a measured one) on which the
    text is short enough.

    Raises SizeError when the rule set fits none of them.
    """
    rows, columns = [board for board in boards if max(board) <= 9][-1:][0] if boards[0][0] <= 9 else boards[0]
    measured = load_game(kind).of_extent(rows, columns)
    smaller: list[Game] = [load_game(kind).of_extent(*board) for board in boards if board < (rows, columns)]
    if kind == Hex.name:
        smaller = [Hex(n, n) for n in range(3, min(rows, columns))]
    chosen: Game | None = None
    # Upwards: the text of a template grows so fast that the measured board is not worth trying first.
    for game in [*smaller, measured]:
        if chosen is None or len(rules.expand(game)) <= _LONGEST:
            chosen = game
        else:
            break
    return chosen or measured


SECTION = Section(name="rules", title="The rules before and after", order=100, blocks=_blocks)

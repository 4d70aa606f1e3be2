"""A rule set, the rules of its board and the frame of a game, put together as one sheet.

rules/gdl/turns.lp  +  rules/games/hex.lp, ground  +  rules/follow-line-tabled.lp  -->  roles, moves, states, goals
"""

from __future__ import annotations

from dataclasses import dataclass

from hexlogic.games import Game
from hexlogic.gdl.exporting.cells import name_cells
from hexlogic.gdl.exporting.frame import frame
from hexlogic.gdl.sheet import INPUTS, QUERIES, sheet_of
from hexlogic.logic import Program
from hexlogic.logic.analysis import reachable
from hexlogic.logic.checks import check
from hexlogic.logic.names import fresh_names
from hexlogic.logic.printers.lowering import lower
from hexlogic.logic.walk import predicates, rename_rule
from hexlogic.passes import Pipeline
from hexlogic.rulesets import RuleSet

__all__ = ["Sheet", "export_sheet"]


@dataclass(frozen=True)
class Sheet:
    """A sheet and what it was made from."""

    program: Program
    rules: RuleSet
    game: Game


def export_sheet(rules: RuleSet, game: Game) -> Sheet:
    """The sheet of a game whose win is decided by these rules. Raises HexlogicError."""
    board = _without_words_of_gdl(Pipeline.parse("ground").apply(lower(rules.instantiate(game))))
    whole = frame("turns") + board
    needed = reachable(whole, QUERIES)
    kept = [rule for rule in whole.rules if rule.head is not None and rule.head.predicate in needed]
    tables = {predicate for predicate in predicates(board) if all(rule.is_fact for rule in board.defining(predicate))}
    # Rules first, as people read them, the tables of the board behind.
    kept.sort(key=lambda rule: rule.is_fact and rule.head is not None and rule.head.predicate in tables)
    return Sheet(check(name_cells(sheet_of(kept), game)), rules, game)


def _without_words_of_gdl(program: Program) -> Program:
    """The program with another name for each of its relations that GDL has a use of its own for."""
    used = {predicate.name for predicate in predicates(program)}
    words = {predicate.name for predicate in (*INPUTS, *QUERIES)}
    clashing = sorted(predicate for predicate in predicates(program) if predicate.name in words)
    new = {predicate: next(iter(fresh_names(f"{predicate.name}_on_board", used))) for predicate in clashing}
    return program.with_rules(tuple(rename_rule(rule, new) for rule in program.rules)) if new else program

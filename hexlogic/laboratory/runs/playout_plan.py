"""The plan of playouts: sheets of files and of rule sets on boards, and what plays them at random."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from hexlogic.errors import HexlogicError, SuiteError, UnknownNameError
from hexlogic.games import Game, load_game
from hexlogic.games.rulesets import RuleSet
from hexlogic.ggp import read_sheet
from hexlogic.ggp.export import export_sheet, find_rules, sheet_rule_sets
from hexlogic.ggp.machines import REASONERS, engine_of
from hexlogic.laboratory.records.types import BASELINES, OPEN_SPIEL, REFEREE
from hexlogic.laboratory.runs.kinds.playouts import BASELINE_TITLES, Amount, SheetOnReasoner, SheetSource
from hexlogic.laboratory.runs.plan import Plan, missing_engines
from hexlogic.laboratory.runs.session import baseline_info
from hexlogic.language.dialects import render
from hexlogic.process.limits import Limits

SUITE = "sheets"
"""The name of these sessions."""


def file_sheets(files: Sequence[Path]) -> list[SheetSource]:
    """The sheets in files. Raises HexlogicError with the place of what is wrong."""
    sheets = []
    for file in files:
        text = render(read_sheet(file), "gdl")
        sheets.append(SheetSource(file.stem, hashlib.sha256(text.encode()).hexdigest(), str(file), text=text))
    return sheets


def board_sheets(boards: Sequence[Game], names: Sequence[str] | None) -> list[SheetSource]:
    """The sheets of rule sets on boards: of those named, or of all that can be exported. Raises UnknownNameError, and
    HexlogicError for a rule set named of which no sheet can be made on any board."""
    sheets = []
    for board in boards:
        for name in names or sheet_rule_sets(board.name):
            rules = find_rules(name, board.name)
            try:
                export_sheet(rules, load_game(board.name).of_size(_SMALL))
            except HexlogicError:
                if names is None:
                    continue
                raise
            rule_set = rules if isinstance(rules, RuleSet) else rules.rules
            sheets.append(SheetSource(name, rule_set.hash, board.name, board.rows, board.columns))
    return sheets


_SMALL = 3  # The board on which it is tried whether a rule set makes a sheet at all


def make_playout_plan(
    sheets: Sequence[SheetSource],
    amount: Amount,
    limits: Limits,
    *,
    players: Sequence[str] | None = None,
    repeats: int = 1,
) -> Plan:
    """The plan of sheets with these reasoners and baseline players, all unless named; baseline players only where they
    know the game. Raises UnknownNameError, SuiteError when none of them is here or when nothing would be played."""
    known = (*REASONERS.names(), *BASELINES)
    names = tuple(dict.fromkeys(players or known))
    for name in names:
        if name not in known:
            raise UnknownNameError.among("reasoner", name, list(known))
    absent = missing_engines(engine_of(name) for name in names if name not in BASELINES)
    why = {name: baseline_info(name).missing if name in BASELINES else absent.get(engine_of(name)) for name in names}
    missing = {name: reason for name, reason in why.items() if reason is not None}
    if len(missing) == len(names):
        hint = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
        raise SuiteError("none of the reasoners can run here", hint=hint)
    here = [name for name in names if name not in missing]
    chosen = [SheetOnReasoner(sheet, name, amount) for sheet in sheets for name in here if name not in BASELINES]
    boards = {sheet.place: sheet for sheet in sheets if sheet.rows is not None}
    chosen += [
        SheetOnReasoner(msgspec.structs.replace(sheet, name=BASELINE_TITLES[name], hash=""), name, amount)
        for sheet in boards.values()
        for name in here
        if name == REFEREE or (name == OPEN_SPIEL and sheet.game == "hex" and sheet.rows == sheet.columns)
    ]
    played = {configuration.reasoner for configuration in chosen}
    engines = tuple(name for name in names if name in played or (name in missing and name not in BASELINES))
    if not chosen:
        raise SuiteError("there is nothing to play", hint="baseline players know boards and no files")
    kept = {name: reason for name, reason in missing.items() if name in engines}
    return Plan(SUITE, tuple(chosen), engines, kept, limits, repeats, 0, amount.seed)

"""The plan of playouts: sheets of files and of rule sets on boards, and what plays them at random."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from hexlogic.errors import HexlogicError, SuiteError, UnknownNameError
from hexlogic.games import Game, load_game
from hexlogic.games.rulesets import RuleSet
from hexlogic.ggp import read_sheet
from hexlogic.ggp.export import export_sheet, find_rules, sheet_rule_sets
from hexlogic.ggp.machines import engine_of, reasoner_names
from hexlogic.laboratory.records.types import BASELINES
from hexlogic.laboratory.runs.baselines import BASELINE_TITLES, baseline_info, baseline_plays
from hexlogic.laboratory.runs.kinds.playouts import Amount, SheetOnReasoner, SheetSource
from hexlogic.laboratory.runs.plan import Plan, missing_engines
from hexlogic.language.dialects import render
from hexlogic.process.limits import Limits

SUITE = "sheets"
"""The name of these sessions."""


def file_sheets(files: Sequence[Path]) -> list[SheetSource]:
    """The sheets in files. Raises HexlogicError with the place of what is wrong."""
    found = []
    for file in files:
        text = render(read_sheet(file), "gdl")
        found.append(SheetSource(file.stem, hashlib.sha256(text.encode()).hexdigest(), str(file), None, text))
    return found


def board_sheets(boards: Sequence[Game], names: Sequence[str] | None) -> list[SheetSource]:
    """The sheets of rule sets on boards: of those named, or of all that can be exported.

    Raises UnknownNameError, and HexlogicError for a rule set named of which no sheet can be made on any board.
    """
    found = []
    for board in boards:
        for name in names or sheet_rule_sets(board.name):
            rules = find_rules(name, board.name)
            try:
                export_sheet(rules, load_game(board.name).of_size(_SMALL))
            except HexlogicError:
                if names is None:
                    continue
                raise
            own = rules if isinstance(rules, RuleSet) else rules.rules
            found.append(SheetSource(name, own.hash, board.name, board))
    return found


_SMALL = 3
"""The board on which it is tried whether a rule set makes a sheet at all."""


def make_playout_plan(
    sheets: Sequence[SheetSource],
    amount: Amount,
    limits: Limits,
    *,
    players: Sequence[str] | None = None,
    repeats: int = 1,
) -> Plan:
    """The plan of sheets with these reasoners and baseline players, all unless named; baseline players only where they
    know the game.

    Raises UnknownNameError, SuiteError when none of them is here or when nothing would be played.
    """
    known = (*reasoner_names(), *BASELINES)
    names = tuple(dict.fromkeys(players or known))
    for name in names:
        if name not in known:
            raise UnknownNameError.among("reasoner", name, list(known))
    there = {name: engine_of(name) for name in names if name in reasoner_names()}
    absent = missing_engines(there.values())
    missing = {name: absent[engine] for name, engine in there.items() if engine in absent}
    infos = {name: baseline_info(name) for name in names if name in BASELINES}
    missing |= {name: info.missing for name, info in infos.items() if info.missing is not None}
    if len(missing) == len(names):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in missing.items())
        raise SuiteError("none of the reasoners can run here", hint=reasons)
    here = [name for name in names if name not in missing]
    chosen = [SheetOnReasoner(sheet, name, amount) for sheet in sheets for name in here if name in reasoner_names()]
    boards = {sheet.place: sheet for sheet in sheets if sheet.board is not None}
    for sheet in boards.values():
        assert sheet.board is not None
        for name in (name for name in here if name in BASELINES and baseline_plays(name, sheet.board)):
            source = SheetSource(BASELINE_TITLES[name], "", sheet.game, sheet.board)
            chosen.append(SheetOnReasoner(source, name, amount))
    played = {one.reasoner for one in chosen}
    engines = tuple(name for name in names if name in played or (name in missing and name in reasoner_names()))
    if not chosen:
        raise SuiteError("there is nothing to play", hint="baseline players know boards and no files")
    kept = {name: reason for name, reason in missing.items() if name in engines}
    return Plan(SUITE, tuple(chosen), engines, kept, limits, repeats, 0, amount.seed)

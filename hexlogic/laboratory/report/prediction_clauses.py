"""Clauses of a model, drawn and explained."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from hexlogic.games import Hex, Position, check_player, draw_svg
from hexlogic.games.drawing import Mark
from hexlogic.laboratory.report.document import Block, Bullets, Drawing, Heading
from hexlogic.laboratory.report.entries import slug
from hexlogic.players.predict.prediction_file import StoredClause, StoredExplanation, StoredRules

_PLACED: Final = re.compile(r"(?:connected|owns|bridge)\((red|blue),(\d+)(?:,(\d+))?\)")
_SHOWN = 5
_LONG = 8
"""Literals that are listed one by one."""

_VERDICTS = {"sound": "It implies the win on", "refuted": "It does not imply the win on", "open": "Not decided on"}


def marks_of(literals: Iterable[tuple[str, bool]]) -> list[Mark]:
    """The marks of literals, atoms by cell numbers and whether they are to hold, as the study draws them: what is
    required as lines, what is forbidden crossed; symbols that lie on no cell have none.

    >>> marks_of([("connected(red,1,9)", False), ("to_move(red)", True)])
    [Mark(player='red', cells=(1, 9), forbidden=True)]
    """
    marks = []
    for atom, holds in literals:
        if match := _PLACED.fullmatch(atom):
            cells = tuple(int(cell) for cell in match.groups()[1:] if cell is not None)
            marks.append(Mark(check_player(match.group(1)), cells, forbidden=not holds))
    return marks


def explained_blocks(explanation: StoredExplanation) -> list[Block]:
    """Some clauses drawn, each with what is proved of it, and what is known of all clauses together."""
    card = explanation.card
    many = f"{explanation.clauses} clauses ({card.symbols}, validation {card.validation_accuracy:.1%})"
    blocks: list[Block] = [Heading(f"Clauses of a {explanation.size}x{explanation.size} model, {many}")]
    for clause in explanation.explained[:_SHOWN]:
        title = f"Clause {clause.clause}, {abs(clause.weight)} votes for {clause.player}: what is left of it"
        picture = draw_svg(Position(Hex.square(explanation.size)), title=title, marks=marks_of(clause.atoms))
        blocks.append(Drawing(f"clause-{slug(explanation.name)}-{clause.clause}", title, picture))
        blocks.append(Bullets(tuple(clause_sentences(clause))))
    if explanation.rules is not None:
        blocks.append(Bullets(tuple(rules_sentences(explanation.rules))))
    return blocks


def clause_sentences(clause: StoredClause, *, literals: bool = True) -> list[str]:
    """Sentences on what is proved of a clause; without `literals` its literals are not listed."""
    won = "" if clause.precision is None else f", {clause.precision:.1%} of these are won by {clause.player}"
    sentences = [f"It holds on {clause.coverage:.1%} of the sample{won}."]
    needed, redundant = len(clause.kept), len(clause.redundant)
    if literals:
        kept = _literals(clause.kept)
        sentences.append(f"{redundant} of its {needed + redundant} literals follow from the others; needed: {kept}.")
    if clause.open_literals:
        sentences.append(f"Of {clause.open_literals} literals, which are kept, that is not decided.")
    sentences += [f"{_VERDICTS[statement.verdict]} {statement.about}." for statement in clause.soundness]
    if clause.puzzle is None:
        sentences.append(
            "No position fulfils it." if clause.possible is False else "No position was found that fulfils it."
        )
    else:
        count = f"{clause.colourings}" if clause.all_counted else f"More than {clause.colourings}"
        sentences.append(f"{count} positions fulfil it.")
    if meaning := _meaning(clause):
        sentences.append(meaning)
    return sentences


def _literals(literals: tuple[str, ...]) -> str:
    if not literals:
        return "none"
    shown = ", ".join(f"`{literal}`" for literal in literals[:_LONG])
    rest = len(literals) - _LONG
    return f"{shown} and {rest} more" if rest > 0 else shown


def _meaning(clause: StoredClause) -> str:
    """A sentence on the kind of evidence that the literals give; empty where there is none to name."""
    other = "blue" if clause.player == "red" else "red"
    required = [atom for atom, holds in clause.atoms if holds]
    forbidden = [atom for atom, holds in clause.atoms if not holds]
    against = [atom for atom in forbidden if re.match(rf"\w+\({other}\b", atom)]
    if not required and forbidden and len(against) == len(forbidden):
        return f"It only says what {other} has not joined: evidence for {clause.player}, and no reason."
    atoms = [atom for atom in required if re.match(rf"connected\({clause.player}\b", atom)]
    if atoms and len(atoms) == len(required):
        return f"It is about chains that {clause.player} has."
    return ""


def rules_sentences(rules: StoredRules) -> list[str]:
    """Sentences on all clauses of a model together."""
    return [
        f"{len(rules.clauses)} of the clauses decide the sample of {rules.sample} positions like all of them (at least "
        f"{rules.at_least} are needed); without redundant literals {rules.literals_before} literals become "
        f"{rules.literals_after}.",
        f"As an answer set program they decide {rules.same_decisions} of {rules.compared} positions like the machine.",
        f"{rules.sound_clauses} clauses are proved to say that their player has won, wherever the stones lie; "
        f"{rules.rule_set_clauses} of them hold wherever one of them does: on {rules.covered} positions.",
    ]

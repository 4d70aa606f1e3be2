"""A model as an answer set program, and as a rule set that `hexlogic prove` compares with others.

The program derives the symbols from `owns/2`, its clauses from the symbols, and the decision from their weights:

    clause(3) :- connected(red,1,7), not owns(blue,4).      weight(3,12).
    winner(red) :- #sum { W,C : clause(C), weight(C,W) } > 0.
    winner(blue) :- not winner(red).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import clingo
import numpy as np

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.players.evaluation.symbols import Signs
from hexlogic.players.predict.clauses import Clause, literal_text
from hexlogic.players.predict.colourings import Colourings, Setting, SymbolLiteral, symbol_rules

Bodies = Mapping[int, Sequence[SymbolLiteral]]
"""The literals of clauses by their numbers."""

IN_RULE_SETS: Final = ("connected(", "owns(")
"""The symbols that rule sets can use."""

_DECISION: Final = """\
winner(red) :- #sum { W,C : clause(C), weight(C,W) } > 0.
winner(blue) :- not winner(red).
"""
_WRONG: Final = "wrong :- won(red), winner(blue). wrong :- won(blue), winner(red).\n"
_TO_MOVE: Final = "to_move(red) :- #sum {{ 1,X : owns(red,X); -1,X : owns(blue,X) }} {level}.\n"
_RULE_SET: Final = """\
% name:     {name}
% idea:     {count} clauses that a Tsetlin machine has learned, each of them proved to imply the win
% source:   hexlogic predict explain
% query:    wins/1
% games:    hex
% complete: no (it decides {covered} won positions of the sample)
% needs:    recursion over cycles{negation}
% cost:     all pairs of stones of a cluster

connected(P,X,X) :- owns(P,X).
connected(P,X,Z) :- connected(P,X,Y), adjacent(Y,Z), owns(P,Z).
{rules}
#show wins/1.
"""


def as_program(clauses: Sequence[Clause], bodies: Bodies, setting: Setting) -> str:
    """The program, for clingo, with facts `owns(P,X)` beside it.

    Raises HexlogicError for a symbol that no rule defines.
    """
    symbols = {atom for clause in clauses for atom, _ in bodies[clause.number]}
    lines = [clause.rule(bodies[clause.number]) for clause in clauses]
    lines += [f"weight({clause.number},{clause.weight})." for clause in clauses]
    level = "= 0" if setting.leader == "red" else "< 0"
    to_move = "to_move(red).\n" if setting.always_red else _TO_MOVE.format(level=level)
    return symbol_rules(setting.board, symbols) + to_move + "\n".join(lines) + "\n" + _DECISION


def program_winners(program: str, board: Hex, boards: Signs) -> Signs:
    """The winner that clingo derives from the program for each row of `boards` (positions x cells): 1 red, 2 blue.

    The stones are external atoms, so that the program is ground once.
    """
    control = clingo.Control(["--warn=none"])
    externals = "#external owns(red,X) : cell(X). #external owns(blue,X) : cell(X).\n"
    control.add("base", [], program + externals)
    control.ground([("base", [])])
    atoms = [
        (sign, cell - 1, clingo.parse_term(f"owns({player},{cell})"))
        for sign, player in enumerate(PLAYERS, start=1)
        for cell in board.cells
    ]
    red = clingo.parse_term("winner(red)")
    winners = np.zeros(len(boards), np.uint8)
    for number, cells in enumerate(boards):
        for sign, place, atom in atoms:
            control.assign_external(atom, bool(cells[place] == sign))
        with control.solve(yield_=True) as handle:
            for model in handle:
                winners[number] = 1 if model.contains(red) else 2
    return winners


def wrong_decision(program: str, setting: Setting) -> Position | bool | None:
    """A won position whose winner the program does not name; False when there is none, None when that stays open.

    The positions are those with the stone counts of play by turns.
    """
    return Colourings(setting.of_kind("turns"), (), rules=program + _WRONG).find([("wrong", True)])


def as_rule_set(name: str, clauses: Sequence[Clause], bodies: Bodies, covered: str) -> str:
    """Sound clauses as a rule set, `wins(P)` when a clause for P holds, that `hexlogic prove` reads.

    Raises HexlogicError for a symbol other than `connected` and `owns`.
    """
    rules: set[str] = set()
    for clause in clauses:
        for literal in bodies[clause.number]:
            if not literal[0].startswith(IN_RULE_SETS):
                hint = "connected and owns are"
                raise HexlogicError(f"{literal_text(literal)} is not for a rule set", hint=hint)
        body = ", ".join(map(literal_text, bodies[clause.number]))
        rules.add(f"wins({clause.player}) :- {body}." if body else f"wins({clause.player}).")
    negated = not all(holds for clause in clauses for _, holds in bodies[clause.number])
    negation = ", stratified negation" if negated else ""
    text = "".join(f"{rule}\n" for rule in sorted(rules))
    return _RULE_SET.format(name=name, count=len(clauses), covered=covered, negation=negation, rules=text)

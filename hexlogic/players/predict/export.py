"""A model as an answer set program, and as a rule set that `hexlogic prove` compares with others.

The program derives the symbols from `owns/2`, its clauses from the symbols, and the decision from their weights:

    clause(3) :- connected(red,1,7), not owns(blue,4).      weight(3,12).
    winner(red) :- #sum { W,C : clause(C), weight(C,W) } > 0.
    winner(blue) :- not winner(red).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import clingo
import numpy as np
from numpy.typing import NDArray

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Hex, Position
from hexlogic.players.predict.clause import Clause, literal_text
from hexlogic.players.predict.clause_proofs import Setting
from hexlogic.players.predict.colourings import SymbolLiteral, is_expressible, symbol_rules

Bodies = Mapping[int, Sequence[SymbolLiteral]]

_DECISION: Final = """\
winner(red) :- #sum { W,C : clause(C), weight(C,W) } > 0.
winner(blue) :- not winner(red).
"""
_TO_MOVE: Final = "to_move(red) :- #sum {{ 1,X : owns(red,X); -1,X : owns(blue,X) }} {level}.\n"
_HEADER: Final = """\
% name:     {name}
% idea:     {count} clauses that a Tsetlin machine has learned, each of them proved to imply the win
% source:   hexlogic predict explain
% query:    wins/1
% games:    hex
% complete: no (it decides {covered} won positions of the sample)
% needs:    recursion over cycles{negation}
% cost:     all pairs of stones of a cluster

"""


def as_program(clauses: Sequence[Clause], bodies: Bodies, setting: Setting) -> str:
    """The program, for clingo, with facts `owns(P,X)` beside it. `bodies` has the literals of clauses by their numbers.

    Raises HexlogicError for a symbol that no rule defines.
    """
    symbols = {atom for clause in clauses for atom, _ in bodies[clause.number]}
    if unknown := sorted(symbol for symbol in symbols if not is_expressible(symbol)):
        raise HexlogicError(f"no rule defines the symbol {unknown[0]}", hint="train with other symbols")
    lines = [clause.rule(tuple(bodies[clause.number])) for clause in clauses]
    lines += [f"weight({clause.number},{clause.weight})." for clause in clauses]
    level = "= 0" if setting.leader == "red" else "< 0"
    to_move = "to_move(red).\n" if setting.always_red else _TO_MOVE.format(level=level)
    return symbol_rules(setting.board, sorted(symbols)) + to_move + "\n".join(lines) + "\n" + _DECISION


def program_winners(program: str, board: Hex, boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What clingo derives from the program for each row of `boards` (positions x cells): 1 red, 2 blue.

    The stones are external atoms, so that the program is ground once.
    """
    control: Any = clingo.Control(["--warn=none"])
    externals = "#external owns(red,X) : cell(X). #external owns(blue,X) : cell(X).\n"
    control.add("base", [], program + externals)
    control.ground([("base", [])])
    atoms = [[clingo.parse_term(f"owns({player},{cell})") for cell in board.cells] for player in PLAYERS]
    red = clingo.parse_term("winner(red)")
    found = np.zeros(len(boards), np.uint8)
    for number, cells in enumerate(boards):
        for sign in (1, 2):
            for cell, atom in enumerate(atoms[sign - 1]):
                control.assign_external(atom, bool(cells[cell] == sign))
        with control.solve(yield_=True) as handle:
            for model in handle:
                found[number] = 1 if model.contains(red) else 2
    return found


def wrong_decision(program: str, setting: Setting) -> Position | bool | None:
    """A won position whose winner the program does not name; False when there is none, None when that stays open.

    The positions are those with the stone counts of play by turns.
    """
    wrong = "wrong :- won(red), winner(blue). wrong :- won(blue), winner(red).\n"
    return setting.colourings((), "turns", rules=program + wrong).find([("wrong", True)])


def as_rule_set(name: str, clauses: Sequence[Clause], bodies: Bodies, covered: str) -> str:
    """Sound clauses as a rule set, `wins(P)` when a clause for P holds, that `hexlogic prove` reads.

    Raises HexlogicError for a symbol other than `connected` and `owns`.
    """
    rules: list[str] = []
    negation = ""
    for clause in clauses:
        body: list[str] = []
        for literal in bodies[clause.number]:
            text = literal_text(literal)
            if not literal[0].startswith(("connected(", "owns(")):
                raise HexlogicError(f"{text} is not for a rule set", hint="connected and owns are")
            negation = negation if literal[1] else ", stratified negation"
            body.append(text)
        rules.append(f"wins({clause.player}) :- {', '.join(body)}." if body else f"wins({clause.player}).")
    head = _HEADER.format(name=name, count=len(clauses), covered=covered, negation=negation)
    lines = [
        "connected(P,X,X) :- owns(P,X).",
        "connected(P,X,Z) :- connected(P,X,Y), adjacent(Y,Z), owns(P,Z).",
        *sorted(set(rules)),
        "",
        "#show wins/1.",
    ]
    return head + "\n".join(lines) + "\n"

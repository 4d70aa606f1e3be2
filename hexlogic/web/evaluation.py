"""Ask rule text about a position: who has won, and which atoms hold.

The text is untrusted, so this runs in a child process under limits. The text reaches clingo only as our parser
has understood it, and the rule language has no `#include` and no `#script`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from typing import Final

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Game, Player, Position
from hexlogic.games.rulesets import load_rule_set, position_facts, sized, win_query
from hexlogic.games.rulesets.transitions import TransitionSet
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_predicate
from hexlogic.language.syntax import Atom, Integer, Predicate, Program, Symbol
from hexlogic.web.game_request import board_of, played, problem, problem_of
from hexlogic.web.rule_text import FILE, header_of, rule_set_from

_WINS: Final = Predicate("wins", 1)
_MOST_PATTERNS: Final = 60
_BRIDGE: Final = "a bridge: lemmas and claims about two rule sets, for proofs on all boards; no position asks them"
_SHEET: Final = "a part of a sheet: it reads the state and the moves of a game, which the page Sheets plays"


def evaluate(
    *,
    text: str,
    size: str,
    red: Sequence[str] = (),
    blue: Sequence[str] = (),
    game: str = "hex",
    report: Callable[[str], None] = lambda _: None,
) -> dict[str, object]:
    """Who has won by the text in a position, the cells of each pattern such as `reach(red,_)`, and a `note` about what
    the text was given beside the stones, or would need.

    The blank of a pattern is the place of the cells; `?` is any other number. A mistake in the text, or the reason why
    no position can ask it, is the `problem`. Transition rules get the stones one after the other, in the order given.
    The winners are None where no rule says who has won. Raises HexlogicError when the position cannot be read.
    """
    board = board_of(size, game)
    position = Position.of(board, red, blue)
    header = header_of(text)
    if "left" in header:
        return problem(_BRIDGE)
    try:
        rules = parse(text, FILE)
        if rules.inputs and {predicate.name for predicate in rules.inputs} & {"true", "does"}:
            return problem(_SHEET)
        if "move" in header:
            moves = [(p, board.parse_cell(name)) for p, name in _in_turn(red, blue)]
            model = _after(text, header, board, moves)
            note = "the stones were put one after the other, red first"
        else:
            program = _program(text, rules, board)
            if growing := growing_predicates(program):
                names = ", ".join(sorted(map(str, growing)))
                report(f"the terms of {names} may grow without end, and clingo grounds all of them")
            model, note = _in_position(program, rules, position)
    except HexlogicError as error:
        return problem_of(error, FILE)
    winners = [player for player in PLAYERS if win_query(player) in model]
    asked = _WINS in rules.heads
    return {"problem": None, "winners": winners if asked else None, "note": note, "cells": _patterns(board, model)}


def _program(text: str, rules: Program, board: Game) -> Program:
    """The text with the rules of the board; a text that defines the cells is a board itself."""
    is_board = Predicate("cell", 1) in rules.heads
    return sized(rules, board) if is_board else rule_set_from(text, board).instantiate(board)


def _in_position(program: Program, rules: Program, position: Position) -> tuple[frozenset[Atom], str]:
    """What the rules of a text derive, and what they were given beside the stones or read in vain."""
    read = {literal.atom.predicate for rule in rules.rules for literal in rule.literals}
    wanted = sorted((read | {*rules.inputs}) - {*program.heads, Predicate("owns", 2)})
    given = {predicate: _given(predicate, position) for predicate in wanted}
    facts = [fact for atoms in given.values() for fact in atoms or ()]
    model = least_model(program, (*position_facts(position), *facts), only=[*rules.heads - {_WINS}, _WINS])
    named = [str(atoms[0]) if len(atoms) == 1 else str(predicate) for predicate, atoms in given.items() if atoms]
    missing = [str(predicate) for predicate, atoms in given.items() if atoms is None and predicate in read]
    notes = [f"given beside the stones: {', '.join(named)}"] if named else []
    if missing:
        notes.append(f"no rule and no position gives {', '.join(missing)}")
    return model, "; ".join(notes)


def _given(predicate: Predicate, position: Position) -> list[Atom] | None:
    """What the position says of a predicate that strategies read; None for one that it says nothing about."""
    mover: Player = "red" if len(position.red) <= len(position.blue) else "blue"
    match str(predicate):
        case "turn/1" | "player/1":
            return [Atom(predicate.name, (Symbol(mover),))]
        case "blank/1":
            return [Atom("blank", (Integer(cell),)) for cell in sorted(position.empty)]
        case "captures/1":
            return [Atom("captures", (Integer(1),))]
        case _:
            return None


def _in_turn(red: Sequence[str], blue: Sequence[str]) -> list[tuple[Player, str]]:
    """The stones of both players, red and blue in turn while both have some."""
    sides: list[list[tuple[Player, str]]] = [[("red", name) for name in red], [("blue", name) for name in blue]]
    return [move for move in chain.from_iterable(zip_longest(*sides)) if move is not None]


def _after(text: str, header: dict[str, str], board: Game, moves: Sequence[tuple[Player, int]]) -> frozenset[Atom]:
    """What transition rules keep after the moves, and what they say of it. Raises HexlogicError."""
    state = tuple(part.strip() for part in header.get("state", "").split(","))
    rules = rule_set_from(text, board, header.get("query", "wins/1"))
    transitions = TransitionSet(rules, state, parse_predicate(header["move"])).instantiate(board)
    kept = transitions.first_state()
    for player, cell in moves:
        move = Atom(transitions.move.name, (Symbol(player), Integer(cell)))
        kept = frozenset(
            map(transitions.becomes, least_model(transitions.program, {*kept, move}, only=transitions.after))
        )
    return least_model(transitions.program, kept, only=[transitions.query, *transitions.state])


def facts(*, size: str, moves: Sequence[str] = (), game: str = "hex") -> dict[str, object]:
    """What the reference rules of a game derive after the moves: their name, and by pattern the cells."""
    state = played(size, moves, game)
    rules = load_rule_set(state.board.reference)
    heads = parse(rules.expand(state.board), rules.path.name).heads
    model = least_model(rules.instantiate(state.board), position_facts(state.position), only=heads)
    return {"rules": rules.name, "cells": _patterns(state.board, model)}


def _patterns(board: Game, model: frozenset[Atom]) -> dict[str, list[str]]:
    """By pattern such as `reach(red,_)` the names of the cells, at most so many patterns, sorted."""
    cells: dict[str, set[int]] = defaultdict(set)
    last = board.cells[-1]
    for atom in model:
        for place, argument in enumerate(atom.arguments):
            if isinstance(argument, Integer) and 1 <= argument.value <= last:
                words = ["?" if isinstance(other, Integer) else str(other) for other in atom.arguments]
                words[place] = "_"
                cells[f"{atom.name}({','.join(words)})"].add(argument.value)
    return {key: board.cell_names(cells[key]) for key in sorted(cells)[:_MOST_PATTERNS]}

"""The rule texts that the workbench offers, and what it asks of a text: who has won in a position and which atoms hold,
a proof, what passes change, engines' work.

The text is untrusted, so this runs in a child process under limits. The text reaches clingo only as our parser
has understood it, and the rule language has no `#include` and no `#script`.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from difflib import unified_diff
from itertools import chain, zip_longest
from typing import Final, TypeAlias

from hexlogic.errors import HexlogicError
from hexlogic.games import PLAYERS, Game, Hex, Player, Position, load_game, rules_of_game
from hexlogic.games.rulesets import RuleSet, load_rule_set, position_facts, rule_set_names, sized, win_query
from hexlogic.games.rulesets.transitions import TransitionSet, load_transitions
from hexlogic.language.analysis.dependence import growing_predicates
from hexlogic.language.engines import Engine, load_engine
from hexlogic.language.ground.solving import least_model
from hexlogic.language.parser import parse, parse_predicate
from hexlogic.language.passes import Pipeline
from hexlogic.language.syntax import Atom, Integer, Predicate, Program, Symbol, Term
from hexlogic.process.files import read_text, rules_folder
from hexlogic.proofs import prove_equivalent
from hexlogic.proofs.equality import Outcome, Proof, Refutation
from hexlogic.web.game_request import Fields, Moves, board_of, played, problem, problem_of

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
_PARTS: Final = 4096  # Steps in which the progress of a long proof is reported, at most
_ENGINES: Final = ("clingo", "swipl", "egglog", "pydatalog")
_COUNTERS: Final = {"inferences": "inferences", "ground_rules": "ground rules", "rule_matches": "rule matches"}
_MOST_LINES: Final = 200
Report: TypeAlias = Callable[[str], None]


def rules(size: str, name: str, game: str = "hex") -> Fields:
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
    if folder == "games":
        return [f"games/{game}"]
    if folder not in _FOLDERS or game != Hex.name:
        return []
    return sorted(f"{folder}/{path.name.partition('.')[0]}" for path in (rules_folder() / folder).glob("*.lp*"))


def prove(*, text: str, size: str, name: str, game: str = "hex", report: Report = lambda _: None) -> Fields:
    """Whether the text equals the rule set of that name on a board: a sentence, and the stones of a counter-example.
    The reports say how many positions are done."""
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


def difference(*, text: str, size: str, pipeline: str, game: str = "hex") -> Fields:
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
    stages = [("as written", rule_set_from(text, board).instantiate(board))]
    for step in Pipeline.parse(pipeline).steps:
        stages.append((str(step), Pipeline((step,)).apply(stages[-1][1])))
    return stages


def work(
    *,
    text: str,
    size: str,
    pipeline: str,
    red: Moves = (),
    blue: Moves = (),
    game: str = "hex",
    report: Callable[[tuple[int, str, str]], None] = lambda _: None,
) -> Fields:
    """What each engine does to find out whether red has won, with the text as written and after each pass. Each report
    is `[stage, engine, words]`; the engines are those that are installed."""
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


_WINS: Final = Predicate("wins", 1)
_MOST_PATTERNS: Final = 60
BRIDGE: Final = "a bridge: lemmas and claims about two rule sets, for proofs on all boards; no position asks them"
_SHEET: Final = "a part of a sheet: it reads the state and the moves of a game, which the page Sheets plays"


def evaluate(
    *, text: str, size: str, red: Moves = (), blue: Moves = (), game: str = "hex", report: Report = lambda _: None
) -> Fields:
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
        return problem(BRIDGE)
    try:
        rules = parse(text, FILE)
        if rules.inputs and {predicate.name for predicate in rules.inputs} & {"true", "does"}:
            return problem(_SHEET)
        if "move" in header:
            sides = [[(player, name) for name in names] for player, names in zip(PLAYERS, (red, blue), strict=True)]
            in_turn = filter(None, chain.from_iterable(zip_longest(*sides)))
            model = _after(text, header, board, [(player, board.parse_cell(name)) for player, name in in_turn])
            note = "the stones were put one after the other, red first"
        else:
            # A text that defines the cells is a board itself; others get the rules of the board.
            is_board = Predicate("cell", 1) in rules.heads
            program = sized(rules, board) if is_board else rule_set_from(text, board).instantiate(board)
            if growing := growing_predicates(program):
                names = ", ".join(sorted(map(str, growing)))
                report(f"the terms of {names} may grow without end, and clingo grounds all of them")
            model, note = _in_position(program, rules, position)
    except HexlogicError as error:
        return problem_of(error, FILE)
    winners = [player for player in PLAYERS if win_query(player) in model]
    asked = _WINS in rules.heads
    return {"problem": None, "winners": winners if asked else None, "note": note, "cells": _patterns(board, model)}


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
    mover = Symbol("red" if len(position.red) <= len(position.blue) else "blue")
    known: dict[str, Sequence[Term]] = {"turn/1": [mover], "player/1": [mover], "captures/1": [Integer(1)]}
    known["blank/1"] = [Integer(cell) for cell in sorted(position.empty)]
    terms = known.get(str(predicate))
    return None if terms is None else [Atom(predicate.name, (term,)) for term in terms]


def _after(text: str, header: dict[str, str], board: Game, moves: Sequence[tuple[Player, int]]) -> frozenset[Atom]:
    """What transition rules keep after the moves, and what they say of it. Raises HexlogicError."""
    state = tuple(part.strip() for part in header.get("state", "").split(","))
    rules = rule_set_from(text, board, header.get("query", "wins/1"))
    transitions = TransitionSet(rules, state, parse_predicate(header["move"])).instantiate(board)
    kept = transitions.first_state()
    for player, cell in moves:
        move = Atom(transitions.move.name, (Symbol(player), Integer(cell)))
        derived = least_model(transitions.program, {*kept, move}, only=transitions.after)
        kept = frozenset(map(transitions.becomes, derived))
    return least_model(transitions.program, kept, only=[transitions.query, *transitions.state])


def facts(*, size: str, moves: Sequence[str] = (), game: str = "hex") -> Fields:
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

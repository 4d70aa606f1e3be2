"""Play a game description step by step, with moves of people and of strategies.

These functions run in a child process, as the text is untrusted.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from hexlogic.errors import HexlogicError, MoveError, UnknownNameError
from hexlogic.ggp.check.examined import Plays
from hexlogic.ggp.check.finding import Finding, check_sheet, text_findings
from hexlogic.ggp.export import export_sheet, find_rules, sheet_rule_sets
from hexlogic.ggp.language.reading import checked_sheet, read_term
from hexlogic.ggp.language.static_facts import possible_inputs
from hexlogic.ggp.machines import State, StateMachine
from hexlogic.ggp.playing.picture import BoardPicture, Picture, find_board, find_grid
from hexlogic.ggp.playing.strategy import Clock, choose_strategy
from hexlogic.language.analysis.dependence import reachable
from hexlogic.language.dialects import render
from hexlogic.language.dialects.gdl import write_term
from hexlogic.language.ground.solving import least_model
from hexlogic.language.names import internal_name
from hexlogic.language.syntax import Atom, Function, Program, Rule, Symbol, Term
from hexlogic.web.game_request import Fields, board_of, problem_of

_COMMENT: Final = re.compile(r"\s*([;%].*)?\n?")
_GAMES: Final = 3
_LONGEST: Final = 500
_SECONDS: Final = 5.0  # Seconds for a move, at most


def example(name: str, size: str, game: str = "hex") -> str:
    """The sheet of a rule set. Raises HexlogicError."""
    if name not in sheet_rule_sets(game):
        raise UnknownNameError.among("rule set", name, list(sheet_rule_sets(game)))
    return render(export_sheet(find_rules(name, game), board_of(size, game)).program, "gdl")


def play(*, text: str, moves: Sequence[Sequence[str]] = ()) -> Fields:
    """The state after the joint moves, each a list of one move for each role.

    Its facts, those that no picture shows (`rest`), the legal moves and the goals by role, the rules that fired (with
    their lines), and what is wrong with the text. A mistake is the `problem`, with its line and column.
    """
    file, findings = file_of(text), list[Fields]()
    try:
        findings = [_finding(finding) for finding in text_findings(text, file)]
        sheet = checked_sheet(text, file)
        with StateMachine.from_sheet(sheet, "clingo") as machine:
            roles, states, joints = machine.roles, [machine.initial_state], _read(moves)
            for joint in joints:
                if machine.is_terminal(states[-1]):
                    raise MoveError("the game is over")
                states.append(machine.next_state(states[-1], joint))
            state, over = states[-1], machine.is_terminal(states[-1])
            # A board may be empty yet: which cells can have stones is what the sheet says of all states.
            possible = [atom.arguments[0] for atom in possible_inputs(sheet) or () if atom.name == "true"]
            picture: Picture | None = find_board(sheet, roles, [possible])
            picture = picture or find_grid(roles, [sorted(each.facts, key=str) for each in states])
            return {
                "problem": None,
                "findings": findings,
                "roles": list(map(write_term, roles)),
                "legal": [[] if over else list(map(write_term, machine.legal_moves(state, role))) for role in roles],
                "goals": [list(machine.goals(state, role)) for role in roles],
                "over": over,
                "fired": _fired(sheet, roles, state, (states[-2], joints[-1]) if joints else None),
                **picture_of(picture, state.facts),
            }
    except HexlogicError as error:
        return {**problem_of(error, file), "findings": findings}


def _read(moves: Sequence[Sequence[str]]) -> list[list[Term]]:
    return [list(map(read_term, joint)) for joint in moves]


def check_text(*, text: str) -> Fields:
    """All findings of `hexlogic gdl check`, three random games included."""
    file = file_of(text)
    try:
        verdict = check_sheet(text, file, Plays(_GAMES, reasoner="clingo", longest=_LONGEST))
    except HexlogicError as error:
        return problem_of(error, file)
    findings = [_finding(finding) for finding in verdict.findings]
    return {"problem": None, "findings": findings, "rules": verdict.rules, "games": verdict.games}


def picture_of(picture: Picture | None, facts: frozenset[Term]) -> Fields:
    """A state as the page draws it: a board of the library with its stones, or an SVG, or neither; and the facts."""
    texts = {write_term(fact): picture is not None and picture.draws(fact) for fact in facts}
    rest = sorted(text for text, is_drawn in texts.items() if not is_drawn)
    drawn: Fields = {"board": None, "svg": None, "facts": sorted(texts), "rest": rest}
    if isinstance(picture, BoardPicture):
        stones: list[list[str]] = [[], []]
        for fact in filter(picture.draws, facts):
            match fact:
                case Function(_, (role, Symbol(cell))):
                    stones[picture.roles.index(role)].append(cell)
        red, blue = map(sorted, stones)
        drawn["board"] = {"game": picture.game.name, "size": picture.game.size_text, "red": red, "blue": blue}
    elif picture is not None:
        drawn["svg"] = picture.draw(facts, "the state")
    return drawn


def _fired(sheet: Program, roles: Sequence[Term], state: State, last: tuple[State, list[Term]] | None) -> list[Fields]:
    """The rules with a body that held: of the last move those that need it, of the state the others."""

    def needs(rule: Rule, name: str) -> bool:
        return rule.head is not None and any(below.name == name for below in reachable(sheet, [rule.head.predicate]))

    def of_move(rule: Rule) -> bool:
        return needs(rule, "does") or (rule.head is not None and rule.head.name == "next")

    facts = [Atom("true", (fact,)) for fact in state.facts]
    held = _held(sheet, facts, lambda rule: needs(rule, "true") and not of_move(rule))
    if last is not None:
        before, moves = last
        facts = [Atom("true", (fact,)) for fact in before.facts]
        facts += [Atom("does", (role, move)) for role, move in zip(roles, moves, strict=True)]
        held |= _held(sheet, facts, of_move)
    return [{"line": line, "rule": rule} for line, rule in sorted(held)]


def _held(sheet: Program, facts: list[Atom], chosen: Callable[[Rule], bool]) -> set[tuple[int, str]]:
    """Line and text of the chosen rules whose bodies hold: each gets a second head that tells of it."""
    rules = [rule for rule in sheet.rules if rule.body and rule.head is not None and rule.place and chosen(rule)]
    marks = [Atom(internal_name("fired", str(number))) for number in range(len(rules))]
    marked = tuple(Rule(mark, rule.body) for mark, rule in zip(marks, rules, strict=True))
    model = least_model(sheet.with_rules((*sheet.rules, *marked)), facts, only=[mark.predicate for mark in marks])
    fired = [rule for mark, rule in zip(marks, rules, strict=True) if mark in model]
    return {(rule.place.line, str(rule)) for rule in fired if rule.place is not None}


def file_of(text: str) -> str:
    """The name that errors give to the text; it says the form: KIF begins with a parenthesis, HRF does not, and a
    rulesheet of Epilog has operations."""
    place = 0
    while (match := _COMMENT.match(text, place)) and match.end() > place:
        place = match.end()
    if text[place : place + 1] in ("", "("):
        return "sheet.kif"
    return "sheet.epilog" if re.search(r"^[^%]*::", text, re.MULTILINE) else "sheet.hrf"


def _finding(finding: Finding) -> Fields:
    return {"kind": finding.kind, "line": finding.line, "column": finding.column, "message": str(finding)}


def choose(*, text: str, players: Sequence[str | None], moves: Sequence[Sequence[str]] = (), seed: int = 0) -> Fields:
    """By role the move of its strategy, such as `random` or `uct:1000`, after the joint moves; None without one."""
    file = file_of(text)
    try:
        strategies = [None if name is None else choose_strategy(name) for name in players]
        searching = any(strategy.name != "random" for strategy in filter(None, strategies))
        sheet = checked_sheet(text, file)
        with StateMachine.from_sheet(sheet, "compiled" if searching else "clingo") as machine:
            if len(strategies) != len(machine.roles):
                raise MoveError(f"{len(strategies)} players for {len(machine.roles)} roles")
            ready = [
                None if strategy is None else strategy(machine, role, seed + role)
                for role, strategy in enumerate(strategies)
            ]
            state = machine.initial_state
            for joint in _read(moves):
                state = machine.next_state(state, joint)
                for player in filter(None, ready):
                    player.advance(joint, state)
            if machine.is_terminal(state):
                raise MoveError("the game is over")
            chosen = [player and write_term(player.choose(state, Clock(_SECONDS))) for player in ready]
            return {"problem": None, "moves": chosen}
    except HexlogicError as error:
        return problem_of(error, file)

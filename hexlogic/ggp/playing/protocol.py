"""The messages of the general game playing protocol: what a host sends, as frozen values, read and written as KIF.

    (INFO)                                            ((name NAME) (status available))
    (PREVIEW (RULE ...) CLOCK)                        READY
    (START MATCH ROLE (RULE ...) STARTCLOCK PLAYCLOCK)  READY
    (PLAY MATCH NIL), (PLAY MATCH (MOVE ...))         a move
    (STOP MATCH (MOVE ...))                           DONE
    (ABORT MATCH)                                     DONE

The moves are those of all roles in the step before, in the order in which the sheet names the roles; before the first
step there are none. Words of the protocol may be written in any case, a message without arguments as a bare word.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from hexlogic.errors import HexlogicError, RuleSyntaxError
from hexlogic.ggp.language.expressions import Expression, Form, Word, parse_kif, wrong
from hexlogic.ggp.language.reading import sound_part
from hexlogic.ggp.language.sheet import term_of
from hexlogic.language.dialects.gdl import render, write_term
from hexlogic.language.syntax import Program, Term

READY, DONE, BUSY = "READY", "DONE", "busy"
"""Answers: to START and PREVIEW, to STOP and ABORT, and to what concerns a match that the player does not play."""

_CLOCK = re.compile(r"[0-9]{1,9}")
_WORD = re.compile(r"[^\s();?][^\s();]*")


@dataclass(frozen=True, slots=True)
class Info:
    """Who are you, and do you have time?"""


@dataclass(frozen=True, slots=True)
class Preview:
    """A game that may be played soon; the player may look at it for `clock_s` seconds."""

    sheet: Program
    clock_s: int = 0


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins; the player has `start_clock_s` seconds to get ready, then `play_clock_s` for each move. `fault`
    is what is wrong with rules that were left out of the sheet."""

    match: str
    role: Term
    sheet: Program
    start_clock_s: int
    play_clock_s: int
    fault: HexlogicError | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Play:
    """What all roles did in the step before, None before the first one; the player's move is wanted."""

    match: str
    moves: tuple[Term, ...] | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The match is over with these moves."""

    match: str
    moves: tuple[Term, ...] | None


@dataclass(frozen=True, slots=True)
class Abort:
    """The match is given up."""

    match: str


Message: TypeAlias = Info | Preview | Start | Play | Stop | Abort


def read_message(text: str) -> Message:
    """The message that a text spells; START with the sound rules of its sheet. Raises HexlogicError with line and
    column, also for a sheet without any that can be played.

    >>> read_message("( play m.1 ( ( mark 2 3 ) noop ) )").moves[0] == read_message("(PLAY m.1 ((mark 2 3)))").moves[0]
    True
    """
    expressions = parse_kif(text)
    if len(expressions) != 1:
        raise RuleSyntaxError(f"{len(expressions)} expressions where one message should be", line=1, column=1)
    whole = expressions[0]
    items = whole.items if isinstance(whole, Form) else (whole,)
    if not items or not isinstance(items[0], Word):
        raise RuleSyntaxError("a message begins with a word", line=whole.line, column=whole.column, hint="as in (INFO)")
    match items[0].text.upper(), items[1:]:
        case "INFO", ():
            return Info()
        case "PREVIEW", (rules, *clock) if len(clock) < 2:
            return Preview(_sheet(rules)[0], *map(_seconds, clock))
        case "START", (name, role, rules, start, play):
            sheet, fault = _sheet(rules)
            return Start(_name(name), term_of(role), sheet, _seconds(start), _seconds(play), fault)
        case "PLAY", (name, moves):
            return Play(_name(name), _moves(moves))
        case "STOP", (name, moves):
            return Stop(_name(name), _moves(moves))
        case "ABORT", (name,):
            return Abort(_name(name))
        case "INFO" | "PREVIEW" | "START" | "PLAY" | "STOP" | "ABORT" as word, parts:
            raise wrong(f"{word} with {len(parts)} arguments", items[0])
    raise wrong(f"unknown message {items[0].text[:40]!r}", items[0], "INFO, PREVIEW, START, PLAY, STOP or ABORT")


def write_message(message: Message) -> str:
    """The message as KIF on one line.

    >>> write_message(Play("m.1", None))
    '(PLAY m.1 NIL)'
    """
    match message:
        case Info():
            return "(INFO)"
        case Preview(sheet, clock):
            return f"(PREVIEW {_rules_text(sheet)} {clock})"
        case Start(name, role, sheet, start, play, _):
            return f"(START {name} {write_term(role)} {_rules_text(sheet)} {start} {play})"
        case Play(name, moves):
            return f"(PLAY {name} {_moves_text(moves)})"
        case Stop(name, moves):
            return f"(STOP {name} {_moves_text(moves)})"
        case Abort(name):
            return f"(ABORT {name})"
        case _:
            assert_never(message)


def _rules_text(sheet: Program) -> str:
    sent = replace(sheet, rules=tuple(rule for rule in sheet.rules if rule.head is not None))
    return f"({' '.join(render(sent).split())})"


def _moves_text(moves: Sequence[Term] | None) -> str:
    return "NIL" if moves is None else f"({' '.join(map(write_term, moves))})"


def _name(expression: Expression) -> str:
    if isinstance(expression, Word) and _WORD.fullmatch(expression.text):
        return expression.text
    raise wrong("the name of a match should be a word", expression)


def _seconds(expression: Expression) -> int:
    if isinstance(expression, Word) and _CLOCK.fullmatch(expression.text):
        return int(expression.text)
    raise wrong("a clock should be a number of seconds", expression)


def _moves(expression: Expression) -> tuple[Term, ...] | None:
    if isinstance(expression, Form):
        return tuple(map(term_of, expression.items)) or None
    if expression.text.upper() == "NIL":
        return None
    raise wrong("the moves should be a list or NIL", expression)


def _sheet(expression: Expression) -> tuple[Program, HexlogicError | None]:
    if not isinstance(expression, Form):
        raise wrong("the rules should be a list", expression)
    try:
        return sound_part(expression.items, "<message>")
    except HexlogicError as error:
        raise error.at(line=expression.line, column=expression.column) from None

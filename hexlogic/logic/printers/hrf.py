"""GDL in infix form (HRF), the text that Stanford's tools read.

    wins(X) :- true(cell(X,b)), not lost(X), X != r.      wins(X) :-
                                                            true(cell(X,b)) &
                                                            ~lost(X) &
                                                            distinct(X,r)

A word that is no name in this syntax, such as one with a capital, stands in double quotes. What GDL cannot say is as
in the dialect `gdl`; the text reads back to an equal program (`hexlogic.gdl.read_hrf`).
"""

from __future__ import annotations

import re

from hexlogic.logic.printers.gdl_items import sheet_rules
from hexlogic.logic.printers.gdl_words import constant_word, word_of
from hexlogic.logic.syntax import (
    Atom,
    BodyLiteral,
    Comparison,
    Function,
    Integer,
    Program,
    Rule,
    Symbol,
    Term,
    Variable,
)

__all__ = ["render"]

_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*|-?[0-9]+")


def render(program: Program) -> str:
    """The infix text of a program. Raises HexlogicError for what GDL cannot say, with the place of the rule."""
    return sheet_rules(program, write_rule, "%")


def write_rule(rule: Rule) -> str:
    """A fact on one line, or a rule with its literals below each other."""
    assert rule.head is not None
    head = _atom(rule.head)
    if not rule.body:
        return head
    return f"{head} :-\n  " + " &\n  ".join(map(_literal, rule.body))


def _literal(item: BodyLiteral) -> str:
    if isinstance(item, Comparison):
        apart = f"distinct({_term(item.left)},{_term(item.right)})"
        return apart if item.operator == "!=" else f"~{apart}"
    return _atom(item.atom) if item.positive else f"~{_atom(item.atom)}"


def _atom(atom: Atom) -> str:
    return _compound(atom.name, atom.arguments)


def _compound(name: str, arguments: tuple[Term, ...]) -> str:
    word = _word(word_of(name))
    return f"{word}({','.join(map(_term, arguments))})" if arguments else word


def _word(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _term(term: Term) -> str:
    match term:
        case Variable(name):
            return name
        case Integer() | Symbol():
            return _word(constant_word(term))
        case Function(name, arguments):
            return _compound(name, arguments)
        case _:
            raise AssertionError(f"{term} is refused before")

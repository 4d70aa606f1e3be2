"""GDL in KIF, the prefix text that general game players read.

    wins(X) :- true(cell(X,b)), not lost(X), X != r.      (<= (wins ?x)
                                                              (true (cell ?x b))
                                                              (not (lost ?x))
                                                              (distinct ?x r))
    terminal.                                             terminal

The text is canonical: a fact on a line, a rule with one literal on a line, an empty line where the head changes its
predicate. It reads back to an equal program (`hexlogic.gdl.read_kif`). `=` is `(not (distinct ...))`. GDL has no
arithmetic and no order: a program with them has no text here until `ground` has computed them. Integrity constraints
derive nothing and become comments.
"""

from __future__ import annotations

from hexlogic.logic.printers.gdl_items import sheet_rules
from hexlogic.logic.printers.gdl_words import constant_word, variable_word, word_of
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

__all__ = ["render", "write_term"]


def render(program: Program) -> str:
    """The KIF text of a program. Raises HexlogicError for what GDL cannot say, with the place of the rule."""
    return sheet_rules(program, write_rule, ";")


def write_rule(rule: Rule) -> str:
    """A fact on one line, or a rule with its literals below each other."""
    assert rule.head is not None
    head = _atom(rule.head)
    if not rule.body:
        return head
    return f"(<= {head}" + "".join(f"\n    {_literal(item)}" for item in rule.body) + ")"


def _literal(item: BodyLiteral) -> str:
    if isinstance(item, Comparison):
        apart = f"(distinct {write_term(item.left)} {write_term(item.right)})"
        return apart if item.operator == "!=" else f"(not {apart})"
    return _atom(item.atom) if item.positive else f"(not {_atom(item.atom)})"


def _atom(atom: Atom) -> str:
    return _compound(atom.name, atom.arguments)


def _compound(name: str, arguments: tuple[Term, ...]) -> str:
    return f"({' '.join([word_of(name), *map(write_term, arguments)])})" if arguments else word_of(name)


def write_term(term: Term) -> str:
    """A term as KIF.

    >>> write_term(Function("cell", (Integer(1), Variable("Y"), Symbol("b"))))
    '(cell 1 ?y b)'
    """
    match term:
        case Variable(name):
            return variable_word(name)
        case Integer() | Symbol():
            return constant_word(term)
        case Function(name, arguments):
            return _compound(name, arguments)
        case _:
            raise AssertionError(f"{term} is refused before")
